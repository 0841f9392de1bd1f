"""The decisions of a hand in words and as text: the value of each action, the cost, the ledger."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from handread.decisions.decision_values import DecisionValue
from handread.decisions.ledger import PARTS, TERMS, Ledger
from handread.decisions.terms import LEARNED, ROLLOUTS, DecisionTerms, ValuedHand
from handread.game.rules import STREET_NAMES, Unit
from handread.history import AGGRESSIVE, Action
from handread.report.layout import INDENT, Indented, Part, TextTable, rendered, ruled
from handread.report.text import HandCosts, cards_in_colour, plain_table
from handread.report.words import action_words, game_words, seat_label, visible
from handread.study.statistics import NORMAL_975

VERDICTS: Mapping[str, str] = {
    "best": "best",
    "close": "too close to call",
    "rare": "too little known to be sure",
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
    ("bet or\nraise", AGGRESSIVE),
)
"""The columns of the values, with the actions in each."""

_WIDTHS = (4, 7, 7, 6, 6)
"""The least widths of the columns of figures, so that they stand below each other."""

AT_LEAST = "at least"
"""Words for a cost if only the gap between two exact actions is sure."""

NOTHING_TO_VALUE = "Nobody's downcards are known: there is no decision to value."

PLAYERS_SHOWN = 20
"""The largest number of players in the tables of a session."""

GUIDE = "docs/decisions.md"
"""The page that says when not to trust the values."""


def kind_words(street: int, action: str) -> str:
    """Return the kind of a decision: "5th call"."""
    return f"{STREET_NAMES[street]} {action}"


def address_words(hand: ValuedHand) -> str:
    """Return a hand as an argument of a command: ``FILE:LINE``."""
    source = hand.replay.history.source
    return visible(f"{source.file}:{source.line}")


class ChipWords:
    """Words for amounts (minor units): in chips, to as many digits as bets need, or in big bets."""

    def __init__(self, unit: Unit, big_bet: int) -> None:
        self._unit, self._symbol = unit, unit.symbol
        self._big_bet = big_bet
        self._scale = 10.0**-unit.decimals
        self._digits = max(0, math.ceil(-math.log10(self._scale * max(big_bet, 1) / FINEST)))

    def plain(self, minor: float, sign: str = "") -> str:
        """Return an amount in chips; with "+" for ``sign`` positive ones have theirs, too."""
        return f"{self._scale * minor:{sign}z,.{self._digits}f}" if minor else "0"

    def money(self, minor: float) -> str:
        """Return an amount in chips with the symbol of the currency."""
        return f"{self._symbol}{self.plain(minor)}"

    def signed_money(self, minor: float) -> str:
        """Return an amount with its sign and the symbol of the currency; "0" for exactly zero."""
        return f"{'-' if minor < 0 else '+'}{self.money(abs(minor))}" if minor else "0"

    def result(self, net: int) -> str:
        """Return chips won with their sign, to the last digit; none is "0"."""
        return f"{self._scale * net:+,.{self._unit.decimals}f}" if net else "0"

    def signed_result(self, net: int) -> str:
        """Return chips won as ``result``, with the symbol of the currency."""
        return f"{'+' * (net > 0)}{self._unit.text(net)}" if net else "0"

    def within(self, error: float) -> str:
        """Return the reach of the 95% interval on either side; empty without an error."""
        return f"±{self._scale * NORMAL_975 * error:,.{self._digits}f}" if error else ""

    def bets(self, minor: float, sign: str = "") -> str:
        """Return an amount in big bets."""
        return f"{minor / self._big_bet:{sign}z.2f}" if minor else "0"

    def bets_within(self, error: float) -> str:
        """Return the reach of the 95% interval in big bets; empty without an error."""
        return f"±{NORMAL_975 * error / self._big_bet:.2f}" if error else ""


def dear_words(value: DecisionValue, chips: ChipWords) -> str:
    """Return "cost at least 0.66 BB ($1.32): a fold is better", with the cost that orders lists."""
    least = f"{f'{AT_LEAST} ' * bool(value.error)}{chips.bets(value.low)} BB"
    return f"cost {least} ({chips.money(value.low)}): a {value.best.action} is better"


def cost_in_full(value: DecisionValue, chips: ChipWords) -> str:
    """Return "0.72 ±0.40 BB (1.45)" or "at least ...", in chips only beyond chance; "" if best."""
    if value.is_best:
        return ""
    cost = value.least or max(0.0, value.cost)
    bets, is_least = chips.bets(cost), value.least and value.error
    words = f"{AT_LEAST} {bets}" if is_least else f"{bets} {chips.bets_within(value.error)}"
    words = f"{words.rstrip()} BB"
    return f"{words} ({chips.money(cost)})" if value.is_sure else words


def against_words(hand: ValuedHand) -> str:
    """Return the assumed policies: "the policy people (400 rollouts ...)"."""
    checked = f"; costly ones also by the policy {visible(hand.check)}" if hand.check else ""
    return f"the policy {visible(hand.policy)} ({way_words(hand.terms)}{checked})"


def situation_words(value: DecisionValue, unit: Unit) -> str:
    """Return the situation of a decision: "pot 8.00, 2.00 to call"."""
    spot = value.decision
    pot = f"pot {unit.text(spot.pot)}"
    return f"{pot}, {unit.text(spot.to_call)} to call" if spot.to_call else pot


def verdict_words(value: DecisionValue) -> str:
    """Return the verdict on a decision, with a note if few such decisions are known."""
    rare = value.is_rare and value.verdict != "rare"
    return VERDICTS[value.verdict] + (f", {VERDICTS['rare']}" if rare else "")


def cost_of(values: Sequence[DecisionValue]) -> tuple[float, float]:
    """Return the total cost of several decisions and its standard error, in minor units."""
    return sum(v.cost for v in values), math.hypot(*(v.error for v in values))


def counts_words(counts: Counter[str]) -> str:
    """Return how many decisions there are, and how many of each verdict."""
    named = {**VERDICTS, "mistake": "mistake" if counts["mistake"] == 1 else "mistakes"}
    parts = (f"{counts[verdict]:,} {words}" for verdict, words in named.items() if counts[verdict])
    noun = "decision" if counts.total() == 1 else "decisions"
    return f"{counts.total():,} {noun}: {', '.join(parts)}" if counts else "no decision"


def rare_words(n: int, more: str = "") -> str:
    """Return that some decisions, at least one, may be wrong: too little is known of such hands."""
    return f"{n:,}{more} may be wrong: too little is known of such hands, or of the opponent."


def way_words(terms: DecisionTerms, played_on: int = 0) -> str:
    """Return how decisions are valued: "400 rollouts a decision".

    ``played_on`` is the number of decisions that rollouts valued after learned values.
    """
    rake = "" if terms.rake is None else f", rake {terms.rake}"
    if terms.then is not None:
        rake = f", the player going on by {visible(terms.then.name)}{rake}"
    if terms.way == ROLLOUTS:
        return f"{terms.rollouts:,} rollouts a decision{rake}"
    if terms.way == LEARNED:
        return f"learned values{rake}"
    many = f"{played_on:,}" if played_on else "the expensive ones"
    return f"learned values, {many} by {terms.rollouts:,} rollouts{rake}"


def hand_text(hand: ValuedHand, console: Console) -> str:
    """Return the decisions of a hand as the console shows them."""
    return rendered(_ValuedText(hand, console).parts(), console)


class _ValuedText:
    def __init__(self, hand: ValuedHand, console: Console) -> None:
        self._hand = hand
        self._replay = hand.replay
        self._unit = hand.replay.history.unit
        self._big_bet = hand.replay.stakes.bets[-1]
        self._chips = ChipWords(self._unit, self._big_bet)
        self._dot = " - " if console.options.ascii_only else " · "
        self._room = console.width
        self._width = min(self._room, 100)

    def parts(self) -> Iterator[Part]:
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

    def _heading(self) -> Iterator[Part]:
        hand, source = self._hand, self._replay.history.source
        title = f"Decisions of hand {visible(self._replay.history.hand_id) or '?'}"
        yield ruled(title, self._room)
        yield Text(game_words(self._replay).replace(" · ", self._dot))
        check = f", checked by {visible(hand.check)}" if hand.check else ""
        facts = (
            f"policy {visible(hand.policy)}{check}",
            way_words(hand.terms, hand.played_on),
            f"ties {hand.analysis.ties}",
        )
        yield Text(self._dot.join(facts), style="dim")
        yield Text(f"{address_words(hand)} ({source.dialect})", style="dim")

    def _player(self, seat: int) -> Iterator[Part]:
        values = self._hand.of_seat(seat)
        label = seat_label(self._replay, seat, self._replay.history.hero)
        yield Text(f"{label} ", style="bold").append_text(self._cards(seat, values))
        if values:
            yield Indented(self._table(values))
        ledger = self._hand.values.ledgers.get(seat)
        if ledger is not None:
            yield Indented(Text(ledger_words(ledger, self._chips)))

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

    def _table(self, values: Sequence[DecisionValue]) -> TextTable:
        """Return a row for each decision; errors stand below their figures."""
        table = plain_table("", "", *(head for head, _ in _COLUMNS), "\ncost", "\nBB")
        for column, width in zip(table.columns[2:], _WIDTHS, strict=True):
            column.right, column.wraps, column.least = True, False, width
        table.columns[1].fills = True
        table.width = self._width - INDENT
        street = 0
        for value in values:
            spot = value.decision
            name = STREET_NAMES[spot.street] if spot.street != street else ""
            street = spot.street
            options = (self._value(value, actions) for _, actions in _COLUMNS)
            table.add_row(name, self._words(value), *options, *self._cost_of(value))
        if len(values) > 1:
            table.add_row("", "total", "", "", "", *self._cost(*cost_of(values), "total"))
        return table

    def _words(self, value: DecisionValue) -> tuple[Text, Text]:
        words = Text(f"{action_words(value.decision, self._unit)}: ", style="bold")
        situation = Text(situation_words(value, self._unit), style="dim")
        return words.append(verdict_words(value), style=_STYLES[value.verdict]), situation

    def _value(self, value: DecisionValue, actions: Sequence[Action]) -> Text:
        """Return the value of a legal action, marked if the action was taken."""
        option = next((each for each in value.actions if each.action in actions), None)
        if option is None:
            return Text("")
        mark = "*" if option is value.taken else ""
        style = "bold" if option is value.best else ""
        cell = Text(mark + self._chips.plain(option.q, "+"), style=style)
        error = self._chips.within(option.error)
        return cell.append(f"\n{error}", style="dim not bold") if error else cell

    def _cost_of(self, value: DecisionValue) -> tuple[Text, Text]:
        verdict = "" if value.is_best else value.verdict
        if not (value.least and value.error):
            return self._cost(value.cost, value.error, verdict)
        cells = self._cost(value.least, 0.0, verdict)
        for cell in cells:
            cell.append(f"\n{AT_LEAST}", style="dim not bold")
        return cells

    def _cost(self, cost: float, error: float, verdict: str) -> tuple[Text, Text]:
        style = _STYLES.get(verdict, "")
        pairs = (
            (self._chips.plain(cost), self._chips.within(error)),
            (self._chips.bets(cost), self._chips.bets_within(error)),
        )
        chips, bets = (
            Text(words, style=style).append(f"\n{within}" if within else "", style="dim not bold")
            for words, within in pairs
        )
        return chips, bets

    def _meaning(self) -> str:
        bet = self._unit.text(self._big_bet)
        return (
            "Chips won from here on, on average, by each action (* taken) if all then play by "
            f"the policy, ± a 95% interval; BB = {bet}. When not to trust them: {GUIDE}"
        )


def hand_costs(hand: ValuedHand) -> HandCosts:
    """Return the costs of a hand's decisions, to be shown with its actions."""
    chips = ChipWords(hand.replay.history.unit, hand.replay.stakes.bets[-1])
    lines = []
    for seat in hand.seats:
        values = hand.of_seat(seat)
        label = seat_label(hand.replay, seat, hand.analysis.you)
        if values:
            cost, error = cost_of(values)
            words = f"{chips.plain(cost)} {chips.within(error)} ({chips.bets(cost)} BB)"
            counts = counts_words(Counter(value.verdict for value in values))
            lines.append(f"{label}: {counts}; cost {words if error else chips.plain(cost)}")
        ledger = hand.values.ledgers.get(seat)
        if ledger is not None:
            lines.append(f"{label}: {ledger_words(ledger, chips)}")
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
    within = AT_LEAST if value.least and value.error else chips.within(value.error)
    return Text(f"{chips.plain(value.least or value.cost)}\n{within}".rstrip(), style=style)


def ledger_words(ledger: Ledger, chips: ChipWords) -> str:
    """Return the sources of a player's result, and the result with average luck."""
    terms = (
        f"{TERM_WORDS[term]} {chips.plain(ledger.terms[term] / PARTS, '+')}"
        for term in TERMS
        if ledger.terms[term]
    )
    adjusted = ledger.adjusted / PARTS
    return (
        f"result {chips.result(ledger.net)}: {', '.join(terms)}; with average luck "
        f"{chips.plain(adjusted, '+')} ({chips.bets(adjusted, '+')} BB)"
    )
