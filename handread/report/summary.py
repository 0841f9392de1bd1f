"""Render summaries of a set of tables as text and JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import handread.report.evaluation as evaluation
import handread.report.tables as tables
import handread.tables.summary as sums
from handread.decisions.terms import LEARNED
from handread.policy import load_policy, policy_names
from handread.report.decision_words import GUIDE
from handread.report.information_text import gain_text
from handread.report.policies import trust_words
from handread.report.session_decisions import session_tables
from handread.report.tables import FigureColumn, as_prose, figures_text, hands_words, n_cell, with_n
from handread.report.words import left_out_words, visible
from handread.study.information_gain import GAIN_FIGURES
from handread.study.session_values import UNNAMED
from handread.study.statistics import Key
from handread.tables.pictures import Surprise

NAME_WIDTH = 20

MOST_POLICIES = 5

TOLD_WORDS = """\
surprise: -log2 of the probability of an action. told: what a player's actions in a hand tell about
its downcards. true: how far they move the read towards the downcards that it has (below 0: away
from them), where these are known.
"""
LAST_WORDS = """\
last read: log2 of what a player's last read in a hand gives the true downcards against a blind
guess, in bits.
"""


def summary_text(summary: sums.Summary) -> str:
    """Return a summary as text: the set, its reads, and its players."""
    included = [name for name, _ in summary.totals.policies if name in policy_names()]
    parts = [
        _heading(summary.totals),
        _refused_text(summary.totals),
        *_players_texts(summary),
        *_values_texts(summary),
        *_told_texts(summary),
        _gain_text(summary),
        _reads_text(summary),
        as_prose(*(trust_words(load_policy(name)) for name in included)),
        evaluation.shown_text(summary.totals.known),
    ]
    return "\n".join(part for part in parts if part)


def _heading(totals: sums.Totals) -> str:
    known = totals.known
    shown = totals.policies[:MOST_POLICIES]
    policies = ", ".join(f"{visible(name)} ({n:,})" for name, n in shown)
    if len(totals.policies) > len(shown):
        policies += f" and {len(totals.policies) - len(shown):,} others"
    lines = (
        f"{hands_words(totals.hands)}, {totals.finished:,} recorded to the end, "
        f"{totals.showdowns:,} with a showdown; {left_out_words(totals.left_out)}",
        f"policies and hands read with them: {policies or 'none'}; ties {visible(totals.ties)}",
        f"downcards known of {known.total:,} of {totals.dealt_in:,} players dealt in"
        f"{evaluation.ways_words(known)}",
        f"all downcards known in {hands_words(totals.fully_known)}, "
        f"some in {totals.partly_known:,}",
        "in brackets: 95% intervals, with hands as the units sampled; from fewer than about "
        f"{evaluation.FEW_HANDS} hands they are too narrow",
    )
    return as_prose(*lines)


def _refused_text(totals: sums.Totals) -> str:
    wrong = totals.left_out["refused"] + totals.left_out["not understood"]
    if not wrong:
        return ""
    lines = [f"  {reason.hands:,}  {visible(reason.example)}" for reason in totals.reasons]
    others = wrong - sum(reason.hands for reason in totals.reasons)
    if others:
        lines.append(f"  {others:,}  for other reasons")
    counted = [kind for kind in ("refused", "not understood") if totals.left_out[kind]]
    title = f"{' and '.join(counted)}, by reason (one of each kind is shown)"
    return as_prose(title, *lines, hang=" " * 6)


def _gain_text(summary: sums.Summary) -> str:
    if not any(summary.at("gain_fraction", stage, about="gain").n for stage in summary.stages):
        return ""
    title = "What the bets add to the cards (Figure 6), in hands with all downcards known"
    ties = "equal hands share the pot" if summary.totals.ties == "split" else "a tie is a win"
    note = f"{ties}; the paper's is --ties paper" if summary.totals.ties == "split" else ties
    return as_prose(title, note) + gain_text(summary.gain)


def _reads_text(summary: sums.Summary) -> str:
    in_all, still_in = (
        [summary.at(bits, stage, about="reads") for stage in summary.stages]
        for bits in (sums.BITS_WITH_FOLDED, sums.BITS)
    )
    folds = any(whole.n > part.n for whole, part in zip(in_all, still_in, strict=True))
    return evaluation.truth_text(
        summary.totals.known,
        _reads_table(summary, sums.BITS, sums.SHARE),
        _reads_table(summary, sums.BITS_WITH_FOLDED, sums.SHARE_WITH_FOLDED) if folds else "",
        ruled_out=any(score.infinite for score in in_all),
    )


def _reads_table(summary: sums.Summary, bits: str, share: str) -> str:
    columns = (
        FigureColumn(("n",), bits, n_cell),
        FigureColumn(("hands",), bits, lambda estimate: f"{estimate.hands:,}"),
        FigureColumn(("bits", ""), bits, partial(tables.with_interval, digits=2, sign="+")),
        FigureColumn(("ruled out",), bits, tables.infinite_cell),
        FigureColumn(("before it", ""), share, tables.share_cells),
    )
    return tables.stages_text(summary, columns, about="reads")


RESULT_COLUMNS = (
    FigureColumn(("dealt in",), sums.TOLD, n_cell),
    FigureColumn(("to the end", "big bets won", ""), sums.NET, partial(with_n, digits=2, sign="+")),
)
DID_COLUMNS = (
    FigureColumn(("actions",), sums.SURPRISE, n_cell),
    *(
        FigureColumn((kind, ""), share, partial(tables.with_interval, digits=0, scale=100.0))
        for kind, share in sums.SHARES.items()
    ),
)
TOLD_COLUMNS = (
    FigureColumn(("actions", "surprise", ""), sums.SURPRISE, partial(with_n, digits=2)),
    FigureColumn(("dealt in", "told", ""), sums.TOLD, partial(with_n, digits=2)),
    FigureColumn(("known", "true", ""), sums.TOLD_TRUTH, partial(with_n, digits=2, sign="+")),
)
LAST_COLUMNS = (
    FigureColumn(("known", "last read", ""), sums.LAST_READ, partial(with_n, digits=2, sign="+")),
    FigureColumn(("ruled out",), sums.LAST_READ, tables.infinite_cell),
)


def _players_texts(summary: sums.Summary) -> Iterator[str]:
    if not summary.at(sums.TOLD, about="everybody").n:
        return
    players = summary.players
    most = sums.SORTS[players.asked.sort][1]
    title = f"players, from the most {most}: {len(players.wanted):,}"
    if players.all > len(players.wanted):
        title += f" of {players.all:,}"
    left_out = ""
    if players.few:
        words = f"{players.few:,} with fewer than {players.asked.least_hands} hands"
        left_out = as_prose(f"{words} left out (--least-hands)")
    won, did = (figures_text(summary, _rows(summary), c) for c in (RESULT_COLUMNS, DID_COLUMNS))
    words = "what they won: big bets a hand, less those put in, in whole hands of cash games"
    results = f"\n{as_prose(words)}{won}" if summary.at(sums.NET, about="everybody").n else ""
    yield f"{as_prose(title)}{left_out}{results}"
    yield f"what they did, % of their actions\n{did}"


def _values_texts(summary: sums.Summary) -> Iterator[str]:
    """Yield the costs of decisions and the results without luck, where the tables hold them."""
    if summary.values is None or not summary.values.players:
        return
    way = f"{visible(summary.valued_by)} a decision"
    if summary.valued_by.startswith(LEARNED):
        way = way.replace(LEARNED, "learned values", 1)
    words = (
        "what the decisions of players with known downcards cost, in big bets (BB)",
        f"by {way}; when not to trust it: {GUIDE}",
        "results are those of cash games",
    )
    yield "\n".join([as_prose(*words), *session_tables(summary.values)])


def _told_texts(summary: sums.Summary) -> Iterator[str]:
    if not summary.at(sums.TOLD, about="everybody").n:
        return
    yield information_text(summary)
    if summary.at(sums.LAST_READ, about="everybody").n:
        last = figures_text(summary, _rows(summary), LAST_COLUMNS)
        title = "how well they were read, by hand"
        yield f"{title}\n{last}{as_prose(LAST_WORDS)}{_floor_text(summary)}"


def information_text(summary: sums.Summary) -> str:
    """Return the information in the actions of players as text, one line per player."""
    title = "what their actions told, in bits: surprise by action, the others by hand"
    return f"{title}\n{figures_text(summary, _rows(summary), TOLD_COLUMNS)}{as_prose(TOLD_WORDS)}"


def _rows(summary: sums.Summary) -> list[tuple[str, Key]]:
    """Return the rows of a table of players, everybody first; the others are indented."""
    rows = [("everybody", Key("", about="everybody"))]
    for name in summary.players.wanted:
        shown = visible(UNNAMED if name is None else name)
        if len(shown) > NAME_WIDTH:
            shown = f"{shown[: NAME_WIDTH - 2]}.."
        rows.append((f"  {shown}", Key("", group=name or "", about="player")))
    return rows


def _floor_text(summary: sums.Summary) -> str:
    words = [
        f"{n:,} {what}{'s' * (n != 1)} that {why}"
        for figure, what, why in (
            (sums.SURPRISE, "action", "no holding of the policy takes"),
            (sums.LAST_READ, "true holding", "the last read ruled out"),
        )
        if (n := summary.at(figure, about="everybody").infinite)
    ]
    return as_prose(f"infinite, counted as 40 bits: {' and '.join(words)}") if words else ""


SURPRISE_COLUMNS = (
    FigureColumn(("actions", "surprise, bits", ""), "surprise_bits", partial(with_n, digits=2)),
    FigureColumn(("infinite",), "surprise_bits", tables.infinite_cell),
)


def surprise_text(surprises: Surprise) -> str:
    """Return the surprise of the actions as text, one line per kind."""
    rows = [(f"  {kind}", Key("", group=kind)) for kind in surprises.counts]
    words = as_prose("infinite: no holding of the policy takes the action; counted as 40 bits")
    some = any(surprise.infinite for surprise in surprises.figures.values())
    head = f"{hands_words(surprises.hands)}, {visible(surprises.policy)}"
    table = figures_text(surprises, rows, SURPRISE_COLUMNS)
    return f"{as_prose(head)}{table}{words if some else ''}"


SUMMARY_SCHEMA = "handread.summary/1"


def summary_object(summary: sums.Summary, unfinished: bool) -> dict[str, Any]:
    """Return a summary as JSON values; ``unfinished`` as in ``Tables``."""
    totals, players = summary.totals, summary.players
    gains = {name: name for name in GAIN_FIGURES}
    return {
        "schema": SUMMARY_SCHEMA,
        "unfinished": unfinished,
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "ties": totals.ties,
        "policies": [{"policy": name, "hands": n} for name, n in totals.policies],
        "refused": totals.left_out["refused"],
        "left_out": {
            why.replace(" ", "_"): n for why, n in totals.left_out.items() if why != "refused"
        },
        "reasons": [asdict(reason) for reason in totals.reasons],
        "known": {
            "dealt_in": totals.dealt_in,
            "downcards": {"total": totals.known.total, **asdict(totals.known)},
            "hands_fully": totals.fully_known,
            "hands_partly": totals.partly_known,
        },
        "information_gain": [
            {"stage": stage, **tables.counted_objects(summary, gains, Key("", stage, about="gain"))}
            for stage in summary.stages
        ],
        "reads": [
            {"stage": stage, **_objects(summary, sums.READ_FIGURES, Key("", stage, about="reads"))}
            for stage in summary.stages
        ],
        "everybody": _player_object(summary, None, "everybody"),
        "players": [_player_object(summary, name, "player") for name in players.wanted],
        "players_in_all": players.all,
    }


def _player_object(summary: sums.Summary, name: str | None, about: str) -> dict[str, Any]:
    place = Key("", group=name or "", about=about)
    shares = {kind: summary.figures[place._replace(figure=of)] for kind, of in sums.SHARES.items()}
    actions = {kind: round(of.n * of.mean) if of.n else 0 for kind, of in shares.items()}
    head = {
        "name": name,
        "hands": summary.figures[place._replace(figure=sums.TOLD)].n,
        "actions": actions,
    }
    return head | _objects(summary, sums.PLAYER_FIGURES, place)


def _objects(summary: sums.Summary, figures: Sequence[str], place: Key) -> dict[str, Any]:
    estimates = {name: summary.figures[place._replace(figure=name)] for name in figures}
    return {
        name: {"n": of.n, "hands": of.hands, **tables.interval_object(of), "infinite": of.infinite}
        for name, of in estimates.items()
    }
