"""What it takes to print hands from a grammar: a table ``[print]``, and a form for every event.

* ``raise_by`` says what the ``by`` of a template is: the ``increase`` of the bet, or what is
  ``added`` by the player. Without it no form with a ``by`` is printed.
* ``thousands``: whether amounts have commas.
* ``cents``: whether whole amounts of a currency have two digits behind the point.
* ``[print.unknown]``: by field, the text for what a history does not say (``LABELS``).
* ``[print.tournament]``: by field, texts for the first line of a hand that is played in whole
  chips of no currency. With them a form for tournaments is printed, without them the one for
  cash games.

An event is printed in the form that tells most of it: one that has a value for every field it
needs and sets nothing that is not so. Of several it is the one that sets most, then the one that
has the most fields with a value, then the first. So ``set = { street = "7th" }`` keeps a form to
7th street, ``set = { alone = "yes" }`` to a player whom nobody called, ``set = { double = "yes" }``
to double bets. A street is spelt as in the form's example; of several wordings the first is
printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handread.notation.faults import Faults
from handread.notation.forms import LineRule, best_form
from handread.stud import STREET_NAMES

LABELS = ("hand_id", "table", "date", "pot")
"""What a history may not say, and the log must: ``[print.unknown]`` has a text for each."""

_PRINTED: Mapping[str, str] = {
    "hand": "game small big ante",
    "seat": "player seat stack",
    "ante": "player seat added",
    "deal": "player seat cards all",
    "bring_in": "player seat added to",
    "check": "player seat",
    "fold": "player seat",
    "call": "player seat added to",
    "bet": "player seat added to",
    "raise": "player seat added to hand_total",
    "collect": "player seat amount of bets wins",
}
"""The events that no printed hand can do without, and fields that have a value besides labels."""

_INSTEAD = {"collect": "won"}
"""What may be told in another way."""


@dataclass(frozen=True, slots=True)
class PrintRules:
    """What templates leave open when a hand is printed.

    ``unknown`` holds the text of fields that a history may have no value for, ``tournament`` those
    of a first line that it never has. ``raise_by`` is ``increase``, ``added`` or empty,
    ``thousands`` whether amounts have commas.
    """

    unknown: Mapping[str, str]
    tournament: Mapping[str, str]
    raise_by: str = ""
    thousands: bool = False
    cents: bool = False


def parse_print_rules(
    data: Mapping[str, Any], rules: Sequence[LineRule], by_deals: bool, faults: Faults
) -> PrintRules | None:
    """The rules of the table ``[print]``, and the ``faults`` of those that the forms do not bear.

    ``None`` where there is no such table.
    """
    if "print" not in data:
        return None
    table = faults.table(data, "print")
    with faults.at("print"):
        faults.known_keys(table, ("raise_by", "thousands", "cents", "unknown", "tournament"))
        raise_by = faults.text(table, "raise_by", "")
        if raise_by not in ("", "increase", "added"):
            faults.add(f"is increase or added, not {raise_by!r}", "raise_by")
        thousands, cents = (faults.flag(table, key, False) for key in ("thousands", "cents"))
        unknown, tournament = (faults.texts(table, key) for key in ("unknown", "tournament"))
        first = [rule for rule in rules if rule.event in ("hand", "about")]
        headers = {name for rule in first for name in rule.fields}
        for key, texts, known in (
            ("unknown", unknown, set(LABELS)),
            ("tournament", tournament, headers),
        ):
            for name in texts.keys() - known:
                faults.unknown("field", name, sorted(known), key, name)
        _check_forms(rules, {**unknown, **tournament}, raise_by, by_deals)
    return PrintRules(unknown, tournament, raise_by, thousands, cents)


def _check_forms(
    rules: Sequence[LineRule], unknown: Mapping[str, str], raise_by: str, by_deals: bool
) -> None:
    """``ValueError`` unless every event of a hand has a form that can be printed."""
    needs = [(event, dict.fromkeys(names.split(), " ")) for event, names in _PRINTED.items()]
    if not by_deals:
        needs += [("street", {"street": name}) for name in STREET_NAMES.values()]
    for event, values in needs:
        known = {**unknown, **values, **({"by": " "} if raise_by and event == "raise" else {})}
        instead = best_form(rules, _INSTEAD.get(event, event), known)
        if best_form(rules, event, known) is None and instead is None:
            message = f"no form of {event!r} can be printed from {', '.join(known)}"
            raise ValueError(message + _lacking(rules, event, known))


def _lacking(rules: Sequence[LineRule], event: str, known: Mapping[str, str]) -> str:
    """What the nearest form of an event needs besides, in words; empty if it needs no more."""
    forms = [rule.required - known.keys() for rule in rules if rule.event == event and rule.printed]
    missing = sorted(min(forms, key=len, default=()))
    if not missing:
        return ""
    unknown = [name for name in missing if name in LABELS]
    remedy = f"; [print.unknown] may have a text for {' and '.join(unknown)}" if unknown else ""
    return f": it needs {' and '.join(missing)} as well{remedy}"
