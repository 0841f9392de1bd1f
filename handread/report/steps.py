"""Build the steps of a hand: the table, the chances to win and the reads after each event."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np

import handread.report.sentences as sentences
import handread.report.shown_values as values
from handread.arrays import Floats, Ints
from handread.bits import entropy_bits, rounded
from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card, card_text
from handread.game.rules import STREET_NAMES, variant_of
from handread.game.seating import Seated
from handread.game.steps import Replay
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import SeatRead
from handread.inference.timeline import BRING_IN, DEAL, END, TimelinePoint, timeline_points
from handread.odds.high_holdings import Kind
from handread.odds.holdings import families
from handread.odds.htpd import PAIR_CARDS, PAIRS_OF_TRIPLE
from handread.report.ends import hand_axis
from handread.report.families import family_lines, informative_families
from handread.report.words import (
    ActionFigures,
    Number,
    PrizeWords,
    action_figures,
    bits_figure,
    chance_figure,
    percent_words,
    prize_words,
    ranked_words,
    share_figure,
    won_words,
)

GRID_SCALE = 10_000
"""The sum of a grid of probabilities."""

LEAST_LISTED = 0.001
"""The least probability of a holding that is listed."""

LISTED = 6
"""The largest number of holdings in a read."""

KINDS = 4
"""The largest number of kinds of a family in a read."""

ACTION_MARKS = {"fold": "f", "check": "k", "call": "c", "bet": "b", "raise": "r"}
"""The letters of Saund 2006; ``B`` is the bring-in."""

_ByCards = tuple[Mapping[Kind, float], Mapping[str, float], int]


def hand_steps(report: values.KeptReport, analysis: Analysis) -> values.Steps:
    """Return the steps of a hand, for the part that was read, from its report and analysis."""
    reads = _Reads()
    builder = _StepBuilder(report, analysis.replay, reads)
    points = timeline_points(analysis)
    steps = [builder.step(moment, points[i - 1] if i else None) for i, moment in enumerate(points)]
    return values.Steps(
        tuple(steps),
        tuple(reads.parts),
        tuple(reads.lives),
        tuple(_own_actions(points, steps, report.you)),
    )


class _StepBuilder:
    def __init__(self, report: values.KeptReport, replay: Replay, reads: "_Reads") -> None:
        self._report = report
        self._replay = replay
        self._unit = replay.history.unit
        self._reads = reads
        self._game = variant_of(replay.history.variant)
        self._prize = prize_words(self._game)

    def step(self, moment: TimelinePoint, before: TimelinePoint | None) -> values.StepPart:
        """Return the step of a moment; ``before`` is the previous moment, None for the first."""
        row = None
        if moment.action is not None:
            row = action_figures(moment.action, self._replay)
        notable, sentence, on_truth = self._words(moment, before, row)
        gist = "" if before is None else _gist(moment, before, self._report.spoken, self._prize)
        table, truth = moment.table, moment.omniscient
        actor = None if row is None else row.seat
        news = {}
        if moment.kind == DEAL and moment.street > self._game.first:
            news = {seat: bits_figure(moment.reads[seat].news_bits) for seat in moment.active}
        return values.StepPart(
            kind=moment.kind,
            street=moment.street,
            stage=moment.stage or "",
            actor=table.brought_in if moment.kind == BRING_IN else actor,
            to_act=None if moment.kind == END or table.openers else table.actor,
            title=self._title(moment, row),
            mark=_mark(moment),
            pot=self._unit.text(table.pot),
            places=tuple(self._place(moment, p) for p in table.players if p.dealt_in),
            shared=table.shared[0] if table.shared else None,
            chances={
                seat: values.Chance(
                    chance_figure(moment.bet_inference[seat], moment.chance_ranges.get(seat)),
                    chance_figure(moment.cards_only[seat]),
                    None if truth is None else chance_figure(truth[seat]),
                )
                for seat in moment.active
            },
            open_bits=_entropy(moment.bet_inference),
            true_bits=None if truth is None else _entropy(truth),
            action=row,
            news=news,
            notable=notable,
            gist=gist,
            sentence=sentence,
            on_truth=on_truth,
            reads=self._numbers(moment.reads, moment.street),
            table_reads=self._numbers(moment.table_reads, moment.street),
        )

    def _words(
        self, moment: TimelinePoint, before: TimelinePoint | None, row: ActionFigures | None
    ) -> tuple[bool, str, str]:
        """Return whether the moment is notable, a sentence on it, and one on the true cards."""
        earlier = None if before is None else before.bet_inference
        if moment.kind == DEAL:
            news = {seat: moment.reads[seat].news_bits for seat in moment.active}
            turn = sentences.is_turn(news, earlier, moment.bet_inference)
            sentence = sentences.deal_sentence(
                self._report.spoken,
                news,
                before=earlier,
                after=moment.bet_inference,
                prize=self._prize,
                cards=self._report.cards_seen,
            )
            return turn, sentence, ""
        if moment.action is None or row is None or before is None:
            forced = moment.kind == BRING_IN
            return False, "Forced: it says nothing." if forced else self._end(), ""
        chances = before.bet_inference, moment.bet_inference
        reads = _read_by_others(before, row.seat), _read_by_others(moment, row.seat)
        action = moment.action
        if row.seat in before.table_reads:
            # The viewing seat learns nothing from its own actions; the others do.
            action = replace(
                action, information_bits=action.table_bits, truth_bits=action.table_truth_bits
            )
            row = row.for_table
        return (
            sentences.is_notable(action, *chances),
            sentences.action_sentence(action, row, reads, chances),
            sentences.truth_sentence(action, reads[0]),
        )

    def _end(self) -> str:
        words = f"{'; '.join(line.rstrip('.') for line in self._report.result)}."
        return words[0].upper() + words[1:]

    def _title(self, moment: TimelinePoint, row: ActionFigures | None) -> str:
        if row is not None:
            return f"{self._report.spoken[row.seat]} {row.words}"
        if moment.kind == BRING_IN:
            seat = moment.table.brought_in
            assert seat is not None
            amount = self._unit.text(moment.table.player(seat).put)
            return f"{self._report.spoken[seat]} brings in for {amount}"
        if moment.kind == END:
            return "The end"
        shared = moment.table.shared
        also = f", {card_text(shared[0])} shared" if shared else ""
        return f"{STREET_NAMES[moment.street]} street is dealt{also}"

    def _place(self, moment: TimelinePoint, player: Seated) -> values.SeatState:
        return values.SeatState(
            seat=player.seat,
            up=player.up,
            status="folded" if player.folded else "all-in" if player.all_in else "in",
            put=self._in_front(moment, player),
            stack="" if player.stack is None else self._unit.text(player.stack),
        )

    def _in_front(self, moment: TimelinePoint, player: Seated) -> str:
        if moment.kind == END:
            return won_words(self._replay, player.seat) if player.seat in self._replay.won else ""
        return self._unit.text(player.put) if player.put else ""

    def _numbers(self, reads: Mapping[int, SeatRead], street: int) -> dict[int, int]:
        return {seat: self._reads.number(read, street) for seat, read in sorted(reads.items())}


def _gist(
    moment: TimelinePoint, before: TimelinePoint, labels: Mapping[int, str], prize: PrizeWords
) -> str:
    """Return the largest effect of a moment in a few words; "" if it is too small to mention."""
    if moment.action is not None:
        seat = moment.action.decision.seat
        shift = _family_shift(_read_by_others(before, seat), _read_by_others(moment, seat))
        if shift:
            return shift
    earlier, now = before.bet_inference, moment.bet_inference
    moves = {seat: now[seat] - earlier.get(seat, 0.0) for seat in now}
    seat = max(moves, key=lambda seat: round(abs(moves[seat]), 9))  # of equals the first
    if abs(moves[seat]) < sentences.SHIFT:
        return ""
    who = "" if moment.action and moment.action.decision.seat == seat else f"{labels[seat]}: "
    return f"{who}from {sentences.chance_from_to(seat, earlier, now)} {prize.to_win}"


def _read_by_others(moment: TimelinePoint, seat: int) -> SeatRead:
    """Return the read of a seat by players who do not see its downcards."""
    return moment.table_reads.get(seat, moment.reads[seat])


def _family_shift(before: SeatRead, after: SeatRead) -> str:
    """Return the family of holdings whose probability rose most, else the family that fell most."""
    old, new = families(before.by_kind), families(after.by_kind)
    moves = sentences.share_moves(old, new)
    name = max(moves, key=moves.__getitem__)
    if moves[name] < sentences.SHIFT:
        name = min(moves, key=moves.__getitem__)
    return (
        f"{name} {sentences.from_to(name, old, new)}" if abs(moves[name]) >= sentences.SHIFT else ""
    )


def _own_actions(
    points: Sequence[TimelinePoint], steps: Sequence[values.StepPart], you: int | None
) -> Iterator[values.OwnAction]:
    """Yield your actions with their effect on players who see no downcards."""
    for moment, (before, after) in enumerate(pairwise(points), 1):
        row = steps[moment].action
        if row is None or row.seat != you or you not in before.table_reads:
            continue
        assert after.action is not None
        yield values.OwnAction(
            moment=moment,
            told=_family_shift(*(_read_by_others(point, row.seat) for point in (before, after))),
            on_truth=_truth_factor(after.action.table_truth_bits),
        )


def _truth_factor(bits: float | None) -> str:
    """Return how far an action moved the belief in the true downcards, as a factor."""
    if bits is None:
        return ""
    if math.isinf(bits):
        return "ruled your downcards out"
    return sentences.moved_words(bits, "your downcards")


def _mark(moment: TimelinePoint) -> str:
    """Return one or two letters for the moment, for a one-line summary of the play."""
    if moment.action is not None:
        return ACTION_MARKS[moment.action.decision.action]
    return {DEAL: STREET_NAMES[moment.street], BRING_IN: "B", END: "end"}[moment.kind]


def _entropy(chances: sentences.Chances) -> Number:
    return bits_figure(entropy_bits(np.array(list(chances.values()))))


class _Reads:
    """Collects the distinct reads of a hand, and the distinct grids of live combinations."""

    def __init__(self) -> None:
        self.parts: list[values.ReadPart] = []
        self.lives: dict[tuple[int, ...], int] = {}
        self._numbers: dict[int, tuple[int, SeatRead]] = {}
        self._cards_only: dict[int, _ByCards] = {}

    def number(self, read: SeatRead, street: int) -> int:
        if id(read) not in self._numbers:
            # Holding a reference to the read keeps its id from being reused.
            self._numbers[id(read)] = len(self.parts), read
            self.parts.append(self._part(read, street))
        return self._numbers[id(read)][0]

    def _part(self, read: SeatRead, street: int) -> values.ReadPart:
        holdings = _standing_out(read)
        cards_only, by_cards, live = self._by_cards(read)
        shares = families(read.by_kind)
        lines = family_lines(read)
        leading = informative_families(lines)
        axis = hand_axis(read.game)
        return values.ReadPart(
            seat=read.seat,
            street=street,
            lines=lines,
            headline=leading,
            kinds=tuple(
                line for family in leading for line in _kind_lines(read, cards_only, family.family)
            ),
            holdings=tuple(values.HoldingLine(c, Number(p, percent_words(p))) for c, p in holdings),
            as_likely=_as_likely(read) if len(holdings) == LISTED else "",
            grid=tuple(np.rint(GRID_SCALE * by_cell(read.pairs)).astype(int).tolist()),
            live=live,
            openness=_openness(read),
            combinations=f"{read.live:,} of {read.possible:,}",
            entropy=bits_figure(read.entropy_bits),
            categories=tuple(map(share_figure, read.categories())),
            heights=tuple(np.rint(1000 * axis.heights(read.htpd)).astype(int).tolist()),
            families=tuple((name, shares.get(name, 0.0), p) for name, p in by_cards.items()),
            truth=_truth_part(read),
        )

    def _by_cards(self, read: SeatRead) -> _ByCards:
        """Return the kinds and families by the cards alone, and the grid's index in ``lives``."""
        # A read keeps its cards-only pdd throughout a street.
        pdd = read.cards_only_pdd
        if id(pdd) not in self._cards_only:
            kinds = read.by_kind_cards_only
            number = self.lives.setdefault(live_cells(pdd), len(self.lives))
            self._cards_only[id(pdd)] = kinds, families(kinds), number
        return self._cards_only[id(pdd)]


def _kind_lines(
    read: SeatRead, cards_only: Mapping[Kind, float], family: str
) -> Iterator[values.KindLine]:
    """Yield the likeliest kinds of a family; none if it has a single one."""
    of_family = [kind for kind in cards_only if kind.family == family]
    by_read = read.by_kind
    of_family.sort(key=lambda kind: (-rounded(by_read.get(kind, 0.0)), kind.words))
    if len(of_family) < 2:
        return
    for kind in of_family[:KINDS]:
        chance = by_read.get(kind, 0.0)
        if chance > 0.005:
            within = read.kind_ranges.get(kind.words)
            words = share_figure(chance, within), share_figure(cards_only[kind])
            yield values.KindLine(family, kind.words, *words)


STANDS_OUT = 2.0
"""Listed by name are holdings above this multiple of their mean probability."""


def _standing_out(read: SeatRead) -> list[tuple[tuple[Card, ...], float]]:
    """Return the likeliest holdings; none unless the first stands out from the possible ones."""
    likeliest = read.top(LISTED)
    stands_out = likeliest and likeliest[0][1] * read.possible >= STANDS_OUT
    return [held for held in likeliest if held[1] >= LEAST_LISTED] if stands_out else []


def _openness(read: SeatRead) -> str:
    """Return how open the downcards are: how many holdings fit equally well, to two digits."""
    possible = f"{read.possible:,} {'cards' if read.pdd.size == DECK_SIZE else 'holdings'}"
    if read.pdd[read.pdd > 0].min() > read.pdd.max() * (1 - 1e-9):
        if read.live == read.possible:
            return f"Wide open: all {possible} fit equally well."
        return f"{read.live:,} of {possible} are left, and all fit equally well."
    like = 2**read.entropy_bits
    if like >= 0.5 * read.possible:
        opening = "Still wide open"
    else:
        opening = "Narrowed down" if like >= 0.1 * read.possible else "Narrowed down to a few"
    n = min(max(1, round(float(f"{like:.2g}") if like >= 100.0 else like)), read.live)
    fits = "fits best" if n == 1 else "fit equally well"
    return f"{opening}: about {n:,} of {possible} {fits}."


def _truth_part(read: SeatRead) -> values.TruthPart | None:
    truth, kind = read.truth, read.true_kind
    if truth is None or kind is None:
        return None
    held = "this downcard" if len(truth.downcards) == 1 else "these downcards"
    if truth.probability > 0.0:
        chance, times = percent_words(truth.probability), sentences.chance_times(truth.score_bits)
        words = f"The read gives {held} {chance}, {times} that the cards alone give "
        words += f"({ranked_words(truth)})."
    else:
        words = f"The read has ruled {held} out."
    return values.TruthPart(
        downcards=truth.downcards, kind=kind.words, family=kind.family, words=words
    )


def _as_likely(read: SeatRead) -> str:
    """Return a note on the holdings that are as likely as the last one listed."""
    live = read.pdd[read.pdd > 0]
    if live.size <= LISTED:
        return ""
    more = int((live > np.partition(live, -LISTED)[-LISTED] * (1 - 1e-9)).sum()) - LISTED
    return f"{more:,} more {'is' if more == 1 else 'are'} as likely as the last." if more else ""


@cache
def _cells() -> Ints:
    """Return the cell (1326,) of each pair: by rank from the ace, suited above the diagonal."""
    ranks, suits = 12 - (PAIR_CARDS >> 2), PAIR_CARDS & 3
    high, low = ranks.min(axis=1), ranks.max(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    cells: Ints = np.where(suited, 13 * high + low, 13 * low + high)
    return cells


def by_cell(pairs: Floats) -> Floats:
    """Return a pdd over pairs (1326,) summed by cell, (169,); over single cards (52,) by card.

    Single cards are in rows of a suit, from spades to clubs, each from the ace to the deuce.
    """
    if pairs.size == DECK_SIZE:
        return pairs[_single_cells()]
    return np.bincount(_cells(), pairs, 169).astype(np.float64)


@cache
def _single_cells() -> Ints:
    """Return the card in each cell (52,) of a grid of single cards."""
    return np.arange(DECK_SIZE).reshape(13, 4)[::-1, ::-1].T.ravel()


def live_cells(guess: Floats) -> tuple[int, ...]:
    """Return the number of combinations in each cell (169,) that the visible cards leave possible.

    ``guess`` is a pdd over pairs, over triples, any two cards of which may be the first downcards,
    or over single cards, which have (52,) cells.
    """
    live = guess > 0
    if guess.size == DECK_SIZE:
        return tuple(live[_single_cells()].astype(int).tolist())
    if guess.size == N_TRIPLES:
        live = np.bincount(PAIRS_OF_TRIPLE[:, live].ravel(), minlength=N_PAIRS) > 0
    return tuple(np.bincount(_cells()[live], minlength=169).tolist())
