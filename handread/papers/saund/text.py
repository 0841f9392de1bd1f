"""The tables of the experiments and of fitted policies, as text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from handread.game.rules import STREET_NAMES
from handread.papers.loki.income import FIGURE as INCOME
from handread.papers.loki.model import ACTIONS, COSTS
from handread.papers.loki.study import ActionFrequencies, StartingHands
from handread.papers.saund.independence import INDEPENDENCE_FIGURES, IndependenceCost
from handread.papers.saund.misspecified import FITTED, POOLED, Misreading, ReaderModel
from handread.papers.saund.replication import EntropyPaths, InformationGain, WinRates
from handread.papers.trees.study import (
    ACTION,
    CURVES,
    GAIN,
    LIKELIHOOD,
    OUTCOME,
    LearningCurves,
    part_of,
)
from handread.policy import Provenance
from handread.report.tables import (
    FigureColumn,
    as_prose,
    as_text,
    count,
    figures_text,
    n_cell,
    n_games,
    number,
    reliability_text,
    with_error,
)
from handread.report.words import visible
from handread.study.calibration import Calibration
from handread.study.fit.choices import Choice
from handread.study.fit.fitted import LEAVES, Fit
from handread.study.fit.usage import Usage
from handread.study.published import INFORMATION, PAPER, RATES, SPECIFIC, STATED, Published
from handread.study.statistics import Estimate, FigureTable, Key

if TYPE_CHECKING:
    from handread.papers.bpp.reader_study import BppReaders
from handread.papers.tournament.study import DIFFERENCE, NET, PLAY, Tournament


def by_stage(table: FigureTable) -> list[tuple[str, Key]]:
    """Return the rows of a table of stages."""
    return [(stage, Key("", stage)) for stage in table.stages]


# Information gain (Figure 6)


def _gain(found: Estimate) -> str:
    """Return a gain in percent, that of the paper without digits that it does not state."""
    return with_error(found, 1 if found.n else 0, scale=100.0, unit="%")


GAIN_COLUMNS = (
    FigureColumn(("games",), "log2_n_bits", lambda found: count(found.n)),
    FigureColumn(("log2 N",), "log2_n_bits", with_error),
    FigureColumn(("entropy",), "entropy_bits", with_error),
    FigureColumn(("K-L cards-only",), "kl_cards_only_bits", with_error),
    FigureColumn(("K-L bet-inference",), "kl_bet_inference_bits", with_error),
    FigureColumn(("gain",), "gain_fraction", _gain),
)


def gain_text(table: InformationGain) -> str:
    """Return Figure 6 as text: a line a stage."""
    return (
        as_prose(
            f"{n_games(table.games)}, {table.policy}",
            "bits, mean ±standard error over the games with two or more active",
        )
        + f"\n{figures_text(table, _gains(table), GAIN_COLUMNS, 'stage')}"
        + _left_out(table, "gain_fraction")
        + _of_paper(table, INFORMATION)
    )


def _gains(table: FigureTable) -> Iterator[tuple[str, Key]]:
    """Yield the rows of the stages, those of the paper below them."""
    for stage, place in by_stage(table):
        yield stage, place
        if Key("gain_fraction", stage, "", PAPER) in table.figures:
            yield PAPER, place._replace(about=PAPER)


def _of_paper(table: FigureTable, source: Published) -> str:
    """Return a line on where a paper states the values of a table, if it has any."""
    there = any(key in table.figures for key in STATED[source])
    return as_prose(f"paper: {source}") if there else ""


def _left_out(table: FigureTable, figure: str) -> str:
    """Return a line on the reads that gave no chance to what happened, if there are any."""
    n = sum(table.at(figure, stage).infinite for stage in table.stages)
    return f"left out: {n:,} infinite, where a read ruled out what could be\n" if n else ""


# Entropies (Figure 7)


def entropies_text(table: EntropyPaths) -> str:
    """Return the entropies of the game that is picked out, where its downcards are known."""
    path = table.paths.get(table.picked, {})
    lines = [f"  {stage}  {bits:.3f} bits\n" for stage, bits in path.items()]
    return "entropy of the outcome\n" + "".join(lines) if lines else "not all downcards are known\n"


# Win rates (Figure 9)


def rates_text(rates: WinRates) -> str:
    """Return Figure 9 as text: a line a kind of player and a line a player."""
    columns = [
        FigureColumn(("put in",), "put_in_small_bets", _or_stated),
        FigureColumn(("won",), "won_small_bets", _or_stated),
        FigureColumn(("net",), "net_small_bets", partial(_or_stated, sign="+")),
        FigureColumn(("95% of net",), "net_small_bets", _range),
    ]
    head = f"{n_games(rates.games)}, {rates.players}\nsmall bets a player and hand, mean"
    if rates.games != rates.deals:
        columns.append(FigureColumn(("precision",), "precision", _times))
        times = rates.games // rates.deals
        head = f"{rates.deals:,} deals played {times} times each, {head}"
    rows = [*_kinds(rates), *((seat, Key("", "", seat, "seat")) for seat in rates.groups("seat"))]
    table = figures_text(rates, rows, columns)
    words = as_prose(*f"{head} ±standard error".split("\n"))
    return f"{words}\n{table}{_of_paper(rates, RATES)}"


def _kinds(table: FigureTable) -> Iterator[tuple[str, Key]]:
    """Yield the rows of the kinds of players, each with that of the paper below it."""
    stated = table.groups(PAPER)
    for kind in table.groups("kind"):
        yield kind, Key("", "", kind, "kind")
        if kind in stated:
            yield "  in the paper", Key("", "", kind, PAPER)


def _or_stated(found: Estimate, sign: str = "") -> str:
    """Return a mean with its error, or a value of a paper with the digits that it has there."""
    return with_error(found, sign=sign) if found.n else number(found.mean, 2, sign=sign)


def _range(net: Estimate) -> str:
    low, high = (number(end, 3, sign="+") for end in (net.low, net.high))
    return low if low == "-" else f"{low} to {high}"


def _times(precision: Estimate) -> str:
    times = number(precision.mean, 2)
    return times if times == "-" else f"x{times}"


# The duplicate tournament (Billings et al. 1998, Figure 4)


def tournament_text(found: Tournament) -> str:
    """Return a tournament as text: the kinds of players, their differences, their learning."""
    share = partial(number, digits=1, scale=100.0, unit="%")
    columns = (
        FigureColumn(("net",), NET, partial(with_error, sign="+")),
        FigureColumn(("95% of net",), NET, _range),
        *(
            FigureColumn((head,), figure, lambda found: share(found.mean))
            for head, figure in zip(("4th street", "showdown", "won"), PLAY[1:], strict=True)
        ),
    )
    differences = (
        FigureColumn(("net",), DIFFERENCE, partial(with_error, sign="+")),
        FigureColumn(("95% of net",), DIFFERENCE, _range),
    )
    times = found.games // found.deals
    sessions = "1 session" if found.sessions == 1 else f"{found.sessions:,} sessions"
    paragraphs = as_prose(
        f"{found.deals:,} deals in {sessions}, played {times} times each, {n_games(found.games)}: "
        + visible(found.players),
        "small bets a hand, mean ±standard error over sessions; hands that see 4th street, reach "
        "a showdown, and win there",
    )
    kinds = found.groups("kind")
    tables = [figures_text(found, _kinds(found), columns) + _of_paper(found, SPECIFIC)]
    pairs = [(pair, Key("", "", pair, "difference")) for pair in found.groups("difference")]
    tables.append(figures_text(found, pairs, differences, "difference"))
    if len(found.in_session) > 1:
        parts = [(part, Key("", "", "", part)) for part in found.in_session]
        nets = [
            FigureColumn((kind,), NET, partial(with_error, digits=2, sign="+"), group=kind)
            for kind in kinds
        ]
        tables.append(figures_text(found, parts, nets, "in a session"))
    return "\n".join([paragraphs, *(table for table in tables if table)])


# Learning curves


def learning_text(found: LearningCurves) -> str:
    """Return learning curves as text: for each prediction a line a number of games."""
    gain = partial(with_error, sign="+z")
    tables = []
    for kind, title in (
        (ACTION, "the action, given the outcome, the upcards and the history"),
        (OUTCOME, "the outcome, given the upcards and the history"),
    ):
        rows = [(f"{size:,}", Key("", "", "", part_of(kind, size))) for size in found.sizes]
        columns = [
            FigureColumn((curve,), LIKELIHOOD, lambda found: number(found.mean, 3), group=curve)
            for curve in CURVES
        ]
        gains = [
            FigureColumn((f"{curve} - prior",), GAIN, gain, group=curve) for curve in CURVES[2:]
        ]
        tables.append(f"{title}\n{figures_text(found, rows, (*columns, *gains), 'games')}")
    head = as_prose(
        f"{len(found.players)} players, up to {max(found.sizes):,} games of each to learn from and "
        f"{found.held_out:,} held out; the prior is learned from {found.others:,} games of others",
        "mean log2 P of the held-out examples, in bits; its gain on the prior, with the standard "
        "error over the players",
        "the players: " + visible("; ".join(found.players)),
    )
    return "\n".join([head, *tables])


# Loki's tables

BEST, WORST = 20, 5
"""The starting hands that the text lists."""


def starting_hands_text(found: StartingHands) -> str:
    """Return the incomes of the best and the worst starting hands as text."""
    order = sorted(found.figures, key=lambda key: -found.figures[key].mean)
    shown = [(key.group, key) for key in (*order[:BEST], *order[-WORST:])]
    income = FigureColumn(("income",), INCOME, partial(with_error, digits=3, sign="+"))
    return (
        as_prose(
            f"{len(order):,} starting hands, {n_games(found.games)} each, {found.players} players",
            f"bets a game, mean ±standard error; the best {BEST} and the worst {WORST}",
        )
        + f"\n{figures_text(found, shown, [income], 'hand')}"
    )


def action_frequencies_text(found: ActionFrequencies) -> str:
    """Return the frequencies of actions as text: a line for each street and cost."""
    share = partial(with_error, digits=1, scale=100.0, unit="%")
    columns = (
        FigureColumn(("actions",), ACTIONS[0], n_cell),
        *(FigureColumn((action,), action, share) for action in ACTIONS),
    )
    places = [
        (f"{STREET_NAMES[int(stage)]} street, {cost} to call", Key("", stage, cost))
        for stage in found.stages
        for cost in COSTS
        if found.at(ACTIONS[0], stage, cost).n
    ]
    return (
        as_prose(f"{n_games(found.games)}, {found.players}", "mean ±standard error over games")
        + f"\n{figures_text(found, places, columns, 'situation')}"
    )


# Calibration


def calibration_text(table: Calibration) -> str:
    """Return the reliability table as text: a line a bin."""
    head = f"{n_games(table.games)}, {table.policy}; the observer's chances, and what came true"
    kinds = dict.fromkeys(key.about for key in table.figures)
    return "\n".join([as_prose(head), *(reliability_text(table, kind, True) for kind in kinds)])


# Independence


def independence_text(table: IndependenceCost) -> str:
    """Return the cost of independence as text: a line a stage."""
    heads = ("cards", "bets", "cards, truth", "bets, truth", "equation 1")
    columns = [FigureColumn(("games",), INDEPENDENCE_FIGURES[0], n_cell)]
    for head, figure in zip(heads, INDEPENDENCE_FIGURES, strict=True):
        columns.append(FigureColumn((head,), figure, partial(with_error, digits=5)))
    return (
        as_prose(
            f"{n_games(table.games)}, {table.policy}; {table.draws:,} joint deals a stage and "
            "observer",
            "bits that independent seats cost the cards-only and the bet-inference observer: "
            "expected by the observer itself, and on the cards dealt; and what equation 1 costs "
            "who knows all",
        )
        + f"\n{figures_text(table, by_stage(table), columns, 'stage')}"
        + _left_out(table, INDEPENDENCE_FIGURES[0])
    )


# BPP


def bpp_readers_text(table: BppReaders) -> str:
    """Return the improvements of BPP's network as text: a line a reader."""
    columns = (
        FigureColumn(("bits on the truth",), "bits_on_truth", with_error),
        FigureColumn(("gain",), "gain_bits", partial(with_error, sign="+")),
        FigureColumn(("surprise",), "surprise_bits", with_error),
    )
    rows = [(name, Key("", group=name)) for name in table.readers]
    return (
        as_prose(
            f"{n_games(table.games)}, learned from {table.trained:,} others, {table.policy}",
            "bits on the true downcards after the last action of each seat on a street, beyond "
            "the cards, and surprise of an action, mean ±standard error",
        )
        + f"\n{figures_text(table, rows, columns)}"
    )


# Wrong models of the players


def misreading_text(table: Misreading) -> str:
    """Return the study as text: tables with a line a reader."""
    actions = table.of(table.readers[0], "surprise_bits").n
    learned = any(reader.kind == FITTED for reader in table.readers)
    fits = f"; fits: {table.family}, no downcard known" if learned else ""
    columns = (
        FigureColumn(("model error",), "model_error_bits", with_error),
        FigureColumn(("surprise",), "surprise_bits", with_error),
        FigureColumn(("over true",), "surprise_over_true_bits", partial(with_error, sign="+z")),
        FigureColumn(("impossible",), "impossible_fraction", _impossible),
    )
    return (
        as_prose(
            f"{n_games(table.games)} of {visible(table.players)}, {actions:,} actions, each game "
            f"read by every reader{fits}",
            "mean ±standard error from game to game; all: the betting stages together",
        )
        + f"\n{figures_text(table, _readers(table, ''), columns, 'reader')}\n"
        + as_prose(
            "model error: D(true policy || reader's policy) at the player's own downcards, bits "
            "an action",
            "surprise: -log2 of what the read expected of the action; over true: beyond what the "
            "true policy's read has; impossible: actions at which the reader rules out what the "
            "player could do (each counts 40 bits at most)",
        )
        + "".join(_by_stage(table, *stages) for stages in STAGE_TABLES)
        + _misread_left_out(table)
    )


def _readers(table: Misreading, indent: str) -> list[tuple[str, Key]]:
    """Return the rows of a table of readers."""
    return [
        (indent + visible(reader.label), Key("", "", reader.label, reader.kind))
        for reader in table.readers
    ]


def _impossible(share: Estimate) -> str:
    return number(share.mean, 1, 100.0, unit="%")


STAGE_TABLES = (
    ("information gain, bits", "gain_bits", partial(with_error, sign="+z")),
    (
        "information gain, % of what the true policy gives",
        "gain_share_of_true",
        partial(with_error, digits=0, scale=100.0, sign="z"),
    ),
    ("bits on the true downcards", "bits_on_truth", partial(with_error, digits=2, sign="+z")),
)
"""The tables of readers by stage: title, figure and cells."""


def _by_stage(table: Misreading, title: str, figure: str, cells: partial[str]) -> str:
    """Return one figure by reader and stage."""
    columns = [FigureColumn((place,), figure, cells, place) for place in table.places]
    return f"\n{figures_text(table, _readers(table, '  '), columns, title)}"


def _misread_left_out(table: Misreading) -> str:
    """Return a line on the reads that gave no chance to what could be, if there are any."""

    def left_out(reader: ReaderModel) -> int:
        return table.of(reader, "gain_bits", POOLED).infinite

    found = [f"{visible(one.label)} {left_out(one):,}" for one in table.readers if left_out(one)]
    words = f"left out of the gains, K-L infinite, games times stages: {'; '.join(found)}"
    return f"\n{as_prose(words)}" if found else ""


# Fitted policies


def fit_text(fit: Fit) -> str:
    """Return a fit as text: the data, the choices, the parameters with errors, the players."""
    provenance = fit.file.provenance
    assert provenance is not None  # a fit knows what it was fitted to
    told = [*_seen(provenance, fit.usage), *map(_choice, fit.choices), *_exponents(fit)]
    text = as_prose(*told) + _parameters(fit)
    return f"{text}\n{_players(provenance)}" if provenance.players else text


def _seen(provenance: Provenance, usage: Usage) -> Iterator[str]:
    surprise = -provenance.evidence_bits / provenance.actions
    given = ", given the downcards where they are known" if provenance.known else ""
    yield (
        f"used {_part(usage.used, usage.actions, 'action')} by choice, in "
        f"{_part(usage.hands_used, usage.hands, 'hand')}; {provenance.known:,} of them by players "
        "whose downcards are known"
    )
    if reasons := usage.why_not():
        yield f"not used: {'; '.join(reasons)}"
    yield f"surprise on these hands {surprise:.3f} bits an action{given}; on others it is more"


def _part(n: int, of: int, what: str) -> str:
    """Return how many there are of some things, such as "all 12 hands" or "3 of 12 hands"."""
    if of == 1:
        return f"{n} {what}"
    return f"all {of:,} {what}s" if n == of else f"{n:,} of {of:,} {what}s"


def _choice(choice: Choice) -> str:
    """Return the values that were tried, with their scores on hands held out."""
    cells = [
        f"{value:g}{'*' if value == choice.chosen else ''}: {score:+.3f}"
        for value, score in zip(choice.values, choice.scores, strict=True)
    ]
    return f"{choice.what}, by {choice.by} on hands held out: {', '.join(cells)}"


def _exponents(fit: Fit) -> Iterator[str]:
    """The likelihood exponents by street, with their intervals."""
    if own := fit.exponents():
        words = ", ".join(f"{e.mean:.2f} ({e.low:.2f} to {e.high:.2f})" for e in own)
        yield (
            f"likelihood exponents on 3rd to 7th street, by {own[0].n:,} true holdings in hands "
            f"held out, with 95% intervals: {words}"
        )


def _parameters(fit: Fit) -> str:
    if leaves := fit.groups(LEAVES):
        rows = [
            [where, f"{fit.at(LEAVES, group=where, about=LEAVES).mean:.0f}"] for where in leaves
        ]
        return f"\n{as_text([['tree', 'leaves'], *rows])}"
    rows = [["parameter", "value", "error"]]
    rows += [
        [name, f"{found.mean:+.2f}", f"{found.error:.2f}"]
        for name, found in fit.parameters().items()
    ]
    return f"\n{as_text(rows)}"


def _players(provenance: Provenance) -> str:
    rows = [["player", "hands", "actions"]]
    rows += [[visible(name), f"{hands:,}", f"{n:,}"] for name, hands, n in provenance.players]
    return f"players with a policy of their own\n{as_text(rows)}"
