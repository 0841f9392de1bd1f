"""What it takes to print hands from a grammar: a table ``[print]``, and a form for every event.

* ``raise_by`` says what the ``by`` of a template is: the ``increase`` of the bet, or what is
  ``added`` by the player. Without it no form with a ``by`` is printed.
* ``thousands``: whether amounts have commas.
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

from handread.notation.forms import LineRule, best_form
from handread.stud import STREET_NAMES

LABELS = ("hand_id", "table", "date", "pot")
"""What a history may not say, and the log must: ``[print.unknown]`` has a text for each."""

_PRINTED: Mapping[str, str] = {
    "hand": "game small big",
    "seat": "player seat stack",
    "ante": "player seat added",
    "deal": "player seat cards",
    "bring_in": "player seat added to",
    "check": "player seat",
    "fold": "player seat",
    "call": "player seat added to",
    "bet": "player seat added to",
    "raise": "player seat added to",
    "collect": "player seat amount",
}
"""The events that no printed hand can do without, and fields that have a value besides labels."""


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


def parse_print_rules(data: Mapping[str, Any], rules: Sequence[LineRule]) -> PrintRules:
    """The rules of the table ``[print]``; ``ValueError`` for one that the forms do not bear out."""
    rest = dict(data)
    unknown, tournament = (rest.pop(name, {}) for name in ("unknown", "tournament"))
    raise_by = rest.pop("raise_by", "")
    thousands = rest.pop("thousands", False)
    if rest:
        raise ValueError(f"[print] has no key {min(rest)!r}")
    if raise_by not in ("", "increase", "added"):
        raise ValueError(f"[print] raise_by is increase or added, not {raise_by!r}")
    if not isinstance(thousands, bool):
        raise ValueError(f"[print] thousands is true or false, not {thousands!r}")
    headers = {name for rule in rules if rule.event == "hand" for name in rule.fields}
    _check_texts("unknown", unknown, set(LABELS))
    _check_texts("tournament", tournament, headers)
    _check_forms(rules, unknown, raise_by)
    return PrintRules(unknown, tournament, raise_by, thousands)


def _check_texts(name: str, texts: Any, known: set[str]) -> None:
    """``ValueError`` unless it holds texts for fields that there are."""
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"[print.{name}] holds texts, not {texts!r}")
    if not texts.keys() <= known:
        strange = min(texts.keys() - known)
        raise ValueError(f"[print.{name}] has no field {strange!r}, but {', '.join(sorted(known))}")


def _check_forms(rules: Sequence[LineRule], unknown: Mapping[str, str], raise_by: str) -> None:
    """``ValueError`` unless every event of a hand has a form that can be printed."""
    needs = [(event, dict.fromkeys(names.split(), " ")) for event, names in _PRINTED.items()]
    needs += [("street", {"street": name}) for name in STREET_NAMES.values()]
    for event, values in needs:
        known = {**unknown, **values, **({"by": " "} if raise_by and event == "raise" else {})}
        if best_form(rules, event, known) is None:
            raise ValueError(f"[print] no form of {event!r} can be printed from {', '.join(known)}")
