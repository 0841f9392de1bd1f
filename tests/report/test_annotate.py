"""Annotated records: the hand stays what it was, and the notes say what was read."""

from __future__ import annotations

import json
import math
import tomllib
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pokerkit
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handread import analyze, load_policy, parse_hands, read_hands, write_hand
from handread.formats.phh import PHH
from handread.formats.phh_write import Layout, Notes, number, quoted
from handread.formats.phh_write import write_hand as write_phh
from handread.game.replay import replay, written_out
from handread.game.rules import variant_of
from handread.game.steps import Replay
from handread.history import History, Seat
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels
from handread.policy import policy_hash
from handread.report.annotate import notes_on
from handread.version import __version__
from tests.examples import examples
from tests.hands import WALKED_OFF, hand, in_full, random_hand
from tests.program import LONG_IN_SAUND, ROOT, SAMPLES, run, unlike_samples, whole_process
from tests.strategies import legal_hands

LOOSE = load_policy("loose")
VERBS = {"fold": "f", "check": "cc", "call": "cc", "bet": "cbr", "raise": "cbr"}
STEAL = str(SAMPLES / "steal.stud")

UNSEEN = """\
variant = "F7S"
antes = [1, 1]
bring_in = 2
small_bet = 4
big_bet = 8
starting_stacks = [90, 90]
actions = ["d dh p1 AhAs7d", "d dh p2 ????2c", "p2 pb", "p1 cc", "d dh p1 3d", "d dh p2 ??",
  "p1 cc", "p2 cc"]
"""
"""Nobody saw the upcard that p2 gets on 4th street."""


def annotated(analysis: Analysis) -> str:
    layout = Layout(analysis.replay)
    return layout.text(notes_on(analysis, layout))


convert = partial(run, "convert", "--to", "phh")


def read_one(text: str) -> History:
    (history,) = PHH.read(text, "hand.phh")
    assert history.problems == ()
    return history


# The hand stays what it was


def assert_same_hand(analysis: Analysis) -> None:
    """The record of a hand reads the same with notes and without."""
    whole = written_out(analysis.replay)
    plain, noted = write_phh(whole), annotated(analysis)
    there, here = read_one(plain), read_one(noted)
    assert here == there
    assert in_full(here) == whole
    spots = [[(event.line, event.column) for event in found.events] for found in (there, here)]
    assert spots[0] == spots[1]
    assert write_phh(written_out(replay(here))) == plain
    before, after = tomllib.loads(plain), tomllib.loads(noted)
    assert list(after)[-3:] == ["_handread_reader", "_handread_stages", "_handread_told"]
    bare = [action.split(" # ", 1)[0] for action in after["actions"]]
    assert {**{key: after[key] for key in before}, "actions": bare} == before


def whole_hands(path: Path) -> Iterator[Replay]:
    """The whole hands of a file whose game PHH has a code for."""
    for one in read_hands(path):
        played = replay(one) if isinstance(one, History) else None
        if played and played.problem is None and variant_of(played.history.variant).phh:
            yield played


@pytest.mark.laws
@examples(8)
@given(legal_hands())
def test_an_annotated_hand_reads_like_a_plain_one(history: History) -> None:
    analysis = analyze_replay(replay(history), LOOSE)
    assert_same_hand(analysis)
    assert_numbers_of(analysis)


def pokerkit_plays(text: str) -> tuple[list[str], list[Any]] | str:
    """The stacks and moves to which PokerKit plays a hand, or what it has against it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            state = list(pokerkit.HandHistory.loads(text))[-1]
        except (ValueError, KeyError) as error:
            return type(error).__name__
    moves = [replace(move, commentary=None) for move in state.operations]
    return [str(stack) for stack in state.stacks], moves


ANNOTATED = [
    path.name for path in unlike_samples() if path.stem not in ("broken-card", "five-card")
]
REFUSED = ("bovada.txt", "eight-players.stud", "full-house.phh", "open-pair.stud")
"""Samples that PokerKit does not play, and "raising-war.stud": it raises more often than it may."""


def assert_played_alike(analysis: Analysis, plays: bool) -> None:
    """PokerKit plays the same hand with notes and without, if any."""
    with_notes = pokerkit_plays(annotated(analysis))
    assert with_notes == pokerkit_plays(write_phh(written_out(analysis.replay)))
    assert not plays or not isinstance(with_notes, str)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ANNOTATED)
def test_the_samples_stay_what_they_are_and_pokerkit_plays_the_same_hand_with_notes(
    name: str,
) -> None:
    analysis = analyze(next(whole_hands(SAMPLES / name)))
    assert_same_hand(analysis)
    assert_numbers_of(analysis)
    assert_played_alike(analysis, name not in (*REFUSED, "raising-war.stud"))


@pytest.mark.thorough
def test_pokerkit_plays_any_hand_with_notes() -> None:
    for seed in (0, 2, 4, 6):
        dealt = random_hand(seed, 2 + seed, deepest=40)
        assert_played_alike(analyze_replay(replay(dealt), LOOSE), plays=True)


def test_pokerkit_hands_on_the_comments() -> None:
    text = annotated(analyze(next(iter(read_hands(SAMPLES / "steal.stud")))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        state = list(pokerkit.HandHistory.loads(text))[-1]
    comments = [move.commentary for move in state.operations if move.commentary is not None]
    written = [action for action in tomllib.loads(text)["actions"] if " # " in action]
    assert comments == [action.split(" # ", 1)[1] for action in written]


# What the notes say


def assert_numbers_of(analysis: Analysis) -> None:
    """The fields hold the numbers of an analysis, to the last digit, at the right places."""
    values = tomllib.loads(annotated(analysis))
    seats, actions = values["seats"], values["actions"]
    for told, action in zip(values["_handread_told"], analysis.actions, strict=True):
        decision = action.decision
        words = actions[told["action"] - 1].split()
        assert words[0] == f"p{seats.index(decision.seat) + 1}"
        assert words[1] == VERBS[decision.action]
        expected = {
            "action": told["action"],
            "player": words[0],
            "seat": decision.seat,
            "expected": action.evidence,
            "surprise_bits": action.surprise_bits,
            "told_bits": action.information_bits,
            "truth_bits": action.truth_bits,
            "table_bits": action.table_bits,
            "table_truth_bits": action.table_truth_bits,
        }
        assert told == finite(expected)
    unit = analysis.replay.history.unit
    for row, stage in zip(values["_handread_stages"], analysis.stages, strict=True):
        expected = {
            "stage": stage.stage,
            "pot": stage.pot / 10**unit.decimals,
            "p_win": [stage.bet_inference.get(seat, 0.0) for seat in seats],
            "cards_only": [stage.cards_only.get(seat, 0.0) for seat in seats],
            "entropy_bits": stage.entropy_bits,
        }
        if stage.omniscient is not None:
            expected["omniscience"] = stage.omniscience
        if stage.kl_bits is not None and any(map(math.isfinite, stage.kl_bits)):
            expected["kl_bits"] = finite(
                dict(zip(("cards_only", "bet_inference"), stage.kl_bits, strict=True))
            )
        assert row == finite(expected)


def finite(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in fields.items()
        if value is not None and not (isinstance(value, float) and not math.isfinite(value))
    }


def test_the_words_of_the_comments() -> None:
    (known,) = read_hands(SAMPLES / "all-cards-known.stud")
    actions = tomllib.loads(annotated(analyze(known)))["actions"]
    assert " on the true downcards; 7B: 1 Ann " in actions[34]
    assert "seat 3 15.5%" in actions[6]  # a seat without a name


def test_an_action_that_no_hand_takes() -> None:
    played = replay(hand(WALKED_OFF))
    text = annotated(analyze_replay(played, LOOSE))
    values = tomllib.loads(text)
    assert values["actions"][-1].startswith("p2 f # no hand of the policy plays so; 4B: seat 1 is")
    last = values["_handread_told"][-1]
    assert last["expected"] == 0.0
    assert "surprise_bits" not in last
    known = tomllib.loads(annotated(analyze_replay(played, LOOSE, "seat:2")))
    assert "plays so, of those that the viewpoint leaves open; 4B" in known["actions"][-1]


def test_the_reader_is_named_with_its_policy() -> None:
    played = replay(random_hand(3, 4))
    two = played.history.seats[1].number
    tight = load_policy("tight")
    players = PlayerModels(Model(LOOSE), {two: Model(tight, "cards-only"), 77: Model(tight)})
    reader = tomllib.loads(annotated(analyze_replay(played, players, f"seat:{two}", "paper")))
    assert reader["_handread_reader"] == {
        "version": __version__,
        "policy": "loose",
        "policy_hash": policy_hash(LOOSE),
        "seats": {str(two): {"policy": "tight, cards-only", "policy_hash": policy_hash(tight)}},
        "viewpoint": f"seat:{two}",
        "ties": "paper",
        "complete": True,
    }


def test_a_read_that_stops_is_marked() -> None:
    (history,) = parse_hands(UNSEEN, "phh")
    values = tomllib.loads(annotated(analyze(history)))
    assert values["_handread_reader"]["complete"] is False
    assert [row["stage"] for row in values["_handread_stages"]] == ["3D", "3B"]
    assert len(values["_handread_told"]) == 1
    assert [action for action in values["actions"] if " # " in action] == [
        action for action in values["actions"][:4] if action not in ("d dh p1 AhAs7d", "p2 pb")
    ]


def test_comments_stand_behind_their_events_only() -> None:
    whole = written_out(replay(random_hand(1, 3, deepest=40)))
    plain = write_phh(whole)
    assert write_phh(whole, Notes()) == plain == write_hand(whole, "phh")
    where = Layout(whole)
    assert where.players == tuple(seat.number for seat in whole.seats)
    everywhere = dict.fromkeys(range(len(whole.events)), 'a "b" # c\n')
    actions = tomllib.loads(write_phh(whole, Notes(everywhere)))["actions"]
    noted = [n for n, action in enumerate(actions, 1) if action.endswith(' # a "b" # c\n')]
    assert noted == list(where.places.values())
    noted_text = write_phh(whole, Notes(everywhere, [("_x", "1")]))
    assert in_full(read_one(noted_text)) == whole


@given(st.floats())
def test_numbers_come_back(value: float) -> None:
    text = number(value)
    if math.isfinite(value):
        assert tomllib.loads(f"x = {text}") == {"x": value}
        assert not text.startswith("-0.0") or value < 0.0
    else:
        assert text == ""


# Hostile names


EVIL = [
    'x"\n[2]\nvariant = "FR"\n#',
    "# d dh p1 AhAdAc",
    "\x1b[31mred\x1b[0m",
    "\u202eevil\u2066",
    '", "p1 f',
    "\\u0000\x00\x7f\x85\u2028",
    "'''\"\"\"",
]


def hostile(names: list[str], seed: int = 5) -> Replay:
    history = random_hand(seed, len(names))
    seats = [replace(seat, name=name) for seat, name in zip(history.seats, names, strict=True)]
    return replay(replace(history, seats=tuple(seats)))


@examples(5)
@given(st.lists(st.text(max_size=20), min_size=2, max_size=3), st.integers(0, 9))
@example(EVIL, 5)
def test_no_name_does_harm(names: list[str], seed: int) -> None:
    analysis = analyze_replay(hostile(names, seed), LOOSE)
    assert_same_hand(analysis)
    for action in tomllib.loads(annotated(analysis))["actions"]:
        assert all(unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp") for c in action)


# The command


@pytest.mark.dear("every kind of record is read, once in a program of its own")
def test_annotating_every_kind_of_record(tmp_path: Path) -> None:
    """Rooms' logs, PHH and Saund's notation: plain again, they are as ever."""
    files = [str(path) for path in unlike_samples() if path.name not in LONG_IN_SAUND]
    out = tmp_path / "all.phhs"
    done = whole_process(
        "convert", "--annotate", "--to", "phh", "--keep-repeated", "-o", str(out), *files
    )
    assert (done.returncode, done.stdout) == (1, "")  # two samples are broken on purpose
    assert "broken-turn.stud:6:16:" in done.stderr
    assert "under the policy 'table1-left'" in done.stderr
    plain = convert("--keep-repeated", *files).stdout
    assert out.read_text(encoding="utf-8").count("_handread_told") == plain.count("variant = ")
    assert convert("--keep-repeated", str(out)).stdout == plain
    assert convert("--annotate", "--keep-repeated", *files).stdout == out.read_text(
        encoding="utf-8"
    )  # in another process


def test_the_fields_are_those_of_analyze() -> None:
    file = str(SAMPLES / "all-cards-known.stud")
    how = ("--policy", "tight", "--lapse", "0.1", "--viewpoint", "seat:2", "--ties", "paper")
    values = tomllib.loads(convert("--annotate", *how, "--seat", "1=loose", file).stdout)
    found = json.loads(run("analyze", "--json", *how, "--seat", "1=loose", file).stdout)
    assert [row["p_win"] for row in values["_handread_stages"]] == [
        [stage["p_win"]["bet_inference"].get(str(seat), 0.0) for seat in values["seats"]]
        for stage in found["stages"]
    ]
    assert [row["expected"] for row in values["_handread_told"]] == [
        action["evidence"] for action in found["actions"]
    ]
    reader = values["_handread_reader"]
    assert (reader["viewpoint"], reader["ties"]) == ("seat:2", "paper")
    assert reader["policy"] == "tight, lapse 0.1"
    assert reader["seats"]["1"]["policy"] == "loose"


def test_what_is_learned_of_players_goes_on_to_the_next_hand() -> None:
    game = hostile(["Ann", "Bo", "Cy"])
    two = "".join(PHH.write_all([written_out(game), written_out(game)]))
    done = convert("--annotate", "--keep-repeated", "--policy", "panel", "-", stdin=two)
    readers = [hand["_handread_reader"] for hand in tomllib.loads(done.stdout).values()]
    assert "seats" not in readers[0]
    assert {own["policy"] for own in readers[1]["seats"].values()} == {"panel"}
    hashes = {own["policy_hash"] for own in readers[1]["seats"].values()}
    assert len(hashes | {readers[0]["policy_hash"]}) == 1 + len(readers[1]["seats"])


def test_a_hand_with_upcards_that_were_not_seen_is_written_as_far_as_it_is_read() -> None:
    done = convert("--annotate", "-", stdin=UNSEEN)
    assert done.returncode == 1
    assert "the upcards of seat 2 were not seen" in done.stderr
    assert tomllib.loads(done.stdout)["_handread_reader"]["complete"] is False
    assert list(map(in_full, PHH.read(done.stdout, "f"))) == [written_out(replay(read_one(UNSEEN)))]


@pytest.mark.parametrize(
    ("args", "text", "words"),
    [
        (
            ("--viewpoint", "seat:3"),
            (SAMPLES / "showdown.stud").read_text(encoding="utf-8"),
            "does not show the downcards of seat 3",
        ),
        (
            (),
            UNSEEN.replace(UNSEEN[UNSEEN.index("actions") :], "actions = []\n"),
            "stops before any card is dealt",
        ),
    ],
)
def test_a_hand_that_cannot_be_read_is_written_without_notes(
    args: tuple[str, ...], text: str, words: str
) -> None:
    done = convert("--annotate", *args, "-", stdin=text)
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stdout == convert("-", stdin=text).stdout


def test_findings_are_told_like_analyze_tells_them() -> None:
    played = written_out(replay(hand(WALKED_OFF, seats=[Seat(n, "") for n in range(1, 5)])))
    text = write_phh(played)
    done = convert("--annotate", "--policy", "loose", "-", stdin=text)
    assert done.returncode == 0
    assert done.stderr == run("analyze", "--policy", "loose", "-", stdin=text).stderr
    assert "under the policy 'loose', seat 2 would never fold here" in done.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--to", "phh", "--known", "tables"), "--known"),
        (("--to", "saund", "--annotate"), "only PHH can contain an analysis"),
        (("--to", "saund", "--annotate", "-o", "x"), "only PHH can contain an analysis"),
        (("--to", "phh", "--policy", "loose"), "--policy"),
        (("--to", "phh", "--lapse", "0.0"), "--lapse"),
        (("--to", "phh", "--seat", "1=loose"), "--seat"),
        (("--to", "phh", "--viewpoint", "public", "--ties", "split"), "--viewpoint, --ties"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], words: str) -> None:
    done = run("convert", *args, STEAL)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_policy_is_quoted(tmp_path: Path) -> None:
    name = 'a "b" #\t'
    path = tmp_path / "mine.toml"
    text = (ROOT / "handread" / "policies" / "loose.toml").read_text(encoding="utf-8")
    path.write_text(text.replace('name = "loose"', f"name = {quoted(name)}"), encoding="utf-8")
    done = convert("--annotate", "--policy", str(path), STEAL)
    reader = tomllib.loads(done.stdout)["_handread_reader"]
    assert reader["policy"] == name
    assert reader["policy_hash"] == policy_hash(LOOSE)
