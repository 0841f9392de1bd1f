"""Build the report that text, pages and pictures show from an analysis."""

from collections.abc import Iterable, Iterator

import handread.report.shown_values as values
import handread.report.words as wording
from handread.cards import card_text, cards_text
from handread.game.rules import STREET_NAMES, variant_of
from handread.game.steps import StreetRecord
from handread.history import Problem, Show
from handread.inference.analysis import last_public_read
from handread.inference.hand_analysis import Analysis
from handread.inference.players import PlayerModels
from handread.inference.readers import kind_of_reader, policies_of
from handread.inference.stages import StageReading, Truth
from handread.inference.viewpoint import viewpoint_of
from handread.policy import panel_of, policy_hash
from handread.report.families import family_lines, headline
from handread.report.gist import hand_gist
from handread.report.honesty import honesty_sentence
from handread.report.policies import reader_trust


def hand_report(analysis: Analysis, top: int = 4) -> values.HandReport:
    """Return the report of an analyzed hand, with ``top`` kinds of holding per seat."""
    return values.HandReport.of(kept_report(analysis, top), analysis.replay)


def kept_report(analysis: Analysis, top: int) -> values.KeptReport:
    """Return the part of a hand's report that can be stored; ``top`` as in ``hand_report``."""
    return _ReportBuilder(analysis, top).kept()


def _shared_words(street: StreetRecord) -> str:
    """Return the card dealt to all on a street, "Js shared"; empty without one."""
    return "" if street.shared is None else f"{card_text(street.shared)} shared"


class _ReportBuilder:
    def __init__(self, analysis: Analysis, top: int) -> None:
        self._analysis = analysis
        self._replay = analysis.replay
        self._unit = analysis.replay.history.unit
        self._stages = {stage.stage: stage for stage in analysis.stages}
        self._game = variant_of(analysis.replay.history.variant)
        self._top = top

    def kept(self) -> values.KeptReport:
        analysis, history, seats = self._analysis, self._replay.history, self._replay.history.seats
        spoken = {s.number: wording.spoken_label(self._replay, s.number) for s in seats}
        looks_on, cards = wording.viewpoint_words(analysis)
        truths = {s.number: honesty_sentence(analysis, s.number) for s in seats}
        return values.KeptReport(
            title=wording.hand_title(history),
            game=wording.game_words(self._replay),
            read_by=tuple(self._read_by()),
            viewer=analysis.viewer,
            known_seats=tuple(sorted(viewpoint_of(self._replay, analysis.viewpoint).known)),
            looks_on=looks_on,
            cards_seen=cards,
            ties=analysis.ties,
            ranges=wording.uncertainty_words(analysis),
            top=self._top,
            labels={s.number: self._label(s.number) for s in seats},
            spoken=spoken,
            gist=hand_gist(analysis, spoken, truths),
            streets=tuple(
                self._street(street)
                for street in self._replay.streets
                if f"{street.number}D" in self._stages
            ),
            result=tuple(wording.result_lines(self._replay)),
            shown=tuple(self._shown()),
            plays_like=tuple(self._plays_like()),
            scores=(*self._scores(), *self._divergences()),
            bits=tuple(self._bits()),
            you=analysis.you,
            viewer_actions=tuple(
                wording.action_figures(action, self._replay)
                for action in analysis.actions
                if action.decision.seat == analysis.viewer
            ),
            on_viewer=self._on_viewer(),
            notes=tuple(map(_note, analysis.problems)),
            omniscience=_rests_on(analysis.stages),
            honesty=tuple(filter(None, truths.values())),
            trust=reader_trust(analysis.reader, self._game),
        )

    def _label(self, seat: int) -> str:
        return wording.seat_label(self._replay, seat, self._analysis.you)

    def _read_by(self) -> Iterator[tuple[str, str]]:
        """Yield facts about the reader: its name, and the marks of its version."""
        reader = self._analysis.reader
        players = policies_of(reader)
        yield kind_of_reader(reader), wording.visible(reader.name)
        if players is not None:
            yield "hash of the policy", ", ".join(policy_hashes(players))
        else:
            yield "settings of the reader", wording.visible(reader.terms)

    def _street(self, street: StreetRecord) -> values.StreetPart:
        dealt = self._stages[f"{street.number}D"]
        after = self._stages.get(f"{street.number}B")
        pots = [street.pot, street.pot_after] if street.decisions else [street.pot]
        left = after.seats if after is not None and len(after.active) > 1 else {}
        return values.StreetPart(
            number=street.number,
            name=f"{STREET_NAMES[street.number]} street",
            pot=" to ".join(self._unit.text(amount) for amount in pots),
            shared=_shared_words(street),
            seats=tuple(self._seat(street, dealt, after, seat) for seat in dealt.active),
            actions=tuple(
                wording.action_figures(action, self._replay)
                for action in self._analysis.actions
                if action.decision.street == street.number
            ),
            ends={
                seat: tuple(map(wording.share_figure, read.categories()))
                for seat, read in left.items()
            },
        )

    def _seat(
        self, street: StreetRecord, dealt: StageReading, after: StageReading | None, seat: int
    ) -> values.SeatFigures:
        last, outcome = dealt, ""
        read = dealt.seats[seat]
        if after is not None:
            last = after
            read = after.seats.get(seat) or after.folded[seat]
            if seat not in after.active:
                outcome = "folded"
            elif len(after.active) == 1:
                outcome = "wins"
        return values.SeatFigures(
            seat=seat,
            up=tuple(street.upcards[seat]),
            card_news=wording.bits_figure(dealt.seats[seat].news_bits)
            if street.number > self._game.first
            else None,
            dealt=wording.chance_figure(dealt.bet_inference[seat], dealt.chance_ranges.get(seat)),
            after=None
            if after is None or outcome
            else wording.chance_figure(after.bet_inference[seat], after.chance_ranges.get(seat)),
            cards_alone=None if outcome else wording.chance_figure(last.cards_only[seat]),
            outcome=outcome,
            lines=family_lines(read),
            only=None
            if read.live != 1
            else (read.kinds(1)[0][0], read.holding or read.top(1)[0][0]),
        )

    # The end, and the scores

    def _shown(self) -> Iterator[str]:
        streets = self._replay.streets
        for seat in self._replay.showdown:
            down = self._replay.downcards_on(self._game.last).get(seat)
            who = wording.spoken_label(self._replay, seat)
            if down is None:
                shows = (m.seat for m in self._replay.moves if isinstance(m, Show))
                told = (
                    "showed a hand, but the log does not say which cards were down"
                    if seat in shows
                    else "never showed"
                )
                yield f"{who} {told}"
                continue
            name = wording.finished_hand(self._replay, seat)
            loose = seat in self._replay.loose_downcards
            order = " (the log does not say which came last)" if loose else ""
            also = "".join(f", {words}" for words in map(_shared_words, streets) if words)
            yield f"{who} held {cards_text(down)}{also}" + (f": {name}" if name else "") + order

    def _plays_like(self) -> Iterator[tuple[str, str]]:
        """Yield the policies of a panel that players seem to follow, unless that is a guess."""
        for seat, shares in sorted(self._analysis.members.items()):
            panel = panel_of(self._analysis.players.of(seat).policy)
            place = None if panel is None else panel.style(shares)
            if panel is not None and place is not None:
                before = wording.share_words(panel.prior[place])
                name = wording.visible(panel.members[place].name)
                words = f"{name} {wording.share_words(shares[place])} ({before} for a stranger)"
                yield self._label(seat), words

    @property
    def _betting_stages(self) -> list[StageReading]:
        return [stage for stage in self._analysis.stages if stage.after_bets]

    def _scores(self) -> Iterator[values.ScoreRow]:
        """Yield the scores of reads by stage, for known downcards that the viewpoint cannot see."""
        for seat, held in sorted(self._replay.downcards_on(self._game.last).items()):
            stages = [
                (stage.stage, _score(truth))
                for stage in self._betting_stages
                if (read := stage.seats.get(seat) or stage.folded.get(seat)) is not None
                and (truth := read.truth) is not None
                and truth.live > 1
            ]
            if stages:
                yield values.ScoreRow(self._label(seat), held, "", tuple(stages))

    def _divergences(self) -> Iterator[values.ScoreRow]:
        """Yield the K-L divergences of the chances to win, where enough downcards are known."""
        stages = [s for s in self._betting_stages if s.kl_bits is not None and len(s.active) > 1]
        if not stages:
            return
        rests_on = "all known" if _rests_on(stages) == "full" else "partly known"
        for label, index in (("K-L, cards alone", 0), ("K-L, after bets", 1)):
            cells = [
                (stage.stage, wording.bits_words(stage.kl_bits[index]))
                for stage in stages
                if stage.kl_bits
            ]
            yield values.ScoreRow(label, None, rests_on, tuple(cells))

    def _bits(self) -> Iterator[values.BitsBySeat]:
        """Yield the bits about each seat: from deals, from bets, and on the true downcards."""
        stages, actions = self._analysis.stages, self._analysis.actions
        for seat in stages[0].active if stages else ():
            deals = [s for s in stages if not s.after_bets and seat in s.seats]
            cards = sum(stage.seats[seat].news_bits for stage in deals)
            mine = [action for action in actions if action.decision.seat == seat]
            truths = [a.truth_bits for a in mine if a.truth_bits is not None]
            yield values.BitsBySeat(
                seat,
                wording.bits_figure(cards),
                wording.bits_figure(sum(action.information_bits for action in mine)),
                wording.truth_figure(sum(truths)) if truths else None,
            )

    def _on_viewer(self) -> str:
        """Return the families that the table gives the viewing seat; empty without one."""
        viewer = self._analysis.viewer
        read = None if viewer is None else last_public_read(self._analysis, viewer)
        return "" if read is None else headline(family_lines(read))


def _rests_on(stages: Iterable[StageReading]) -> str:
    """Return how many downcards the reference knows at these stages: "full", "partial", "none"."""
    kinds = {stage.omniscience for stage in stages} - {"none"}
    if not kinds:
        return "none"
    return "full" if kinds == {"full"} else "partial"


def policy_hashes(players: PlayerModels) -> list[str]:
    """Return the hash of the shared policy, then the hashes of seats' different policies."""
    rest = policy_hash(players.rest.policy)
    of_seats = [(seat, policy_hash(model.policy)) for seat, model in sorted(players.seats.items())]
    return [rest, *(f"seat {seat} {digits}" for seat, digits in of_seats if digits != rest)]


def _note(problem: Problem) -> str:
    """Return a finding with its place: "line 11: ...", "line 11, column 34: ..."."""
    column = f", column {problem.column}" if problem.column > 1 else ""
    return wording.visible(f"line {problem.line}{column}: {problem.message}")


def _score(truth: Truth) -> str:
    """Return the score and the rank of the truth; "ruled out" where the read excludes it."""
    if truth.probability <= 0.0:
        return "ruled out"
    return f"{wording.bits_words(truth.score_bits, sign=True)} ({truth.rank:.0f} of {truth.live})"
