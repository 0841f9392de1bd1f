"""The templates of the pages, their tools, and text in them: JSON, and compressed parts.

The script of a session's pages carries a text that their compressed parts continue.
"""

import base64
import json
import re
import zlib
from functools import cache
from importlib.resources import files
from pathlib import PurePath

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from handread.cards import DECK, Card, card_text
from handread.game.rules import STREET_NAMES
from handread.odds.hand_types import rank_word
from handread.opponents.statistics import GROUPS
from handread.report.decision_words import VERDICTS
from handread.report.ends import BIN
from handread.report.facets import RESULTS_BY
from handread.report.html import charts
from handread.report.html.data import constant_data
from handread.report.palette import seat_dashes
from handread.report.spots import SUIT_NAMES
from handread.report.words import BEYOND, action_columns, ordinal, with_unit
from handread.study.statistics import T_QUANTILES, T_TERMS

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED = {"d", "h"}

FAMILIES = 4
"""The number of families of a seat on a street."""


@cache
def environment() -> Environment:
    """Return the templates with their filters and globals."""
    made = Environment(
        loader=PackageLoader("handread.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    made.filters["suited"] = suited
    made.filters["file_name"] = lambda path: PurePath(path).name or path
    functions = (action_columns, card_text, card_name, ordinal, with_unit, seat_dashes)
    for function in (*functions, charts.option_bars, charts.ledger_bars):
        made.globals[function.__name__] = function
    made.globals.update(
        BEYOND=BEYOND,
        SUITS=SUITS,
        VERDICTS=VERDICTS,
        DECK=DECK,
        STREETS=STREET_NAMES,
        GROUPS=GROUPS,
        BIN=BIN,
        RESULTS_BY=RESULTS_BY,
        STUDENT=json.dumps([T_QUANTILES, T_TERMS]).replace("Infinity", "null"),
        FAMILIES=FAMILIES,
    )
    for name in ("WIDTH", "LEFT", "RIGHT", "TOP", "CURVE_WIDTH", "CURVE_HEIGHT"):
        made.globals[name] = getattr(charts, name)
    return made


def template_text(name: str) -> str:
    """Return the text of a template or of another file beside it."""
    return files("handread.report.html").joinpath("templates", name).read_text("utf-8")


def suited(cards: str) -> Markup:
    """Return cards with their suits as signs, "A♥ 7♣", the red suits in colour."""
    made = []
    for card in cards.split():
        words = escape(card[0] + SUITS.get(card[1:], card[1:]))
        made.append(
            Markup('<span class="red">{}</span>').format(words) if card[1:] in RED else words
        )
    return Markup(" ").join(made)


def card_name(card: Card) -> str:
    """Return a card as a screen reader says it: "seven of clubs"."""
    return f"{rank_word(card >> 2)} of {SUIT_NAMES[card & 3]}"


def embedded(value: object) -> Markup:
    """Return JSON for a script element; nothing in it can end the element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def text_of(data: bytes) -> str:
    """Return bytes in base 85, with a comma for the < that might end a script element."""
    return base64.b85encode(data).decode().replace("<", ",")


def compressed(name: str, text: str) -> bytes:
    """Return a text compressed as the continuation of the common text of its name."""
    going_on = compressor(name)[0].copy()
    return going_on.compress(text.encode()) + going_on.flush()


@cache
def compressor(name: str) -> "tuple[zlib._Compress, bytes]":
    """Return a compressor that has seen the common text of a name, and its output for it."""
    made = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    written = made.compress(common_text(name).encode())
    return made, written + made.flush(zlib.Z_SYNC_FLUSH)


def common_text(name: str) -> str:
    """Return text that pages of all hands share in part, since it does not depend on the hand."""
    if name == "data":
        return str(embedded(constant_data()))
    source = "".join(map(template_text, ("charts.html", "parts.html", "body.html", "stepper.html")))
    return re.sub(r"\{[{%#].*?[}%#]\}", "", source, flags=re.S)
