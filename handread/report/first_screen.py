"""The first screen about a log: result, decisions, most telling actions and players."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from handread.game.rules import variant_of
from handread.report.decision_words import NOTHING_TO_VALUE
from handread.report.index import IndexRow
from handread.report.overview import Overview, Pick
from handread.report.players import profiles, table_rows
from handread.report.session_players import players_of
from handread.report.tables import as_prose, as_text, hands_words
from handread.report.words import visible

MOST_TELLS, MOST_PLAYERS = 2, 6
"""The numbers of revealing actions on either side, and of players, that are listed."""

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
        NOTHING_TO_VALUE * valued if panel is None else panel.counted.removeprefix(panel.work),
    )
    parts = [as_prose(" ".join(filter(None, about)))]
    dearest = "".join(_item(pick, pick.words, pick.mark) for pick in (panel.picks if panel else ()))
    parts += [f"{panel.title} (BB = big bets)\n{dearest}"] * bool(dearest) if panel else []
    parts += [_tells(whole)]
    return "\n".join([*filter(None, parts), *_table(rows)])


def _tells(whole: Overview) -> str:
    """Return the actions that revealed most about downcards."""
    others = " of the others" if whole.yours else ""
    parts = [("Your loudest tells", whole.yours), (f"The loudest tells{others}", whole.theirs)]
    items = []
    for title, picks in parts:
        whys = [", ".join(filter(None, (pick.words, pick.mark))) for pick in picks[:MOST_TELLS]]
        items += [f"{title}\n"] * bool(whys) + list(map(_item, picks, whys))
    return "".join(items)


def _item(pick: Pick, why: str, verdict: str = "") -> str:
    """Return a moment in two lines or more: the reason, the place, any verdict and the action."""
    street = _STREET.search(pick.what)
    assert street is not None
    what = pick.what[: street.start()] + pick.what[street.end() :]
    what = f"{street[1]} {pick.cards}: {what.replace('You ', 'you ', 1)}"
    what = f"{verdict}: {what}" if verdict else what
    return f"  {why}  {pick.row.place}\n{as_prose(INDENT + what, hang=INDENT)}"


def _table(rows: Sequence[IndexRow]) -> Iterator[str]:
    """Yield the players of the game with most hands, in one table."""
    profiled = profiles(players_of(rows))
    profiled.sort(key=lambda profile: (-profile.player.hands, not profile.player.you, profile.name))
    if profiled:
        of_game = [
            profile for profile in profiled if profile.player.game is profiled[0].player.game
        ]
        of_game.sort(key=lambda profile: not profile.player.you)
        table = table_rows(of_game[:MOST_PLAYERS])
        while "\n\n" in as_text(table):  # it does not fit
            table = [row[:-1] for row in table]
        yield as_text(table)
        if others := ", ".join([*dict.fromkeys(one.player.game.title for one in profiled)][1:]):
            yield as_prose(f"handread players lists other games, too: {others}.")


def left_out_words(counts: str, files: str) -> str:
    """Return how many hands were left out, and how to see why; empty if there were no such hands.

    ``files`` names the logs in a command, empty for logs that cannot be read again.
    """
    if not counts:
        return ""
    return as_prose(f"Left out: {counts}{f': handread check {files}' if files else ''}")


def not_valued_words(n: int, why: str) -> str:
    """Return for how many hands decisions have no values, and why."""
    reason = visible(why).partition(":")[0]
    return as_prose(
        f"The decisions of {hands_words(n)} are not valued: {reason}. handread decisions values "
        "them by rollouts."
    )


def more_words(files: str) -> str:
    """Return commands for more about the logs that ``files`` names, with their options."""
    report = f"report {files} --decisions"
    told = {report: "pages to step through", f"decisions {files}": "all decisions"}
    told[f"players {files}"] = "how they bet"
    return "".join(f"handread {words:{len(report)}}  {what}\n" for words, what in told.items())
