"""The command that values decisions: decisions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer

import handread.cli.options as shared
from handread.cli.declared import option
from handread.cli.groups import ExactnessOptions, PolicyOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import known_who, policy_names
from handread.cli.reading import ReadingOptions, keep_apart
from handread.lazy import lazily

with lazily():
    import handread.decisions.terms as valuation
    import handread.report.decision_words as decision_report
    import handread.report.json as report_json
    import handread.report.session_decisions as session_decisions
    import handread.report.tables as report_tables
    import handread.sessions.files as sessions
    import handread.study.session_values as session_values
    import handread.tables as score_tables
    import handread.tables.export as table_export
    import handread.tables.pieces as table_pieces
    import handread.tables.rows as table_rows
    from handread.cli import console
    from handread.cli import valuing as session_valuing

WORST = 5
"""The number of expensive decisions listed by default for several hands."""


@dataclass(frozen=True)
class DecisionOptions(ExactnessOptions):
    """The decisions to value, and how exactly."""

    check: str | None = option(
        "Policy by which costly decisions are valued once more; none for no such "
        "check. Default: people, or panel for hands read by people.",
        "NAME|FILE",
        names=lambda: [*policy_names(), "none"],
    )
    player: str | None = option(
        "Value only the decisions of this player: hero, seat:N, a name, or all. "
        "Default: the hero, where the log tells who that is, otherwise all.",
        "WHO",
        check=known_who("player", "hero, all, seat:N or the name of a player"),
    )
    then: str | None = option(
        "How you go on after a decision: by a policy such as strong, while the others bet as "
        "people do. Takes rollouts. Default: by the policy of the reads.",
        "NAME|FILE",
        names=policy_names,
    )
    rake: str | None = option(
        "Part of every pot that the house keeps: 5%, or '5% max 3'. Default: the part "
        "kept of the hand's own pot.",
        "RAKE",
    )


@dataclass(frozen=True)
class DecisionOutputOptions:
    """Options for the output of the values of decisions."""

    top: int | None = option(
        "Number of expensive decisions to list; 0 lists none. Default: 5 if there are "
        "several hands.",
        min=0,
    )
    show_all: bool = option(
        "Show the decisions of every hand, not only the most expensive of several.",
        flags="--all",
        default=False,
    )
    results: shared.Results = None
    as_json: shared.AsJson = False


@spread
@examples(
    (
        "every decision of a hand in which all cards are known",
        "handread decisions sample_histories/all-cards-known.stud:3",
    ),
    (
        "the three most expensive decisions of a log",
        "handread decisions sample_histories/pokerstars.txt --top 3",
    ),
)
def decisions(
    *,
    files: shared.Files,
    asked: DecisionOptions,
    anonymous: shared.Anonymous = False,
    shown: DecisionOutputOptions,
    policies: PolicyOptions,
    ties: shared.TiesOption = shared.Ties.SPLIT,
    running: RunningOptions,
    hand: shared.HandId = None,
    reading: ReadingOptions,
) -> None:
    """Value decisions: what each was worth, and what it cost.

    These are your decisions; if no log names you, the decisions of all players whose downcards are
    known. The value of an action is its average winnings from there on if everybody then plays by
    the policy that reads the hand. For several hands you see the totals by player, yours by street
    and action too, and the most expensive decisions.

    Give the same command again to resume an interrupted run.
    """
    reads = reading.settings(files, anonymous)
    keep_apart(files, shown.results)
    reader = reads.named(policies.chosen())
    terms = asked.terms(reader, asked.check, running.seed, asked.rake, asked.then)
    session = sessions.Session(files, reads, prints=False)
    output = _Output(shown, running.facts(reader.terms))
    player = asked.player if asked.player == "all" else reads.who(asked.player)
    valuing = session_valuing.SessionValuing(
        session, terms, reader, player, ties=ties.value, running=running, shown=output.add
    )
    valuing.show(hand)
    output.finish()
    counts = session.counts
    raise typer.Exit(session.end(counts.analyzed > counts.unvalued.total()))


class _Output:
    """Prints hands with their values, and a summary at the end."""

    def __init__(self, shown: DecisionOutputOptions, facts: Mapping[str, Any]) -> None:
        self._shown = shown
        self._facts = facts
        self._console = console.screen()
        self._totals = session_values.SessionValues(WORST if shown.top is None else shown.top)
        self._told = session_decisions.SessionDecisions()
        self._rows = table_pieces.TableBuilder(score_tables.VALUE_TABLES) if shown.results else None
        self._first = ""

    def add(self, hand: "valuation.ValuedHand") -> None:
        self._totals.add(hand.analysis, hand.values)
        self._told.add(hand)
        if self._rows is not None:
            self._rows.add(table_rows.HandRow(hand.analysis).value_rows(hand.values))
        if self._shown.as_json:
            answer = report_json.decisions_object(hand)
            console.emit(json.dumps(answer, allow_nan=False) + "\n")
        elif self._shown.show_all:
            console.emit(decision_report.hand_text(hand, self._console))
        elif self._told.hands == 1:
            self._first = decision_report.hand_text(hand, self._console)

    def finish(self) -> None:
        if self._rows is not None and self._shown.results is not None:
            frame = self._rows.frames()[score_tables.DECISIONS]
            whole = {"decisions": frame.to_dicts()}
            table_export.write_results(self._shown.results, frame.lazy(), self._facts, whole)
        if self._shown.as_json:
            return
        several = self._told.hands > 1
        totals = self._totals.table()
        parts = [session_decisions.session_text(totals, self._told) if several else self._first]
        if self._shown.top or (several and self._shown.top is None):
            parts.append(session_decisions.worst_text(totals, self._told))
        if several and totals.players:
            parts.append(report_tables.as_prose(session_decisions.meaning_words(self._told)))
        console.emit("\n".join(filter(None, parts)))
