"""Read hands in PHH: from TOML to the events of a history."""

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import handread.history as hh
from handread.cards import UNSEEN_TEXT, MaybeCard, parse_card
from handread.formats.format import LineError, Reading
from handread.formats.phh_fields import AFTER, HandFields, Position, Section, is_whole
from handread.game.replay import replay
from handread.game.rules import DEFAULT, VARIANTS, Stakes, Unit, Variant, variant_of
from handread.history import Claim, History, NetResult, Seat, Source

_PLAYER = re.compile("p([1-9][0-9]{0,2})")
_ACTIONS = {"pb": hh.Action.BRING_IN, "f": hh.Action.FOLD, "cc": hh.Action.CHECK_OR_CALL}


@dataclass(slots=True)
class Actions:
    """Turn action strings into events; ``deliver`` ends the hand.

    ``players`` are the seats of p1, p2 ...; ``money`` turns an amount as text into minor units,
    or raises ``LineError``. Cards are held back until the deal of a street is complete, so that the
    hand is the same whether the cards of 3rd street come at once or one by one. ``undelivered`` has
    the place of that deal for each seat, and the number of cards before it.
    """

    players: Sequence[int]
    money: Callable[[str], int]
    game: Variant = DEFAULT
    events: list[hh.Event] = field(default_factory=list)
    street: int = 0
    dealt: dict[int, list[MaybeCard]] = field(default_factory=dict)
    undelivered: dict[int, tuple[Position, int]] = field(default_factory=dict)

    def take(self, action: str, spot: Position, double: bool = False) -> None:
        """Add the event of an action string, or raise ``LineError``; ``#`` starts a comment.

        ``double`` marks a bet that the log calls double.
        """
        words = action.split()
        words = words[: words.index("#")] if "#" in words else words
        match words:
            case []:
                return
            case ["d", "dh", player, cards]:
                self.deal(self.seat(player), cards_of(cards), spot)
                return
        self.deliver()
        match words:
            case ["d", "db", cards]:
                self.share(cards_of(cards), spot)
            case [player, "pb" | "f" | "cc" as word]:
                self.events.append(hh.Wager(self.seat(player), _ACTIONS[word], **spot.place))
            case [player, "cbr", amount]:
                seat, to, action = self.seat(player), self.money(amount), hh.Action.BET_OR_RAISE
                self.events.append(hh.Wager(seat, action, to=to, double=double, **spot.place))
            case [player, "sm"]:
                self.events.append(hh.Muck(self.seat(player), **spot.place))
            case [player, "sm", "-"]:
                seat = self.seat(player)
                self.events.append(hh.Show(seat, tuple(self.dealt.get(seat, ())), **spot.place))
            case [player, "sm", cards]:
                self.events.append(hh.Show(self.seat(player), cards_of(cards), **spot.place))
            case _:
                expected = "d dh, d db, or a player with pb, f, cc, cbr or sm"
                raise LineError(f"{action!r} is no action of stud", expected)

    def take_ending(self, words: str, spot: Position) -> None:
        """Add the event of a string of ``_handread_ending``, or raise ``LineError``."""
        self.deliver()
        match words.split(" ", 3):
            case ["unpaid"]:
                return
            case ["pot", amount]:
                event: hh.Event = hh.TotalPot(self.money(amount), **spot.place)
            case ["pot", amount, "net"]:
                event = hh.TotalPot(self.money(amount), before_rake=False, **spot.place)
            case ["rake", amount]:
                event = hh.Rake(self.money(amount), **spot.place)
            case [player, "uncalled", amount]:
                event = hh.Uncalled(self.seat(player), self.money(amount), **spot.place)
            case [player, "collect", amount, *pot]:
                seat, won = self.seat(player), self.money(amount)
                event = hh.Collect(seat, won, "".join(pot), **spot.place)
            case [player, "show", cards]:
                event = hh.Show(self.seat(player), cards_of(cards), **spot.place)
            case [player, "muck", *cards]:
                event = hh.Muck(self.seat(player), cards_of("".join(cards)), **spot.place)
            case _:
                expected = "pot, rake, unpaid, or a player with uncalled, collect, show or muck"
                raise LineError(f"{words!r} ends no hand", expected)
        self.events.append(event)

    def seat(self, player: str) -> int:
        """Return the seat of p1, p2 ..."""
        match = _PLAYER.fullmatch(player)
        if not match or int(match[1]) > len(self.players):
            raise LineError(f"there is no player {player!r}", f"p1 to p{len(self.players)}")
        return self.players[int(match[1]) - 1]

    def deal(self, seat: int, cards: Sequence[MaybeCard], spot: Position) -> None:
        """Deal cards to a seat: two down, four up, one down, in this order."""
        dealt = self.dealt.setdefault(seat, [])
        for card in cards:
            if len(dealt) == self.game.n_cards:
                most = f"{self.game.n_cards} cards at most"
                raise LineError(f"a player gets {len(dealt) + 1} cards", most)
            street = next(n for n, (down, up) in self.game.dealt.items() if len(dealt) < down + up)
            if street > self.street:
                self.begin(street, spot)
            self.undelivered.setdefault(seat, (spot, len(dealt)))
            dealt.append(card)

    def share(self, cards: Sequence[MaybeCard], spot: Position) -> None:
        """Deal one 7th card to all players."""
        if len(cards) != 1:
            raise LineError("stud shares no more than one card", "one card")
        if self.street < self.game.last:
            self.begin(self.game.last, spot)
        self.events.append(hh.SharedCard(cards[0], **spot.place))

    def begin(self, street: int, spot: Position) -> None:
        """Begin a street."""
        self.deliver()
        self.street = street
        self.events.append(hh.StreetStart(street, **spot.place))

    def deliver(self) -> None:
        """Add the deals that were held back."""
        up = self.game.up_places
        for seat, (spot, before) in self.undelivered.items():
            cards = self.dealt[seat]
            down = (*cards[before : up.start], *cards[max(before, up.stop) :])
            shown = tuple(cards[max(before, up.start) : up.stop])
            self.events.append(hh.Deal(seat, down, shown, **spot.place))
        self.undelivered.clear()

    def go_on(self, events: Iterable[hh.Event]) -> None:
        """Take in the streets and cards of events that came before."""
        for event in events:
            match event:
                case hh.StreetStart():
                    self.street = event.street
                case hh.Deal():
                    self.dealt.setdefault(event.seat, []).extend((*event.down, *event.up))


def cards_of(text: str) -> tuple[MaybeCard, ...]:
    """Parse cards without blanks between them, ``??`` for an unseen one, or raise ``LineError``."""
    words = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        return tuple(None if word == UNSEEN_TEXT else parse_card(word) for word in words)
    except ValueError as error:
        raise LineError(str(error), "cards such as 7hTs, or ?? for one not seen") from None


_VARIANT_KEYS = {game.phh: game.key for game in VARIANTS.values() if game.phh}
_STAKES_EXPECTED = "{ ante, bets = [5 amounts], cap, open_pair_doubles, inferred }"


def read_hand(section: Section) -> Iterator[Reading]:
    """Yield the hand of a section, or its problems if it does not name a game.

    Hands of games that are not read keep their players and have no events.
    """
    variant = section.values.get("variant")
    if not isinstance(variant, str):
        if not section.problems:
            section.complain("variant", "the hand does not name its game", 'variant = "F7S"')
        yield from (replace(problem, end_line=section.end_line) for problem in section.problems)
        return
    key = _VARIANT_KEYS.get(variant, "other")
    fields = HandFields(section)
    numbers = _numbers(fields)
    stacks = dict(zip(numbers, fields.amounts("starting_stacks"), strict=True))
    game = variant_of(key)
    stakes = _stakes(fields, game) if game.readable else None
    fields.drop_unless_amounts("winnings", len(numbers))
    claims = tuple(_claims(fields, stacks))
    # Stacks after the hand give the payments if these are not stated.
    paid = () if "_handread_ending" in section.values else claims
    nets = tuple(NetResult(claim.seat, claim.amount) for claim in paid if claim.figure == "net")
    seat_count = fields.whole("seat_count")
    if seat_count is not None and seat_count < len(numbers):
        section.findings.append(section.contradicted("seat_count", f"{len(numbers)} or more"))
    history = History(
        hand_id=fields.label("hand"),
        source=Source(section.file, section.field_spot("variant").line, section.dialect),
        variant=key,
        unit=Unit(fields.decimals, fields.text("currency_symbol")),
        stakes=stakes,
        seats=_seats(fields, stacks),
        events=_events(fields, stacks) if stakes else (),
        hero=fields.whole("_handread_hero"),
        table=fields.label("table"),
        played_at=fields.text("_handread_played_at") or _date(section.values),
        end_line=section.end_line,
        problems=tuple(section.problems),
        findings=tuple(section.findings),
        nets=() if section.problems else nets,
        claims=() if section.problems or not stakes else claims,
        any_opener=True,
        unpaid="unpaid" in fields.strings("_handread_ending"),
    )
    yield _with_amounts(history, stacks) if fields.wholes("_handread_unknown_stacks") else history


def _numbers(fields: HandFields) -> list[int]:
    """Return the seat numbers of p1, p2 ...: the field ``seats``, else 1, 2 ..."""
    n = len(fields.items("starting_stacks"))
    if n == 0:
        fields.section.complain("starting_stacks", "nobody has a stack", "starting_stacks = [...]")
    for key in ("antes", "players", "seats", AFTER[0]):
        if key in fields.section.values and len(fields.items(key)) != n:
            fields.section.complain(key, f"{key} is not as long as starting_stacks", f"{n} values")
    numbers = fields.wholes("seats") or list(range(1, n + 1))
    if len(set(numbers)) == n == len(numbers):
        return numbers
    fields.section.complain("seats", "seats does not name each player's own seat", f"{n} numbers")
    return list(range(1, n + 1))


def _seats(fields: HandFields, stacks: Mapping[int, int | None]) -> tuple[Seat, ...]:
    """Return the players, and seats that were not dealt in, by seat number."""
    names = fields.strings("players")
    names += [""] * (len(stacks) - len(names))
    unknown = fields.wholes("_handread_unknown_stacks")
    out = fields.wholes("_handread_sitting_out")
    seats = [
        Seat(number, name, None if number in unknown else stack, number in out)
        for (number, stack), name in zip(stacks.items(), names, strict=False)
    ]
    absent = [_absent(fields, item) for item in fields.items("_handread_absent")]
    return tuple(sorted([*seats, *absent], key=lambda seat: seat.number))


def _absent(fields: HandFields, item: object) -> Seat:
    key = "_handread_absent"
    match item:
        case {"seat": number, "name": str(name), "sitting_out": bool(out), **rest} if is_whole(
            number
        ):
            stack = fields.minor(key, rest["stack"]) if "stack" in rest else None
            return Seat(number, name, stack, out)
    fields.section.complain(key, f"{key} holds what is no seat", "{ seat, name, sitting_out }")
    return Seat(0)


def _stakes(fields: HandFields, game: Variant) -> Stakes:
    """Return the stakes; ``_handread_stakes`` or PHH's rules complete its fields."""
    antes = [ante for ante in fields.amounts("antes") if ante is not None]
    if not antes:
        fields.section.complain("antes", "the hand has no antes", "antes = [an amount a player]")
    bring_in = fields.amount("bring_in")
    small, big = fields.amount("small_bet"), fields.amount("big_bet")
    key = "_handread_stakes"
    match fields.table(key):
        case {
            "bets": [_, _, _, _, _] as stated,
            "cap": cap,
            "open_pair_doubles": bool(doubles),
            "inferred": bool(inferred),
            "ante": ante,
            **rest,
        } if _is_cap(cap):
            cap_heads_up = rest.get("cap_heads_up")
            if cap_heads_up is None or _is_cap(cap_heads_up):
                bets = tuple([fields.minor(key, bet) or 0 for bet in stated])
                ante = fields.minor(key, ante) or 0
                for name, bet in (("small_bet", stated[0]), ("big_bet", stated[-1])):
                    if bet != fields.section.values.get(name):
                        finding = fields.section.contradicted(name, f"{bet}, as in {key}")
                        fields.section.findings.append(finding)
                stakes = Stakes(ante, bring_in, bets, cap, cap_heads_up, inferred=inferred)
                return replace(stakes, open_pair_doubles=doubles)
    if fields.table(key):
        fields.section.complain(key, f"{key} are no stakes", _STAKES_EXPECTED)
    return plain_stakes(game, max(antes, default=0), bring_in, small, big)


def plain_stakes(game: Variant, ante: int, bring_in: int, small: int, big: int) -> Stakes:
    """Return the stakes of a hand without ``_handread_stakes``."""
    bets, doubles = game.bets(small, big), game.open_pair_street is not None
    return Stakes(ante, bring_in, bets, cap_heads_up=None, open_pair_doubles=doubles)


def _is_cap(value: object) -> TypeGuard[int]:
    return is_whole(value) and value > 0


def _events(fields: HandFields, stacks: Mapping[int, int | None]) -> tuple[hh.Event, ...]:
    """Return the events up to the end or to the first action that cannot be read."""
    actions = Actions(tuple(stacks), fields.money)
    antes = dict(zip(stacks, fields.amounts("antes"), strict=False))
    posting = fields.wholes("_handread_antes_from") or list(stacks)
    played, ending = fields.texts("actions"), fields.texts("_handread_ending")
    implied, doubled = fields.wholes("_handread_implied"), fields.wholes("_handread_double")
    if fields.section.problems:
        return ()
    spot = fields.section.field_spot("antes")
    for seat in posting:
        if ante := antes.get(seat):
            actions.events.append(_ante(seat, ante, stacks[seat], spot))
    spot = fields.section.field_spot("actions")
    try:
        for n, (spot, text) in enumerate(played, start=1):
            if n not in implied:
                actions.take(text, spot, n in doubled)
        for spot, text in ending:
            actions.take_ending(text, spot)
        if not ending and "finishing_stacks" not in fields.section.values:
            spot = fields.section.field_spot("winnings")
            actions.deliver()
            won = zip(stacks, fields.amounts("winnings"), strict=False)
            paid = [hh.Collect(seat, amount, **spot.place) for seat, amount in won if amount]
            actions.events += paid
    except LineError as why:
        fields.section.complain(spot, why.message, why.expected)
    actions.deliver()
    return tuple(actions.events)


def _ante(seat: int, ante: int, stack: int | None, spot: Position) -> hh.Ante:
    all_in = stack is not None and stack <= ante
    return hh.Ante(seat, stack if all_in else ante, all_in, **spot.place)


def _claims(fields: HandFields, stacks: Mapping[int, int | None]) -> Iterator[Claim]:
    """Yield claims of the fields about chips after the hand, to compare with the play."""
    for key, figure in zip(AFTER, ("net", "collects"), strict=True):
        amounts = fields.amounts(key)
        problem = fields.section.contradicted(key) if amounts else None
        for (seat, stack), told in zip(stacks.items(), amounts, strict=False):
            if problem and told is not None and (stack is not None or figure == "collects"):
                yield Claim(figure, seat, told - (stack or 0) * (figure == "net"), problem)


def _with_amounts(history: History, stacks: Mapping[int, int | None]) -> History:
    """Return a hand with all amounts, by stacks that it does not keep.

    Only these starting stacks give the amounts of all-ins of unknown stacks.
    """
    seats = tuple(replace(seat, stack=stacks.get(seat.number)) for seat in history.seats)
    moves = replay(replace(history, seats=seats)).moves
    done = iter([move for move in moves if isinstance(move, hh.Ante | hh.Wager)])
    events = tuple(
        replace(next(done, event), line=event.line, column=event.column)
        if isinstance(event, hh.Ante | hh.Wager)
        else event
        for event in history.events
    )
    return replace(history, events=events)


def _date(values: Mapping[str, object]) -> str:
    date = [values.get(key) for key in ("year", "month", "day")]
    days = [f"{part:02d}" for part in date if is_whole(part)]
    time = values.get("time")
    day = "-".join(days) if len(days) == 3 else ""
    return f"{day} {time}".strip() if isinstance(time, datetime.time) else day
