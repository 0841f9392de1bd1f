"""The tables of the experiments with BPP, as text."""

from functools import partial

from handread.papers.bpp.expected import ExpectedWinnings
from handread.papers.bpp.matches import MATCHES, BPPMatches
from handread.papers.bpp.reader_study import BppReaders
from handread.papers.bpp.search import CurveSearch, curves_toml
from handread.report.tables import (
    FigureColumn,
    as_prose,
    figures_text,
    mean_cell,
    n_cell,
    n_games,
    with_error,
)
from handread.study.statistics import Key

WINNINGS = (
    FigureColumn(("games",), "net_bets", n_cell),
    FigureColumn(("net",), "net_bets", partial(with_error, sign="+")),
    FigureColumn(("t",), "t", partial(mean_cell, digits=2)),
    FigureColumn(("t/√n",), "t_per_root_game", partial(mean_cell, digits=4)),
    FigureColumn(("paper's t",), "paper_t", partial(mean_cell, digits=2)),
    FigureColumn(("at n",), "games_at_paper_t", partial(mean_cell, digits=0, sign=",")),
)

LEARNING = (
    FigureColumn(("first",), "first_bets", partial(mean_cell, digits=2, sign="+")),
    FigureColumn(("last",), "last_bets", partial(mean_cell, digits=2, sign="+")),
    FigureColumn(("change",), "change_bets", partial(with_error, digits=2, sign="+")),
    FigureColumn(("t",), "t_of_change", partial(mean_cell, digits=2)),
    FigureColumn(("match t",), "t_of_match", partial(with_error, digits=2)),
    FigureColumn(("paper's t",), "paper_t_of_match", partial(mean_cell, digits=2)),
)

READING = (
    FigureColumn(("all games",), "reading_bets", partial(with_error, sign="+")),
    FigureColumn(("first",), "first_reading_bets", partial(with_error, sign="+")),
    FigureColumn(("last",), "last_reading_bets", partial(with_error, sign="+")),
    FigureColumn(("change",), "change_of_reading_bets", partial(with_error, sign="+")),
)


def matches_text(table: BPPMatches) -> str:
    """Return the winnings and the effect of learning as text: a line per pairing."""
    matches = "1 match" if table.matches == 1 else f"{table.matches:,} matches"
    rows = [(pairing, Key("", "", pairing)) for pairing in table.groups("")]
    return (
        as_prose(
            f"five-card stud, ante of {table.ante:g} bets, curves {table.curves}: {matches} of "
            f"{table.games:,} games a pairing",
            "winnings of the first player in bets a game, mean ±standard error; t tests the mean "
            "against 0, t/√n does not depend on the number n of games, and at n is the number "
            "that would give the paper's t",
            f"paper: {MATCHES}",
        )
        + f"\n{figures_text(table, rows, WINNINGS)}\n"
        + as_prose(
            f"learning: the last {table.compared} games of a match against the first "
            f"{table.compared}; t over the matches, and match t, the mean t of a single match, "
            "which is the paper's test"
        )
        + f"\n{figures_text(table, rows, LEARNING)}"
        + _reading(table)
    )


def _reading(table: BPPMatches) -> str:
    """Return the gain from learning the opponent's habits, if both players were in the run."""
    names = [key.group for key in table.figures if key.figure == "reading_bets"]
    if not names:
        return ""
    words = (
        "what learning is worth: winnings on the same deals beyond those of the same player who "
        "never learns (even)"
    )
    rows = [(name, Key("", "", name)) for name in names]
    return f"\n{as_prose(words)}\n{figures_text(table, rows, READING)}"


EXPECTED = (
    FigureColumn(("decks",), "net_bets", n_cell),
    FigureColumn(("net",), "net_bets", partial(with_error, sign="+")),
    FigureColumn(("by reading",), "reading_bets", partial(with_error, sign="+")),
)


def expected_text(table: ExpectedWinnings) -> str:
    """Return expected winnings as text: a line per pairing."""
    rows = [(pairing, Key("", "", pairing)) for pairing in table.groups("")]
    return (
        as_prose(
            f"five-card stud, ante of {table.ante:g} bets, curves {table.curves}: expected "
            "winnings of the first player in bets a game after a match of "
            f"{table.learning:,} games, mean ±standard error over decks that are dealt in both "
            "ways; by reading: beyond the same player who never learns (even)"
        )
        + f"\n{figures_text(table, rows, EXPECTED)}"
    )


SCORES = (
    FigureColumn(("decks",), "found_bets", n_cell),
    FigureColumn(("candidate",), "candidate_bets", partial(with_error, sign="+")),
    FigureColumn(("found",), "found_bets", partial(with_error, sign="+")),
    FigureColumn(("other decks",), "other_decks_bets", partial(with_error, sign="+")),
)


def search_text(table: CurveSearch) -> str:
    """Return a search as text: a line per climb, then the curves as a table of TOML."""
    rows = [(climb, Key("", "", climb)) for climb in table.groups("")]
    plan = table.plan
    return (
        as_prose(
            f"{plan.kind} curves, steepness {plan.steepness:g}: expected winnings against the "
            "rule-based player in bets a game, mean ±standard error over the decks",
            f"each climb starts from the best of {plan.candidates + 1} candidates and takes "
            f"{plan.steps} steps",
        )
        + f"\n{figures_text(table, rows, SCORES)}\n{curves_toml(plan.kind, table.best)}"
    )


def bpp_readers_text(table: BppReaders) -> str:
    """Return the improvements of BPP's network as text: a line per reader."""
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
