"""The templates of the pages, and what they may use."""

from __future__ import annotations

import json
from functools import cache
from pathlib import PurePath

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from handread.cards import DECK, Card, card_text
from handread.game.rules import STREET_NAMES
from handread.odds.hand_types import rank_word
from handread.opponents.statistics import GROUPS
from handread.report.decisions import VERDICTS
from handread.report.ends import BIN
from handread.report.facets import RESULTS_BY
from handread.report.html import charts
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
    """Return the templates, with what they may use."""
    made = Environment(
        loader=PackageLoader("handread.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )
    made.filters["suited"] = suited
    made.filters["file_name"] = lambda path: PurePath(path).name or path
    made.globals.update(
        action_columns=action_columns,
        BEYOND=BEYOND,
        card_text=card_text,
        card_name=card_name,
        ordinal=ordinal,
        with_unit=with_unit,
        SUITS=SUITS,
        VERDICTS=VERDICTS,
        DECK=DECK,
        STREETS=STREET_NAMES,
        GROUPS=GROUPS,
        BIN=BIN,
        RESULTS_BY=RESULTS_BY,
        STUDENT=json.dumps([T_QUANTILES, T_TERMS]).replace("Infinity", "null"),
        FAMILIES=FAMILIES,
        seat_dashes=seat_dashes,
    )
    sizes = ("WIDTH", "LEFT", "RIGHT", "TOP", "CURVE_WIDTH", "CURVE_HEIGHT")
    for name in (*sizes, "option_bars", "ledger_bars"):
        made.globals[name] = getattr(charts, name)
    return made


def template_text(name: str) -> str:
    """Return the text of a template or of another file beside it."""
    loader = environment().loader
    assert loader is not None
    return loader.get_source(environment(), name)[0]


def suited(cards: str) -> Markup:
    """Return cards with their suits as signs, "A♥ 7♣", those of red suits in colour."""
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
