"""A hand by hand: what is legal is offered, all else is refused, and what is saved is the hand."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest

from handread.cards import card_text
from handread.game.replay import replay, written_out
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.game.seating import Phase
from handread.game.table import Table
from handread.history import Action, Deal, Event, History, SharedCard, Wager, renumbered
from handread.window.entry import MOST_ENTRIES, RAISES, EnteredHand, Setup
from handread.window.entry_copy import copied
from tests.hands import ROOM_STAKES, one, random_hand
from tests.program import SAMPLES
from tests.window.conftest import Window, opened_here

if TYPE_CHECKING:
    from tests.browser import Page

GAMES = (STUD, STUD8, RAZZ, FIVE_STUD)
STAKES = replace(ROOM_STAKES, ante=25, bring_in=25)
SETUP: dict[str, Any] = {
    "game": "stud",
    "hero": 1,
    "seats": [{}, {}, {}],
    **{"ante": "1", "bring_in": "2", "small": "5", "big": "10"},
}
"""The form for three players of whom you are the first."""


def form(hand: History, **changes: Any) -> dict[str, Any]:
    """What the form of the page states for a hand whose seats are numbered without a gap."""
    assert hand.stakes is not None
    money = {
        "ante": hand.stakes.ante,
        "bring_in": hand.stakes.bring_in,
        "small": hand.stakes.small,
        "big": hand.stakes.big,
    }
    seats = [
        {"name": seat.name, "stack": "" if seat.stack is None else f"{seat.stack / 100:.2f}"}
        for seat in hand.seats
    ]
    return {
        "game": hand.variant,
        "hero": hand.hero,
        "all_cards": True,
        "seats": seats,
        **{name: f"{amount / 100:.2f}" for name, amount in money.items()},
        **changes,
    }


def entries(event: Event, table: Table) -> list[str]:
    """The entries of an event at a table of which all cards are known."""
    match event:
        case Deal(down=down, up=up):
            return [card_text(card) for card in (*down, *up)]
        case SharedCard(card=card):
            return [card_text(card)]
        case Wager(seat=seat, action=action, adds=adds, to=to):
            number = str(seat) if len(table.may_act) > 1 else ""
            plain = {Action.FOLD: "f", Action.CHECK: "k", Action.CALL: "c", Action.BRING_IN: "c"}
            if action in plain:
                return [number + plain[action]]
            total = to if to is not None else table.player(seat).put + (adds or 0)
            return [number + RAISES[table.options(seat).raises.index(total)]]
    return []


def dealt(seed: int, game: Variant, deepest: int | None = None) -> tuple[History, list[str]]:
    """A random hand whose seats are numbered from 1, and its entries."""
    n_players = 2 + seed % (game.max_players - 1)
    hand = random_hand(seed, n_players, STAKES, deepest, game=game)
    hand = renumbered(hand, {seat.number: n for n, seat in enumerate(hand.seats, 1)})
    return hand, [word for step in replay(hand).steps for word in entries(step.event, step.before)]


def stepped(window: Window, setup: dict[str, Any], given: list[Any]) -> dict[str, Any]:
    answer = window.client.post("/new/step", json={"setup": setup, "entries": given})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def legal(table: Table) -> set[str]:
    """The entries that the options of a table allow."""
    if table.phase is not Phase.BET:
        return set()
    found = set()
    for seat in table.may_act:
        options, number = table.options(seat), str(seat) if len(table.may_act) > 1 else ""
        found |= {number + letter for letter in RAISES[: len(options.raises)]}
        found.add(number + ("c" if options.to_call else "k"))
        found |= set() if options.forced else {number + "f"}
    return found


def plain(actions: list[list[str]]) -> set[str]:
    return {entry.replace("b", "r") for entry, _ in actions}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("seed", range(2))
def test_the_legal_actions_are_offered_after_each_entry(
    window: Window, game: Variant, seed: int
) -> None:
    hand, words = dealt(seed, game, 20)
    offered = []
    for number in range(len(words) + 1):
        told = stepped(window, form(hand), words[:number])
        assert (told["accepted"], told["error"]) == (number, "")
        if told["card"] is None and not told["over"]:
            offered.append(plain(told["actions"]))
    moments = [step.before for step in replay(hand).steps if isinstance(step.event, Wager)]
    assert offered == [legal(table) for table in moments]
    assert told["over"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("deepest", [None, 3, 20])
def test_what_is_saved_is_the_hand(game: Variant, deepest: int | None) -> None:
    for seed in range(8):
        hand, words = dealt(seed, game, deepest)
        entered, accepted, error = EnteredHand.of(Setup.of(form(hand, hero=1)), words)
        assert (accepted, error, entered.is_over) == (len(words), "", True)
        ending, text = entered.saved()
        assert ending == (".stud" if game is FIVE_STUD else ".phh")
        again, meant = written_out(replay(one(text))), written_out(replay(hand))
        assert (again.events, again.seats, again.stakes) == (
            meant.events,
            meant.seats,
            meant.stakes,
        )
        assert again.hero == 1


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD, FIVE_STUD], ids=lambda game: game.key)
def test_illegal_entries_are_refused_and_change_nothing(window: Window, game: Variant) -> None:
    hand, words = dealt(5, game)
    for number in range(0, len(words), 6):
        before = stepped(window, form(hand), words[:number])
        wrong = [words[number] * 3, "", "x", "9f", 7, None, "7x", ["f"]]
        wrong.append("f" if before["card"] else "As")
        if number and words[number - 1][-1] in "cdhs" and before["card"]:
            wrong.append(words[number - 1])  # a card that is on the table already
        for entry in wrong:
            told = stepped(window, form(hand), [*words[:number], entry])
            assert told.pop("error")
            assert told == {name: cell for name, cell in before.items() if name != "error"}


def test_who_must_call_cannot_check(window: Window) -> None:
    given = ["Ac", "Kd", "7h", "2s", "9d", "c"]  # seat 2 has brought in
    told = stepped(window, SETUP, given)
    assert told["actions"] == [["f", "fold"], ["c", "call 2"], ["b", "complete to 5"]]
    refused = stepped(window, SETUP, [*given, "k"])
    assert refused["error"] == "'k' is not possible now (expected f, c, b)"


def test_cards_that_nobody_saw_are_allowed(window: Window) -> None:
    """Your downcards are asked for, those of others are not; any card may be unknown."""
    told = stepped(window, SETUP, ["Ac", "??", "7h", "??"])
    assert told["error"] == ""
    assert told["card"]["seat"] == 3
    told = stepped(window, SETUP, ["Ac", "??", "7h", "??", "9d"])
    # The seat whose door card is unknown may bring in as well as the seven.
    assert {entry[0] for entry, _ in told["actions"]} == {"1", "2"}
    assert stepped(window, SETUP, ["Ac", "??", "7h", "??", "9d", "c"])["accepted"] == 5
    assert stepped(window, SETUP, ["Ac", "??", "7h", "??", "9d", "2c"])["error"] == ""


TO_THE_END = (
    *("Ac", "Kd", "7h", "2s", "9d", "c", "f", "c"),
    *("Jh", "3c", "k", "k", "Jd", "4c", "k", "k", "5h", "6c", "k", "k", "Qh", "k", "k"),
)
"""Three players of whom the first is you: the second brings in, and the third folds."""


def test_a_hand_is_shown_down(window: Window) -> None:
    told = stepped(window, SETUP, list(TO_THE_END))
    assert told["error"] == ""
    assert told["card"] == {"seat": 2, "up": False, "shown": True}
    assert stepped(window, SETUP, [*TO_THE_END, "??"])["error"].startswith("a hand is shown whole")
    mucked = stepped(window, SETUP, [*TO_THE_END, "m"])
    assert mucked["over"]
    assert set(replay(one(mucked["text"])).won) == {1}
    shown = stepped(window, SETUP, [*TO_THE_END, "2d", "2h", "3d"])
    assert shown["over"]
    assert set(replay(one(shown["text"])).won) == {2}
    board = shown["html"].split('id="question"')[0]
    assert all(f'aria-label="{name} of ' in board for name in ("deuce", "three"))
    assert "a card not seen" in mucked["html"]
    assert "a card not seen" not in board.split('class="place s2')[1].split('class="place')[0]


def other_card(window: Window, place: int, card: str) -> Any:
    sent = {"setup": SETUP, "entries": list(TO_THE_END), "replace": {"place": place, "card": card}}
    return window.client.post("/new/step", json=sent)


def test_a_card_is_replaced_in_place(window: Window) -> None:
    place = max(n for n, entry in enumerate(TO_THE_END) if entry[0] in "23456789TJQKA")
    told = other_card(window, place, "8c").json()
    assert told["entries"] == [*TO_THE_END[:place], "8c", *TO_THE_END[place + 1 :]]
    assert told["error"] == ""
    ups = [n for n, entry in enumerate(TO_THE_END) if entry != "??" and len(entry) == 2]
    texts = [other_card(window, n, "2c").json() for n in ups[2:5]]
    # The lowest upcard brings in: what others have done then is taken back.
    assert any("taken back" in told["error"] for told in texts)
    for told in texts:
        assert stepped(window, SETUP, told["entries"])["error"] == ""


def test_only_cards_are_replaced_and_only_by_new_ones(window: Window) -> None:
    actions = [n for n, entry in enumerate(TO_THE_END) if entry in ("c", "k", "f", "b")]
    for place, card in [(actions[0], "8c"), (-1, "8c"), (999, "8c"), (0, TO_THE_END[1]), (0, "x")]:
        assert other_card(window, place, card).status_code == 400
    for bad in (1, {}, {"place": True}, {"place": "0", "card": "8c"}):
        sent: Any = {"setup": SETUP, "entries": [], "replace": bad}
        assert window.client.post("/new/step", json=sent).status_code == 400


def test_undo_is_never_having_entered(window: Window) -> None:
    hand, words = dealt(7, STUD, 20)
    early = [stepped(window, form(hand), words[:n]) for n in range(0, len(words), 5)]
    for n in reversed(range(0, len(words), 5)):
        assert stepped(window, form(hand), words[:n]) == early[n // 5]


def read(window: Window, setup: dict[str, Any], given: list[str]) -> str:
    answer = window.client.post("/new/read", json={"setup": setup, "entries": given})
    assert answer.status_code == 200, answer.text
    return re.sub(r"<[^>]+>|\s+", " ", answer.text)


@pytest.mark.parametrize("game", [STUD8, FIVE_STUD], ids=lambda game: game.key)
def test_the_read_moves_with_the_hand(window: Window, game: Variant) -> None:
    hand, words = dealt(4, game)
    assert "The read begins" in read(window, form(hand), [])
    moments = [read(window, form(hand), words[:n]) for n in (len(words) // 2, len(words))]
    assert all("by the cards alone" in moment for moment in moments)
    assert moments[0] != moments[1]


def test_hostile_names_are_text(window: Window) -> None:
    names = [f"<img src=x onerror=alert({n})>" for n in range(3)]
    setup = {**SETUP, "seats": [{"name": name, "stack": ""} for name in names]}
    given = ["Ac", "Kd", "7h", "2s", "9d", "c"]
    told = stepped(window, setup, given)
    html = window.client.post("/new/read", json={"setup": setup, "entries": given}).text
    for text in (told["html"], html):
        assert "<img" not in text
        assert "&lt;img" in text
    assert one(told["text"]).seats[0].name == names[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "holdem"}, "game: expected one of stud, stud8, razz, 5stud"),
        ({"seats": []}, "seats: expected 2 to 8"),
        ({"seats": [{}] * 9}, "seats: expected 2 to 8"),
        ({"seats": [{"name": "Ann"}] * 2}, "seats: two players have the same name"),
        ({"seats": [{"name": "A" * 41}, {}]}, "name: expected a text of at most 40 characters"),
        ({"seats": [{"stack": "-1"}, {}]}, "'-1' is no amount"),
        ({"small": "x"}, "'x' is no amount"),
        ({"ante": "1e99"}, "'1e99' is no amount"),
        ({"small": 5}, "small: expected a text"),
        ({"bring_in": "5"}, "stakes: expected a bring-in below the small bet"),
        ({"hero": 4}, "your seat: expected 1 to 3, or none"),
        ({"hero": True}, "your seat: expected 1 to 3, or none"),
    ],
)
def test_an_impossible_setup_is_refused(window: Window, changes: dict[str, Any], said: str) -> None:
    sent = {"setup": {**SETUP, **changes}, "entries": []}
    for path in ("/new/step", "/new/read"):
        answer = window.client.post(path, json=sent)
        assert answer.status_code == 400
        assert answer.text.startswith(said)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"\xff",
        b"[" * 50_000,
        b"[]",
        b'{"entries": 1}',
        b'{"entries": []}',
        b" " * 70_000,
    ],
)
def test_what_is_no_hand_is_refused(window: Window, data: bytes) -> None:
    assert window.client.post("/new/step", content=data).status_code == 400


def test_entries_are_limited(window: Window) -> None:
    assert stepped(window, SETUP, ["f"] * 10_000)["accepted"] == 0
    assert MOST_ENTRIES < 10_000


@pytest.mark.thorough
def test_a_hand_is_opened_as_a_log(window: Window) -> None:
    for game in GAMES:
        hand, words = dealt(4, game)
        told = stepped(window, form(hand), words)
        window.add(told["text"], "entered by hand")
    assert len(window.shop.library.listing().rows) == len(GAMES)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_copy_has_the_entries_of_the_hand(window: Window, game: Variant) -> None:
    for seed in range(6):
        hand, words = dealt(seed, game, 12)
        setup, found = copied(replay(hand))
        assert [word.replace("b", "r") for word in found] == words
        copy = EnteredHand.of(Setup.of(setup), found)[0]
        assert written_out(replay(copy.history)).events == written_out(replay(hand)).events


def test_a_hand_of_the_session_is_copied(window: Window) -> None:
    window.add((SAMPLES / "pokerstars.txt").read_bytes())
    name = re.findall(r'<th scope="row"><a href="([^"]+)"', str(window.news()["rows"]))[0]
    copy = window.client.get("/new/copy", params={"hand": name}).json()
    assert re.fullmatch(r"Copy of Hand \d+", copy["title"])
    told = stepped(window, copy["setup"], copy["entries"])
    assert told["error"] == ""
    assert told["over"]
    assert window.client.get("/new/copy", params={"hand": "../x"}).status_code == 404


def test_the_index_leads_to_it(window: Window) -> None:
    assert '<a href="new">' in window.get("/")
    answer = window.client.get("/new")
    assert answer.headers["content-security-policy"].count("unsafe") == 0


KEYS = ["Ac", "Kd", "7h", "2s", "9d", "c", "f", "c", "Jh"]

TAKEN = "return document.querySelector('.taken summary')?.textContent.includes('({})')"


@pytest.mark.dear("a hand is read at each of its entries, and drawn in a browser")
def test_a_hand_is_entered_by_keys(page: Page) -> None:
    """Three players, all by the keyboard; the second entry is entered twice, the first replaced."""
    with opened_here() as address:
        page.driver.get(address)
        page.wait("return document.getElementById('add') !== null")
        page.driver.get(urljoin(address, "/new"))
        page.wait("return document.getElementById('setup') !== null")
        page.press("Tab", "3")  # from the game to the number of players
        page.find("#setup .name").send_keys("Ann\n")
        page.wait("return !document.getElementById('hand').hidden")
        page.find("#entry").send_keys("AcQd")
        page.wait(TAKEN.format(2))
        page.press("Backspace")
        page.wait(TAKEN.format(1))
        page.find("#entry").send_keys("".join(KEYS[1:]))  # faster than they are answered
        page.wait(TAKEN.format(len(KEYS)))
        assert page.text("#question") == "4th street: upcard of seat 2"
        page.wait("return document.querySelectorAll('.one-read').length === 2", 60)
        page.find("#entry").send_keys("zz\n")
        page.wait("return document.getElementById('error').textContent !== ''")
        assert page.text("#error").startswith("'zz' is no card")
        page.driver.refresh()
        page.wait(TAKEN.format(len(KEYS)))
        page.find("#open").click()
        page.wait("return document.querySelector('#hands th a') !== null", 60)
        page.driver.get(urljoin(address, "/new?hand=0001.html"))
        page.wait(TAKEN.format(len(KEYS)))
        assert page.driver.current_url.endswith("/new")
        assert page.text("h1") == page.driver.title.split(" · ")[0] == "Copy of Hand ?"
        page.find(".felt [title='another card in its place']").click()
        page.find("#other [data-entry='2c']").click()
        page.wait("return document.querySelector('.felt').textContent.includes('2♣')")
        page.wait(TAKEN.format(len(KEYS)))
        assert not page.console()
