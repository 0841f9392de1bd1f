"""Replay a hand by the rules: check each event, fill in amounts, and keep the steps."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import handread.game.rules as game_rules
import handread.history as hh
from handread.cards import MaybeCard
from handread.game.claims import check_lows, check_raise, check_results, unlisted_winnings
from handread.game.infer_stakes import infer_stakes
from handread.game.seating import AT_ANTES, AT_BETS, AT_CLOSE, AT_DEAL, IllegalMove, Seated
from handread.game.settle import Settlement, Total, settle
from handread.game.steps import (
    Decision,
    Replay,
    Step,
    StreetRecord,
    completed,
    dealt_fields,
    decision_at,
    decision_point_at,
    put_in,
)
from handread.game.table import Table
from handread.known_cards import in_place, shown_in_full

NO_STAKES = game_rules.Stakes(ante=0, bring_in=0, bets=(0, 0, 0, 0, 0))
"""Stakes of a ``Replay`` whose log neither states stakes nor allows inferring them."""

_BRING_IN = hh.Action.BRING_IN
_SHOWS = hh.Show, hh.Muck


@dataclass(slots=True)
class ReplayBuilder:
    """A replay in progress.

    ``undealt`` and ``dealt`` are the table before and after the current street's deal; ``opening``
    is the index in ``steps`` of its first deal. ``all_in`` is True if fewer than two players could
    bet when the street began.
    """

    history: hh.History
    table: Table
    undealt: Table | None = None
    dealt: Table | None = None
    line: int = 0
    opening: int = 0
    acted: int = 0
    all_in: bool = True
    decisions: list[Decision] = field(default_factory=list)
    streets: list[StreetRecord] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    totals: list[Total] = field(default_factory=list)
    settlement: Settlement = field(default_factory=Settlement)
    contradictions: list[hh.Problem] = field(default_factory=list)
    finished: bool = False
    lists_upcards: bool = field(init=False)
    shown: dict[int, tuple[MaybeCard, ...]] = field(init=False)

    def __post_init__(self) -> None:
        # Some rooms list only the hero's cards: missing upcards of others are then no error.
        deals = (event for event in self.history.events if isinstance(event, hh.Deal))
        self.lists_upcards = any(deal.up and deal.seat != self.history.hero for deal in deals)
        # Upcards that the log omits can be recovered from hands shown in full at the end.
        self.shown = shown_in_full(self.history, self.table.game)

    def run(self) -> hh.Problem | None:
        """Apply all events; return the problem that stopped the replay, or ``None``."""
        history = self.history
        unread = min(history.problems, key=lambda problem: problem.line, default=None)
        claims = {claim.event: claim for claim in history.claims}
        for index, event in enumerate(self.events() if history.nets else history.events):
            try:
                self.apply(event)
                if index in claims:
                    contradicted = check_raise(claims[index], self.steps[-1])
                    self.contradictions += [contradicted] if contradicted else []
            except IllegalMove as illegal:
                return history.problem(event.line, illegal.message, illegal.expected, event.column)
        try:
            self.finish()
        except IllegalMove as illegal:
            line = illegal.line or history.end_line
            return unread or history.problem(line, illegal.message, illegal.expected)
        return unread

    def events(self) -> Iterator[hh.Event]:
        """Yield the events of the history, then winnings known only from its net results."""
        yield from self.history.events
        yield from unlisted_winnings(self.history, self.table, self.totals)

    def apply(self, event: hh.Event) -> None:
        """Apply one event; raise ``IllegalMove`` if the rules forbid it."""
        match event:
            case hh.Wager():
                self.wager(event)
            case hh.Deal():
                self.deal(event)
            case hh.Ante():
                self.ante(event)
            case hh.StreetStart():
                self.begin(event.street, event.line)
            case hh.SharedCard():
                self.begin_if_due(event.line)
                if not self.table.deck_runs_short:
                    self.doubt(event, "a shared card is dealt, but the deck suffices", "own cards")
                self.table = self.table.share(event.card)
            case hh.Show() | hh.Muck():
                self.show(event)
            case hh.Uncalled() | hh.Collect() | hh.Rake() | hh.TotalPot():
                self.total(event)

    def ante(self, event: hh.Ante) -> None:
        """Post an ante."""
        before, self.table = self.table, self.table.ante(event.seat, event.amount, event.all_in)
        player = self.table.players[before.places[event.seat]]
        if (event.amount, event.all_in, event.column) != (player.paid, player.all_in, 1):
            event = hh.Ante(event.seat, player.paid, player.all_in, line=event.line)
        self.steps.append(Step(event, before, self.table))

    def begin(self, number: int, line: int) -> None:
        """Begin a street."""
        if self.table.phase is AT_DEAL:
            self.open_betting()
        if number != self.table.following and self.table.phase is not AT_BETS:
            streets = number, self.table.following
            begun, expected = (game_rules.STREET_NAMES.get(n, str(n)) for n in streets)
            raise IllegalMove(f"{begun} street begins out of order", f"{expected} street")
        table = self.table.next_street()
        self.end_street()
        self.steps.append(Step(hh.StreetStart(number, line=line), self.table, table))
        self.table = self.undealt = table
        self.all_in = len(table.bettors) < 2
        self.line = line
        self.opening = len(self.steps)

    def deal(self, event: hh.Deal) -> None:
        """Deal cards to a seat; downcards listed late reveal cards already dealt to it."""
        self.begin_if_due(event.line)
        table = self.table
        player = table.player(event.seat)
        n_late, up = 0, event.up
        if event.down and None in player.down and not player.folded:
            n_late = max(0, len(event.down) - table.missing(player)[0])
        late, down = event.down[:n_late], event.down[n_late:]
        if late:
            table = table.reveal(event.seat, late)
        if down or up or not late:
            if None in up:
                unlisted = self.unlisted(event.seat, table.street)
                up = tuple([unlisted if card is None else card for card in up])
            before, table = table, table.deal(event.seat, down, up)
            if down or up:
                dealt = hh.Deal(event.seat, down, up, line=self.line)
                self.steps.append(Step(dealt, before, table))
        if late:
            self.steps.append(Step(hh.Show(event.seat, late, line=event.line), self.table, table))
        self.table = table

    def begin_if_due(self, line: int) -> None:
        """Begin the next street if a card arrives and the log has no line for the street."""
        # Without antes nobody is active before the first card.
        all_in = self.all_in and len(self.table.bettors) < 2 <= len(self.table.active)
        if all_in and self.table.phase is AT_DEAL and not self.lacks_cards():
            self.open_betting()
        if self.table.phase in (AT_ANTES, AT_CLOSE) and not self.table.is_over:
            self.begin(self.table.following, line)

    def lacks_cards(self, down: int = 1) -> bool:
        """Return True if an active player lacks a card; ``down=0`` looks at upcards only."""
        missing = map(self.table.missing, self.table.lacking)
        return any(up > 0 or down * hidden > 0 for hidden, up in missing)

    def open_betting(self) -> None:
        """Open the betting; treat cards that the log does not list as dealt but unseen."""
        table = self.table
        for player in table.lacking:
            down, up = table.missing(player)
            if up and self.lists_upcards:
                name = game_rules.STREET_NAMES[table.street]
                raise IllegalMove(f"{player} gets no card on {name} street", "an upcard")
            unlisted = self.unlisted(player.seat, table.street)
            table = table.deal(player.seat, (None,) * down, (unlisted,) * up)
        # The part of an ante that nobody can match goes back now: the deal's pot is without it.
        self.table = self.dealt = table.open_betting()
        self.note_deals(table, self.table)

    def opened(self) -> Table:
        """Return the table with the betting open, and a turn, if the deal is complete."""
        enough = 2 <= len(self.table.active) <= self.table.game.max_players
        complete = enough and not self.lacks_cards()
        return self.table.open_betting() if complete else self.table

    def unlisted(self, seat: int, street: int) -> MaybeCard:
        """Return the upcard of a street from the hand that the seat shows at the end, if any."""
        cards = self.shown.get(seat)
        # In dealt order the upcard of the nth street is the nth card, in all games.
        return cards[street - 1] if cards else None

    def note_deals(self, dealt: Table, opened: Table) -> None:
        """Order the street's deals by seat, before any cards shown during the deal."""
        noted, table = self.steps[self.opening :], self.undealt or dealt
        shown = [step for step in noted if isinstance(step.event, _SHOWS)]
        by_seat = {step.event.seat: step for step in noted if isinstance(step.event, hh.Deal)}
        deals: list[Step] = []
        for before, after in zip(table.players, dealt.players, strict=True):
            if len(after.down) > len(before.down) or len(after.up) > len(before.up):
                deals.append(self.in_order(by_seat.get(after.seat), table, before, after))
                table = deals[-1].after
        for card in dealt.shared[len(table.shared) :]:
            shared = hh.SharedCard(card, line=self.line)
            deals.append(Step(shared, table, table := table.share(card)))
        if deals:
            if opened is not dealt:
                table = table.open_betting() if shown else opened
            deals[-1] = deals[-1]._replace(after=table)
        for step in shown:
            assert isinstance(step.event, _SHOWS)
            player = dealt.player(step.event.seat)
            revealed = table.with_downcards(player.seat, player.down, player.loose)
            deals.append(Step(step.event, table, table := revealed))
        self.steps[self.opening :] = deals

    def in_order(self, noted: Step | None, table: Table, before: Seated, after: Seated) -> Step:
        """Return the noted step of a seat's deal if it follows ``table``, otherwise a new one."""
        if noted and noted.before is table and noted.after.player(after.seat) is after:
            return noted
        down, up = after.down[len(before.down) :], after.up[len(before.up) :]
        known = table.cards.union([card for card in (*down, *up) if card is not None])
        deal = hh.Deal(after.seat, down, up, line=self.line)
        return Step(deal, table, table.with_cards(before, down, up, known))

    def end_street(self) -> None:
        """Add the street to ``streets`` if its betting was opened."""
        if self.dealt is None:
            return
        first = self.dealt.street == self.dealt.game.first
        self.streets.append(
            StreetRecord(
                **dealt_fields(self.dealt),
                decisions=tuple(self.decisions),
                active_after=self.table.active,
                pot_after=self.table.pot,
                finished=self.table.phase is AT_CLOSE,
                bring_in=self.table.brought_in if first else None,
                line=self.line,
            )
        )
        self.dealt = None
        self.decisions = []

    def wager(self, event: hh.Wager) -> None:
        """Apply an action, or post the bring-in (which is not a decision)."""
        if self.table.phase is AT_DEAL:
            self.open_betting()
        before = self.table
        event = before.plain(event)
        if event.action is _BRING_IN:
            self.table = before.move(event)
            added = put_in(before, self.table)
            all_in = event.all_in or before.player(event.seat).stack == added
            posted = hh.Wager(event.seat, event.action, added, all_in=all_in, line=event.line)
            self.steps.append(Step(posted, before, self.table))
            return
        spot = decision_point_at(before, self.acted + 1, event.seat)
        self.table = after = before.move(event)
        self.acted += 1
        decision = decision_at(spot, event, before, after)
        self.decisions.append(decision)
        self.steps.append(Step(completed(event, decision, before), before, after, decision))

    def show(self, event: hh.Show | hh.Muck) -> None:
        """Show or muck cards, perhaps before the last street when everybody is all-in."""
        if len(event.cards) >= self.table.game.n_cards:
            self.run_out()
        else:
            self.end_deal()
        player = self.table.player(event.seat)
        if not player.dealt_in:
            raise IllegalMove(f"{player} was not dealt in and has no hand to show")
        if isinstance(event, hh.Show) and player.folded:
            raise IllegalMove(f"{player} shows a hand, but has folded")
        if player.folded:
            message = f"{player} mucks a hand, but has folded"
            self.doubt(event, message, "a hand of a player who is left")
        before = self.table
        event = in_place(event, player.down, player.up, before.shared, before.game)
        if event.cards:
            self.table = before.reveal(event.seat, event.cards, event.any_order)
        self.steps.append(Step(event, before, self.table))

    def doubt(self, event: hh.Event, message: str, expected: str) -> None:
        """Note, for strict checks, an oddity that no room prints; it does not stop the play."""
        problem = self.history.problem(event.line, message, expected, event.column)
        self.contradictions.append(replace(problem, only_strict=True))

    def total(self, event: Total) -> None:
        """Keep one of the log's totals; they are checked together at the end."""
        if isinstance(event, hh.Uncalled):
            self.end_deal()
            too_soon = self.table.phase is AT_BETS
        else:
            self.run_out()
            too_soon = not self.table.is_over
        if too_soon:
            raise IllegalMove("the pot is paid out before the hand is over", self.table.expected)
        self.totals.append(event)

    def end_deal(self) -> None:
        """Open the betting unless the log should have listed a card and did not."""
        if self.table.phase is AT_DEAL and not (self.lists_upcards and self.lacks_cards(down=0)):
            self.open_betting()

    def run_out(self) -> None:
        """Deal, unseen, the streets that the log omits after the last possible bet."""
        self.end_deal()
        game = self.table.game
        # Where the log lists upcards, only the last street can be missing.
        least = game.last - 1 if self.lists_upcards else game.first
        while self.table.betting_over and not self.table.is_over and self.table.street >= least:
            self.begin(self.table.following, self.line)
            self.open_betting()

    def finish(self) -> None:
        """Finish after the last event, perhaps in mid-deal, and settle the hand if it is over."""
        dealing = self.table.phase is AT_DEAL and len(self.table.active) > 1
        if dealing and self.lists_upcards and not self.lacks_cards(down=0):
            self.open_betting()
        self.contradictions += check_results(self.history, self.table, self.totals)
        self.contradictions += check_lows(self.history, self.table)
        if self.table.is_over:
            paid = settle(self.table, self.totals, self.history.without_uncalled)
            # The cards may decide the winner even if the payments, and so the rake, are unknown.
            collects = any(isinstance(total, hh.Collect) for total in self.totals)
            unpaid = self.history.unpaid and not collects
            self.finished = not self.table.pot or bool(paid.won and not unpaid)
            self.settlement = paid if self.finished else Settlement(rake=paid.rake)

    def result(self, problem: hh.Problem | None) -> Replay:
        """Return the replay up to the point it reached."""
        if self.table.phase is AT_DEAL:
            self.note_deals(self.table, self.opened())
        self.end_street()
        table, won = self.table, self.settlement.won
        n_first = table.game.streets[0].down
        behind = {player.seat: player.stack for player in table.players}
        stacks = {seat: None if n is None else n + won.get(seat, 0) for seat, n in behind.items()}
        findings = (*self.history.findings, *self.contradictions)
        return Replay(
            history=self.history,
            stakes=table.stakes,
            streets=tuple(self.streets),
            downcards={
                player.seat: tuple([card for card in player.down if card is not None])
                for player in table.players
                if len(player.down) >= n_first and None not in player.down[:n_first]
            },
            loose_downcards={player.seat: player.loose for player in table.players if player.loose},
            pots=table.pots,
            pot=table.pot,
            rake=self.settlement.rake,
            paid={player.seat: player.paid for player in table.players if player.dealt_in},
            won=won,
            stacks=stacks,
            showdown=table.active if table.is_over and len(table.active) > 1 else (),
            finished=self.finished,
            played_out=table.is_over,
            problem=problem,
            returned=table.returned,
            steps=tuple(self.steps),
            findings=tuple(sorted(findings, key=lambda finding: finding.line)),
        )


def replay(history: hh.History) -> Replay:
    """Replay a hand up to its end or its first illegal event.

    Args:
        history: The hand.

    Returns:
        The play, with any fault as ``Replay.problem``. A log that ends before the hand does has no
        problem; its replay is not ``finished``.

    Raises:
        TypeError: ``history`` is not a hand.

    >>> played = handread.replay(handread.read("sample_histories/showdown.stud")[0])
    >>> played
    <Replay of '17': 5 streets, 19 decisions, finished>
    >>> played.pots
    (Pot(amount=2400, seats=(1, 2)),)
    """
    if not isinstance(history, hh.History):
        raise TypeError(f"replay takes a History, as handread.read returns it, not {history!r:.80}")
    stakes = history.stakes or infer_stakes(history)
    game = game_rules.variant_of(history.variant)
    rules = history.unit, game, history.any_opener
    table = Table.start(stakes or NO_STAKES, history.seats, *rules)
    builder = ReplayBuilder(history, table)
    return builder.result(_unplayable(history, stakes) or builder.run())


def written_out(played: Replay) -> hh.History:
    """Return the same hand with every amount and event written out.

    Every ante, deal, uncalled bet and payment has its event, in the order of play. If the hand has
    a problem, only the valid prefix is returned.
    """
    ending: list[hh.Event] = []
    if played.played_out:
        if played.returned:
            ending.append(hh.Uncalled(*played.returned))
        if played.won or played.rake:
            ending.append(hh.TotalPot(played.pot))
        if played.rake:
            ending.append(hh.Rake(played.rake))
        ending += [hh.Collect(seat, amount) for seat, amount in sorted(played.won.items())]
    events = (*played.moves, *ending)
    unpaid = played.played_out and not played.finished
    hand = replace(played.history, stakes=played.stakes, events=events, unpaid=unpaid)
    return replace(hand, problems=(), nets=())


def _unplayable(history: hh.History, stakes: game_rules.Stakes | None) -> hh.Problem | None:
    """Return the problem that prevents any replay of the history."""
    numbers = [seat.number for seat in history.seats]
    if not game_rules.variant_of(history.variant).readable:
        message = f"this is {history.title}; {game_rules.ONLY_STUD}"
        if history.meant:
            message += f"; did you mean {history.meant!r}?"
        return history.problem(0, message)
    if len(set(numbers)) < len(numbers) or min(numbers, default=1) < 1:
        message = "two players share a seat number, or a seat number is below 1"
        return history.problem(0, message, "a seat each, numbered from 1")
    if stakes is None:
        message = "the stakes are not stated, and there are no antes or bring-in to infer them from"
        missing = history.problem(0, message, "ante, bring-in and bets")
        return min(history.problems, key=lambda problem: problem.line, default=missing)
    n_streets, n_bets = len(game_rules.variant_of(history.variant).streets), len(stakes.bets)
    if n_bets != n_streets:
        message = f"the stakes have {n_bets} bets, but {history.title} has {n_streets} streets"
        return history.problem(0, message, "a bet for each street")
    if min(stakes.ante, stakes.bring_in) < 0 or min(stakes.bets) <= 0:
        message = "the stakes are invalid: a bet is zero or less, or a forced bet is negative"
        return history.problem(0, message, "bets above zero")
    return None


def is_unanalyzed(problem: hh.Problem) -> bool:
    """Return True for the problem of a hand that is accepted and not analyzed."""
    return problem.message.endswith((game_rules.NOT_BY_READER, game_rules.NOT_TO_END))


def without_analysis(played: Replay, problem: hh.Problem) -> hh.Problem:
    """Return why a hand cannot be analyzed; the message says if the log was legal and sound."""
    if played.problem is not None or is_unanalyzed(problem):
        return problem
    log = "a card cannot be read, and" if played.history.damage else "the log is sound, but"
    return replace(problem, message=f"{problem.message}; {log} {game_rules.NOT_TO_END}")


def nothing_dealt(played: Replay) -> hh.Problem | None:
    """Return the problem of a hand that cannot be analyzed, as no card was dealt, or ``None``."""
    if played.streets:
        return None
    return played.problem or played.history.problem(0, "the record stops before any card is dealt")
