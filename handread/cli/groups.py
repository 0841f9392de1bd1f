"""Groups of options that commands share, each as one value.

A group is a frozen dataclass whose fields are options. ``spread`` turns a function of groups into a
command with their options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from functools import cache, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from typer.models import ParameterInfo

import handread.cli.options as shared
from handread.cli.declared import Option, option
from handread.cli.help import POLICIES, RUNNING, TABLE
from handread.cli.options import reader_names, usage, usage_errors
from handread.cli.rare import RareSetting, set_option, values
from handread.cli.streams import GIVEN
from handread.lazy import lazily
from handread.version import __version__

with lazily():
    import handread.cluster as clusters
    import handread.decisions.terms as valuation
    import handread.formats.saund_read as saund
    import handread.game.rules as rules
    import handread.inference.players as inference
    import handread.inference.readers as reading
    import handread.named_readers as readers
    import handread.parallel as parallel
    import handread.policy as policies
    import handread.registry as papers
    import handread.report.words as words
    import handread.runs as runs
    import handread.simulate as simulation
    import handread.study.fit.uncertainty as uncertain
    import handread.study.statistics as statistics
    import handread.tables.export as table_export
    import handread.tables.known as known_tables
    import handread.tables.read as read_tables
    from handread.cli import console

SET = "set_"
"""The parameter of a command for the values of its settings."""


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of the groups that a function takes.

    A parameter whose type is a group becomes the fields of the group, with the defaults of its own
    default value if it has one. All settings become the option ``--set``.
    """
    types = _types_in(function)
    groups: dict[str, Any] = {name: kind for name, kind in types.items() if is_dataclass(kind)}
    options: list[Parameter] = []
    settings: list[RareSetting] = []
    for declaration in _declarations(function):
        name, default, kind, declared = declaration
        if isinstance(declared, RareSetting):
            settings.append(declared.declared(name, kind, default))
        else:
            options.append(_parameter(declaration))
    if settings:
        options.append(_parameter(_Declaration(SET, [], *get_args(set_option(settings)))))

    @wraps(function)
    def command(**given: Any) -> None:
        given |= values(settings, given.pop(SET, ()))
        for name, group in groups.items():
            given[name] = group(**{part.name: given.pop(part.name) for part in fields(group)})
        function(**given)

    # typer reads the signature and the annotations, the help reads the settings.
    vars(command)["__signature__"] = signature(function).replace(parameters=options)
    vars(command)["settings"] = settings
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in options}
    return command


class _Declaration(NamedTuple):
    """An option or setting as a function or group declares it; the default ``...`` requires it."""

    name: str
    default: object
    kind: Any  # a type, such as int | None
    declared: Option | ParameterInfo


def _declarations(function: Callable[..., None]) -> Iterator[_Declaration]:
    """Yield the options and settings of a function and of its groups."""
    for name, parameter in signature(function).parameters.items():
        kind, default = _types_in(function)[name], parameter.default
        if isinstance(default, Field):
            declared = default.metadata["declared"]
            yield _Declaration(name, default.metadata["default"], kind, declared)
        elif not is_dataclass(kind):
            yield _Declaration(name, default, *get_args(kind))
        else:
            group: Any = kind
            defaults = group() if default is Parameter.empty else default
            for part in fields(group):
                typed, declared = _types_in(group)[part.name], part.metadata.get("declared")
                of_part = get_args(typed) if declared is None else (typed, declared)
                yield _Declaration(part.name, getattr(defaults, part.name), *of_part)


def _parameter(declaration: _Declaration) -> Parameter:
    """Return the parameter from which typer makes an option."""
    name, default, kind, declared = declaration
    made = declared.made(name, kind) if isinstance(declared, Option) else declared
    default = Parameter.empty if default is ... else default
    kind = Annotated[kind, made]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


@cache
def _types_in(declaring: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the parameters of a function, or of the fields of a group."""
    return get_type_hints(declaring, include_extras=True)


@dataclass(frozen=True)
class PolicyOptions:
    """The policies that read hands."""

    policy: shared.SuitingPolicy = None
    lapse: shared.Lapse = None
    seat: shared.SeatModels = field(default_factory=list)
    known: Path | None = option(
        "Start from what these tables of earlier sessions, written by handread score, tell of "
        "the players by name: which style each follows.",
        "TABLES",
        panel=POLICIES,
    )

    def chosen(self) -> reading.Reader:
        """Return the reader that the options choose, or raise a usage error."""
        with usage_errors():
            players = inference.parse_players(self.policy, self.lapse, self.seat)
            if self.known is not None:
                tables = console.opened(self.known)
                players = replace(players, earlier=known_tables.earlier_hands(tables, players))
            return reading.PolicyReader(players)


@dataclass(frozen=True)
class ReaderOptions(PolicyOptions):
    """How hands are read: by policies, or by another reader."""

    reader: str | None = option(
        "How to read: cards-only, loki, loki-specific, loki-basic, bpp, bpp-improved, trees "
        "or another policy, or FILE.py with a reader of your own, which is run.",
        "NAME|FILE",
        names=reader_names,
        panel=POLICIES,
    )

    def chosen(self) -> reading.Reader:
        """Return the reader that the options choose, or raise a usage error."""
        if self.reader is None:
            return super().chosen()
        if PolicyOptions(self.policy, self.lapse, self.seat, self.known) != PolicyOptions():
            others = "--policy, --lapse, --seat and --known"
            raise usage(f"--reader replaces {others}: give one or the others")
        with usage_errors():
            return readers.load_reader(self.reader)


@dataclass(frozen=True)
class ViewOptions(ReaderOptions):
    """The reader of hands, the viewpoint, and the extent of the output."""

    viewpoint: shared.Viewpoint = None
    uncertainty: int = option(
        "Show 90% ranges from N draws of the policy's fitted parameters, such as 40; 0 shows none.",
        min=0,
        max=10_000,
        panel=POLICIES,
        default=0,
    )
    ties: shared.TiesOption = shared.Ties.SPLIT
    top: int = option("Number of holdings to list for each player.", max=1326, default=4)

    def chosen(self) -> reading.Reader:
        """Return the reader that the options choose, or raise a usage error."""
        reader = super().chosen()
        if not self.uncertainty:
            return reader
        players = reading.policies_of(reader)
        if players is None:
            raise usage(f"--uncertainty needs a fitted policy; the reader {reader.name} has none")
        with usage_errors():
            return reading.PolicyReader(uncertain.drawn_players(players, self.uncertainty))


@dataclass(frozen=True)
class ExactnessOptions:
    """How exactly decisions are valued."""

    exact: shared.Exact = False
    rollouts: shared.DecisionRollouts = None

    def terms(
        self,
        reader: reading.Reader,
        check: str | None = None,
        seed: int = 1,
        rake: str | None = None,
        then: str | None = None,
    ) -> valuation.DecisionTerms:
        """Return the settings for valuing decisions, or raise a usage error.

        The arguments are as in ``decisions.terms.decision_terms``.
        """
        players = reading.policies_of(reader)
        if players is None:
            lack = f"the reader {reader.name} has no policies by which a hand could be played on"
            raise usage(f"{lack}; decisions are valued with --policy")
        way = valuation.ROLLOUTS if self.exact or self.rollouts is not None else valuation.CHECKED
        rollouts = self.rollouts or shared.ROLLOUTS
        with usage_errors():
            return valuation.decision_terms(
                way, players, rollouts, check=check, seed=seed, rake=rake, then=then
            )


@dataclass(frozen=True)
class ValuingOptions:
    """How decisions are valued, if they are."""

    decisions: bool = option(
        "Also value the decisions of players whose downcards are known.", default=False
    )
    exact: shared.Exact = False
    rollouts: shared.DecisionRollouts = None

    def terms(self, reader: reading.Reader) -> valuation.DecisionTerms | None:
        """Return the settings for valuing decisions; None without valuing."""
        exactness = ExactnessOptions(self.exact, self.rollouts)
        if self.decisions:
            return exactness.terms(reader)
        if exactness != ExactnessOptions():
            raise usage("--exact and --rollouts are for --decisions: add it")
        return None


@dataclass(frozen=True)
class RuleOptions:
    """The table of simulated games, whoever plays."""

    seats: shared.Seats = 7
    game: shared.Game = None
    ties: shared.TiesOption = shared.Ties.SPLIT

    def setup_of(
        self, players: inference.PlayerModels, stack: str | None = None, names: str | None = None
    ) -> simulation.Setup:
        """Return the table with players, chips and names; ``ValueError`` for an impossible game."""
        unit, stakes, variant = rules.SAUND_UNIT, rules.SAUND_STAKES, rules.DEFAULT
        if self.game is not None:
            unit, stakes, variant = saund.read_game(self.game)
        chips = None if stack is None else unit.amount(stack)
        called = None if names is None else tuple(name.strip() for name in names.split(","))
        at_table = simulation.seated(players, self.seats, chips, called)
        return simulation.Setup(players, at_table, stakes, unit, ties=self.ties.value, game=variant)

    def played_by(self, policy: str = "default") -> simulation.Setup:
        """Return a table with players of a policy; ``ValueError`` if it or the game is bad."""
        model = inference.Model(policies.load_policy(policy))
        return self.setup_of(inference.PlayerModels(model))


@dataclass(frozen=True)
class PlayerOptions:
    """The policies of the players of simulated games."""

    policy: shared.PolicyName = "default"
    lapse: shared.Lapse = None
    seat: shared.SeatModels = field(default_factory=list)

    def models(
        self, knowledge: shared.Knowledge = shared.Knowledge.BET_INFERENCE
    ) -> inference.PlayerModels:
        """Return the players' models; ``PolicyError`` if a policy is unknown or unusable."""
        policy = policies.load_policy_file(self.policy).with_lapse(self.lapse).policy
        return inference.parse_seats(inference.Model(policy, knowledge.value), self.seat)


@dataclass(frozen=True)
class TableOptions(PlayerOptions, RuleOptions):
    """The table of simulated games, and who plays."""

    def setup(self) -> simulation.Setup:
        """Return the table of an experiment, or raise a usage error."""
        with usage_errors():
            return self.setup_of(self.models())


@dataclass(frozen=True)
class FullTableOptions(TableOptions):
    """A table with at most seven players, so that the deck has seven cards for each."""

    seats: int = option("Number of players at the table.", min=2, max=7, panel=TABLE, default=7)


@dataclass(frozen=True)
class ComputingOptions:
    """The processes or the cluster for a long run."""

    workers: shared.Workers = 0
    scheduler: str | None = option(
        "Run on the Dask cluster with this scheduler, such as tcp://host:8786.",
        "ADDRESS",
        panel=RUNNING,
    )
    resume: bool = option(
        "Continue an interrupted run, as the same command does if given again; say if none was.",
        panel=RUNNING,
        default=False,
    )

    def cluster(self) -> AbstractContextManager[parallel.Runner | None]:
        """Return a connection to the cluster, with its runner of jobs; None for this machine."""
        if self.scheduler is None:
            return parallel.workers_kept()
        return clusters.cluster(self.scheduler, console.say)


NEUTRAL_FLAGS = ("--workers", "--scheduler", "-o", "--output", "--plot")
"""Options, each with a value, that change no result; nor does ``--resume``."""


def given_command() -> str:
    """Return the command line without its neutral flags; with --anonymous, without its names."""
    kept, rest = [], iter(GIVEN)
    for word in rest:
        if word in NEUTRAL_FLAGS:
            next(rest, None)
        elif word != "--resume" and word.partition("=")[0] not in NEUTRAL_FLAGS:
            kept.append(word)
    if "--anonymous" in kept:  # any other word may be a name
        kept = [kept[0], "--anonymous"]
    return words.visible(words.command_line(["handread", *kept]))


def facts_of_tables(tables: read_tables.Tables) -> dict[str, Any]:
    """Return the facts for a file of results that come from tables: command, version, policy."""
    policy = tables.terms.get("players", "")
    return {"command": given_command(), "version": __version__, "policy": policy}


@dataclass(frozen=True)
class RunningOptions(ComputingOptions):
    """What computes a long run, and its seed."""

    seed: int = option("Random seed.", min=0, max=2**32 - 1, panel=RUNNING, default=1)

    def facts(self, policy: str) -> dict[str, Any]:
        """Return the facts of the run for files of results: command, version, seed, policies."""
        command = given_command()
        return {"command": command, "version": __version__, "seed": self.seed, "policy": policy}

    def heading(self) -> str:
        """Return the first lines of a file of policies, as comments: command, version and seed."""
        return f"# {given_command()}\n# version {__version__}, seed {self.seed}\n"

    @contextmanager
    def begin(
        self, terms: Mapping[str, Any], output: Path | None = None, timed: bool = True
    ) -> Iterator[runs.Run]:
        """Yield the requested run; its parts are kept until the body of the ``with`` ends.

        An interrupted run with the same terms is resumed. Errors and interrupts end the program.

        Args:
            terms: JSON values that determine the result; "command" is the name of the command.
            output: The file of the result, if any.
            timed: Say at the end how long it took.
        """
        watch = console.Watched()
        terms = {"version": __version__, "seed": self.seed, **terms}
        terms |= {name: repr(term) for name, term in terms.items() if hasattr(term, "deciders")}
        with console.kept_parts(output, terms, self.resume) as folder, self.cluster() as compute:
            yield runs.Run(self.seed, self.workers, compute, folder, watch)
        if timed:
            watch.tell()


@dataclass(frozen=True)
class OutputOptions:
    """Files that are written besides the text."""

    results: shared.Results = None

    @property
    def first(self) -> Path | None:
        """The file beside which an interrupted run keeps its work; None without files."""
        return self.results

    def write(
        self, table: statistics.FigureTable, facts: Mapping[str, Any], _figure: str = ""
    ) -> None:
        """Write a table of figures and the facts of its run, if there is a file for them."""
        if self.results is not None:
            rows, whole = table.to_frame().lazy(), table.to_dict()
            table_export.write_results(self.results, rows, facts, whole)


@dataclass(frozen=True)
class DrawnOptions(OutputOptions):
    """Files that are written besides the text: a table and a picture."""

    plot: shared.Plot = None

    @property
    def first(self) -> Path | None:
        """The file beside which an interrupted run keeps its work; None without files."""
        return self.results or self.plot

    def write(
        self, table: statistics.FigureTable, facts: Mapping[str, Any], figure: str = ""
    ) -> None:
        """Write a table of figures and the facts of its run; draw it by the function ``figure``."""
        super().write(table, facts)
        console.draw(self.plot, lambda _: papers.picture(figure)(table))
