"""PHH, the poker hand history format: one hand as TOML (.phh), or many (.phhs).

Read are hands of seven-card stud high (``F7S``); hands of other variants come back with the key
of their game and without events. A player may be dealt the three cards of 3rd street at once or
one by one; the seventh card is down. ``finishing_stacks`` tell what each seat collects.

PHH takes its betting rules from the variant, where rooms differ; it is read as four bets a
street, without cap when two players are left, and double bets on an open pair of 4th street.

Written are hands in which no amount is left to the rules (``handread.game.written_out``), with
every field that the format asks for; stacks that nobody knows are ``inf``. What PHH has no word
for stands in fields of our own:

* ``_handread_stakes``: ante, the five bets, cap, cap heads-up, open pairs, inferred.
* ``_handread_unknown_stacks``: seats that went all-in with chips nobody counted; their starting
  stack is what they put in.
* ``_handread_absent`` and ``_handread_sitting_out``: seats not dealt in, and the log's word for
  some that were.
* ``_handread_implied``: which actions (from 1) are there for other readers alone: what the log
  does not say of the showdown, so that every player left shows all cards or mucks.
* ``_handread_double``: which actions the log calls double bets.
* ``_handread_antes_from``: the seats in the order in which they posted their antes, where that is
  not the order of the players.
* ``_handread_hero``, ``_handread_played_at``.
* ``_handread_ending``: what the log says after the last action that PHH knows, in its order:
  uncalled bet, total pot, rake, payments, hands shown without a showdown.

A hand may be written with notes (``phh_write.Notes``): comments behind its actions, and further
fields. Both are passed over when it is read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from handread.formats.format import Dialect, Reading, Written, count_above, read_again
from handread.formats.phh_read import GAME, last_header, read_hand, sections
from handread.formats.phh_write import write_hand
from handread.game.steps import Replay
from handread.history import History

_FIELD = re.compile(
    r"""\s*(?:#.*|\[\s*"?\d+"?\s*\]\s*(?:#.*)?|["']?\w+["']?[ \t]*=.*|["'](?:d|p\d) .*|\],?\s*)?"""
)


@dataclass(frozen=True, slots=True)
class PokerHandHistory:
    """The dialect object of PHH."""

    name: str = "phh"
    title: str = "PHH, the poker hand history format"
    suffixes: tuple[str, ...] = (".phhs", ".phh")

    @property
    def first_line(self) -> re.Pattern[str]:
        """The field that names the game."""
        return GAME

    def begins(self, line: str) -> bool:  # noqa: ARG002 - other dialects need it
        """Whether a line has all of a first line: nothing else looks like this field."""
        return True

    def above(self, lines: Sequence[str]) -> int:
        """The header of the hand, comments, and the fields before the game."""
        return count_above(_FIELD, lines)

    def detect(self, text: str) -> bool:
        """Whether a field ``variant`` holds a text."""
        return GAME.search(text) is not None

    def cut(self, text: str) -> int:
        """Where the header of the last hand stands, as far as whole lines tell."""
        return last_header(text[: text.rfind("\n") + 1])

    def carry(self, text: str) -> str:  # noqa: ARG002 - other dialects need it
        """Nothing: each hand says all that it needs."""
        return ""

    def leaves_stakes_open(self, text: str) -> bool:  # noqa: ARG002 - other dialects need it
        """Return False: hands state their stakes, or that nobody knows them."""
        return False

    def finished(self, text: str) -> str:
        """The text as it is: hands begin on lines of their own."""
        return text

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """The hands of a text in order; what is no TOML or names no game yields problems."""
        for section in sections(text, file, self.name, first_line):
            yield from read_hand(section)

    def write(self, hand: History | Replay) -> str:
        """One hand as the text of a .phh file, ending in a line end.

        ``ValueError`` for another game than stud, for an illegal hand, for one in which nobody is
        dealt in, and for a call of a bring-in of which only a part was posted.
        """
        return write_hand(hand)

    def written(self, hand: History | Replay) -> Written:
        """The same, with the hand as it is read again; ``ValueError`` as ``write``."""
        return read_again(self, hand)

    def joined(self, texts: Iterable[str]) -> Iterator[str]:
        """The pieces of a .phhs file of hands, each the text of a .phh file."""
        return numbered(texts)

    def write_all(self, hands: Iterable[History | Replay]) -> Iterator[str]:
        """The pieces of a .phhs file, one for each hand."""
        return self.joined(map(self.write, hands))


def numbered(hands: Iterable[str]) -> Iterator[str]:
    """The pieces of a .phhs file that holds hands, each the text of a .phh file."""
    for number, text in enumerate(hands, start=1):
        yield f"[{number}]\n{text}\n"


PHH: Dialect = PokerHandHistory()
