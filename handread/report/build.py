"""From an analysis to the report that every face shows: streets, result, scores, provenance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from handread import __version__
from handread.bits import entropy_bits
from handread.cards import N_PAIRS, N_TRIPLES, Card, cards_text
from handread.game.rules import STREET_NAMES
from handread.game.seating import Player
from handread.game.steps import Replay, StreetPlay
from handread.history import History, Problem, Show
from handread.inference.observer import WatchedStreet
from handread.inference.players import Lineup
from handread.inference.timeline import BRING_IN, DEAL, END, Moment, moments
from handread.inference.values import ActionReading, Analysis, SeatRead, StageReading, Truth
from handread.odds.holdings import families, kind_of
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.policy import policy_hash
from handread.report.values import (
    ActionRow,
    Chance,
    EndRow,
    HandReport,
    LedgerRow,
    Likely,
    Number,
    Place,
    ReadPart,
    ScoreRow,
    SeatRow,
    Step,
    Steps,
    StreetPart,
    TruthPart,
    heights,
)
from handread.report.words import (
    action_sentence,
    action_words,
    bits_words,
    chance_words,
    deal_sentence,
    finished_hand,
    is_notable,
    is_turn,
    lines_words,
    one_in_words,
    percent_words,
    place_note,
    seat_label,
    share_words,
    spoken_label,
    stakes_words,
    truth_sentence,
    viewpoint_words,
    visible,
)


def hand_report(analysis: Analysis, top: int = 4, made_by: str = "") -> HandReport:
    """A hand ready to show; ``top`` is how many kinds of holding it lists a seat.

    ``made_by`` is the command that makes the report again, for its footer.
    """
    return _Sheets(analysis, top).report(made_by)


def chance_figure(p: float) -> Number:
    """A chance to win."""
    return Number(p, chance_words(p))


def share_figure(p: float) -> Number:
    """A part of what a seat may hold or end with."""
    return Number(p, share_words(p))


def bits_figure(bits: float, sign: bool = False) -> Number:
    """Bits, their sign written out where they may be of either."""
    return Number(bits if math.isfinite(bits) else None, bits_words(bits, sign))


def _truth_figure(bits: float | None) -> Number | None:
    return None if bits is None else bits_figure(bits, sign=True)


def likely(kinds: list[tuple[str, float]]) -> tuple[Likely, ...]:
    """Kinds of holding with their probabilities, without those that round to nothing."""
    return tuple(Likely(kind, share_figure(p)) for kind, p in kinds if p > 0.005)


def action_row(reading: ActionReading, replay: Replay) -> ActionRow:
    """An action as every face tells it."""
    decision = reading.decision
    return ActionRow(
        n=decision.n,
        seat=decision.seat,
        label=seat_label(replay, decision.seat),
        words=action_words(decision, replay),
        expected=Number(reading.evidence, percent_words(reading.evidence)),
        one_in=one_in_words(reading.evidence),
        surprise=bits_figure(reading.surprise_bits) if reading.explained else None,
        told=bits_figure(reading.information_bits),
        truth=_truth_figure(reading.truth_bits),
        table=bits_figure(reading.table_bits),
        table_truth=_truth_figure(reading.table_truth_bits),
    )


class _Sheets:
    """Fills in the parts of a report."""

    def __init__(self, analysis: Analysis, top: int) -> None:
        self._analysis = analysis
        self._replay = analysis.replay
        self._unit = analysis.replay.history.unit
        self._stages = {stage.stage: stage for stage in analysis.stages}
        self._top = top

    def report(self, made_by: str) -> HandReport:
        history = self._replay.history
        return HandReport(
            analysis=self._analysis,
            title=f"Hand {visible(history.hand_id) or '?'}",
            game=f"{stakes_words(self._replay)} · {len(history.seats)} seats",
            facts=tuple(self._facts(made_by)),
            top=self._top,
            labels={s.number: self._label(s.number) for s in history.seats},
            spoken={s.number: spoken_label(self._replay, s.number) for s in history.seats},
            streets=tuple(
                self._street(street)
                for street in self._replay.streets
                if f"{street.number}D" in self._stages
            ),
            result=tuple(self._result()),
            shown=tuple(self._shown()),
            plays_like=tuple(self._plays_like()),
            scores=(*self._scores(), *self._divergences()),
            ledger=tuple(self._ledger()),
            told_table=tuple(self._told_table()),
            looks_on=viewpoint_words(self._analysis.viewpoint),
            notes=tuple(
                visible(f"{place_note(problem.line, problem.column)}: {problem.message}")
                for problem in self._analysis.problems
            ),
            omniscience=_rests_on(self._analysis.stages),
        )

    def _label(self, seat: int) -> str:
        return seat_label(self._replay, seat)

    def _facts(self, made_by: str) -> Iterator[tuple[str, str]]:
        """What read the hand, how, and from where."""
        analysis, source = self._analysis, self._replay.history.source
        lines = lines_words(source.line, self._replay.history.end_line)
        yield "policy", visible(analysis.players.name)
        yield "hash of the policy", ", ".join(policy_hashes(analysis.players))
        yield "viewpoint", viewpoint_words(analysis.viewpoint)
        yield "ties", analysis.ties
        yield "source", f"{visible(source.file)}, {lines} ({source.dialect})"
        yield "program", f"handread {__version__}"
        if made_by:
            yield "made by", visible(made_by)

    # Streets

    def _street(self, street: StreetPlay) -> StreetPart:
        dealt = self._stages[f"{street.number}D"]
        after = self._stages.get(f"{street.number}B")
        pots = [street.pot, street.pot_after] if street.decisions else [street.pot]
        goes_on = after is not None and len(after.active) > 1
        return StreetPart(
            number=street.number,
            name=f"{STREET_NAMES[street.number]} street",
            pot=" to ".join(self._unit.text(amount) for amount in pots),
            seats=tuple(self._seat_row(street, dealt, after, seat) for seat in dealt.active),
            actions=tuple(
                action_row(action, self._replay)
                for action in self._analysis.actions
                if action.decision.street == street.number
            ),
            ends=tuple(self._ends(after)) if goes_on and after is not None else (),
        )

    def _seat_row(
        self, street: StreetPlay, dealt: StageReading, after: StageReading | None, seat: int
    ) -> SeatRow:
        last, fate = dealt, ""
        if after is not None:
            last = after
            if seat not in after.active:
                fate = "folded"
            elif len(after.active) == 1:
                fate = "wins"
        return SeatRow(
            seat=seat,
            label=self._label(seat),
            up=tuple(street.upcards[seat]),
            card_news=bits_figure(dealt.seats[seat].news_bits) if street.number > 3 else None,
            dealt=chance_figure(dealt.bet_inference[seat]),
            after=None if after is None or fate else chance_figure(after.bet_inference[seat]),
            cards_alone=None if fate else chance_figure(last.cards_only[seat]),
            fate=fate,
            kinds=likely(read_at(last, seat).kinds(self._top)),
        )

    def _ends(self, stage: StageReading) -> Iterator[EndRow]:
        for seat, read in stage.seats.items():
            yield EndRow(seat, self._label(seat), tuple(map(share_figure, read.categories())))

    # The end, and the scores

    def _result(self) -> Iterator[str]:
        for seat, amount in self._replay.won.items():
            yield f"{spoken_label(self._replay, seat)} wins {self._unit.text(amount)}"
        if self._replay.played_out and not self._replay.finished:
            yield "The record does not tell who won."
        elif not self._replay.finished:
            yield "The record stops here."
        elif not self._replay.won:
            yield "Nothing to win."
        if self._replay.rake:
            yield f"rake {self._unit.text(self._replay.rake)}"

    def _shown(self) -> Iterator[str]:
        """What those held who were in at the end."""
        for seat in self._replay.showdown:
            down = self._replay.downcards_on(7).get(seat)
            who = spoken_label(self._replay, seat)
            if down is None:
                shows = (m.seat for m in self._replay.moves if isinstance(m, Show))
                told = "showed, but not which cards were down" if seat in shows else "never showed"
                yield f"{who} {told}"
                continue
            name = finished_hand(self._replay, seat)
            loose = seat in self._replay.loose_downcards
            order = " (which of them came last is not told)" if loose else ""
            yield f"{who} held {cards_text(down)}" + (f": {name}" if name else "") + order

    def _plays_like(self) -> Iterator[tuple[str, str]]:
        """Which policy of a panel each player seems to follow, the likeliest first."""
        for seat, shares in self._analysis.policies.items():
            ordered = sorted(shares.items(), key=lambda item: -item[1])
            words = (f"{visible(name)} {share_words(p)}" for name, p in ordered if p > 0.005)
            yield self._label(seat), ", ".join(words)

    @property
    def _betting_stages(self) -> list[StageReading]:
        return [stage for stage in self._analysis.stages if stage.stage[1] == "B"]

    def _scores(self) -> Iterator[ScoreRow]:
        """How the reads did whose downcards the record reveals."""
        for seat, held in sorted(self._replay.downcards_on(7).items()):
            stages = [
                (stage.stage, _score(truth))
                for stage in self._betting_stages
                if seat in (*stage.active, *stage.folded)
                and (truth := read_at(stage, seat).truth) is not None
            ]
            if stages:
                yield ScoreRow(self._label(seat), held, "", tuple(stages))

    def _divergences(self) -> Iterator[ScoreRow]:
        """K-L of the chances to win, where something is known to hold them against."""
        stages = [s for s in self._betting_stages if s.kl_bits is not None and len(s.active) > 1]
        if not stages:
            return
        rests_on = "all known" if _rests_on(stages) == "full" else "partly known"
        for label, index in (("K-L, cards alone", 0), ("K-L, after bets", 1)):
            cells = [
                (stage.stage, bits_words(stage.kl_bits[index])) for stage in stages if stage.kl_bits
            ]
            yield ScoreRow(label, None, rests_on, tuple(cells))

    def _ledger(self) -> Iterator[LedgerRow]:
        """Bits by seat: what deals told, what bets told, and on the truth from first to last."""
        stages, actions = self._analysis.stages, self._analysis.actions
        for seat in stages[0].active if stages else ():
            deals = [s for s in stages if s.stage[1] == "D" and seat in s.seats]
            cards = sum(stage.seats[seat].news_bits for stage in deals)
            mine = [action for action in actions if action.decision.seat == seat]
            truths = [a.truth_bits for a in mine if a.truth_bits is not None]
            yield LedgerRow(
                seat,
                self._label(seat),
                bits_figure(cards),
                bits_figure(sum(action.information_bits for action in mine)),
                _truth_figure(sum(truths)) if truths else None,
            )

    def _told_table(self) -> Iterator[ActionRow]:
        """The actions of the seat that looks on."""
        kind, _, seat = self._analysis.viewpoint.partition(":")
        for action in self._analysis.actions:
            if kind == "seat" and action.decision.seat == int(seat):
                yield action_row(action, self._replay)


def _rests_on(stages: Iterable[StageReading]) -> str:
    """What the references of some stages rest on: "full" where each that has one knows all."""
    found = {stage.omniscience for stage in stages} - {"none"}
    if not found:
        return "none"
    return "full" if found == {"full"} else "partial"


def read_at(stage: StageReading, seat: int) -> SeatRead:
    """What is believed of a seat at a stage, or was when it folded there."""
    return stage.seats[seat] if seat in stage.active else stage.folded[seat]


def policy_hashes(players: Lineup) -> list[str]:
    """The hash of everybody's policy, and of those of seats with another."""
    rest = policy_hash(players.rest.policy)
    own = [(seat, policy_hash(model.policy)) for seat, model in sorted(players.seats.items())]
    return [rest, *(f"seat {seat} {digits}" for seat, digits in own if digits != rest)]


def _score(truth: Truth) -> str:
    """Bits and place of the truth; no place where the read ruled it out."""
    if truth.probability <= 0.0:
        return "ruled out"
    return f"{bits_words(truth.score_bits, sign=True)} ({place_words(truth)})"


def place_words(truth: Truth) -> str:
    """The place of the truth among the holdings, the likeliest first."""
    return f"{truth.rank:.0f} of {truth.live}"


GRID_SCALE = 10_000
"""The parts in which a grid counts probability."""

KINDS = 6
"""How many kinds of holding, and how many holdings, a read lists."""


class Reads:
    """Collects the reads of a hand, each once, and the grids of live combinations."""

    def __init__(self) -> None:
        self.parts: list[ReadPart] = []
        self.lives: list[tuple[int, ...]] = []
        self._number: dict[int, int] = {}
        self._kept: list[SeatRead] = []
        self._guesses: dict[tuple[tuple[Card, ...], bytes], dict[str, float]] = {}

    def number(self, read: SeatRead, street: int) -> int:
        """The number of a read among ``parts``."""
        if id(read) not in self._number:
            self._kept.append(read)  # so that no other read takes its identity
            self._number[id(read)] = len(self.parts)
            self.parts.append(self._part(read, street))
        return self._number[id(read)]

    def _part(self, read: SeatRead, street: int) -> ReadPart:
        return ReadPart(
            seat=read.seat,
            street=street,
            kinds=likely(read.kinds(KINDS)),
            holdings=tuple(
                Likely(cards_text(cards), Number(p, percent_words(p)))
                for cards, p in read.top(KINDS)
            ),
            as_likely=_as_likely(read),
            grid=tuple(np.rint(GRID_SCALE * by_cell(read.pairs)).astype(int).tolist()),
            live=self._live(live_cells(read.guess)),
            combinations=f"{read.live:,} of {np.count_nonzero(read.guess):,}",
            entropy=bits_figure(read.entropy_bits),
            categories=tuple(map(share_figure, read.categories())),
            heights=tuple(np.rint(1000 * heights(read.htpd)).astype(int).tolist()),
            families=self._families(read),
            truth=_truth_part(read),
        )

    def _live(self, counts: tuple[int, ...]) -> int:
        if counts not in self.lives:
            self.lives.append(counts)
        return self.lives.index(counts)

    def _families(self, read: SeatRead) -> tuple[tuple[str, float, float], ...]:
        """Each family with its probability, and that by the cards alone, the likeliest first."""
        key = read.up, read.guess.tobytes()
        if key not in self._guesses:
            self._guesses[key] = families(read.guess, read.guess_htpd, read.up)
        guess = self._guesses[key]
        found = families(read.pdd, read.htpd, read.up)
        order = sorted(guess, key=lambda family: (-guess[family], family))
        return tuple((family, found.get(family, 0.0), guess[family]) for family in order)


def _truth_part(read: SeatRead) -> TruthPart | None:
    truth = read.truth
    if truth is None:
        return None
    kind = kind_of(truth.downcards, read.up)
    chance, score = percent_words(truth.probability), bits_words(truth.score_bits, sign=True)
    words = f"The read gives these downcards {chance}, {score} bits on a blind guess, "
    words += f"place {place_words(truth)}."
    if truth.probability <= 0.0:
        words = "The read has ruled these downcards out."
    return TruthPart(
        downcards=truth.downcards,
        kind=kind.words,
        family=kind.family,
        chance=Number(truth.probability, chance),
        score=bits_figure(truth.score_bits, sign=True),
        place=place_words(truth) if truth.probability > 0 else f"ruled out, of {truth.live}",
        words=words,
    )


def _as_likely(read: SeatRead) -> str:
    """What to add to the likeliest holdings, where others are as likely as the last of them."""
    ordered = np.sort(read.pdd[read.pdd > 0])[::-1]
    if ordered.size <= KINDS or ordered[KINDS] < ordered[KINDS - 1] * (1 - 1e-9):
        return ""
    if ordered[-1] > ordered[0] * (1 - 1e-9):
        return f"All {ordered.size:,} are as likely."
    more = int((ordered[KINDS:] > ordered[KINDS - 1] * (1 - 1e-9)).sum())
    return f"{more:,} more are as likely as the last."


@cache
def _cells() -> npt.NDArray[np.int64]:
    """The cell (1326,) of each pair: by rank from the ace, suited above the diagonal."""
    ranks, suits = 12 - (PAIR_CARDS >> 2), PAIR_CARDS & 3
    high, low = ranks.min(axis=1), ranks.max(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    cells: npt.NDArray[np.int64] = np.where(suited, 13 * high + low, 13 * low + high)
    return cells


def by_cell(pairs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A pdd over pairs (1326,) added up by ranks, (169,)."""
    return np.bincount(_cells(), pairs, 169).astype(np.float64)


def live_cells(guess: npt.NDArray[np.float64]) -> tuple[int, ...]:
    """How many combinations of each cell (169,) are possible by the cards alone.

    ``guess`` is over pairs or over triples, of which any two may be the first downcards.
    """
    live = guess > 0
    if guess.size == N_TRIPLES:
        live = np.bincount(_pairs_of_triples()[live].ravel(), minlength=N_PAIRS) > 0
    return tuple(np.bincount(_cells()[live], minlength=169).tolist())


@cache
def _pairs_of_triples() -> npt.NDArray[np.int64]:
    """The indices (22100, 3) of the three pairs in each triple."""
    low, high = TRIPLE_CARDS[:, [0, 0, 1]], TRIPLE_CARDS[:, [1, 2, 2]]
    pairs: npt.NDArray[np.int64] = high * (high - 1) // 2 + low
    return pairs


MARKS = {"fold": "f", "check": "k", "call": "c", "bet": "b", "raise": "r"}
"""The paper's letters; ``B`` is the bring-in."""


def hand_steps(report: HandReport, watched: Iterable[WatchedStreet] | None = None) -> Steps:
    """The moments of a report's hand, as far as it was read; ``watched`` as in ``moments``."""
    reads = Reads()
    maker = _Maker(report, reads)
    found = moments(report.analysis, watched)
    steps = [maker.step(moment, found[i - 1] if i else None) for i, moment in enumerate(found)]
    return Steps(tuple(steps), tuple(reads.parts), tuple(reads.lives))


class _Maker:
    """Makes the steps of one hand."""

    def __init__(self, report: HandReport, reads: Reads) -> None:
        self._report = report
        self._replay = report.analysis.replay
        self._unit = self._replay.history.unit
        self._reads = reads
        self._spoken = report.spoken

    def step(self, moment: Moment, before: Moment | None) -> Step:
        row = None if moment.action is None else action_row(moment.action, self._replay)
        notable, sentence, on_truth = self._words(moment, before, row)
        table = moment.table
        return Step(
            kind=moment.kind,
            street=moment.street,
            stage=moment.stage or "",
            actor=_actor(moment),
            to_act=None if moment.kind == END or table.openers else table.actor,
            line=moment.line,
            title=self._title(moment, row),
            mark=self._mark(moment),
            pot=self._unit.text(table.pot),
            places=tuple(self._places(moment)),
            shared=table.shared[0] if table.shared else None,
            chances=tuple(_chances(moment)),
            open_bits=_entropy(moment.bet_inference),
            true_bits=None if moment.omniscient is None else _entropy(moment.omniscient),
            action=row,
            news=_news(moment) if moment.kind == DEAL and moment.street > 3 else {},
            notable=notable,
            sentence=sentence,
            on_truth=on_truth,
            reads=self._numbers(moment.reads, moment.street),
            table_reads=self._numbers(moment.table_reads, moment.street),
        )

    def _words(
        self, moment: Moment, before: Moment | None, row: ActionRow | None
    ) -> tuple[bool, str, str]:
        """Whether the moment is notable, what it told, and how that stands to the truth."""
        earlier = None if before is None else before.bet_inference
        if moment.kind == DEAL:
            news = {seat: moment.reads[seat].news_bits for seat in moment.active}
            turn = is_turn(news, earlier, moment.bet_inference)
            return turn, deal_sentence(self._spoken, news, earlier, moment.bet_inference), ""
        if moment.action is None or row is None or before is None:
            forced = moment.kind == BRING_IN
            return False, "Forced: it tells nothing." if forced else self._end(), ""
        chances = before.bet_inference, moment.bet_inference
        reads = before.reads[row.seat], moment.reads[row.seat]
        return (
            is_notable(moment.action, *chances),
            action_sentence(moment.action, row, reads, chances),
            truth_sentence(moment.action, before.reads[row.seat]),
        )

    def _end(self) -> str:
        words = f"{'; '.join(line.rstrip('.') for line in self._report.result)}."
        return words[0].upper() + words[1:]

    def _title(self, moment: Moment, row: ActionRow | None) -> str:
        """What happened, in a few words."""
        if row is not None:
            return f"{self._spoken[row.seat]} {row.words}"
        if moment.kind == BRING_IN:
            seat = moment.table.brought_in
            assert seat is not None
            amount = self._unit.text(moment.table.player(seat).put)
            return f"{self._spoken[seat]} brings in for {amount}"
        return "The end" if moment.kind == END else f"{STREET_NAMES[moment.street]} street is dealt"

    @staticmethod
    def _mark(moment: Moment) -> str:
        """The moment in a letter or two, for a line of play."""
        if moment.action is not None:
            return MARKS[moment.action.decision.action]
        return {DEAL: STREET_NAMES[moment.street], BRING_IN: "B", END: "end"}[moment.kind]

    def _places(self, moment: Moment) -> list[Place]:
        table = moment.table
        return [
            Place(
                seat=player.seat,
                up=player.up,
                state="folded" if player.folded else "all-in" if player.all_in else "in",
                put=self._in_front(moment, player),
                stack="" if player.stack is None else self._unit.text(player.stack),
            )
            for player in table.players
            if player.dealt_in
        ]

    def _in_front(self, moment: Moment, player: Player) -> str:
        """The chips in front of a player; in the end what it has won."""
        if moment.kind == END:
            won = self._replay.won.get(player.seat)
            return f"wins {self._unit.text(won)}" if won else ""
        return self._unit.text(player.put) if player.put else ""

    def _numbers(self, reads: Mapping[int, SeatRead], street: int) -> dict[int, int]:
        return {seat: self._reads.number(read, street) for seat, read in sorted(reads.items())}


def _actor(moment: Moment) -> int | None:
    if moment.kind == BRING_IN:
        return moment.table.brought_in
    return None if moment.action is None else moment.action.decision.seat


def _chances(moment: Moment) -> Iterator[Chance]:
    truth = moment.omniscient
    for seat in moment.active:
        yield Chance(
            seat,
            chance_figure(moment.bet_inference[seat]),
            chance_figure(moment.cards_only[seat]),
            None if truth is None else chance_figure(truth[seat]),
        )


def _news(moment: Moment) -> dict[int, Number]:
    return {seat: bits_figure(moment.reads[seat].news_bits) for seat in moment.active}


def _entropy(chances: Mapping[int, float]) -> Number:
    """How open it is who will win, in bits."""
    return bits_figure(entropy_bits(np.array(list(chances.values()))))


@dataclass(frozen=True, slots=True)
class Highlight:
    """An action that stands out: ``what`` was done and when, and how far in ``words``.

    ``moment`` is its place in ``Steps.steps``.
    """

    what: str
    words: str
    moment: int


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A hand as the index of a session lists it.

    ``number`` counts the hands of the session from 1, ``page`` is the name of the file that shows
    it. ``reached`` is the last street, ``actions`` counts those taken by choice; of those
    ``surprising`` was expected least and ``telling`` told most. ``score`` says how the reads stand
    to the known downcards, not what these are. ``notes`` counts what was found strange, ``refused``
    is why the hand could not be read to its end.
    """

    number: int
    page: str
    title: str
    source: str
    lines: str
    game: str
    players: tuple[str, ...]
    pot: str
    reached: str
    actions: int
    surprising: Highlight | None
    telling: Highlight | None
    score: str
    result: str
    notes: int
    refused: str

    def record(self) -> dict[str, Any]:
        """The row as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> IndexRow:
        """The row that ``record`` gave."""
        own = dict(record)
        for name in ("surprising", "telling"):
            own[name] = None if own[name] is None else Highlight(**own[name])
        return cls(**{**own, "players": tuple(own["players"])})


def index_row(report: HandReport, steps: Steps, number: int, page: str) -> IndexRow:
    """The row of a hand that has a page."""
    replay, analysis = report.analysis.replay, report.analysis
    ends = report.result[: len(replay.won)] or report.result[:1]
    return IndexRow(
        number=number,
        page=page,
        title=report.title,
        source=visible(replay.history.source.file),
        lines=lines_words(replay.history.source.line, replay.history.end_line),
        game=report.game,
        players=tuple(report.labels.values()),
        pot=steps.steps[-1].pot if steps.steps else "",
        reached=report.streets[-1].name if report.streets else "",
        actions=len(analysis.actions),
        surprising=_most_surprising(steps.steps),
        telling=_most_telling(steps.steps),
        score=_score_words(report),
        result="; ".join(ends),
        notes=len(report.notes),
        refused="" if analysis.complete else _stop_words(report),
    )


def refusal(history: History | None, problem: Problem) -> str:
    """Why a hand, or a text that is none, has no page, in words."""
    who = "" if history is None or not history.hand_id else f"Hand {history.hand_id}: "
    return visible(f"{who}{problem}")


def _most_surprising(steps: Iterable[Step]) -> Highlight | None:
    """The first of the actions that were least expected."""
    best, found = math.inf, None
    for moment, step in enumerate(steps):
        row = step.action
        if row is None or row.expected.value is None or row.expected.value >= best:
            continue
        best = row.expected.value
        words = "beyond the model"
        if row.surprise is not None:
            words = f"{row.one_in}, {row.surprise.words} bits"
        found = Highlight(_what(step), words, moment)
    return found


def _most_telling(steps: Iterable[Step]) -> Highlight | None:
    """The first of the actions that told most; None where none told anything."""
    best, found = 0.0, None
    for moment, step in enumerate(steps):
        told = None if step.action is None else step.action.told
        if told is not None and told.value is not None and told.value > best:
            best = told.value
            found = Highlight(_what(step), f"{told.words} bits", moment)
    return found


def _what(step: Step) -> str:
    return f"{step.title} on {STREET_NAMES[step.street]} street"


def _score_words(report: HandReport) -> str:
    """How the reads of known downcards did, each at the seat's own last stage of betting.

    Empty where there are none, or all are those of the seat that looks on.
    """
    last: dict[int, float] = {}
    for stage in report.analysis.stages:
        if stage.stage[1] == "B":
            for seat in (*stage.active, *stage.folded):
                truth = read_at(stage, seat).truth
                if truth is not None and truth.live > 1:
                    last[seat] = truth.score_bits
    if not last:
        return ""
    missed = sum(math.isinf(bits) for bits in last.values())
    if missed:
        return f"ruled out what {missed} of {len(last)} held"
    words = bits_figure(sum(last.values()) / len(last), sign=True).words
    return f"{words} bits, mean of {len(last)} players" if len(last) > 1 else f"{words} bits"


def _stop_words(report: HandReport) -> str:
    """What stopped the reading of a hand: its record's fault, else the last of the findings."""
    analysis = report.analysis
    problem = analysis.replay.problem or analysis.problems[-1]
    expected = f" (expected {problem.expected})" if problem.expected else ""
    return visible(f"line {problem.line}: {problem.message}{expected}")
