"""What the tables of earlier sessions tell of players, and reads that start from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import handread
from docs.site.known import READERS, compared, taught
from handread.arrays import Floats
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import PlayerModels, player_models
from handread.inference.readers import PolicyReader
from handread.parallel import RunError
from handread.policy import Panel, load_policy
from handread.sessions.analyzing import HandView
from handread.sessions.files import ReadSettings, Session
from handread.sessions.in_turn import analyses
from handread.tables import PLAYERS
from handread.tables.known import EarlierHands, earlier_hands, styles_in
from handread.tables.read import Tables, open_tables
from tests.program import ROOT, SAMPLES, run_here

HANDS = 7
"""The number of hands of the session."""


def panel(name: str) -> Panel:
    found = load_policy(name)
    assert isinstance(found, Panel)
    return found


PEOPLE = panel("people")

shares = st.lists(st.floats(0.01, 1.0), min_size=5, max_size=5).map(
    lambda found: np.array(found) / sum(found)
)


def hands_of(log: Path) -> Iterator[Replay]:
    found = [hand for hand in handread.read_hands(log) if isinstance(hand, History)]
    return map(replay, found)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first hands of the evening of the tutorial."""
    text = (ROOT / "docs" / "first-evening.txt").read_text("utf-8")
    log = tmp_path_factory.mktemp("evening") / "evening.txt"
    head = "PokerStars Hand #"
    log.write_text(head.join(text.split(head)[: HANDS + 1]), "utf-8")
    return log


@pytest.fixture(scope="module")
def tables(evening: Path, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return scored(tmp_path_factory.mktemp("known") / "out", evening)


def scored(folder: Path, *args: str | Path) -> Tables:
    done = run_here("score", *map(str, args), "-o", str(folder))
    assert done.returncode == 0, done.stderr
    return open_tables(folder)


def words_of(error: str) -> str:
    """The text of a usage error without its frame."""
    return " ".join(error.replace("│", " ").split())


def knowing(tables: Tables) -> PlayerModels:
    players = player_models(None)
    return replace(players, earlier=earlier_hands(tables, players))


def weights_of(read: Analysis) -> dict[str, tuple[float, ...]]:
    """The weights of the styles before the hand by player."""
    found = {}
    for seat in read.replay.history.seats:
        panel = read.players.of(seat.number).policy
        found[seat.name] = panel.weights
    return found


@given(shares, shares)
def test_factors_do_not_depend_on_what_was_known(before: Floats, factors: Floats) -> None:
    stranger = np.array(PEOPLE.prior) * factors
    known = before * factors
    learned = replace(PEOPLE, learned=tuple(before.tolist()))
    of_stranger = PEOPLE.factors(stranger / stranger.sum())
    assert of_stranger @ np.array(PEOPLE.prior) == pytest.approx(1.0)
    assert learned.factors(known / known.sum()) == pytest.approx(of_stranger)


@given(st.lists(shares, max_size=6), st.sampled_from(["stud", "razz"]))
def test_factors_of_hands_give_the_weights_of_reading_them_in_turn(
    hands: list[Floats], game: str
) -> None:
    learned, factors = PEOPLE, []
    for likelihoods in hands:
        playing = learned.in_game(game)
        after = np.array(playing.weights) * likelihoods
        factors.append(playing.factors(after / after.sum()))
        learned = learned.after(after / after.sum(), game)
    found = PEOPLE.weights_after(np.array(factors).reshape(-1, 5))
    assert len(found) == len(hands) + 1
    assert found[-1] == pytest.approx(learned.weights)


def test_a_hand_that_no_style_explains_counts_for_nothing() -> None:
    assert PEOPLE.factors(np.zeros(5)) == pytest.approx(np.ones(5))
    assert PEOPLE.weights_after(np.zeros((2, 5)))[-1] == pytest.approx(PEOPLE.prior)


@pytest.mark.thorough
def test_a_hand_of_the_tables_is_read_with_those_before_it(evening: Path, tables: Tables) -> None:
    """Reading a session in order learns nearly the same: there the reads themselves move, too."""
    session = Session([str(evening)], ReadSettings(), prints=False)
    in_turn = analyses(
        session, session.replays(), PolicyReader(player_models(None)), HandView("public")
    )
    reads = [hand.analysis for hand in in_turn]
    assert len(reads) == HANDS
    players = knowing(tables)
    for n, read in enumerate(reads):
        alone = weights_of(analyze_replay(read.replay, players))
        for name, weights in weights_of(read).items():
            assert alone[name] == pytest.approx(weights, abs=0.06), (n, name)
    assert max(abs(np.subtract(w, PEOPLE.prior)).max() for w in alone.values()) > 0.05


def test_another_log_is_read_with_all_hands_of_the_tables(evening: Path, tables: Tables) -> None:
    first = next(hands_of(evening))
    stranger = weights_of(analyze_replay(first, knowing(tables)))
    assert set(stranger.values()) == {PEOPLE.prior}
    elsewhere = replace(first.history, source=replace(first.history.source, file="today.txt"))
    known = weights_of(analyze_replay(replay(elsewhere), knowing(tables)))
    earlier = earlier_hands(tables, player_models(None))
    for name, weights in known.items():
        player = earlier.player(name)
        assert weights == pytest.approx(tuple(player.weights[-1]))
        assert weights != PEOPLE.prior


def test_strangers_and_players_without_a_name_start_from_the_prior(tables: Tables) -> None:
    earlier = earlier_hands(tables, player_models(None))
    assert earlier.player("nobody") is None
    (played,) = islice(hands_of(SAMPLES / "hi-lo.stud"), 1)
    assert earlier.known(PEOPLE, "nobody", played.history) is PEOPLE
    read = analyze_replay(played, replace(player_models("people"), earlier=earlier))
    assert set(weights_of(read).values()) == {PEOPLE.in_game("stud8").prior}


def test_a_panel_of_other_styles_learns_nothing_from_them(evening: Path, tables: Tables) -> None:
    earlier = earlier_hands(tables, player_models(None))
    other = panel("panel")
    name = next(hands_of(evening)).history.seats[0].name
    assert earlier.player(name) is not None
    assert earlier.known(other, name, next(hands_of(evening)).history) is other


@pytest.mark.thorough
def test_reads_of_known_players_teach_the_same(
    evening: Path, tables: Tables, tmp_path: Path
) -> None:
    """Tables that were made with ``--known`` tell nearly the same of their own hands."""
    again = scored(tmp_path / "out", evening, "--known", tables.folder, "--workers", "1")
    assert "players known from tables" in again.terms["players"]
    rows = [found.scan(PLAYERS).select("styles").collect()["styles"] for found in (tables, again)]
    assert rows[0].null_count() == rows[1].null_count() < len(rows[0])
    for one, other in zip(*rows, strict=True):
        if one is not None:
            factors = [[float(x) for x in text.split(" ")] for text in (one, other)]
            assert factors[0] == pytest.approx(factors[1], rel=0.35, abs=0.02)


@pytest.mark.dear("a run by two processes")
def test_the_number_of_workers_does_not_matter(
    evening: Path, tables: Tables, tmp_path: Path
) -> None:
    texts = []
    for workers in "12":
        known = ("--known", tables.folder, "--workers", workers)
        found = scored(tmp_path / workers, evening, *known)
        texts.append(found.scan(PLAYERS).collect().write_csv())
    assert texts[0] == texts[1]


@pytest.mark.thorough
def test_hands_read_by_another_policy_are_refused(evening: Path, tmp_path: Path) -> None:
    other = scored(tmp_path / "out", evening, "--policy", "loose")
    with pytest.raises(RunError, match=r"were read by loose .*, not by people .*; score them anew"):
        earlier_hands(other, player_models("people"))
    with pytest.raises(RunError, match="loose has no styles"):
        earlier_hands(other, player_models("loose"))
    assert styles_in(other, ["NellB"]) == {}


@pytest.mark.parametrize("command", ["analyze", "report", "score", "decisions", "evaluate"])
def test_a_folder_without_tables_is_an_error(command: str, evening: Path, tmp_path: Path) -> None:
    output = ("-o", str(tmp_path / "out")) if command in {"report", "score"} else ()
    done = run_here(command, str(evening), "--known", str(tmp_path), *output)
    assert done.returncode == 2
    assert "is not a folder of tables made by handread score" in words_of(done.stderr)


def test_a_reader_without_styles_takes_no_tables(evening: Path, tables: Tables) -> None:
    known = ("--known", str(tables.folder))
    done = run_here("analyze", str(evening), *known, "--reader", "loki")
    assert done.returncode == 2
    assert "--reader replaces --policy, --lapse, --seat and --known" in words_of(done.stderr)


def test_an_analysis_starts_from_what_is_known(
    evening: Path, tables: Tables, tmp_path: Path
) -> None:
    today = tmp_path / "today.txt"
    today.write_bytes(evening.read_bytes())
    first = next(hands_of(evening)).history.hand_id
    plain, known = (
        json.loads(run_here("analyze", str(today), "--hand", first, "--json", *options).stdout)
        for options in ((), ("--known", str(tables.folder)))
    )
    assert plain["policies"] != known["policies"]


def test_a_profile_from_tables_has_the_styles(evening: Path, tables: Tables) -> None:
    name = next(hands_of(evening)).history.seats[1].name
    text = run_here("players", str(tables.folder), name).stdout
    assert "By the reads of these hands, bets like the average player (" in words_of(text)
    (line,) = run_here("players", str(tables.folder), name, "--json").stdout.splitlines()
    styles = json.loads(line)["styles"]
    assert sum(style["probability"] for style in styles.values()) == pytest.approx(1.0, abs=1e-3)
    assert {name: style["stranger"] for name, style in styles.items()} == dict(
        zip((one.name for one in PEOPLE.members), PEOPLE.prior, strict=True)
    )
    (line,) = run_here("players", str(evening), name, "--json").stdout.splitlines()
    assert json.loads(line)["styles"] == {}


@pytest.mark.thorough
def test_the_script_of_the_docs_teaches_as_tables_do(evening: Path, tables: Tables) -> None:
    players = player_models("people")
    script = taught(hands_of(evening), players)
    earlier = earlier_hands(tables, players)
    assert len(script.panels) > 4
    for name, own in script.panels.items():
        player = earlier.player(name)
        assert own.weights == pytest.approx(tuple(player.weights[-1]), rel=1e-2)


@pytest.mark.thorough
def test_the_script_of_the_docs_scores_the_later_half(evening: Path) -> None:
    hands = list(islice(hands_of(evening), 6))
    found = compared(hands, player_models("people"))
    assert found.shape == (len(READERS), 4)
    later = [analyze_replay(played, player_models("people")) for played in hands[3:]]
    n = sum(len(read.actions) for read in later)
    assert found[:, 3].tolist() == [n] * 4
    surprise = sum(action.surprise_bits for read in later for action in read.actions)
    assert found[0, 2] == pytest.approx(surprise)
    assert len({round(bits, 6) for bits in found[:, 0]}) == 4


def test_what_is_known_is_a_value(tables: Tables) -> None:
    one, other = (earlier_hands(tables, player_models(None)) for _ in range(2))
    assert isinstance(one, EarlierHands)
    assert one == other
