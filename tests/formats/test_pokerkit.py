"""PokerKit plays the same hands: same actors, bets and stacks after every move, same winners."""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from handread import read_hands
from handread.cards import Card, cards_text
from handread.formats.phh import PHH
from handread.game.pots import Pot, Ranks
from handread.game.replay import replay, written_out
from handread.game.rules import RAZZ, SAUND_STAKES, SAUND_UNIT, STUD, STUD8, Variant
from handread.game.seating import Options, Phase
from handread.game.steps import Replay
from handread.game.table import Table
from handread.history import Action, Deal, Event, History, Muck, Seat, Show, Source, Wager
from handread.known_cards import upcards
from tests.examples import examples, few, share
from tests.hands import Dealer, in_full, random_hand

pokerkit = pytest.importorskip("pokerkit")

DEEP = 10**6

KINDS = {
    "stud": pokerkit.FixedLimitSevenCardStud,
    "stud8": pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    "razz": pokerkit.FixedLimitRazz,
}


def start(table: Table):
    auto, stakes = pokerkit.Automation, table.stakes
    done = (auto.ANTE_POSTING, auto.BET_COLLECTION, auto.HOLE_CARDS_SHOWING_OR_MUCKING)
    done += (auto.HAND_KILLING, auto.CHIPS_PUSHING, auto.CHIPS_PULLING)
    bets = stakes.ante, stakes.bring_in, stakes.small, stakes.big
    stacks = tuple(DEEP if player.stack is None else player.stack for player in table.players)
    return KINDS[table.game.key].create_state(done, True, *bets, stacks, len(stacks))


class OtherRulesError(Exception):
    """A hand that PokerKit plays by other rules than the rooms."""


class Shadow(Dealer):
    """Plays a random hand on both tables at once and compares them after every move."""

    def __init__(self, rng: Random, table: Table) -> None:
        super().__init__(rng, table, explicit=True)
        self.state = start(table)
        self.place = {player.seat: i for i, player in enumerate(table.players)}

    def deal(self, table: Table) -> None:
        done = len(self.events)
        super().deal(table)
        if self.state.can_burn_card("??"):
            self.state.burn_card("??")
        for event in self.events[done:]:
            if isinstance(event, Deal):
                dealt = cards_text(event.down + event.up, "")
                self.state.deal_hole(dealt, self.place[event.seat])
        self.compare()

    def act(self) -> None:
        before = self.table
        actor = list(self.place)[self.state.actor_index]
        assert actor in before.may_act
        options = before.options(actor)
        action = self.choose(self.both_allow(options))
        self.table = before.play(action)
        self.events.append(action)
        self.mirror(action)
        self.compare()

    def both_allow(self, options: Options) -> Options:
        """PokerKit lets no short all-in be raised by who has acted, and counts it as a raise.

        It lets a player complete with a stack that the bring-in takes.
        """
        least = self.state.min_completion_betting_or_raising_to_amount
        if self.table.bets == self.state.completion_betting_or_raising_count:
            short = self.table.bet_to != self.table.full_to
            whole_stack = options.forced and self.table.player(options.seat).stack == options.call
            allowed = () if least is None or whole_stack else (least,)
            assert short or options.raises == allowed
        possible = tuple(to for to in options.raises if to == least)
        return options._replace(raises=possible)

    def mirror(self, action: Wager) -> None:
        match action.action:
            case Action.BRING_IN:
                self.state.post_bring_in()
            case Action.FOLD:
                self.state.fold()
            case Action.BET:
                self.state.complete_bet_or_raise_to(action.adds)
            case Action.RAISE:
                self.state.complete_bet_or_raise_to(action.to)
            case _:
                self.state.check_or_call()

    def compare(self) -> None:
        if self.table.phase is Phase.BET:
            assert [p.put for p in self.table.players] == list(self.state.bets)
            assert self.state.total_pot_amount == self.table.pot
            assert [DEEP - p.paid if p.stack is None else p.stack for p in self.table.players] == (
                list(self.state.stacks)
            )
        else:
            assert self.state.actor_index is None


@examples(120)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from([None, 4, 12, 40]))
def test_pokerkit_plays_the_same_hand(seed: int, n_players: int, deepest: int | None) -> None:
    try:
        assert_played_alike(seed, n_players, deepest, STUD)
    except OtherRulesError:
        reject()


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD8, RAZZ], ids=lambda game: game.key)
def test_pokerkit_plays_the_same_hands_of_other_games(game: Variant) -> None:
    compare_hands(game, share(80))


@pytest.mark.slow
@pytest.mark.parametrize("game", [STUD8, RAZZ], ids=lambda game: game.key)
def test_pokerkit_plays_ten_thousand_hands_of_other_games(game: Variant) -> None:
    compare_hands(game, 10_000)


def compare_hands(game: Variant, n: int) -> None:
    """Play hands of two to six players until so many are played alike."""
    alike = shown = 0
    for seed in count():
        try:
            shown += assert_played_alike(seed, 2 + seed % 5, (None, 4, 12, 40)[seed % 4], game)
        except OtherRulesError:
            continue
        alike += 1
        if alike == n:
            break
    assert seed < 1.5 * n
    assert shown > n / 5


def assert_played_alike(seed: int, n_players: int, deepest: int | None, game: Variant) -> bool:
    """Play a random hand on both tables; whether it came to a showdown."""
    rng = Random(seed)
    seats = [
        Seat(number, "", None if deepest is None else rng.randint(10, 100 * deepest))
        for number in sorted(rng.sample(range(1, 9), n_players))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shadow = Shadow(rng, Table.start(SAUND_STAKES, seats, game=game, any_opener=True))
        played = shadow.play()
    table = game.key, SAUND_UNIT, SAUND_STAKES, tuple(seats)
    hand = History("1", Source("test", 1, "test"), *table, tuple(played), any_opener=True)
    outcome = replay(hand)
    assert outcome.problem is None
    assert outcome.finished
    won = {seat: outcome.won.get(seat, 0) - shadow.table.player(seat).paid for seat in shadow.place}
    if any(low_elsewhere(pot, shadow.table.hand_ranks()) for pot in outcome.pots):
        raise OtherRulesError
    differences = [a - b for a, b in zip(won.values(), shadow.state.payoffs, strict=True)]
    # It joins the pots for which the same seats are left once the losers have mucked, so that
    # there is one odd chip where in the rooms there is one a pot.
    assert max(map(abs, differences)) < len(outcome.pots)
    assert sum(differences) == 0
    return len(outcome.showdown) > 1


def low_elsewhere(pot: Pot, ranks: Ranks) -> bool:
    """Whether nobody has a low in a pot, but somebody in another: PokerKit then gives half away."""
    lows = {seat for seat, rank in ranks.items() if rank[-1] is not None}
    return bool(lows) and len(pot.seats) > 1 and not lows & set(pot.seats)


# Hands written as PHH


def paid(text: str) -> list[Decimal] | None:
    """The stacks to which PokerKit plays a hand; None if it does not play such a hand.

    It knows no double bets on an open pair, no raises beyond the fourth, no bets of odd sizes and
    no upcards that were not seen.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return [Decimal(stack) for stack in list(pokerkit.HandHistory.loads(text))[-1].stacks]
        except (ValueError, KeyError):
            return None


def assert_paid_alike(text: str, played: Replay) -> bool:
    """PokerKit, which takes no rake, pays the winners of the log; whether it plays the hand."""
    stacks = paid(text)
    fields = tomllib.loads(text, parse_float=Decimal)
    if stacks is None or "finishing_stacks" not in fields or not winners_show(fields, played):
        return False
    unit = Decimal(1).scaleb(-played.history.unit.decimals)
    kept = [stack - end for stack, end in zip(stacks, fields["finishing_stacks"], strict=True)]
    # A coin that cannot be split goes to one winner in a room, and is halved here.
    assert abs(sum(kept) - played.rake * unit) < unit
    assert all(
        -unit < more and (more < unit or seat in played.won)
        for seat, more in zip(fields["seats"], kept, strict=True)
    )
    return True


def winners_show(fields: dict[str, Any], played: Replay) -> bool:
    """Whether every winner of a showdown shows all cards, without which PokerKit pays nobody."""
    shared = any(action.startswith("d db") for action in fields["actions"])
    shows = rf" sm \w{{{6 if shared else 12},14}}$"
    whole = {action.split()[0] for action in fields["actions"] if re.search(shows, action)}
    winners = {f"p{n}" for n, seat in enumerate(fields["seats"], start=1) if seat in played.won}
    return len(played.showdown) < 2 or winners <= whole


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["deep", "silent", "muck", "best five"])
def test_pokerkit_pays_whom_the_log_pays(ending: str) -> None:
    """Whatever the log says of the showdown, if it tells the winners' cards."""
    compared = 0
    for seed in range(40):
        dealt = random_hand(seed, 2 + seed % 6, deepest=None if ending == "deep" else 40)
        if ending == "deep":
            dealt = replace(dealt, seats=tuple(replace(s, stack=10_000) for s in dealt.seats))
        played = replay(dealt)
        losers = set(played.showdown) - set(played.won)
        reveals: list[Event] = []
        if ending == "best five":
            reveals = [Show(seat, known_cards(played, seat)[:5]) for seat in played.showdown]
        if ending == "muck":
            reveals = list(map(Muck, sorted(losers)))
        whole = told(played, reveals, losers if ending == "muck" else ())
        text = PHH.write(whole)
        compared += assert_paid_alike(text, played)
        assert list(map(in_full, PHH.read(text, "f"))) == [whole]
    assert compared >= (39 if ending == "deep" else 30)


@pytest.mark.parametrize("game", few([RAZZ, STUD], 1), ids=lambda game: game.key)
def test_pokerkit_shares_the_last_card_of_eight_who_are_all_in(game: Variant) -> None:
    """Who has shown all cards before a shared card has none to show after it."""
    for seed, ante in ((1, 100), (0, 60)):
        stakes = replace(SAUND_STAKES, ante=ante)
        dealt = random_hand(seed, 8, stakes, deepest=1, game=game)
        played = replay(dealt)
        assert played.streets[-1].shared is not None
        shown = [Show(seat, known_cards(played, seat)) for seat in played.showdown]
        for reveals in ([], shown):
            whole = told(played, reveals, ())
            text = PHH.write(whole)
            assert assert_paid_alike(text, played)
            assert list(map(in_full, PHH.read(text, "f"))) == [whole]


def told(played: Replay, reveals: Sequence[Event], unseen: Collection[int]) -> History:
    """A hand with its showdown, and without the downcards of some seats."""
    whole = written_out(played)
    events = [
        replace(event, down=(None,) * len(event.down))
        if isinstance(event, Deal) and event.seat in unseen
        else event
        for event in whole.events
    ]
    end = 1 + max(n for n, event in enumerate(events) if isinstance(event, Wager | Deal))
    return replace(whole, events=(*events[:end], *reveals, *events[end:]))


def known_cards(played: Replay, seat: int) -> tuple[Card, ...]:
    ups = [card for card in upcards(played.history)[seat] if card is not None]
    return (*played.downcards[seat], *ups)


@pytest.mark.thorough
def test_pokerkit_pays_nobody_where_the_winning_cards_are_not_known() -> None:
    """Rather nobody than a loser who showed: it pays the best hand that it sees."""
    compared = 0
    for seed in range(40):
        played = replay(random_hand(seed, 3, deepest=40))
        losers = [seat for seat in played.showdown if seat not in played.won]
        shows = [Show(seat, known_cards(played, seat)) for seat in losers]
        whole = told(played, shows, played.won)
        text = PHH.write(whole)
        assert list(map(in_full, PHH.read(text, "f"))) == [whole]
        stacks = paid(text)
        if len(played.showdown) > 1 and stacks is not None:
            fields = tomllib.loads(text, parse_float=Decimal)
            before = fields["starting_stacks"]
            assert all(stack <= start for stack, start in zip(stacks, before, strict=True))
            compared += 1
    assert compared >= 8


@pytest.mark.dear("PokerKit plays every sample")
def test_pokerkit_pays_the_samples_as_they_say() -> None:
    files = sorted((Path(__file__).parents[2] / "sample_histories").iterdir())
    unplayed = {hand for file in files for hand in not_compared(file)}
    assert unplayed == {
        *("9000000301", "41", "open-pair"),  # double bets on an open pair
        *("eight", "war"),  # a shared card, and eight raises of two players
    }


@pytest.mark.dear("PokerKit plays every real hand")
def test_pokerkit_pays_real_hands_as_they_say(real_hands: Path) -> None:
    files = [
        file for file in sorted(real_hands.rglob("*")) if file.suffix in (".txt", ".xml", ".phh")
    ]
    unplayed = [hand for file in files for hand in not_compared(file)]
    assert len(unplayed) <= 21


def not_compared(file: Path) -> list[str]:
    """The hands of a file that PokerKit does not play; the others it pays as they say."""
    found = []
    for history in read_hands(file):
        if not isinstance(history, History) or history.variant not in KINDS:
            continue
        deep = max((seat.stack or 0 for seat in history.seats), default=0) or 100_000
        seats = [s if s.stack is not None else replace(s, stack=deep) for s in history.seats]
        played = replay(replace(history, seats=tuple(seats)))
        if played.finished and played.problem is None:
            text = PHH.write(written_out(played))
            assert "finishing_stacks" in text
            # PokerKit does not return the part of an ante that nobody could match.
            ante_returned = played.returned and not played.decisions
            if ante_returned or not assert_paid_alike(text, played):
                found.append(history.hand_id)
    return found
