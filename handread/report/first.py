"""What a player asks first of a log, on one screen: result, decisions, tells and players."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from handread.cards import cards_text
from handread.decisions.hand import HandValues
from handread.decisions.ledger import PARTS
from handread.decisions.values import DecisionValue
from handread.game.rules import STREET_NAMES, variant_of
from handread.game.steps import Decision, Replay
from handread.history import Action
from handread.inference.hand import Analysis
from handread.inference.values import ActionReading
from handread.opponents.records import Players, add_hands, seat_hands
from handread.report.decisions import (
    NOTHING_TO_VALUE,
    ChipWords,
    cost_words,
)
from handread.report.index import Highlight, OwnResult, own_result
from handread.report.overview import names_words, result_words, told_words
from handread.report.players import profiles, table_rows
from handread.report.sentences import NOTHING, often_words
from handread.report.spots import spot_words
from handread.report.tables import as_prose, as_text, hands_words
from handread.report.words import (
    action_figures,
    action_words,
    spoken_label,
    verdict,
    visible,
)
from handread.study.session_values import player_names

MOST_DECISIONS, MOST_TELLS, MOST_PLAYERS = 5, 2, 6
"""The numbers of decisions, of tells on either side, and of players that are listed."""

LEAST_BITS = -math.log2(1.0 - NOTHING)
"""Actions that told less are not listed."""

INDENT = "    "


class _Most:
    """Keeps the words of the few things with the highest figures."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: list[tuple[float, int, str]] = []
        self._seen = 0

    def add(self, figure: float, words: Callable[[], str]) -> None:
        """Keep the words of a thing if it is among the highest; of equal ones the first."""
        self._seen += 1
        if len(self._found) < self._most:
            heapq.heappush(self._found, (figure, -self._seen, words()))
        elif figure > self._found[0][0]:
            heapq.heapreplace(self._found, (figure, -self._seen, words()))

    def words(self) -> list[str]:
        """Return the words of all that was kept, the highest first."""
        return [words for *_, words in sorted(self._found, reverse=True)]


@dataclass(slots=True)
class _Side:
    """The decisions and the tells of you, or of the others."""

    decisions: _Most = field(default_factory=lambda: _Most(MOST_DECISIONS))
    tells: _Most = field(default_factory=lambda: _Most(MOST_TELLS))
    verdicts: Counter[str] = field(default_factory=Counter)


class FirstLook:
    """Adds up the hands of a log, one after the other, and tells what a player asks first.

    You are the hero. The decisions listed are yours; where no hand has a hero, they are those of
    all players whose downcards are known. Hands are analyzed as the public sees them.
    """

    def __init__(self) -> None:
        self._has_hero = False
        self._results: list[OwnResult] = []
        self._you, self._others = _Side(), _Side()
        self._players: Players = {}
        # by player and game the results without luck, in big bets
        self._adjusted: dict[tuple[str, str], list[float]] = {}
        self._games: Counter[str] = Counter()
        self._policies: Counter[str] = Counter()
        self._has_values = False

    def add_players(self, replay: Replay) -> None:
        """Count what a legal hand adds to the records of its players."""
        game = variant_of(replay.history.variant)
        add_hands(self._players, game, seat_hands(replay))

    def add(self, analysis: Analysis, values: HandValues | None) -> None:
        """Count a hand, with the values of its decisions if they are known."""
        replay, you = analysis.replay, analysis.you
        self._games[variant_of(replay.history.variant).title] += 1
        self._policies[analysis.reader.name] += 1
        self._has_hero |= you is not None
        ledgers = {} if values is None else values.ledgers
        result = own_result(replay, you, ledgers.get(you) if you is not None else None)
        if result is not None:
            self._results.append(result)
        for reading in analysis.actions:
            self._add_tell(replay, reading, you)
        if values is None:
            return
        self._has_values = True
        for value in values.decisions:
            self._add_decision(replay, value, you)
        names, game = player_names(replay.history), replay.history.variant
        for seat, ledger in ledgers.items():
            bets = ledger.adjusted / (PARTS * replay.stakes.bets[-1])
            self._adjusted.setdefault((names[seat], game), []).append(bets)

    def _add_tell(self, replay: Replay, reading: ActionReading, you: int | None) -> None:
        """Keep an action that told the table much, unless it misled.

        A fold does not count: it tells about cards that are out of play.
        """
        bits, misled = reading.table_bits, verdict(reading.table_truth_bits) == "false"
        if bits < LEAST_BITS or misled or reading.decision.action == Action.FOLD:
            return
        yours = reading.decision.seat == you

        def words() -> str:
            often = "" if yours else often_words(action_figures(reading, replay))
            why = told_words(Highlight("", 0, bits, often))
            return _item(why, replay, reading.decision, you)

        (self._you if yours else self._others).tells.add(bits, words)

    def _add_decision(self, replay: Replay, value: DecisionValue, you: int | None) -> None:
        side = self._you if value.decision.seat == you else self._others
        side.verdicts[value.verdict] += 1

        def words() -> str:
            chips = ChipWords(replay.history.unit, value.big_bet)
            worth = f"a {value.best.action} is worth {chips.signed(value.best.q)}"
            why = f"{cost_words(value)}: {worth}, this {chips.signed(value.taken.q)}"
            return _item(why, replay, value.decision, you)

        if value.is_costly:
            side.decisions.add(value.low / value.big_bet, words)

    def text(self) -> str:
        """Return what is told of the hands so far, in paragraphs; at least one was added."""
        games = ", ".join(f"{game} {n:,}" for game, n in self._games.most_common())
        if len(self._games) == 1:
            games = next(iter(self._games))
        by = names_words(self._policies)
        about = f"{hands_words(self._games.total())} ({games}), policy {by}."
        mine = bool(self._you.verdicts)
        side = self._you if mine else self._others
        counted = self._counted(side.verdicts, "your" if mine else "the")
        about = " ".join(filter(None, (about, *self._result(), counted)))
        parts = [as_prose(about), self._dearest(side, "Your" if mine else "The"), self._tells()]
        return "\n".join([*filter(None, parts), *self._table()])

    def _result(self) -> Sequence[str]:
        if not self._has_hero:
            return ["The log does not say which player you are; --hero NAME does."]
        return [result_words(self._results)]

    def _counted(self, verdicts: Counter[str], whose: str) -> str:
        """Return how many decisions cost something; empty if no hand could be valued."""
        n, costly = verdicts.total(), verdicts["costly"] + verdicts["mistake"]
        if not n:
            return NOTHING_TO_VALUE if self._has_values else ""
        if n == 1:
            more = "more" if costly else "no more"
            return f"{whose.capitalize()} only decision cost {more} than chance explains."
        some = f"{costly:,}" if costly else "None"
        return f"{some} of {whose} {n:,} decisions cost more than chance explains."

    def _dearest(self, side: _Side, whose: str) -> str:
        """Return the decisions that cost most; empty if none cost more than chance explains."""
        items = side.decisions.words()
        title = f"{whose} dearest decisions (the surest first; learned values; BB = big bets)\n"
        return f"{title}{''.join(items)}" if items else ""

    def _tells(self) -> str:
        """Return the actions that told the table most about downcards."""
        mine, others = self._you.tells.words(), self._others.tells.words()
        whose = " of the others" if mine else ""
        parts = [("Your loudest tells", mine), (f"The loudest tells{whose}", others)]
        return "".join(f"{title}\n{''.join(items)}" for title, items in parts if items)

    def _table(self) -> Iterator[str]:
        """Yield the players of the game with most hands, in one table."""
        if not self._has_hero:
            for key, player in self._players.items():
                adjusted = self._adjusted.get(key, [])
                player.adjusted = sum(adjusted) if len(adjusted) == player.finished else None
        found = profiles(self._players)
        found.sort(key=lambda one: (-one.player.hands, not one.player.you, one.name))
        if found:
            of_game = [one for one in found if one.player.game is found[0].player.game]
            of_game.sort(key=lambda one: not one.player.you)
            rows = table_rows(of_game[:MOST_PLAYERS])
            while "\n\n" in as_text(rows):  # it does not fit
                rows = [row[:-1] for row in rows]
            yield as_text(rows)


def _item(why: str, replay: Replay, decision: Decision, you: int | None) -> str:
    """Return a decision in two lines or more: why it is listed, where it is, and what it was."""
    source = replay.history.source
    street = next(one for one in replay.streets if one.number == decision.street)
    down = replay.downcards_on(street.number).get(decision.seat, ())
    cards = f"({cards_text(down)}) " if down else ""
    cards += cards_text(street.upcards[decision.seat])
    if street.shared is not None:
        cards += f", {cards_text([street.shared])} shared"
    yours = decision.seat == you
    who = "you" if yours else spoken_label(replay, decision.seat)
    what = f"{who} {action_words(decision, replay.history.unit, yours)}"
    spot = spot_words(replay, decision)
    line = f"{INDENT}{STREET_NAMES[street.number]} {cards}: {what} {spot}".rstrip()
    place = visible(f"{source.file}:{source.line}")
    return f"  {why}  {place}\n{as_prose(line, hang=INDENT)}"


def left_out_words(counts: Sequence[tuple[int, str]], files: str) -> str:
    """Return how many hands were left out, by the reason, and how to see why; empty for none."""
    some = ", ".join(f"{n:,} {why}" for n, why in counts if n)
    return as_prose(f"Hands left out: {some}: handread check {files}") if some else ""


def not_valued_words(n: int, why: str) -> str:
    """Return that the decisions of some hands have no values, and why."""
    reason = visible(why).partition(":")[0]
    return as_prose(
        f"The decisions of {hands_words(n)} are not valued: {reason}. handread decisions values "
        "them by rollouts."
    )


def more_words(files: str) -> str:
    """Return the commands that tell more of a log."""
    report, decisions, players = (
        f"report {files} --decisions",
        f"decisions {files}",
        f"players {files}",
    )
    told = {report: "pages to step through", decisions: "all decisions", players: "how they bet"}
    return "".join(f"handread {words:{len(report)}}  {what}\n" for words, what in told.items())
