"""The report value: every number with its words, and sentences that say what the numbers say."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import Problem, read_hands
from handread.bits import rounded
from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, cards_text, pair_index
from handread.game.replay import replay
from handread.history import History, Seat
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import SeatRead
from handread.inference.timeline import ACTION, BRING_IN, DEAL, END, TimelinePoint, timeline_points
from handread.odds.holdings import kind_of, kinds
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.policy import load_policy, policy_hash
from handread.report.build import hand_report, kept_report
from handread.report.ends import BIN, hand_axis
from handread.report.families import family_lines
from handread.report.figures import hand_figure, picture_bytes
from handread.report.html.data import page_data
from handread.report.html.page import kept_json, page
from handread.report.policies import trust_words
from handread.report.sentences import (
    EXPECTED,
    NOTHING,
    SHIFT,
    SURPRISING_BITS,
    deal_sentence,
    part_words,
)
from handread.report.shown_values import HandReport, ReadPart, StepPart, Steps
from handread.report.steps import (
    GRID_SCALE,
    LEAST_LISTED,
    STANDS_OUT,
    by_cell,
    hand_steps,
    live_cells,
)
from handread.report.text import plain_report
from handread.report.words import (
    ACTION_COLUMNS,
    ActionColumn,
    Number,
    chance_words,
    percent_words,
    share_words,
    visible,
)
from tests.beliefs import viewpoints
from tests.examples import examples
from tests.hands import GOLDEN, PARTLY_SEEN, ROOM_STAKES, WALKED_OFF, hand, random_hand
from tests.pages import strings
from tests.program import SAMPLES
from tests.strategies import half_hidden, legal_hands, seeds

DEFAULT = load_policy("default")
TIPSY = DEFAULT.with_lapse(0.05)
NAMES = {1: "Ann", 2: "B B"}


def made(analysis: Analysis) -> tuple[HandReport, Steps]:
    report = hand_report(analysis)
    return report, hand_steps(report, analysis)


def read(history: History, viewpoint: str = "public") -> Analysis:
    return analyze_replay(replay(history), TIPSY, viewpoint)


@cache
def golden_read(viewpoint: str = "public") -> Analysis:
    seats = [Seat(n, NAMES.get(n, "")) for n in range(1, 8)]
    return read(hand(GOLDEN, seats=seats), viewpoint)


@cache
def golden(viewpoint: str = "public") -> tuple[HandReport, Steps]:
    return made(golden_read(viewpoint))


def analyses() -> st.SearchStrategy[Analysis]:
    """Hands with all, some or no downcards on record, from every viewpoint, sober and tipsy."""

    def one(history: History, rng: Random) -> Analysis:
        played = replay(history if rng.random() < 0.5 else half_hidden(history, rng))
        policy = rng.choice([DEFAULT, TIPSY])
        return analyze_replay(played, policy, rng.choice(viewpoints(played)))

    return st.builds(one, legal_hands(), seeds())


UNUSUAL = {"walked off": WALKED_OFF, "partly seen": PARTLY_SEEN, "golden": GOLDEN}
HANDS = [
    *(("hi-lo.stud", "public"), ("razz.stud", "public"), ("five-card.stud", "public")),
    *(("eight-players.stud", "public"), ("bovada.txt", "public")),
    *(("stops-in-the-middle.stud", "public"), ("walked off", "public"), ("golden", "omniscient")),
    *(("partly seen", sight) for sight in ("public", "seat:1", "seat:3")),
]
"""Samples, hands that are out of the ordinary, and who looks on."""


# Reads


def parts(analysis: Analysis) -> Iterator[tuple[SeatRead, ReadPart, tuple[int, ...]]]:
    """Every read of a hand with what is shown of it, and the live combinations of its grid."""
    _, steps = made(analysis)
    seen: dict[int, SeatRead] = {}
    for moment, step in zip(timeline_points(analysis), steps.steps, strict=True):
        for reads, numbers in ((moment.reads, step.reads), (moment.table_reads, step.table_reads)):
            assert reads.keys() == numbers.keys()
            for seat, number in numbers.items():
                if number not in seen:
                    part = steps.reads[number]
                    yield reads[seat], part, steps.lives[part.live]
                assert seen.setdefault(number, reads[seat]) is reads[seat]
    assert seen.keys() == set(range(len(steps.reads)))


def slow_cell(pair: list[int]) -> int:
    """The place of a pair in the grid: aces first, suited above the diagonal."""
    low, high = (12 - (card >> 2) for card in sorted(pair, reverse=True))
    return 13 * low + high if pair[0] & 3 == pair[1] & 3 else 13 * high + low


def slow_live(guess: np.ndarray) -> list[int]:
    """The live combinations of the cells, holding by holding."""
    if guess.size == DECK_SIZE:
        return [
            int(guess[4 * rank + suit] > 0) for suit in (3, 2, 1, 0) for rank in range(12, -1, -1)
        ]
    table = PAIR_CARDS if guess.size == N_PAIRS else TRIPLE_CARDS
    live = set()
    for holding in table[guess > 0].tolist():
        live |= {(a, b) for b in holding for a in holding if a < b}
    count = [0] * 169
    for a, b in live:
        count[slow_cell([a, b])] += 1
    return count


def assert_read_shown(read: SeatRead, part: ReadPart, live: tuple[int, ...]) -> None:
    assert part.seat == read.seat
    assert abs(sum(part.grid) - GRID_SCALE) <= 169 / 2
    by_ranks = by_cell(read.pairs)
    assert by_ranks.sum() == pytest.approx(1.0)
    assert np.abs(np.array(part.grid) - GRID_SCALE * by_ranks).max() <= 0.5
    assert (by_ranks[np.array(live) == 0] == 0.0).all()
    assert len(part.heights) == hand_axis(read.game).edges.size - 1
    assert part.entropy.value == pytest.approx(read.entropy_bits)
    assert [f.value for f in part.categories] == pytest.approx(read.categories())
    assert part.combinations == f"{(read.pdd > 0).sum():,} of {(read.cards_only_pdd > 0).sum():,}"
    assert_holdings(read, part)
    assert_families(read, part)


def assert_holdings(read: SeatRead, part: ReadPart) -> None:
    """Holdings are listed where the likeliest is twice the mean of the possible ones.

    Those of less than one in a thousand are not.
    """
    possible, most = (read.cards_only_pdd > 0).sum(), read.pdd.max()
    assert bool(part.holdings) == (most * possible >= STANDS_OUT and most >= LEAST_LISTED)
    for _, chance in part.holdings:
        assert chance.value >= LEAST_LISTED
    like = re.search(r"about ([\d,]+) of [\d,]+ (?:holdings|cards) fits?", part.openness)
    if like is None:
        assert "fit equally well" in part.openness
        left = read.pdd[read.pdd > 0]
        assert left.min() == pytest.approx(left.max())
    else:
        effective = int(like[1].replace(",", ""))
        assert effective == pytest.approx(2**read.entropy_bits, rel=0.051, abs=0.51)
        assert effective <= possible


def assert_families(read: SeatRead, part: ReadPart) -> None:
    """Families sum to 1, are sums of the kinds, and have the truth among them."""
    assert sum(p for _, p, _ in part.families) == pytest.approx(1.0)
    assert sum(guess for _, _, guess in part.families) == pytest.approx(1.0)
    guesses = [rounded(guess) for _, _, guess in part.families]
    assert guesses == sorted(guesses, reverse=True)
    assert part.lines == family_lines(read)
    assert part.headline[0] == part.lines[0]
    assert [line for line in part.headline[1:] if line.change != "rise"] == []
    shown = dict(read.kinds(10_000))
    alone = {
        kind.words: p
        for kind, p in kinds(
            read.cards_only_pdd, read.cards_only_htpd, read.up, read.game.key
        ).items()
    }
    for family, what, chance, cards in part.kinds:
        assert family in {line.family for line in part.headline}
        assert chance == Number(shown[what], share_words(shown[what]))
        assert cards == Number(alone[what], share_words(alone[what]))
    if part.truth is not None:
        guess = {family: guess for family, _, guess in part.families}
        assert guess[part.truth.family] > 1e-9
        kind = kind_of(part.truth.downcards, read.up, read.game.key)
        assert (part.truth.kind, part.truth.family) == (kind.words, kind.family)
        if read.truth is not None and read.truth.probability > 0:
            assert shown[kind.words] >= read.truth.probability - 1e-9


@pytest.mark.thorough
@pytest.mark.laws
@given(analyses())
@examples(3)
def test_reads_show_what_is_believed(analysis: Analysis) -> None:
    for one in parts(analysis):
        assert_read_shown(*one)


@pytest.mark.parametrize("viewpoint", ["public", "seat:1"])
def test_live_combinations_are_counted_holding_by_holding(viewpoint: str) -> None:
    """From seat 1 its own third downcard, which nobody saw, is open: the first two are not."""
    found = {
        (shown.seat, shown.cards_only_pdd.tobytes()): (live, shown.cards_only_pdd)
        for shown, _, live in parts(read(hand(PARTLY_SEEN), viewpoint))
    }
    assert len(found) > 5
    assert all(list(live) == slow_live(guess) for live, guess in found.values())
    assert len(golden()[1].lives) == 4, "streets whose cards are alike share a grid"


def test_the_grid_has_aces_first_and_suited_pairs_above_the_diagonal() -> None:
    pdd = np.zeros(N_PAIRS)
    pdd[pair_index(51, 47)] = 1.0  # As Ks
    assert by_cell(pdd).argmax() == 1
    pdd = np.zeros(N_PAIRS)
    pdd[pair_index(51, 46)] = 1.0  # As Kh
    assert by_cell(pdd).argmax() == 13
    counts = np.array(live_cells(np.ones(N_PAIRS))).reshape(13, 13)
    assert (np.diag(counts) == 6).all()
    assert (counts[np.triu_indices(13, 1)] == 4).all()
    assert (counts[np.tril_indices(13, -1)] == 12).all()
    assert live_cells(np.ones(N_TRIPLES)) == live_cells(np.ones(N_PAIRS))


def test_the_grid_on_seventh_street_is_that_of_the_first_two() -> None:
    _, steps = golden("seat:1")
    last = steps.steps[-1]
    mine = steps.reads[last.reads[1]]
    assert (max(mine.grid), sum(mine.grid)) == (GRID_SCALE, GRID_SCALE)
    assert mine.grid[slow_cell([42, 23])] == mine.grid[slow_cell([20, 43])] == GRID_SCALE  # Qs 7c


def test_a_read_that_started_again_has_a_whole_grid() -> None:
    """What the read left of seat 3's first two downcards seat 1 knows to be its own."""
    played = replay(random_hand(0, 7, ROOM_STAKES, 12))
    analysis = analyze_replay(played, DEFAULT, "seat:1")
    shown = {stage.stage: stage.seats for stage in analysis.stages}["7D"][3]
    assert shown.hands.pair_marginal(shown.first_two, shown.pdd).sum() < 0.9
    assert shown.pairs.sum() == pytest.approx(1.0)
    assert ((shown.pairs > 0) <= (by_pairs(shown.cards_only_pdd) > 0)).all()


def by_pairs(guess: np.ndarray) -> np.ndarray:
    """How much of a guess over triples may have each pair (1326,) in it."""
    found = np.zeros(N_PAIRS)
    for (a, b, c), p in zip(TRIPLE_CARDS[guess > 0].tolist(), guess[guess > 0], strict=True):
        for pair in (pair_index(a, b), pair_index(a, c), pair_index(b, c)):
            found[pair] += p
    return found


def test_heights_are_those_of_stretches_of_one_category() -> None:
    htpd = np.random.default_rng(0).dirichlet(np.ones(4824))
    axis = hand_axis()
    starts, found = axis.starts, axis.heights(htpd)
    low = [i for start, end in pairwise(starts) for i in range(start, end, BIN)]
    assert axis.edges.tolist() == [*low, 4824]
    for start, end, height in zip(low, [*low[1:], 4824], found, strict=True):
        assert height == pytest.approx(math.sqrt(htpd[start:end].sum() / (end - start)))


# Sentences

SEAT = r"(?:seat [1-8]|[1-8] [^,:]+?)"
PERCENT = r"\d+\.\d%"
SHARE = r"(?:\d+%|<1%)"

PART = r"(?:about|all but) (?:[a-z ]+|1/[\d,]+)"
MOVE = rf"[^,;:.]+(?:, [^,;:.]+ up)? {SHARE} → {SHARE}"
MOVES = rf"{MOVE}(?:; {MOVE}){{0,3}}"
ACTION_SENTENCE = re.compile(
    rf"(?:Players like these do this 1 time in (?P<times>[\d,]+)"
    rf"|(?P<lead>Expected: players|Players) like these do this (?P<expected>[\d.]+%|<0\.1%)"
    rf" of the time)\. "
    rf"It (?:says (?P<nothing>little)(?:: (?P<little>{MOVES}))?\."
    rf"|rules out (?P<told>{PART}) of what they could have\.(?: Now (?P<now>{MOVES})\.)?)"
    rf"(?: The (?:chance to win|share of the pot) (?P<verb>rises|falls) from (?P<old>{PERCENT}) "
    rf"to (?P<new>{PERCENT})\.)?"
)
FIRST_SENTENCE = re.compile(
    r"By (?:the upcards alone|the cards you know|all the cards dealt), "
    rf"(?P<who>{SEAT}(?:, {SEAT})*(?: and {SEAT})?) (?P<verb>is|are) "
    rf"ahead: (?P<chance>{PERCENT})(?: to win| of the pot| each)\."
)
DEAL_SENTENCE = re.compile(
    rf"(?:(?:The cards|They) help (?P<helped>{SEAT}): from (?P<h_old>{PERCENT}) to "
    rf"(?P<h_new>{PERCENT})"
    rf" (?:to win|of the pot)\. ?)?"
    rf"(?:(?:The cards|They) hurt (?P<hurt>{SEAT}): from (?P<l_old>{PERCENT}) to "
    rf"(?P<l_new>{PERCENT})"
    rf" (?:to win|of the pot)\. ?)?"
    rf"(?:(?:The cards|They) (?:rule out (?P<part>{PART}) of what (?P<about>{SEAT}) could have"
    rf"|refute the read of (?P<refuted>{SEAT}), which starts again)\.)?"
)
UNEXPLAINED = {
    "Players like these never play these downcards so.",
    "Players like these never do this; the read goes on as if it had not been seen.",
    "Players like these never do this with what is possible from here; the read starts again.",
}
ON_TRUTH = re.compile(
    r"It made the true downcards (?:(?P<times>[\d.,]+) times|(?P<part>twice|[a-z ]+|1/[\d,]+)) as "
    r"likely\."
)


def spoken(report: HandReport) -> dict[str, int]:
    """The seats by what a sentence calls them."""
    return {words: seat for seat, words in report.spoken.items()}


def assert_told(analysis: Analysis) -> None:
    """Every sentence of a hand against the numbers beside it."""
    report, steps = made(analysis)
    seats = spoken(report)
    found = timeline_points(analysis)
    for i, (moment, step) in enumerate(zip(found, steps.steps, strict=True)):
        assert step.sentence == step.sentence.strip()
        assert step.sentence.endswith(".")
        assert "nan" not in step.sentence
        before = steps.steps[i - 1] if i else None
        if step.kind == DEAL:
            assert before is not None or step.street == analysis.stages[0].street
            assert_deal_told(step, before, seats)
        elif step.kind == BRING_IN:
            assert step.sentence == "Forced: it says nothing."
        elif step.kind == END:
            result = "; ".join(report.result).rstrip(".")
            assert step.sentence == f"{result[0].upper()}{result[1:]}."
        else:
            assert before is not None
            assert_action_told(step, before, (found[i - 1], moment))
        assert_titled(step, seats)
        if step.kind != ACTION:
            assert step.on_truth == ""


def chance(step: StepPart, seat: int) -> str:
    return step.chances[seat].bets.words


def percent(words: str) -> float:
    return float(words.rstrip("%"))


def assert_titled(step: StepPart, seats: Mapping[str, int]) -> None:
    if step.actor is not None:
        name = next(name for name, seat in seats.items() if seat == step.actor)
        assert step.title.startswith(f"{name} ")
        assert step.action is None or step.title == f"{name} {step.action.words}"


def ruled_out(bits: float) -> str:
    """The part of the holdings that bits are worth, in words."""
    left = 2**-bits
    return f"all but {part_words(left)}" if left < 0.1 else f"about {part_words(1 - left)}"


def assert_deal_told(step: StepPart, before: StepPart | None, seats: Mapping[str, int]) -> None:
    words = {seat: c.bets.words for seat, c in step.chances.items()}
    if before is None:
        told = FIRST_SENTENCE.fullmatch(step.sentence)
        assert told, step.sentence
        best = max(words.values(), key=percent)
        names = re.split(", | and ", told["who"])
        assert {seats[name] for name in names} == {s for s, word in words.items() if word == best}
        assert told["chance"] == best
        assert (told["verb"] == "is") == (len(names) == 1)
        return
    if step.sentence == "The cards change little.":
        moves = [percent(w) - percent(chance(before, s)) for s, w in words.items()]
        assert max(map(abs, moves)) <= 100 * SHIFT + 0.11
        return
    told = DEAL_SENTENCE.fullmatch(step.sentence)
    assert told, step.sentence
    assert step.sentence.startswith("The cards ")
    assert step.sentence.count("The cards ") == 1
    for who, old, new, sign in (
        (told["helped"], told["h_old"], told["h_new"], 1),
        (told["hurt"], told["l_old"], told["l_new"], -1),
    ):
        if who is not None:
            assert (old, new) == (chance(before, seats[who]), words[seats[who]])
            assert sign * (percent(new) - percent(old)) > 0
    if told["about"] is not None:
        bits = step.news[seats[told["about"]]].value
        assert told["part"] == ruled_out(bits)
    if told["refuted"] is not None:
        assert step.news[seats[told["refuted"]]] == Number(None, "inf")


def assert_action_told(
    step: StepPart, before: StepPart, pair: tuple[TimelinePoint, TimelinePoint]
) -> None:
    row = step.action
    old, new = (moment.table_reads.get(row.seat, moment.reads[row.seat]) for moment in pair)
    if row.seat in pair[0].table_reads:
        row = replace(row, information=row.table, truth=row.table_truth)
        step = replace(step, action=row)
    assert_truth_told(step, old, new)
    if row.surprise is None:
        assert step.sentence in UNEXPLAINED
        assert row.expected.words == row.one_in == "never"
        goes_on = "goes on" in step.sentence
        assert not goes_on or np.array_equal(old.pdd, new.pdd)
        return
    told = ACTION_SENTENCE.fullmatch(step.sentence)
    assert told, step.sentence
    assert (told["times"] is not None) == (row.surprise.value >= SURPRISING_BITS)
    assert told["times"] in (None, f"{1 / row.expected.value:,.0f}")
    assert told["expected"] in (None, row.expected.words)
    assert told["lead"] is None or (told["lead"] == "Players") == (row.expected.value <= EXPECTED)
    assert told["told"] is None or told["told"] == ruled_out(row.information.value)
    assert (told["told"] is None) == (1 - 2**-row.information.value < NOTHING)
    families = [
        {name: share.bet_inference for name, share in read.families().items()}
        for read in (old, new)
    ]
    # A family may be called as one of its kinds: "eight-low draw", and "eight-low draw, rough".
    named = {*families[0], *families[1]}
    moved = max(abs(families[1].get(name, 0.0) - families[0].get(name, 0.0)) for name in named)
    kinds = families if moved >= SHIFT else [dict(read.kinds(10_000)) for read in (old, new)]
    changes = []
    for move in filter(None, (told["little"] or told["now"] or "").split("; ")):
        kind, shares = re.fullmatch(rf"(.+) ({SHARE} → {SHARE})", move).groups()
        first, second = (share.get(kind, 0.0) for share in kinds)
        assert shares == f"{share_words(first)} → {share_words(second)}"
        assert share_words(first) != share_words(second)
        assert abs(second - first) >= SHIFT
        changes.append(second > first)
    assert changes == sorted(changes, reverse=True)  # the likelier ones first
    if told["verb"] is not None:
        words = chance(before, row.seat), chance(step, row.seat)
        assert (told["old"], told["new"]) == words
        assert (told["verb"] == "rises") == (percent(words[1]) > percent(words[0]))
        assert words[0] != words[1]


def assert_truth_told(step: StepPart, old: SeatRead, new: SeatRead) -> None:
    row = step.action
    assert (row.truth is None) == (step.on_truth == "")
    if row.truth is None:
        return
    if old.truth.probability == 0.0:
        assert step.on_truth == "The true downcards were ruled out before."
    elif row.truth.words == "ruled out":
        assert step.on_truth == "Players like these never play the true downcards so."
    elif told := ON_TRUTH.fullmatch(step.on_truth):
        factor = 2**row.truth.value
        if told["times"]:
            assert float(told["times"].replace(",", "")) == pytest.approx(factor, rel=0.05)
        else:
            assert told["part"] == ("twice" if 1.9 < factor < 2.1 else part_words(factor))
        moved = math.log2(new.truth.probability / old.truth.probability)
        assert moved == pytest.approx(row.truth.value, abs=1e-6)
    else:
        assert step.on_truth == "It left the true downcards about as likely as before."
        assert 0.95 <= 2**row.truth.value <= 1.05


@pytest.mark.laws
@given(analyses())
@examples(4)
def test_sentences_say_what_the_numbers_say(analysis: Analysis) -> None:
    assert_told(analysis)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "viewpoint"), HANDS)
def test_the_samples_show_what_is_believed_and_say_what_the_numbers_say(
    name: str, viewpoint: str
) -> None:
    history = hand(UNUSUAL[name]) if name in UNUSUAL else next(iter(read_hands(SAMPLES / name)))
    assert not isinstance(history, Problem)
    analysis = analyze_replay(replay(history), DEFAULT, viewpoint)
    assert_told(analysis)
    for one in parts(analysis):
        assert_read_shown(*one)


def test_who_is_best_off_with_equal_chances() -> None:
    labels = {1: "seat 1", 2: "2 Bo", 3: "seat 3"}
    told = deal_sentence(labels, dict.fromkeys(labels, 0.0), None, {1: 0.3, 2: 0.35, 3: 0.35})
    assert told == "By the upcards alone, 2 Bo and seat 3 are ahead: 35.0% each."


def test_a_deal_that_refutes_a_read() -> None:
    labels, even = {1: "seat 1", 2: "2 Bo"}, {1: 0.5, 2: 0.5}
    told = deal_sentence(labels, {1: 0.0, 2: math.inf}, even, even)
    assert told == "The cards refute the read of 2 Bo, which starts again."
    told = deal_sentence(labels, {1: 0.5, 2: 0.0}, even, {1: 0.4, 2: 0.6})
    assert told == (
        "The cards help 2 Bo: from 50.0% to 60.0% to win. "
        "They hurt seat 1: from 50.0% to 40.0% to win. "
        "They rule out about three tenths of what seat 1 could have."
    )


@pytest.mark.parametrize(
    ("p", "chance", "percent", "share"),
    [
        (0.0, "0.0%", "never", "<1%"),
        (0.0004, "0.0%", "<0.1%", "<1%"),
        (0.005, "0.5%", "0.5%", "<1%"),
        (0.0051, "0.5%", "0.5%", "1%"),
        (0.0949, "9.5%", "9.5%", "9%"),
        (0.12, "12.0%", "12%", "12%"),
        (1.0, "100.0%", "100%", "100%"),
    ],
)
def test_a_probability_in_words(p: float, chance: str, percent: str, share: str) -> None:
    assert (chance_words(p), percent_words(p), share_words(p)) == (chance, percent, share)


# The report


@pytest.mark.thorough
def test_hostile_text_is_harmless_everywhere() -> None:
    evil = "\x1b[31m\u202eA\nB\x07"
    history = hand(GOLDEN, seats=[Seat(n, f"{evil}{n}") for n in range(1, 8)])
    source = replace(history.source, file=f"{evil}.txt")
    history = replace(history, hand_id=evil, source=source)
    for policy in (replace(DEFAULT, name=evil), load_policy("panel")):
        analysis = analyze_replay(replay(history), policy, "seat:1")
        report = replace(hand_report(analysis), made_by=f"handread report {evil}")
        found = [
            *strings((kept_report(analysis, 4), report.facts)),
            *strings(hand_steps(report, analysis)),
        ]
        assert all(visible(text) == text for text in found)
        assert sum("\\x1b[31m" in text for text in found) > 20


def lines_with(text: str, *words: str) -> bool:
    """Whether some line of a text has some words in their order."""
    wanted = re.compile(".*".join(map(re.escape, words)))
    return any(wanted.search(line) for line in text.splitlines())


@pytest.mark.parametrize("viewpoint", ["public", "seat:1"])
def test_the_plain_face_has_every_number(viewpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handread.report.text.WIDEST", 400)
    report, steps = golden(viewpoint)
    text = plain_report(report, steps.steps, width=400)
    for street in report.streets:
        assert lines_with(text, street.name, f"pot {street.pot}")
        for row in street.seats:
            cells = [row.card_news, row.dealt, row.after, row.cards_alone]
            told = any(one.card_news and one.card_news.value for one in street.seats)
            words = [figure.words for figure in cells[not told :] if figure is not None]
            stage = golden_read(viewpoint).at(f"{street.number}B")
            read = {**stage.seats, **stage.folded}[row.seat]
            lines = family_lines(read)
            families = [one.short for one in lines[: 2 if row.outcome == "folded" else report.top]]
            if row.seat == report.viewer:
                families = [f"{read.true_kind.words} ({cards_text(read.holding or ())})"]
            assert lines_with(text, report.labels[row.seat], *families, *words)
        for action in street.actions:
            told = [action.information, action.truth]
            if action.seat == report.viewer:
                told = [action.table, action.table_truth]
            cells = [action.expected, action.surprise, *told]
            words = [figure.words for figure in cells if figure is not None]
            assert lines_with(text, f"{report.labels[action.seat]} {action.words}", *words)
        for seat, categories in street.ends.items():
            shares = [f.words for f in categories if (f.value or 0.0) >= 0.0005]
            assert lines_with(text, report.labels[seat], *shares)
    for row in report.viewer_actions:
        bits = row.table_truth.words if row.table_truth else "-"
        assert lines_with(text, row.words, row.table.words, bits)
    for score in report.scores:
        assert lines_with(text, score.label, *(f"{stage} {words}" for stage, words in score.stages))
    for line in (*report.result, *report.shown, *(s.sentence for s in steps.steps if s.notable)):
        assert line in text


def test_a_figure_of_an_action_is_declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text, the tables of a page and its list of a moment show whatever is declared."""
    more = ActionColumn("seen", "seen by the table", lambda action: action.table)
    monkeypatch.setattr("handread.report.words.ACTION_COLUMNS", (*ACTION_COLUMNS, more))
    report, steps = golden()
    assert lines_with(plain_report(report, width=140), "told, bits", "truth, bits", "seen, bits")
    assert '<th scope="col" class="n">seen, bits</th>' in page(
        report, steps, kept_json(golden_read())
    )
    shown = [dict(pair[:2] for pair in step["bits"]) for step in page_data(report, steps)["steps"]]
    for bits, step in zip(shown, steps.steps, strict=True):
        if step.action is not None:
            assert bits["seen by the table"] == f"{step.action.table.words} bits"


def test_figures_are_those_of_the_analysis() -> None:
    for viewpoint in ("public", "seat:2", "omniscient"):
        report, _ = golden(viewpoint)
        analysis = golden_read(viewpoint)
        stages = {stage.stage: stage for stage in analysis.stages}
        for street in report.streets:
            dealt, after = stages[f"{street.number}D"], stages[f"{street.number}B"]
            for row in street.seats:
                assert row.dealt.value == dealt.bet_inference[row.seat]
                assert (row.outcome == "folded") == (row.seat in after.folded)
                if row.after is not None and row.cards_alone is not None:
                    assert row.after.value == after.bet_inference[row.seat]
                    assert row.cards_alone.value == after.cards_only[row.seat]
        rows = [row for street in report.streets for row in street.actions]
        for told, action in zip(rows, analysis.actions, strict=True):
            figures = (told.expected, told.information, told.table, told.truth)
            assert (told.n, told.seat) == (action.decision.n, action.decision.seat)
            assert [figure and figure.value for figure in figures] == [
                *(action.evidence, action.information_bits, action.table_bits, action.truth_bits)
            ]


@pytest.mark.laws
@given(analyses())
@examples(5)
def test_the_bits_by_seat_add_up(analysis: Analysis) -> None:
    report = hand_report(analysis)
    rows = [row for street in report.streets for row in street.actions]
    dealt = analysis.stages[0].active if analysis.stages else ()
    assert [entry.seat for entry in report.bits] == list(dealt)
    for entry in report.bits:
        mine = [row for row in rows if row.seat == entry.seat]
        told = [row.information.value for row in mine]
        assert entry.bet_news.value == pytest.approx(sum(bits or 0.0 for bits in told))
        truths = [row.truth for row in mine if row.truth is not None]
        if entry.truth is None or any(truth.value is None for truth in truths):
            assert entry.truth == (Number(None, "ruled out") if truths else None)
        else:
            assert entry.truth.value == pytest.approx(sum(truth.value or 0.0 for truth in truths))
        cards = [row.card_news for s in report.streets for row in s.seats if row.seat == entry.seat]
        bits = [figure.value for figure in cards if figure is not None]
        if None in bits:
            assert entry.card_news == Number(None, "inf")
        else:
            assert entry.card_news.value == pytest.approx(sum(b for b in bits if b is not None))


def test_the_table_is_told_only_by_a_seat_that_looks_on() -> None:
    assert golden()[0].viewer_actions == golden("omniscient")[0].viewer_actions == ()
    report, steps = golden("seat:1")
    assert {row.seat for row in report.viewer_actions} == {1}
    public = [s.action for s in golden()[1].steps if s.action is not None and s.action.seat == 1]
    for own, told in zip(report.viewer_actions, public, strict=True):
        assert own.information.words == "0.00"
        assert own.table == told.information
        assert own.table_truth == told.truth
    assert all(step.table_reads.keys() == {1} for step in steps.steps)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("viewpoint", "cards"),
    [
        ("public", "the upcards alone"),
        ("seat:1", "the cards you know"),
        ("omniscient", "all the cards dealt"),
    ],
)
def test_every_face_says_what_it_goes_by(viewpoint: str, cards: str) -> None:
    """From a seat the downcards of its player count from the first moment on."""
    report, steps = golden(viewpoint)
    assert steps.steps[0].sentence.startswith(f"By {cards}, ")
    html = page(report, steps, kept_json(golden_read(viewpoint)))
    assert f"goes by the bets too (the bar) or by {cards} (the tick)" in html
    picture = picture_bytes(hand_figure(report, steps), ".svg").decode()
    assert f"leading family of each read, {cards} → after the bets" in picture
    assert report.trust == trust_words(TIPSY)
    assert report.trust in plain_report(report, width=400)
    assert report.trust in html


def test_facts_trace_the_numbers() -> None:
    facts = dict(golden()[0].facts)
    assert facts["hash of the policy"] == policy_hash(TIPSY)
    assert facts["source"] == "test, lines 1 to 7 (test)"
    assert "made by" not in facts
    assert dict(replace(hand_report(golden_read()), made_by="x").facts)["made by"] == "x"


def test_what_the_reference_rests_on() -> None:
    assert golden()[0].omniscience == "full"
    partly = hand_report(read(hand(PARTLY_SEEN)))
    assert partly.omniscience == "partial"
    nothing = hand_report(read(hand(WALKED_OFF.replace("7c.Qs", "??.??"))))
    assert nothing.omniscience == "partial"


def test_who_won_is_not_on_record() -> None:
    hidden = re.sub(r"=[2-9TJQKA][cdhs]\.[2-9TJQKA][cdhs]/", "=??.??/", GOLDEN)
    hidden = hidden.replace("1=Jh/ 2=4h/", "1=??/ 2=??/")
    report, steps = made(read(hand(hidden)))
    assert report.result == ("The log does not say who won.",)
    assert steps.steps[-1].sentence == "The log does not say who won."
    assert report.shown == ("seat 1 never showed", "seat 2 never showed")
    assert report.omniscience == "none"
    assert all(row.truth is None for street in report.streets for row in street.actions)


def test_nobody_is_to_act_where_the_cards_do_not_tell() -> None:
    """Equal hands show, so either may open; the step before does not point at one of them."""
    script = "1a 2a\n 3: 1=7c.Qs/7h 2=Ad.Jd/8d\n 1B 2c\n 4: 1=8h 2=7d\n 2k 1k"
    _, steps = made(read(hand(script)))
    assert [step.to_act for step in steps.steps] == [1, 2, None, None, 1, None]


def test_the_hash_is_of_what_a_policy_does() -> None:
    renamed = replace(DEFAULT, name="other", title="Another", source="elsewhere.toml")
    assert policy_hash(renamed) == policy_hash(DEFAULT)
    others = [
        replace(DEFAULT, bluff=0.1),
        replace(DEFAULT, lapse=0.1),
        replace(DEFAULT, likelihood_exponent=0.9),
    ]
    for ramp in ("bet", "raise_", "fold"):
        own = getattr(DEFAULT, ramp)
        for end in fields(own):
            moved = replace(own, **{end.name: getattr(own, end.name) + 0.001})
            others.append(replace(DEFAULT, **{ramp: moved}))
    assert len({policy_hash(policy) for policy in (DEFAULT, *others)}) == 16
