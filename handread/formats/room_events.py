"""Build the events of a hand from the parsed lines of a room's log (lines or XML)."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import handread.history as hh
from handread.cards import SUITS, Card, MaybeCard, cards_text, parse_card
from handread.formats.format import LineError
from handread.formats.line_patterns import ParsedLine
from handread.formats.site import SiteProfile
from handread.formats.styles import EXAMPLE_CARDS, RANK_REGEX
from handread.game.rules import STREET_NAMES, Unit, Variant
from handread.history import Claim, LowClaim, NetResult, Problem

_ENDS_DEAL = ("check", "bet", "call", "raise", "complete", "fold", "all_in", "show", "muck")
"""Events before which every player must have been dealt the card of the street."""

_ACTS = hh.Ante, hh.Wager
_RESULTS = {"amount": "won"} | {name: name for name in ("collects", "bets", "wins", "loses", "net")}
"""Fields of a summary, and the figures of ``Claim`` that they state."""

NO_LOW = "none"
"""The value of the field ``low`` of a line that says that no low qualified."""

_LOW = re.compile(rf"(?<![\w,]){RANK_REGEX}(?:,{RANK_REGEX}){{4}}(?![\w,]\w)")
"""Matches a low in words: "8,6,4,2,A"."""

NumberedLine = tuple[int, str]


def problem_at(
    site: SiteProfile,
    file: str,
    line: NumberedLine,
    why: LineError,
    end_line: int = 0,
    *,
    only_strict: bool = False,
) -> Problem:
    """Return the problem of a line; ``end_line`` is the last line of a text that is not a hand."""
    number, text = line
    place, words = (file, number, why.column), (why.message, why.expected, text.rstrip())
    return Problem(*place, *words, site.name, end_line=end_line, only_strict=only_strict)


def _no_card(seat: int, street: int) -> str:
    return f"seat {seat} gets no card on {STREET_NAMES[street]} street"


def _not_told(line: ParsedLine, name: str) -> str:
    return f"{line.word(name)!r} is not what the play tells"


class EventBuilder:
    """Build the events of a hand from its lines, one at a time.

    Amounts are kept as stated; ``small`` is the small bet in minor units, 1 if it is not known.
    Some rooms repeat cards on later streets, and some mark streets only by the deals, so the
    builder tracks each seat's cards. ``full_deals`` are the seats whose cards of the first street
    are all in the log, ``findings`` deals with unreadable cards or cards repeated otherwise.
    """

    def __init__(self, file: str, unit: Unit, site: SiteProfile, small: int, game: Variant) -> None:
        self.events: list[hh.Event] = []
        self.full_deals: list[int] = []
        self.nets: list[NetResult] = []
        self.claims: list[Claim] = []
        self.lows: list[LowClaim] = []
        self.findings: list[Problem] = []
        self._file = file
        self._unit = unit
        self._site = site
        self._small = small
        self._game = game
        self._first, self._last = game.first, game.last
        self._n_first = sum(game.dealt[game.first])
        self._street = 0
        self._seen: dict[int, set[Card]] = {}
        self._shown_up: dict[int, set[Card]] = {}
        self._damaged: Counter[int] = Counter()
        self._dealt: Counter[int] = Counter()
        self._coming: dict[int, tuple[ParsedLine, list[MaybeCard]]] = {}
        self._by_deals = site.by_deals
        self._block: set[int] = set()
        self._deals: list[ParsedLine] = []
        self._last_street_line: ParsedLine | None = None
        self._pots = 0
        self._summary: list[hh.Collect] = []

    def take(self, line: ParsedLine) -> None:
        """Add the events of a line; raise ``LineError`` if it is impossible at this point."""
        if self._by_deals and line.pattern.event in _ENDS_DEAL:
            self._check_all_dealt()
        if (handler := _HANDLERS.get(line.pattern.event)) is not None:
            handler(self, line)

    def finish(self) -> None:
        """Add incomplete deals, and winnings that only a summary or net results state."""
        for seat, (line, cards) in self._coming.items():
            self.events.append(hh.Deal(seat, tuple(cards), **line.place))
        if hh.Collect not in map(type, self.events):
            self.events += self._summary
        if self._pots:
            last = max((e for e in self.events if isinstance(e, hh.Collect)), key=lambda e: e.line)
            total = hh.TotalPot(self._pots, self._site.pot_before_rake, line=last.line)
            self.events.append(total)

    def check_deals(self) -> None:
        """Add findings about players whose cards the log leaves out while it lists others'.

        The replay refuses a hand with some of the upcards of a street. It accepts the upcards of a
        single player, as some rooms list only the owner's; and a missing last downcard, as the log
        of an all-in may end without it.
        """
        acting = {event.seat for event in self.events if isinstance(event, _ACTS)}
        if self._deals and not self._site.cards.owner_only:
            for seat in sorted(acting - {line.seat for line in self._deals}):
                self._miss_card(self._deals[0], seat, self._first)
        if self._last_street_line is None:
            return
        start = self._last_street_line.number
        wagers = [event for event in self.events if isinstance(event, hh.Wager)]
        folds = [event for event in wagers if event.action is hh.Action.FOLD]
        folded = {fold.seat for fold in folds if fold.line < start}
        dealt = {line.seat for line in self._deals if line.number >= start}
        shared = any(isinstance(event, hh.SharedCard) for event in self.events)
        if not shared and (dealt or any(wager.line >= start for wager in wagers)):
            owners = {*self.full_deals}
            due = owners if dealt <= owners else acting
            for seat in sorted(due - folded - dealt):
                self._miss_card(self._last_street_line, seat, self._last)

    def _miss_card(self, line: ParsedLine, seat: int, street: int) -> None:
        why = LineError(_no_card(seat, street), "a card for each player")
        self.findings.append(self._problem(line, why, only_strict=True))

    def _claim(self, line: ParsedLine, name: str, figure: str, event: int | None = None) -> None:
        why = LineError(_not_told(line, name), column=line.column_of(name))
        problem = self._problem(line, why, only_strict=True)
        self.claims.append(Claim(figure, line.seat, self._money(line, name), problem, event))

    def _claim_low(self, line: ParsedLine) -> None:
        """Add the claim of a low in the description of a hand, if all of the hand is known."""
        if self._game.low is None:
            return
        told = _LOW.search(line.word("hand"))
        if told is None or ("cards" in line and len(line.cards("cards")) != self._game.n_cards):
            return
        # Suits that make no flush: a low is announced by its ranks.
        ranks = told[0].replace("10", "T").split(",")
        five = [parse_card(f"{rank}{SUITS[n % 4]}") for n, rank in enumerate(ranks)]
        column = max(1, line.text.find(told[0]) + 1)
        why = LineError(f"the low {told[0]!r} is not what the cards tell", column=column)
        problem = self._problem(line, why, only_strict=True)
        self.lows.append(LowClaim(line.seat, self._game.low(five), problem))

    def _claim_results(self, line: ParsedLine) -> None:
        for name, figure in _RESULTS.items():
            if name in line:
                self._claim(line, name, figure)

    def _problem(self, line: ParsedLine, why: LineError, only_strict: bool = False) -> Problem:
        place = line.number, line.text
        return problem_at(self._site, self._file, place, why, only_strict=only_strict)

    def _check_all_dealt(self) -> None:
        """Raise ``LineError`` if the deal of the last street left out a player.

        If deals alone mark the streets, no heading says that all have their last card.
        """
        if self._street != self._last or not self._block:
            return
        wagers = [event for event in self.events if isinstance(event, hh.Wager)]
        folded = {wager.seat for wager in wagers if wager.action is hh.Action.FOLD}
        lacking = sorted(set(self._dealt) - folded - self._block)
        self._block.clear()
        if lacking:
            raise LineError(_no_card(lacking[0], self._last), "a card for each player")

    def _money(self, line: ParsedLine, name: str) -> int:
        return line.minor(name, self._unit)

    def _add(self, event: hh.Event) -> None:
        self.events.append(event)

    def _act(self, event: hh.Event) -> None:
        self._block.clear()
        self._add(event)

    def _ante(self, line: ParsedLine) -> None:
        amount = self._money(line, "to" if "to" in line else "added")
        all_in = "all_in" in line or line.pattern.event == "all_in"
        self._add(hh.Ante(line.seat, amount, all_in, **line.place))

    def _street_line(self, line: ParsedLine) -> None:
        """Take a street heading; where deals mark the streets, it may be one street behind."""
        if "card" in line:
            self._start_street(self._last, line)
        elif not self._by_deals:
            nth = line.word("nth")
            self._start_street(self._first + int(nth) - 1 if nth else line.street(), line)

    def _blocks_line(self, line: ParsedLine) -> None:
        self._by_deals = True
        self._start_street(self._first, line)

    def _start_street(self, street: int, line: ParsedLine) -> None:
        self._street = street
        if street == self._last:
            self._last_street_line = line
        self._block.clear()
        self._add(hh.StreetStart(street, **line.place))
        for card in line.cards("card"):
            self._add(hh.SharedCard(card, **line.place))

    def _deal(self, line: ParsedLine) -> None:
        """Deal cards to a seat; the line may repeat earlier cards, some rooms as hidden ones."""
        unreadable = line.unreadable() if line.pattern.cards.damaged else []
        if unreadable:
            self._note_unreadable(line, unreadable)
        self._deals.append(line)
        seat, old, new = line.seat, line.cards("old"), line.cards("cards") + line.cards("new")
        if self._by_deals and self._begins_block(seat):
            self._start_street(self._street + 1 if self._street else self._first, line)
        if "all" in line:
            cards, before = line.cards("all"), self._dealt[seat]
            old, new = cards[:before], cards[before:]
            if not new:
                return  # Some rooms repeat a hand that has folded.
        self._block.add(seat)
        if self._street == self._first:
            old, new = (), old + new
        self._check_count(len(new))
        if old:
            self._check_earlier_cards(seat, old, len(unreadable))
            self._fill_in(seat, old)
            known = tuple([card for card in old if card is not None])
            if not self._seen.get(seat, set()).issuperset(known):
                self._reveal(hh.Show(seat, known, **line.place))
        self._note_deal(seat, new)
        if self._site.one_by_one and self._street == self._first:
            new = self._gathered(seat, new, line)
        if new:
            down, up = self._faces(new)
            self._shown_up.setdefault(seat, set()).update([card for card in up if card is not None])
            self._add(hh.Deal(seat, down, up, line=line.number, column=line.column))

    def _gathered(
        self, seat: int, new: Sequence[MaybeCard], line: ParsedLine
    ) -> tuple[MaybeCard, ...]:
        """Return the cards of the first street once all are dealt; until then, no cards."""
        _, before = self._coming.pop(seat, (line, []))
        cards = [*before, *new]
        if len(cards) >= self._n_first:
            return tuple(cards)
        self._coming[seat] = line, cards
        return ()

    def _note_unreadable(self, line: ParsedLine, words: Sequence[tuple[int, str]]) -> None:
        """Add findings for unreadable cards, which count as unseen cards."""
        expected = f"a card such as {self._site.cards.text(EXAMPLE_CARDS[:1])}"
        for column, word in words:
            why = LineError(f"the card {word!r} cannot be read", expected, column)
            self.findings.append(self._problem(line, why))
        self._damaged[line.seat] += len(words)

    def _fill_in(self, seat: int, old: Sequence[MaybeCard]) -> None:
        """Fill in upcards that could not be read, from a list of a seat's earlier cards."""
        if not self._damaged[seat]:
            return
        deals = [n for n, e in enumerate(self.events) if isinstance(e, hh.Deal) and e.seat == seat]
        if len(old) < len(deals):
            return
        for n, card in zip(deals, old[len(old) - len(deals) :], strict=True):
            deal = self.events[n]
            if isinstance(deal, hh.Deal) and deal.up == (None,) and card is not None:
                self.events[n] = replace(deal, up=(card,))
                self._seen.setdefault(seat, set()).add(card)
                self._shown_up.setdefault(seat, set()).add(card)

    def _note_deal(self, seat: int, new: Sequence[MaybeCard]) -> None:
        seen = self._seen.setdefault(seat, set())
        seen.update([card for card in new if card is not None])
        self._dealt[seat] += len(new)
        told = len(seen) + self._damaged[seat]
        if self._street == self._first and self._dealt[seat] == told == self._n_first:
            self.full_deals.append(seat)

    def _begins_block(self, seat: int) -> bool:
        """Return True for the first deal of a street that no heading announces."""
        if not self._street:
            return True
        first = self._street == self._first
        if self._site.one_by_one and first and self._dealt[seat] < self._n_first:
            return False
        return seat in self._block if self._block else bool(self._dealt)

    def _check_count(self, n: int) -> None:
        """Raise ``LineError`` for a number of cards that no player gets on this street."""
        if self._street == 0:
            street = f"{STREET_NAMES[self._first]} street"
            raise LineError(f"a card is dealt before {street}", f"the beginning of {street}")
        if self._street > self._last:
            message = f"a card is dealt after {STREET_NAMES[self._last]} street"
            raise LineError(message, "no more cards")
        first = self._street == self._first
        if n != 1 and not (first and n == self._n_first):
            message = f"{n} cards dealt to one player on {STREET_NAMES[self._street]} street"
            down = "two downcards" if self._n_first == 3 else "a downcard"
            expected = f"an upcard, or {down} and an upcard" if first else "one new card"
            raise LineError(message, expected)

    def _check_earlier_cards(self, seat: int, old: Sequence[MaybeCard], unreadable: int) -> None:
        """Raise ``LineError`` if a list of earlier cards lacks more of them than are unreadable."""
        missing = self._seen.get(seat, set()) - set(old)
        if len(missing) > unreadable:
            message = f"{cards_text(old)} is not what this player was dealt before"
            raise LineError(message, f"{cards_text(sorted(missing))} among it")

    def _faces(
        self, new: Sequence[MaybeCard]
    ) -> tuple[tuple[MaybeCard, ...], tuple[MaybeCard, ...]]:
        n_down = self._game.streets[self._street - self._first].down
        if self._street == self._first:
            return tuple(new[:-1]) or (None,) * n_down, (new[-1],)
        return ((new[0],), ()) if n_down else ((), (new[0],))

    def _wager(self, line: ParsedLine) -> None:
        """Take an action as it is stated; an all-in before the deal is an ante."""
        if line.pattern.event == "all_in" and not self._street:
            self._ante(line)
            return
        action, values = _ACTIONS[line.pattern.event], line.values
        if action in (hh.Action.CHECK, hh.Action.FOLD):
            if "cards" in values:  # who folds may show
                self._reveal(hh.Show(line.seat, line.cards("cards"), **line.place))
            self._act(hh.Wager(line.seat, action, line=line.number, column=line.column))
            return
        to = self._money(line, "to") if "to" in values else None
        by = self._money(line, "by") if "by" in values else 0
        if "by" in values and self._site.raised_by:
            self._claim(line, "by", self._site.raised_by, len(self.events))
        self._act(
            hh.Wager(
                line.seat,
                action,
                adds=self._money(line, "added") if to is None else None,
                to=to,
                all_in="all_in" in values or line.pattern.event == "all_in",
                double="double" in values,
                # A raise by less than nothing may leave the bring-in out of its total
                # (Winamax, 2016).
                over_bring_in=to is not None and by < 0 and to % self._small > 0,
                **line.place,
            )
        )

    def _uncalled(self, line: ParsedLine) -> None:
        self._add(hh.Uncalled(line.seat, self._money(line, "amount"), **line.place))

    def _show(self, line: ParsedLine) -> None:
        self._claim_low(line)
        self._reveal(self._hand(line, hh.Show))

    def _muck(self, line: ParsedLine) -> None:
        self._reveal(self._hand(line, hh.Muck))

    def _hand(self, line: ParsedLine, kind: type[hh.Show | hh.Muck]) -> hh.Show | hh.Muck:
        """Return the show or muck of a line.

        If a room lists downcards in any order, only the upcards of an incomplete hand count.
        """
        seat, cards = line.seat, line.cards("cards")
        whole = len(cards) == self._game.n_cards
        up = self._shown_up.get(seat, set())
        told = self._site.cards.shown_in_order or self._seen.get(seat, set()) > up
        if told or whole or not up:
            return kind(seat, cards, any_order=whole and not told, **line.place)
        self._add(hh.Remark(line.text.strip(), **line.place))
        return kind(seat, tuple(card if card in up else None for card in cards), **line.place)

    def _reveal(self, event: hh.Show | hh.Muck) -> None:
        self._seen.setdefault(event.seat, set()).update(c for c in event.cards if c is not None)
        self._add(event)

    def _collect(self, line: ParsedLine) -> None:
        self._claim_low(line)
        if "of" in line:
            self._pots += self._money(line, "of")
        amount = self._money(line, "amount")
        self._add(hh.Collect(line.seat, amount, line.word("pot"), **line.place))

    def _total(self, line: ParsedLine) -> None:
        amount = self._money(line, "amount")
        self._add(hh.TotalPot(amount, self._site.pot_before_rake, **line.place))
        self._rake(line)

    def _rake(self, line: ParsedLine) -> None:
        if taken := [self._money(line, name) for name in ("rake", "fee") if name in line]:
            self._add(hh.Rake(sum(taken), **line.place))

    def _net(self, line: ParsedLine) -> None:
        self.nets.append(NetResult(line.seat, self._money(line, "net"), **line.place))
        self._claim_results(line)

    def _revealed(self, line: ParsedLine) -> None:
        """Take the cards of a seat in the summary; new ones are a show or a muck."""
        self._claim_low(line)
        cards = [card for card in line.cards("cards") if card is not None]
        shown, seen = set(cards), self._seen.get(line.seat, set())
        if shown - seen:
            self._reveal(self._hand(line, hh.Muck if "mucked" in line else hh.Show))
        elif len(shown) < len(cards) or (len(cards) == self._game.n_cards and shown != seen):
            expected = f"{cards_text(sorted(seen))} by the play"
            why = LineError(_not_told(line, "cards"), expected, line.column_of("cards"))
            self.findings.append(self._problem(line, why, only_strict=True))
        self._claim_results(line)

    def _won(self, line: ParsedLine) -> None:
        if amount := self._money(line, "amount"):
            self._summary.append(hh.Collect(line.seat, amount, **line.place))
        self._revealed(line)

    def _remark(self, line: ParsedLine) -> None:
        if line.word("low") == NO_LOW and self._game.splits:
            why = LineError("the log says that nobody has a low")
            self.lows.append(LowClaim(0, None, self._problem(line, why, only_strict=True)))
        self._add(hh.Remark(line.word("remark") or line.text.strip(), **line.place))


_ACTIONS = {
    "check": hh.Action.CHECK,
    "fold": hh.Action.FOLD,
    "bring_in": hh.Action.BRING_IN,
    "bet": hh.Action.BET,
    "call": hh.Action.CALL,
    "raise": hh.Action.RAISE,
    "complete": hh.Action.BET_OR_RAISE,
    "all_in": hh.Action.ALL_IN,
}

_HANDLERS: Mapping[str, Callable[[EventBuilder, ParsedLine], None]] = {
    "ante": EventBuilder._ante,
    "street": EventBuilder._street_line,
    "blocks": EventBuilder._blocks_line,
    "deal": EventBuilder._deal,
    **dict.fromkeys(_ACTIONS, EventBuilder._wager),
    "uncalled": EventBuilder._uncalled,
    "show": EventBuilder._show,
    "muck": EventBuilder._muck,
    "collect": EventBuilder._collect,
    "total": EventBuilder._total,
    "rake": EventBuilder._rake,
    "net": EventBuilder._net,
    "revealed": EventBuilder._revealed,
    "won": EventBuilder._won,
    "remark": EventBuilder._remark,
}
"""The method for each event; other events add nothing to the play."""
