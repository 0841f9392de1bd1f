"""The decisions of a hand in words and as text: the value of each action, the cost, the ledger."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from handread.cards import cards_text
from handread.decisions.ledger import PARTS, TERMS, Ledger
from handread.decisions.terms import LEARNED, DecisionTerms, ValuedHand
from handread.decisions.values import DecisionValue
from handread.game.rules import STREET_NAMES, Unit, variant_of
from handread.history import Action
from handread.report.tables import (
    FigureColumn,
    as_prose,
    as_text,
    figure_rows,
    figures_text,
    hands_words,
    n_cell,
    number,
    with_interval,
)
from handread.report.text import INDENT, HandCosts, cards_in_colour, plain_table, rendered
from handread.report.words import YOU, action_words, game_words, seat_label, visible
from handread.study.session_values import PlayedDecision, SessionTable
from handread.study.statistics import NORMAL_975, Key

VERDICTS: Mapping[str, str] = {
    "best": "best",
    "close": "too close to call",
    "rare": "few real hands like this",
    "costly": "costly against these players",
    "mistake": "mistake",
}
"""The verdicts of ``DecisionValue.verdict`` in words."""

_STYLES = {
    "best": "green",
    "close": "dim",
    "rare": "dim",
    "costly": "yellow",
    "mistake": "bold red",
}

TERM_WORDS: Mapping[str, str] = {
    "deal": "first deal",
    "cards": "later cards",
    "others": "others' actions",
    "own": "own actions",
    "showdown": "showdown",
    "rake": "rake",
}
"""The terms of a ledger in words."""

FINEST = 30
"""A big bet has at least so many of the smallest amounts shown."""

_COLUMNS = (
    ("fold", (Action.FOLD,)),
    ("check\nor call", (Action.CHECK, Action.CALL)),
    ("bet or\nraise", (Action.BET, Action.RAISE)),
)
"""The columns of the values, and the actions in each."""

_WIDTHS = (4, 7, 7, 6, 6)
"""The least widths of the columns of figures, so that they stand below each other."""

NOTHING_TO_VALUE = "Nobody's downcards are known: there is no decision to value."

PLAYERS_SHOWN = 20
"""The largest number of players in the tables of a session."""

GUIDE = "docs/decisions.md"
"""The page that says when not to trust the values."""


def address_words(hand: ValuedHand) -> str:
    """Return a hand as an argument of a command: ``FILE:LINE``."""
    source = hand.replay.history.source
    return visible(f"{source.file}:{source.line}")


class ChipWords:
    """Amounts of a game in words, with as many digits as its bets call for."""

    def __init__(self, unit: Unit, big_bet: int) -> None:
        self._scale = 10.0**-unit.decimals
        self._digits = max(0, math.ceil(-math.log10(self._scale * max(big_bet, 1) / FINEST)))

    def signed(self, minor: float) -> str:
        """Return an amount with its sign; "0" for exactly none."""
        return f"{self._scale * minor:+z,.{self._digits}f}" if minor else "0"

    def plain(self, minor: float) -> str:
        """Return an amount that is usually positive; "0" for exactly none."""
        return f"{self._scale * minor:z,.{self._digits}f}" if minor else "0"

    def within(self, error: float) -> str:
        """Return the reach of the 95% interval on either side; empty without an error."""
        return f"±{self._scale * NORMAL_975 * error:,.{self._digits}f}" if error else ""


def bets_words(minor: float, big_bet: int, sign: str = "") -> str:
    """Return an amount in big bets; "0" for exactly none."""
    return f"{minor / big_bet:{sign}z.2f}" if minor else "0"


def bets_within(error: float, big_bet: int) -> str:
    """Return the reach of the 95% interval in big bets; empty without an error."""
    return f"±{NORMAL_975 * error / big_bet:.2f}" if error else ""


def situation_words(value: DecisionValue, unit: Unit) -> str:
    """Return the situation of a decision: "pot 8.00, 2.00 to call"."""
    spot = value.decision
    pot = f"pot {unit.text(spot.pot)}"
    return f"{pot}, {unit.text(spot.to_call)} to call" if spot.to_call else pot


def verdict_words(value: DecisionValue) -> str:
    """Return the verdict on a decision, and whether its policies know few such decisions."""
    rare = value.is_rare and value.verdict != "rare"
    return VERDICTS[value.verdict] + (f", {VERDICTS['rare']}" if rare else "")


def verdict_text(value: DecisionValue) -> Text:
    """Return the verdict on a decision in its colour."""
    return Text(verdict_words(value), style=_STYLES[value.verdict])


def cost_of(values: Sequence[DecisionValue]) -> tuple[float, float]:
    """Return the cost of several decisions together and its standard error, in minor units."""
    return sum(v.cost for v in values), math.hypot(*(v.error for v in values))


def counts_words(counts: Counter[str]) -> str:
    """Return how many decisions there are, and how many of each verdict."""
    named = {**VERDICTS, "mistake": "mistake" if counts["mistake"] == 1 else "mistakes"}
    parts = (f"{counts[verdict]:,} {words}" for verdict, words in named.items() if counts[verdict])
    noun = "decision" if counts.total() == 1 else "decisions"
    return f"{counts.total():,} {noun}: {', '.join(parts)}" if counts else "no decision"


def way_words(terms: DecisionTerms, played_on: int = 0) -> str:
    """Return how decisions are valued: "400 rollouts a decision".

    ``played_on`` is the number of those that were valued by rollouts after learned values.
    """
    rake = "" if terms.rake is None else f", rake {terms.rake}"
    if terms.way == LEARNED:
        more = f", {played_on:,} by {terms.rollouts:,} rollouts" if played_on else ""
        return f"learned values{more}{rake}"
    return f"{terms.rollouts:,} rollouts a decision{rake}"


def hand_text(hand: ValuedHand, console: Console) -> str:
    """Return the decisions of a hand as the console shows them."""
    return rendered(_HandText(hand, console).parts(), console)


class _HandText:
    def __init__(self, hand: ValuedHand, console: Console) -> None:
        self._hand = hand
        self._replay = hand.replay
        self._unit = hand.replay.history.unit
        self._big_bet = hand.replay.stakes.bets[-1]
        self._chips = ChipWords(self._unit, self._big_bet)
        self._dot = " - " if console.options.ascii_only else " · "
        self._width = min(console.width, 100)

    def parts(self) -> Iterator[RenderableType]:
        """Yield the heading, the players, and the meaning of the figures."""
        yield from self._heading()
        for seat in self._hand.seats:
            yield Text("")
            yield from self._player(seat)
        yield Text("")
        if self._hand.seats:
            yield Text(self._meaning(), style="dim")
            reasons = dict.fromkeys(
                reason
                for seat, reason in self._hand.values.no_ledger.items()
                if seat in self._hand.seats
            )
            for reason in reasons:
                yield Text(f"The result is not split into luck and play: {reason}.", style="dim")
        else:
            yield Text(NOTHING_TO_VALUE)
        yield Text("")

    def _heading(self) -> Iterator[RenderableType]:
        hand, source = self._hand, self._replay.history.source
        title = f"Decisions of hand {visible(self._replay.history.hand_id) or '?'}"
        yield Rule(Text(title, style="bold"), align="left", characters="=")
        yield Text(game_words(self._replay).replace(" · ", self._dot))
        check = f", checked by {visible(hand.check)}" if hand.check else ""
        facts = (
            f"policy {visible(hand.policy)}{check}",
            way_words(hand.terms, hand.played_on),
            f"ties {hand.analysis.ties}",
        )
        yield Text(self._dot.join(facts), style="dim")
        yield Text(f"{address_words(hand)} ({source.dialect})", style="dim")

    def _player(self, seat: int) -> Iterator[RenderableType]:
        """Yield the decisions of a player and the ledger."""
        values = self._hand.of_seat(seat)
        label = seat_label(self._replay, seat, self._replay.history.hero)
        head = Text(f"{label} ", style="bold")
        yield head.append_text(self._cards(seat, values))
        if values:
            yield Padding(self._table(values), (0, 0, 0, INDENT), expand=False)
        ledger = self._hand.values.ledgers.get(seat)
        if ledger is not None:
            words = ledger_words(ledger, self._chips, self._big_bet)
            yield Padding(Text(words), (0, 0, 0, INDENT), expand=False)

    def _cards(self, seat: int, values: Sequence[DecisionValue]) -> Text:
        """Return the cards of a player in the order of the deal, downcards in parentheses."""
        streets = [street for street in self._replay.streets if seat in street.upcards]
        up = streets[-1].upcards[seat] if streets else ()
        down = values[-1].down if values else self._replay.downcards.get(seat, ())
        n = self._replay.streets[0].game.streets[0].down
        text = Text("(").append_text(cards_in_colour(down[:n])).append(") ")
        text.append_text(cards_in_colour(up))
        if down[n:]:
            text.append(" (").append_text(cards_in_colour(down[n:])).append(")")
        return text

    def _table(self, values: Sequence[DecisionValue]) -> Table:
        """Return a row for each decision; errors stand below their figures."""
        table = plain_table("", "", *(head for head, _ in _COLUMNS), "\ncost", "\nBB")
        for column, width in zip(table.columns[2:], _WIDTHS, strict=True):
            column.justify, column.no_wrap, column.min_width = "right", True, width
        table.columns[1].ratio = 1
        table.width = self._width - INDENT
        street = 0
        for value in values:
            spot = value.decision
            name = STREET_NAMES[spot.street] if spot.street != street else ""
            street = spot.street
            cost = self._cost(value.cost, value.error, "" if value.is_best else value.verdict)
            table.add_row(
                name, self._words(value), *(self._value(value, some) for _, some in _COLUMNS), *cost
            )
        if len(values) > 1:
            table.add_row("", "total", "", "", "", *self._cost(*cost_of(values), "total"))
        return table

    def _words(self, value: DecisionValue) -> RenderableType:
        """Return what was done, the verdict on it, and the situation."""
        words = Text(f"{action_words(value.decision, self._unit)}: ", style="bold")
        situation = Text(situation_words(value, self._unit), style="dim")
        return Group(words.append_text(verdict_text(value)), situation)

    def _value(self, value: DecisionValue, actions: Sequence[Action]) -> Text:
        """Return the value of a legal action; that of the action taken is marked."""
        found = next((one for one in value.actions if one.action in actions), None)
        if found is None:
            return Text("")
        mark = "*" if found is value.taken else ""
        style = "bold" if found is value.best else ""
        cell = Text(mark + self._chips.signed(found.q), style=style)
        error = self._chips.within(found.error)
        return cell.append(f"\n{error}", style="dim not bold") if error else cell

    def _cost(self, cost: float, error: float, verdict: str) -> tuple[Text, Text]:
        """Return a cost in chips and in big bets."""
        style = _STYLES.get(verdict, "")
        pairs = (
            (self._chips.plain(cost), self._chips.within(error)),
            (bets_words(cost, self._big_bet), bets_within(error, self._big_bet)),
        )
        chips, bets = (
            Text(words, style=style).append(f"\n{within}" if within else "", style="dim not bold")
            for words, within in pairs
        )
        return chips, bets

    def _meaning(self) -> str:
        """Return the meaning of the figures in a sentence or two."""
        bet = self._unit.text(self._big_bet)
        return (
            "Chips won from here on, on average, by each action (* taken) if all then play by "
            f"the policy, ± a 95% interval; BB = {bet}. When not to trust them: {GUIDE}"
        )


def hand_costs(hand: ValuedHand) -> HandCosts:
    """Return the costs of a hand's decisions, to be shown with its actions."""
    big_bet = hand.replay.stakes.bets[-1]
    chips = ChipWords(hand.replay.history.unit, big_bet)
    lines = []
    for seat in hand.seats:
        values = hand.of_seat(seat)
        label = seat_label(hand.replay, seat, hand.analysis.you)
        if values:
            cost, error = cost_of(values)
            words = f"{chips.plain(cost)} {chips.within(error)} ({bets_words(cost, big_bet)} BB)"
            counts = counts_words(Counter(value.verdict for value in values))
            lines.append(f"{label}: {counts}; cost {words if error else chips.plain(cost)}")
        ledger = hand.values.ledgers.get(seat)
        if ledger is not None:
            lines.append(f"{label}: {ledger_words(ledger, chips, big_bet)}")
    check = f", checked by {visible(hand.check)}" if hand.check else ""
    meaning = (
        f"Costs in chips by {way_words(hand.terms)}{check}, ± a 95% interval. "
        f"When not to trust them: {GUIDE}"
    )
    cells = {value.decision.n: _cost_cell(value, chips) for value in hand.values.decisions}
    return HandCosts(cells, lines, meaning if hand.seats else NOTHING_TO_VALUE)


def _cost_cell(value: DecisionValue, chips: ChipWords) -> Text:
    """Return the cost of a decision, with its error below it; "best" or "close" without one."""
    style = _STYLES[value.verdict]
    if not value.is_costly:
        return Text(value.verdict, style=style)
    return Text(f"{chips.plain(value.cost)}\n{chips.within(value.error)}".rstrip(), style=style)


# Sessions


@dataclass(slots=True)
class SessionDecisions:
    """The facts that the text of a session states besides its totals.

    ``places`` says where each hand is, with its game unless that is seven-card stud, and the unit
    of its amounts. ``policies``, ``checks`` (policies that check) and ``ways`` (of valuing) count
    hands by their words, ``counts`` decisions by verdict.
    """

    places: list[tuple[str, Unit]] = field(default_factory=list)
    policies: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    learned: bool = False
    played_on: int = 0

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.places)

    def add(self, hand: ValuedHand) -> None:
        """Count a hand."""
        history = hand.replay.history
        game = "" if history.variant == "stud" else f" ({variant_of(history.variant).title})"
        self.places.append((address_words(hand) + game, history.unit))
        self.policies[hand.policy] += 1
        self.checks[hand.check] += bool(hand.check)
        self.counts.update(value.verdict for value in hand.values.decisions)
        self.ways[way_words(hand.terms)] += 1
        if hand.terms.way == LEARNED:
            self.learned, self.played_on = True, self.played_on + hand.played_on


def session_text(found: SessionTable, session: SessionDecisions) -> str:
    """Return the totals of a session by player, and those of the hero by street and action.

    A player whose decisions alone are valued takes the place of the hero.
    """
    hands = hands_words(session.hands)
    names = [
        "; ".join(visible(name) for name in sorted(+c)) for c in (session.policies, session.checks)
    ]
    check = f", checked by {names[1]}" if names[1] else ""
    if not found.players:
        return as_prose(f"{hands}. {NOTHING_TO_VALUE}")
    text = as_prose(
        f"{hands}, {counts_words(session.counts)}",
        f"policy {names[0]}{check}; {'; '.join(sorted(session.ways))}; BB = big bets",
        *filter(None, [played_on_words(session.played_on)]),
    )
    return "\n".join([text, *session_tables(found)])


def played_on_words(n: int) -> str:
    """Return how many decisions were valued by rollouts after learned values; empty for none."""
    if not n:
        return ""
    were = (
        "decision, whose cost could matter, was"
        if n == 1
        else "decisions whose cost could matter were"
    )
    return f"{n:,} {were} valued again by rollouts."


def session_tables(found: SessionTable) -> Iterator[str]:
    """Yield what decisions cost by player, the results without luck, and the hero by street."""
    shown = found.players[:PLAYERS_SHOWN]
    more = len(found.players) - len(shown)
    tables = [
        figures_text(
            found,
            [(_marked(found, name), Key("", group=name, about=about)) for name in shown],
            columns,
            "player",
            gaps=False,
        )
        for about, columns in (("decision", _DECISION_COLUMNS), ("all", _RESULT_COLUMNS))
    ]
    rest = f"... and {more:,} more (--player NAME)\n" if more else ""
    alone = len(found.players) == 1 or found.players[0] == found.hero
    kinds = _kinds_text(found, found.players[0]) if alone else ""
    yield from filter(None, [*tables, rest, kinds])


def _kinds_text(found: SessionTable, player: str) -> str:
    """Return what the decisions of a player cost by street and action; empty without any."""
    rows = kind_rows(found, player)
    whose = _marked(found, player)
    return f"{whose} by street and action\n\n{as_text(rows)}" if rows[1:] else ""


def kind_rows(found: SessionTable, player: str) -> list[list[str]]:
    """Return what the decisions of a player cost by street and action, the heads first."""
    places = [
        (f"{STREET_NAMES[kind.street]} {kind.action}", Key("", group=player, about=str(kind)))
        for kind in found.kinds.get(player, ())
    ]
    return figure_rows(found, places, _KIND_COLUMNS, "action", gaps=False)


def _marked(found: SessionTable, player: str) -> str:
    """Return the name of a player of a session, marked if it is the hero."""
    return f"{visible(player)}{YOU if player == found.hero else ''}"


def _share(head: str, figure: str) -> FigureColumn:
    return FigureColumn((head,), figure, lambda share: number(share.mean, 0, 100.0, unit="%"))


_DECISION_COLUMNS = (
    FigureColumn(("decisions",), "cost", n_cell),
    _share("best", "best"),
    _share("close", "close"),
    _share("costly", "costly"),
    _share("mistakes", "mistake"),
    FigureColumn(("BB each", ""), "cost", lambda cost: with_interval(cost, 3)),
)

_KIND_COLUMNS = (
    FigureColumn(("times",), "cost", n_cell),
    *(column for column in _DECISION_COLUMNS[1:-1] if column.figure != "close"),
    FigureColumn(("cost, BB",), "sum", lambda cost: number(cost.mean, 1, sign="z")),
    FigureColumn(("each", ""), "cost", lambda cost: with_interval(cost, 2)),
)

_RESULT_COLUMNS = (
    FigureColumn(("hands",), "net", n_cell),
    FigureColumn(("result, BB",), "net", lambda net: number(net.mean, 1, sign="+z")),
    FigureColumn(("luck",), "luck", lambda luck: number(luck.mean, 1, sign="+z")),
    FigureColumn(("without luck", ""), "adjusted", lambda net: with_interval(net, 1, sign="+")),
)


def worst_text(found: SessionTable, session: SessionDecisions) -> str:
    """Return the most expensive decisions of a session, and where to find them."""
    if not found.players:
        return ""
    if not found.expensive:
        return "No decision cost more than chance can explain.\n"
    items = [
        _expensive(played, _marked(found, played.player), *session.places[played.place - 1])
        for played in found.expensive
    ]
    return "The most expensive decisions, by the lower end of the interval\n\n" + "\n".join(items)


def _expensive(played: PlayedDecision, who: str, place: str, unit: Unit) -> str:
    """Return an expensive decision in a few lines; its place is not broken, to be copied."""
    value = played.value
    chips = ChipWords(unit, value.big_bet)
    cost = f"{bets_words(value.cost, value.big_bet)} {bets_within(value.error, value.big_bet)}"
    street = STREET_NAMES[value.decision.street]
    cards = f"({cards_text(value.down)}) {cards_text(played.upcards)}".rstrip()
    if played.shared is not None:
        cards += f", {cards_text([played.shared])} shared,"
    words = as_prose(
        f"    {verdict_words(value)}: {who} {cards} "
        f"{action_words(value.decision, unit)} on {street} street, {situation_words(value, unit)}; "
        f"a {value.best.action} is worth {chips.signed(value.best.q)}, this "
        f"{chips.signed(value.taken.q)}",
        hang="    ",
    )
    return f"  {cost.rstrip()} BB  {place}\n{words}"


def meaning_words(learned: bool) -> str:
    """Return the meaning of the values of a session.

    ``learned`` says that some of the values are learned ones.
    """
    words = (
        "An action is worth what it wins from there on, on average, if everybody then plays by the "
        "policy. A negative cost is only noise."
    )
    if learned:
        words += " Learned values are rough; the decisions listed were valued by rollouts."
    return f"{words} When not to trust it: {GUIDE}"


def ledger_words(ledger: Ledger, chips: ChipWords, big_bet: int) -> str:
    """Return the result of a player by what brought it, and without the luck of the cards."""
    terms = (
        f"{TERM_WORDS[term]} {chips.signed(ledger.terms[term] / PARTS)}"
        for term in TERMS
        if ledger.terms[term]
    )
    adjusted = ledger.adjusted / PARTS
    return (
        f"result {chips.signed(ledger.net)}: {', '.join(terms)}; without the luck of the cards "
        f"{chips.signed(adjusted)} ({bets_words(adjusted, big_bet, '+')} BB)"
    )
