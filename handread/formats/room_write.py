"""Write the replay of a hand as the log of a poker room."""

from collections.abc import Iterator, Sequence
from types import UnionType

import handread.history as hh
from handread.formats.format import Written, legal_replay, replay_of_read
from handread.formats.grammar import Grammar, PrintRules
from handread.formats.room_lines import PlayLines
from handread.formats.room_print import YES, LinePrinter, Printed, check_read_back
from handread.game.replay import written_out
from handread.game.rules import STREET_NAMES, Stakes, variant_of
from handread.game.settle import MAX_UNSTATED_RAKE
from handread.game.steps import Replay, Step
from handread.history import History

SEATS = 8
"""Number of seats of a stud table, for logs that state it."""

DEEP = 100
"""Size in big bets of a stack that is not known and did not run out."""

_PLAY = hh.Ante | hh.StreetStart | hh.Deal | hh.SharedCard | hh.Wager | hh.Uncalled
"""Events of the play; cards shown after the last of them are the showdown."""


def write_hand(grammar: Grammar, print_rules: PrintRules, hand: History | Replay) -> Written:
    """Return a hand as the log of a room; raise ``ValueError`` if the room cannot express it."""
    history = hand if isinstance(hand, History) else hand.history
    variant = variant_of(history.variant)
    if not variant.readable or variant.key not in grammar.games:
        raise ValueError(f"{grammar.title} has no logs of {variant.title}")
    script = _WrittenLog(grammar, print_rules, legal_replay(hand))
    lines = script.lines()
    read = check_read_back(grammar, lines)
    script.check_stakes(read.stakes)
    text = "".join(f"{line.text}\n" for line in lines)
    return Written(text, replay_of_read(grammar.title, read, script.played))


class _WrittenLog:
    def __init__(self, grammar: Grammar, print_rules: PrintRules, played: Replay) -> None:
        self.printer = LinePrinter(grammar, print_rules, written_out(played))
        self.played = played
        self.history = played.history
        self.stakes = played.stakes
        self.game = variant_of(played.history.variant)
        self.play = PlayLines(self.printer, played)
        steps = played.steps
        end = _after_last(steps, _PLAY)
        self.steps, self.reveals = steps[:end], steps[end:]
        self.ended = bool(played.won or played.rake or self.reveals)

    def lines(self) -> list[Printed]:
        """Return all lines of the hand; raise ``ValueError`` if the room has no form for one."""
        returned = _after_last(self.steps, hh.Wager) or len(self.steps)
        told = [line for step in self.steps[:returned] for line in self.play.lines(step)]
        if self.played.finished and self.played.returned:
            seat, amount = self.played.returned
            told += self.printer.some("uncalled", {"amount": self.printer.money(amount)}, seat)
        told += [line for step in self.steps[returned:] for line in self.play.lines(step)]
        told += self._showdown()
        payments = list(self._payments())
        late = [line for line in payments if line.pattern.part == "summary"]
        told += [line for line in payments if line not in late]
        self._check_upcards()
        end = self.printer.some("end", self._labels()) if self.ended else ()
        return [*self._head(), *told, *self._summary(late), *end]

    def _labels(self) -> dict[str, str]:
        history = self.history
        labels = {"hand_id": history.hand_id, "table": history.table, "date": history.played_at}
        return {**labels, "button": ""}

    def _head(self) -> Iterator[Printed]:
        history = self.history
        values = {
            **self._labels(),
            "game": self.printer.grammar.games[history.variant],
            "size": str(max([SEATS, *(seat.number for seat in history.seats)])),
            "players": str(len(history.seats)),
            "hero": self.printer.names.get(history.hero or 0, ""),
        }
        chips = not (history.unit.decimals or history.unit.symbol)
        tournament = self.printer.print_rules.tournament if chips else {}
        first = {**values, **self._stakes(), **tournament}
        header = self.printer.line("hand", first)
        abouts = list(self.printer.every("about", first))
        if header is None or not any("game" in line.values for line in (header, *abouts)):
            title = self.printer.grammar.title
            raise ValueError(f"a log of {title} states the bets, which this hand does not tell")
        yield from (header, *abouts)
        yield from self.printer.some("table", values)
        for seat in sorted(history.seats, key=lambda seat: seat.number):
            stack = self._made_up_stack(seat.number) if seat.stack is None else seat.stack
            out = YES if seat.sitting_out else ""
            values = {"stack": self.printer.money(stack), "sitting_out": out}
            yield self.printer.must("seat", values, seat.number)
        yield from self.printer.some("antes", {})

    def _stakes(self) -> dict[str, str]:
        small, big, money = self.stakes.small, self.stakes.big, self.printer.money
        if self.stakes.bets != self.game.bets(small, big):
            bets = " ".join(map(money, self.stakes.bets))
            big_from = STREET_NAMES[self.game.big_bet_from]
            message = f"a room has one small bet and, from {big_from} street, one big, not {bets}"
            raise ValueError(message)
        if not self.stakes.bring_in:
            raise ValueError("a room has no games without a bring-in")
        cap = self.printer.grammar.house_rules.cap
        if self.stakes.cap != cap:
            title = self.printer.grammar.title
            raise ValueError(f"{title} takes {cap} bets a street, not {self.stakes.cap}")
        amounts = {"small": small, "big": big, "bring_in": self.stakes.bring_in}
        if self.stakes.ante:
            amounts["ante"] = self.stakes.ante
        return {name: money(amount) for name, amount in amounts.items()}

    def _made_up_stack(self, seat: int) -> int:
        """Return a stack for an unknown one: the seat's bets if all-in, else enough for any bet."""
        paid = self._put_in(seat)
        if any(
            isinstance(e, hh.Ante | hh.Wager) and e.all_in and e.seat == seat
            for e in self.played.moves
        ):
            return paid
        most = max(map(self._put_in, self.played.paid), default=0)
        big = self.stakes.big
        stack = DEEP * big
        while stack < most + DEEP // 4 * big:
            stack *= 2
        return stack

    def _put_in(self, seat: int) -> int:
        back, amount = self.played.returned or (0, 0)
        return self.played.paid.get(seat, 0) + (amount if seat == back else 0)

    def _showdown(self) -> Iterator[Printed]:
        """Yield the hands shown or, if the log shows none, all known hands of active seats."""
        if not self.played.steps:
            return
        table = self.played.steps[-1].after
        reveals = [step.event for step in self.reveals if isinstance(step.event, hh.Show | hh.Muck)]
        if len(table.active) > 1:
            if self.played.won and not reveals and not self.play.showed:
                reveals = self._implied_shows(table.active)
            if self.played.won or reveals:
                yield from self.printer.some("showdown", {})
        for event in reveals:
            self.play.see(event)
        for event in reveals:
            if (line := self.play.reveal(event, table)) is not None:
                yield line

    def _implied_shows(self, left: Sequence[int]) -> list[hh.Show | hh.Muck]:
        hands = {seat: self.play.told[seat].cards for seat in left}
        whole = self.game.n_cards - len(self.play.shared)
        if any(len(cards) < whole for cards in hands.values()):
            return []
        return [hh.Show(seat, tuple(cards)) for seat, cards in hands.items()]

    def _payments(self) -> Iterator[Printed]:
        """Yield the payment of each seat, which some rooms state only in the summary.

        If a room states pots and not their total, the first one has all the rest.
        """
        if not self.printer.has("collect"):
            return
        rest = self._total_pot() - sum(self.played.won.values())
        for seat, amount in sorted(self.played.won.items()):
            of = self.printer.money(amount + max(0, rest))
            values = {"amount": self.printer.money(amount), "of": of, "pot": ""}
            rest = 0
            yield self.printer.must("collect", values, seat)

    def _summary(self, payments: Sequence[Printed]) -> Iterator[Printed]:
        if not self.ended:
            return
        yield from self.printer.some("summary", {})
        yield from payments
        yield from self._totals()
        if self.play.shared:
            yield from self.printer.some("board", {"cards": self.printer.cards(self.play.shared)})
        folded = {d.seat: d.street for d in self.played.decisions if d.action == "fold"}
        for seat in sorted(self.played.paid):
            yield from self._result(seat, folded.get(seat))

    def _total_pot(self) -> int:
        return self.played.pot - (0 if self.printer.grammar.pot_before_rake else self.played.rake)

    def _totals(self) -> Iterator[Printed]:
        rake = self.played.rake
        if not (self.played.won or rake):
            return
        values = {"amount": self.printer.money(self._total_pot()), "rake": self.printer.money(rake)}
        lines = [*self.printer.some("total", values), *self.printer.some("rake", values)]
        yield from lines
        if rake > self.played.pot // MAX_UNSTATED_RAKE and not any(
            "rake" in each.values for each in lines
        ):
            title = self.printer.grammar.title
            raise ValueError(f"{title} logs do not state the rake, and here it is a large one")

    def _result(self, seat: int, folded: int | None) -> Iterator[Printed]:
        play, won = self.play, self.played.won.get(seat, 0)
        showed, hand = play.showed.get(seat), self.printer.cards(play.told[seat].hand)
        money = self._balance(seat, won)
        if folded is not None:
            idle = self._put_in(seat) == play.antes.get(seat, 0)
            told = {"street": STREET_NAMES[folded], "without_bet": YES if idle else ""}
            yield from self.printer.some("folded", told, seat)
        elif won and self.printer.has("won"):
            told = {"cards": hand} if showed else {"mucked": YES if showed is False else ""}
            yield from self.printer.some("won", {**money, **told}, seat)
        elif showed is not None and hand:
            told = {"cards": hand, "mucked": "" if showed else YES}
            yield from self.printer.some("revealed", {**money, **told}, seat)
        elif showed is False:
            yield from self.printer.some("mucked", {}, seat)

    def _balance(self, seat: int, won: int) -> dict[str, str]:
        """Return the figures of a seat: put in, collected, won, lost and left."""
        paid, stack = self.played.paid[seat], self.history.seat(seat).stack
        left = (self._made_up_stack(seat) if stack is None else stack) - paid + won
        amounts = {"amount": won, "collects": won, "bets": paid, "left": left}
        amounts |= {"wins": max(0, won - paid), "loses": max(0, paid - won)}
        values = {name: self.printer.money(amount) for name, amount in amounts.items()}
        sign = "+" if won > paid else "-"
        return {**values, "net": sign + self.printer.money(abs(won - paid))}

    # What a room cannot hold

    def _check_upcards(self) -> None:
        """Raise ``ValueError`` if the log would list some upcards of a street and not others."""
        seen = {seat for seat, told in self.play.told.items() if told.up} - {self.printer.owner}
        if self.play.blind and (seen or self.printer.grammar.by_deals):
            seats = ", ".join(map(str, sorted(self.play.blind)))
            raise ValueError(f"a room lists all upcards; some of seat {seats} were not seen")

    def check_stakes(self, read: Stakes | None) -> None:
        """Raise ``ValueError`` if a reader of the log could not infer the bets and the bring-in."""
        title, decisions = self.printer.grammar.title, self.played.decisions
        if self.stakes.inferred:
            put_in = any(isinstance(e, hh.Wager) and (e.adds or e.to) for e in self.played.moves)
            if read is None and not put_in:
                raise ValueError(f"{title} logs do not state the stakes, and no bet tells them")
            return
        if read is None:
            self._check_first_bet(self.stakes)
        overcalled = any(d.action == "call" and d.amount > d.to_call for d in decisions)
        if overcalled and (read is None or read.bring_in != self.stakes.bring_in):
            here = "here nobody posted all of it, but somebody called it"
            raise ValueError(f"{title} logs do not state the bring-in, and {here}")

    def _check_first_bet(self, stakes: Stakes) -> None:
        """Raise ``ValueError`` if the first bets do not imply the stakes that a log omits."""
        small, game = stakes.small, self.game
        bets = [d for d in self.played.decisions if d.action in ("bet", "raise")]
        if bets:
            first = bets[0]
            whole = first.to == game.bet(stakes, first.street)
            whole |= first.street == game.open_pair_street and first.to == stakes.big
            alone = len(bets) < 2 and 2 * stakes.bring_in <= small
            told = whole and (alone or not first.all_in)
        else:
            wagers = (event for event in self.played.moves if isinstance(event, hh.Wager))
            told = any(wager.action is hh.Action.BRING_IN for wager in wagers)
        if stakes.big != 2 * small or not told:
            why = "the first bets of this hand would not tell them"
            title = self.printer.grammar.title
            raise ValueError(f"{title} logs do not state the stakes, and {why}")


def _after_last(steps: Sequence[Step], kind: type | UnionType) -> int:
    return max((n for n, step in enumerate(steps, 1) if isinstance(step.event, kind)), default=0)
