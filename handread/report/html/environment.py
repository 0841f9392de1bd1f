"""The templates of the pages, and what they may use."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path, PurePath

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket

from handread.cards import Card, card_text
from handread.odds.hand_types import rank_word
from handread.report.palette import seat_dashes
from handread.report.spots import SUIT_NAMES
from handread.report.words import BEYOND, action_columns, ordinal, with_unit
from handread.user_cache import cache_folder, keep, load

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class CompiledTemplates(BytecodeCache):
    """Keeps compiled templates; what cannot be read or written is compiled again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"page-{bucket.key}.jinja"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template: damaged code could crash the interpreter."""
        load(self._file(bucket), lambda content: bucket.bytecode_from_string(bytes(content)))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template."""
        with suppress(OSError):
            keep(self._file(bucket), bucket.bytecode_to_string())


@cache
def environment() -> Environment:
    """Return the templates, with what they may use."""
    folder = cache_folder()
    made = Environment(
        loader=PackageLoader("handread.report.html"),
        bytecode_cache=CompiledTemplates(folder) if folder else None,
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
        seat_dashes=seat_dashes,
    )
    return made


def template_text(name: str) -> str:
    """Return the text of a template or of another file beside it."""
    loader = environment().loader
    assert loader is not None
    return loader.get_source(environment(), name)[0]


def suited(cards: str) -> str:
    """Return cards with their suits as signs: "A♥ 7♣"."""
    return " ".join(f"{card[0]}{SUITS.get(card[1:], card[1:])}" for card in cards.split())


def card_name(card: Card) -> str:
    """Return a card as a screen reader says it: "seven of clubs"."""
    return f"{rank_word(card >> 2)} of {SUIT_NAMES[card & 3]}"
