"""What is read of a log, as the records of ``benchmark/conformance``.

``python -m tests.formats.conformance CASE...`` writes the expected results of cases anew, as the
program reads them. Check them by hand: they must be what is right.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from handread import Problem, read_hands, replay, write_hand
from handread import history as hh
from handread.cards import MaybeCard, cards_text
from handread.game.rules import GAMES, variant_of
from handread.game.steps import Replay, Step
from handread.history import History
from tests.logs import CONFORMANCE

Record = dict[str, Any]
MANIFEST = CONFORMANCE / "manifest.json"
WITHOUT_PHH = tuple(key for key, game in GAMES.items() if not game.phh)
STATES_BRING_IN = ("saund", "phh")
"""Formats that state the bring-in, so that it is known even where nobody posted it."""

REASONS = {
    "chips": r"total pot|the rake|collect|go back|is paid [^o]|posts an ante of|is all-in, but",
    "cards": r"card|on the table|shows|hand to show|players are dealt in",
    "play": r"acts|folds|checks|calls|bets|raises|brings in|begins|ante|paid out|nobody sits",
}
"""Kinds of reasons by words of messages; the reason of any other message is the ``text``."""


def cases() -> list[Record]:
    """Return the entries of the manifest."""
    found: list[Record] = json.loads(MANIFEST.read_text(encoding="utf-8"))["cases"]
    return found


def results(path: Path) -> list[Record]:
    """Return the records of a log, in order."""
    return [record_of(one) for one in read_hands(path)]


def record_of(one: History | Problem) -> Record:
    """Return the record of a hand, or of a text that is not one."""
    if isinstance(one, Problem):
        return {"status": "not a hand"}
    head = {"line": one.source.line, "format": one.source.dialect, "hand": one.hand_id}
    if one.other_game:
        return {"status": "other game", **head}
    played = replay(one)
    fault = played.problem or next(iter(one.damage), None)
    if fault is not None:
        why = reason(fault)
        at = {} if why == "chips" else {"at": fault.line}
        return {"status": "refused", **head, **at, "reason": why}
    return {"status": "read" if played.finished else "unfinished", **head, **play(played)}


def reason(problem: Problem) -> str:
    """Return the kind of a reason."""
    found = (kind for kind, words in REASONS.items() if re.search(words, problem.message))
    return next(found, "text")


def play(played: Replay) -> Record:
    """Return the play of a hand that is not refused."""
    history, last = played.history, played.steps[-1].after
    back = played.returned
    return {
        "game": history.variant,
        "currency": history.unit.symbol,
        "decimals": history.unit.decimals,
        **stakes(played),
        "hero": history.hero,
        "players": [player(played, seat) for seat in history.seats],
        "streets": streets(played.steps),
        "shared_card": cards(last.shared)[0] if last.shared else None,
        "returned": {"seat": back[0], "amount": back[1]} if back else None,
        **(end(played) if played.finished else {}),
    }


def end(played: Replay) -> Record:
    """Return how a finished hand ends."""
    return {
        "pots": [{"amount": pot.amount, "seats": list(pot.seats)} for pot in played.pots],
        "rake": played.rake,
        "showdown": list(played.showdown),
    }


def stakes(played: Replay) -> Record:
    """Return the stakes that the log states or shows; none if it states no bets."""
    terms = played.stakes
    if terms.inferred:
        return {}
    posts = [event for event in played.moves if isinstance(event, hh.Wager)]
    posted = any(e.action is hh.Action.BRING_IN and e.adds == terms.bring_in for e in posts)
    known = posted or played.history.source.dialect in STATES_BRING_IN
    bring_in = {"bring_in": terms.bring_in} if known else {}
    bets = {"small_bet": terms.small, "big_bet": terms.big}
    return {"stakes": {"ante": terms.ante, **bring_in, **bets}}


def player(played: Replay, seat: hh.Seat) -> Record:
    """Return what is known of a player: chips, and cards in the order of the deal."""
    end = played.steps[-1].after.player(seat.number)
    n_first = variant_of(played.history.variant).streets[0].down
    first = [card for card in end.down[:n_first] if card is not None]
    ante = [e.amount for e in played.moves if isinstance(e, hh.Ante) and e.seat == seat.number]
    paid, won = played.paid.get(seat.number, 0), played.won.get(seat.number, 0)
    return {
        "seat": seat.number,
        "name": seat.name,
        "stack": seat.stack,
        "dealt_in": end.dealt_in,
        "ante": ante[0] if ante else 0,
        "down": cards(sorted(first)),
        "last_down": next(iter(cards([c for c in end.down[n_first:] if c is not None])), None),
        "down_in_any_order": cards(sorted(end.loose)),
        "up": cards(end.up),
        "put_in": paid,
        **({"won": won, "net": won - paid} if played.finished else {}),
    }


def streets(steps: Sequence[Step]) -> list[Record]:
    """Return the actions by street."""
    found: dict[int, list[Record]] = {}
    for step in steps:
        if isinstance(step.event, hh.StreetStart):
            found[step.event.street] = []
        if isinstance(step.event, hh.Wager):
            found[step.after.street].append(action(step))
    return [{"street": number, "actions": made} for number, made in found.items()]


def action(step: Step) -> Record:
    """Return an action; its amounts include a part that nobody calls."""
    event, done = step.event, step.decision
    name = event.action if done is None else "complete" if done.completes else done.action
    adds = (event.adds or 0) if done is None else done.amount
    to = step.before.player(event.seat).put + adds
    all_in = event.all_in if done is None else done.all_in
    return {"seat": event.seat, "action": str(name), "adds": adds, "to": to, "all_in": all_in}


def cards(found: Sequence[MaybeCard]) -> list[str]:
    """Return cards as text."""
    return [cards_text([card]) for card in found]


def phh_fields(text: str) -> Record:
    """Return the fields of PHH that must agree."""
    fields = tomllib.loads(text).items()
    return {key: cell for key, cell in fields if key[0] != "_"}


def phh_texts(path: Path) -> list[str]:
    """Return the play of the hands of a log as PHH, without the fields that programs add."""
    found = []
    for one in read_hands(path):
        if isinstance(one, Problem) or record_of(one)["status"] not in ("read", "unfinished"):
            continue
        if one.variant not in WITHOUT_PHH:
            text = write_hand(one, "phh")
            found.append(re.sub(r"^_\w+ = (?:\[\n(?: .*\n)*\]|.*)\n", "", text, flags=re.M))
    return found


def update(case: Record) -> None:
    """Write the expected results of a case as the program reads it."""
    found = results(CONFORMANCE / case["input"])
    text = json.dumps(found, indent=1, ensure_ascii=False)
    (CONFORMANCE / case["expected"]).write_text(f"{text}\n", encoding="utf-8")
    for name, phh in zip(case["phh"], phh_texts(CONFORMANCE / case["input"]), strict=True):
        (CONFORMANCE / name).write_text(phh, encoding="utf-8")


if __name__ == "__main__":
    for chosen in cases():
        if chosen["case"] in sys.argv[1:]:
            update(chosen)
