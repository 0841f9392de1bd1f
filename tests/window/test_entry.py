"""A hand by hand: what is legal is offered, all else is refused, and what is saved is the hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest

import handread.game.rules as rules
from handread.cards import card_text
from handread.decisions.terms import CHECKED, decision_terms
from handread.game.replay import replay, written_out
from handread.game.rules import FIVE_STUD, STUD, STUD8, Variant
from handread.game.seating import Phase
from handread.game.table import Table
from handread.history import Action, Deal, Event, History, SharedCard, Wager, renumbered
from handread.inference.analysis import analyze_replay
from handread.inference.players import parse_players
from handread.inference.readers import PolicyReader
from handread.window.entry import MOST_ENTRIES, RAISES, EnteredHand, EntrySetup
from handread.window.entry_copy import copied
from tests.hands import ROOM_STAKES, one, random_hand
from tests.program import SAMPLES
from tests.window.conftest import Window, opened_here, workshop

if TYPE_CHECKING:
    from tests.browser import Page

GAMES = tuple(rules.GAMES.values())
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
        entered, accepted, error = EnteredHand.of(EntrySetup.of(form(hand, hero=1)), words)
        assert (accepted, error, entered.is_over) == (len(words), "", True)
        ending, text = entered.saved()
        assert ending == (".phh" if game.phh else ".stud")
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
    assert "Seat 2 wins 7: full house, deuces full of threes." in shown["html"]
    assert "You win 7: pair of jacks, ace kicker." in mucked["html"]
    assert "data-entry" not in shown["html"].split('id="question"')[1].split('id="other"')[0]
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


def test_no_end_is_told_while_a_showdown_is_entered(window: Window) -> None:
    for showing in ([], ["2d"]):
        told = read(window, SETUP, [*TO_THE_END, *showing])
        assert "After: seat 2 checks." in told
        assert "The end" not in told
        assert "who won" not in told


def test_a_long_name_is_whole_in_a_copy_and_where_it_is_cut(window: Window) -> None:
    name = "Ann of the Green Gables, who plays each Tuesday night"
    setup = {**SETUP, "title": name, "seats": [{"name": name}, {}, {}]}
    told = stepped(window, setup, ["Ac", "Kd", "7h", "2s", "9d", "c"])
    assert f'title="{name}">{name}' in told["html"]
    hand = one(told["text"])
    assert (hand.hand_id, copied(replay(hand))[0]["seats"][0]["name"]) == (name, name)


def valued(game: str, given: list[str], **changes: Any) -> str:
    """What the page says of the values of the actions, in a window that values decisions."""
    shop = workshop(values=True)
    sent = {"setup": {**SETUP, "game": game, **changes}, "entries": given}
    answer = Window(shop).client.post("/new/values", json=sent)
    assert answer.status_code == 200, answer.text
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


YOUR_TURN = ["Ac", "Kd", "7h", "2s", "9d", "c", "f"]
"""You are to act, behind the bring-in of the second."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("stud", YOUR_TURN),
        ("stud8", YOUR_TURN),
        ("razz", ["2c", "4d", "7h", "Ks", "9d", "c", "f"]),
        ("5stud", ["Ac", "7h", "2s", "9d", "c", "f"]),
    ],
)
def test_your_turn_has_values(game: str, given: list[str]) -> None:
    """Each legal action has one, whatever the cards that come later; nobody else's turn has any."""
    found = valued(game, given)
    assert re.search(r"Fold 0 BB Call 2 [+-]\S+ BB ±\S+ Complete to 5 [+-]\S+ BB ±\S+ Est", found)
    assert "300 rollouts" in found
    assert [valued(game, given[:-n]) for n in (1, 2, 3)] == ["", "", ""]
    assert valued(game, given, hero=0) == ""


@pytest.mark.thorough
def test_values_are_those_of_the_decision() -> None:
    """Neither a finished hand nor unseen cards of yours have any."""
    assert valued("stud", ["??", "??", *YOUR_TURN[2:]]).endswith("no action has a value.")
    assert "Check" in valued("stud", [*YOUR_TURN, "c", "Jh", "3c"])
    assert "Fold" not in valued("stud", [*YOUR_TURN, "c", "Jh", "3c"])
    first = valued("stud", ["Ac", "Kd", "2h", "7s", "9d"])
    assert first.split("Estimates")[0].startswith("What each action is worth Bring in for 2 ")
    assert "Complete to 5" in first
    assert valued("stud", [*TO_THE_END, "2d", "2h", "3d"]) == ""


def test_what_is_asked_is_the_running_hand() -> None:
    """One action that is not yet made stands at the end: a call or a check, never a fold."""
    hand, _, _ = EnteredHand.of(EntrySetup.of(SETUP), YOUR_TURN)
    assert hand.asked is not None
    assert hand.asked.events[:-1] == tuple(hand.events)
    assert hand.asked.events[-1] == Wager(1, Action.CALL)
    assert replay(hand.asked).rake == 0


@pytest.mark.parametrize("end", [["f"], ["c"], ["b", "c", "Jh", "3c"]])
def test_the_values_are_those_of_the_hand_when_it_is_over(end: list[str]) -> None:
    """What is done then, and what comes after it, does not count."""
    players = parse_players(None, None, [])
    terms = decision_terms(CHECKED, players)
    now = EnteredHand.of(EntrySetup.of(SETUP), YOUR_TURN)[0].asked
    then = EnteredHand.of(EntrySetup.of(SETUP), [*YOUR_TURN, *end])[0].history
    assert now is not None
    found = []
    for history in (now, then):
        analysis = analyze_replay(replay(history), PolicyReader(players), "hero")
        own = next(one for one in analysis.replay.decisions if one.seat == 1)
        (value,) = terms.played_on(analysis, {own.n}, {1}).values()
        found.append([(one.action, one.q, one.error) for one in value.actions])
    assert found[0] == found[1]


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
        ({"game": "holdem"}, "game: expected one of stud, stud8, studhl, razz, 27razz, 5stud"),
        ({"seats": []}, "seats: expected 2 to 8"),
        ({"seats": [{}] * 9}, "seats: expected 2 to 8"),
        ({"seats": [{"name": "Ann"}] * 2}, "seats: two players have the same name"),
        ({"seats": [{"name": "A" * 201}, {}]}, "name: expected a text of at most 200 characters"),
        ({"seats": [{"stack": "-1"}, {}]}, "'-1' is no amount"),
        ({"small": "x"}, "'x' is no amount"),
        ({"ante": "1e99"}, "'1e99' is no amount"),
        ({"small": 5}, "small: expected a text"),
        ({"ante": "10.01"}, "ante: expected no more than the big bet"),
        ({"bring_in": "5"}, "stakes: expected a bring-in below the small bet"),
        ({"hero": 4}, "your seat: expected 1 to 3, or none"),
        ({"title": "A" * 201}, "title: expected a text of at most 200 characters"),
        ({"played_at": "yesterday"}, "played at: expected a date and a time"),
        ({"played_at": "2026-13-01T20:31"}, "played at: expected a date and a time"),
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


@pytest.mark.parametrize("game", ["stud", "5stud"])
def test_a_hand_has_a_name_and_a_date(window: Window, game: str) -> None:
    """Both are in what is saved, and the page is found by its log, also that of a copy."""
    setup = {**SETUP, "game": game, "title": "Ann's #1", "played_at": "2026-05-08T20:31"}
    told = stepped(window, setup, ["Ac", *["Kd"] * (game == "stud"), "7h", "2s", "9d", "c"])
    saved = one(told["text"])
    assert (saved.hand_id, saved.played_at) == ("Ann's #1", "2026/05/08 20:31:00")
    nothing = {"page": "", "progress": ""}
    assert json.loads(window.get("/new/opened", log="by hand.txt")) == nothing
    for number in ("", " 2"):
        window.add(told["text"] + "\n" * len(number), f"by hand{number}")
        page = json.loads(window.get("/new/opened", log=f"by hand{number}.txt"))["page"]
        assert re.fullmatch(r"0001-Ann.*1\.html", page)
    assert "<h1>" not in page
    (row,) = window.shop.library.listing().rows
    assert row.date == "8 May 2026, 20:31"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_copy_has_the_entries_of_the_hand(window: Window, game: Variant) -> None:
    for seed in range(6):
        hand, words = dealt(seed, game, 12)
        setup, found = copied(replay(hand))
        assert [word.replace("b", "r") for word in found] == words
        copy = EnteredHand.of(EntrySetup.of(setup), found)[0]
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
        page.find("#entry").send_keys("z")  # refused at once, without Enter
        page.wait("return document.getElementById('error').textContent !== ''")
        assert page.text("#error").startswith("'z' is no card")
        page.driver.refresh()
        page.wait(TAKEN.format(len(KEYS)))
        done = "document.getElementById('done').textContent"
        assert page.js(f"document.getElementById('open').click(); return {done}").startswith("Open")
        page.wait("return location.pathname.endsWith('0001.html')", 60)
        page.driver.get(urljoin(address, "/new?hand=0001.html"))
        page.wait(TAKEN.format(len(KEYS)))
        assert page.driver.current_url.endswith("/new")
        assert page.text("h1") == page.driver.title.split(" · ")[0] == "Copy of Hand ?"
        page.find(".felt [title='another card in its place']").click()
        page.find("#other [data-entry='2c']").click()
        page.wait("return document.querySelector('.felt').textContent.includes('2♣')")
        page.wait(TAKEN.format(len(KEYS)))
        assert not page.console()


def by_keys(setup: EntrySetup) -> list[str]:
    """Entries of a whole hand: everybody checks or calls, and all cards are shown."""
    hand = EnteredHand(setup)
    deck = (f"{rank}{suit}" for suit in "cdhs" for rank in "A3K5Q7J9T8246")
    found = []
    while not hand.is_over:
        choices = [choice.entry for choice in hand.choices]
        found.append(next(deck) if hand.due else next(one for one in choices if one[-1] in "kc"))
        hand.enter(found[-1])
    return found


@pytest.mark.dear("a whole hand is read at each of its entries, and drawn in a browser")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_whole_hand_needs_no_mouse(page: Page, game: Variant) -> None:
    """From the form to the page of the hand: nothing is clicked."""
    with opened_here() as address:
        page.driver.get(address)
        page.wait("return document.getElementById('add') !== null")
        page.driver.get(urljoin(address, "/new"))
        page.wait("return document.activeElement.id === 'game'")
        page.press(*["ArrowDown"] * GAMES.index(game), "Tab", "2", *["Tab"] * 5, *"Ann", "Enter")
        page.wait("return document.activeElement.id === 'entry'")
        stakes = {"ante": "0.25", "bring_in": "0.50", "small": "2", "big": "4"}
        setup = EntrySetup.of(
            {"game": game.key, "hero": 1, "seats": [{"name": "Ann"}, {}], **stakes}
        )
        words = by_keys(setup)
        page.press(*"".join(words))
        page.wait("return document.activeElement.id === 'title'", 60)
        assert "wins" in page.text("#question") or "You win" in page.text("#question")
        shown = page.js("return document.getElementById('hand').innerText")
        assert not re.search("Type it|What they may hold|worth|Cards as", shown)
        assert page.text("#error") == "", "nothing more is entered by itself"
        page.press(*"By keys", "Enter")
        page.wait("return document.title.startsWith('Hand By keys')", 60)
        page.wait("return !document.getElementById('stepper')?.hidden", 60)
        assert not page.console()


def test_a_hand_is_not_shown_whole_or_not_at_all() -> None:
    """Once a card of a hand is shown, ``m`` no longer throws it away."""
    entries = [*TO_THE_END, "2d"]
    hand, accepted, error = EnteredHand.of(EntrySetup.of(SETUP), [*entries, "m"])
    assert (accepted, hand.may_muck) == (len(entries), False)
    assert error.startswith("'m' is no card (expected a card such as 7h)")
    assert EnteredHand.of(EntrySetup.of(SETUP), TO_THE_END)[0].may_muck
