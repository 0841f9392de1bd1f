"""What a player asks first of a log, on one screen: result, decisions, tells and players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from handread.game.rules import variant_of
from handread.report.decisions import NOTHING_TO_VALUE
from handread.report.index import IndexRow
from handread.report.overview import DecisionsPanel, Overview, Pick
from handread.report.players import profiles, table_rows
from handread.report.session_players import players_of
from handread.report.tables import as_prose, as_text, hands_words
from handread.report.words import visible

MOST_TELLS, MOST_PLAYERS = 2, 6
"""The numbers of tells on either side, and of players, that are listed."""

INDENT = "    "

_STREET = re.compile(r" on (\w+) street")


def first_text(rows: Sequence[IndexRow], whole: Overview) -> str:
    """Return the first words about a log with one hand or more, from its hands and summary."""
    games = Counter(variant_of(row.variant).title for row in rows)
    named = ", ".join(f"{game} {n:,}" for game, n in games.most_common())
    if len(games) == 1:
        named = next(iter(games))
    valued = any(row.worth is not None for row in rows)
    unknown = not any(row.in_hand for row in rows)
    panel = whole.decisions
    about = (
        f"{whole.hands} ({named}), policy {whole.policy}.",
        whole.lead,
        "The log does not say which player you are; --hero NAME does." * unknown,
        panel.counted if panel is not None else NOTHING_TO_VALUE * valued,
    )
    parts = [as_prose(" ".join(filter(None, about)))]
    parts += [_dearest(panel)] if panel is not None else []
    parts += [_tells(whole)]
    return "\n".join([*filter(None, parts), *_table(rows)])


def _dearest(panel: DecisionsPanel) -> str:
    """Return the decisions that cost most; empty if none cost more than chance explains."""
    costs = [pick.words.removeprefix("cost ").partition(" (")[0] for pick in panel.picks]
    whys = [f"{cost}: {pick.better}" for cost, pick in zip(costs, panel.picks, strict=True)]
    items = "".join(map(_item, panel.picks, whys))
    return f"{panel.title} (the surest first; BB = big bets)\n{items}" if items else ""


def _tells(whole: Overview) -> str:
    """Return the actions that gave away most about downcards."""
    others = " of the others" if whole.yours else ""
    parts = [("Your loudest tells", whole.yours), (f"The loudest tells{others}", whole.theirs)]
    found = []
    for title, picks in parts:
        whys = [", ".join(filter(None, (pick.words, pick.mark))) for pick in picks[:MOST_TELLS]]
        found += [f"{title}\n"] * bool(whys) + list(map(_item, picks, whys))
    return "".join(found)


def _item(pick: Pick, why: str) -> str:
    """Return a moment in two lines or more: the reason, the place and the action."""
    street = _STREET.search(pick.what)
    assert street is not None
    what = pick.what[: street.start()] + pick.what[street.end() :]
    what = f"{street[1]} {pick.cards}: {what.replace('You ', 'you ', 1)}"
    return f"  {why}  {pick.row.place}\n{as_prose(INDENT + what, hang=INDENT)}"


def _table(rows: Sequence[IndexRow]) -> Iterator[str]:
    """Yield the players of the game with most hands, in one table."""
    found = profiles(players_of(rows))
    found.sort(key=lambda one: (-one.player.hands, not one.player.you, one.name))
    if found:
        of_game = [one for one in found if one.player.game is found[0].player.game]
        of_game.sort(key=lambda one: not one.player.you)
        table = table_rows(of_game[:MOST_PLAYERS])
        while "\n\n" in as_text(table):  # it does not fit
            table = [row[:-1] for row in table]
        yield as_text(table)


def left_out_words(counts: str, files: str) -> str:
    """Return how many hands were left out, and how to see why; empty if none was.

    ``files`` names the logs in a command; it is empty if they cannot be read again.
    """
    if not counts:
        return ""
    return as_prose(f"Left out: {counts}{f': handread check {files}' if files else ''}")


def not_valued_words(n: int, why: str) -> str:
    """Return that the decisions of some hands have no values, and why."""
    reason = visible(why).partition(":")[0]
    return as_prose(
        f"The decisions of {hands_words(n)} are not valued: {reason}. handread decisions values "
        "them by rollouts."
    )


def more_words(files: str) -> str:
    """Return the commands that say more about logs, as ``files`` names them with their options."""
    report, decisions, players = (
        f"report {files} --decisions",
        f"decisions {files}",
        f"players {files}",
    )
    told = {report: "pages to step through", decisions: "all decisions", players: "how they bet"}
    return "".join(f"handread {words:{len(report)}}  {what}\n" for words, what in told.items())
