r"""Saund's notation (Saund 2006, figure 8): a hand of stud on one screen.

One line for each seat, cells split by ``|``: seat number and name, the two downcards, then
for each street the card of that street and what the seat did on it, in order::

    1 Ann   | 7c Qs | 7h r   | 8h k  | Js bc  | 2c b  | Jh r
    2 "B B" | Ad Jd | 8d c   | Kc .k | As .kr | 7d .kc | 4h .bc
    5       | ?? ?? | 3h .Bf

``B`` is the bring-in, ``k`` check, ``b`` bet, ``f`` fold, ``c`` call, ``r`` raise; ``.``
stands before the letters of the lead actor of the street. From the lead actor round the table,
each seat with letters left takes one in turn. Amounts are those of the stakes. ``??`` is a card
that was not seen, ``#`` starts a comment, a blank line ends a hand. A hand may stop anywhere.

What figure 8 had no need of:

* ``b+`` and ``r+`` are the big bet and the big raise that an open pair allows on 4th street.
* A bare letter is the least bet or raise there can be. Where an all-in bet was short, a raise
  may fill it up or go further: ``r(1.50)`` is a raise to 1.50 on this street.
* A lead actor who completes in place of the bring-in plays ``.b`` on 3rd street, without ``B``.
* Header lines, each at most once: ``hand: 17``, ``table: Atalante``, ``played: "9 May 2011"``,
  ``hero: 1`` (the seat that saw the hand).
* ``game: razz`` names another game by its key, as in ``game.rules``. Without a name it is
  seven-card stud high. In five-card stud a seat has one downcard and four cells.
* ``game: ante .25  bring-in .25  bets 1 1 2 2 2  raises 4``, and after that as needed
  ``heads-up none`` (or a number: the raises when two are left; as many as always if not said),
  ``open-pair`` (double bets on 4th street), ``currency $``, ``inferred`` (the stakes were worked
  out from the play). ``game: unknown`` where nobody knows. Without the line, or after a game
  alone, the stakes are the paper's.
* ``stacks: 1 20  2 3.50``: chips before the hand, for players who go all-in.
* ``absent: 4 Mia  8 "Big Al"``: players at the table who are not dealt in, ``sitting-out: 4``:
  seats of which the log says so.
* ``room-seats: 2 5 9``: the room's numbers of the seats, in their order here, where a room has
  seats above 8. The hand is then read with these numbers.
* ``shared: 6h``: one seventh card for all; the cells of 7th street then hold letters only.
* ``any-order: 5 4c 8s Kd``: the downcards of a seat of which any may have come last; its cells
  then hold ``??``.
* ``won: 1 24  3 12.50``, a pair for each pot that was paid, or ``?``, and ``rake: .50``.
* A name or text with blanks, ``|``, ``#``, quotes or backslashes stands in double quotes, with
  ``\"``, ``\\``, ``\x1f``, ``\u2028``, ``\U0001f0a1`` inside them.

Money counts hundredths as soon as one amount of the hand has a point, else whole chips (more
than two digits after a point make the unit finer).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from handread.formats.format import LineError, Reading, Writer, count_above
from handread.formats.saund_lines import parse_line
from handread.formats.saund_read import read_hand
from handread.formats.saund_write import write_hand
from handread.game.rules import GAMES
from handread.game.steps import Replay
from handread.history import History

_CARD = r"(?:\?\?|(?:10|[2-9TJQKA])[cdhs])"
_KEY = r"(?:hand|table|played|hero|game|stacks|absent|sitting-out|room-seats)[ \t]*:"
_HEADER = re.compile(rf"[ \t]*(?:#.*|[1-8]\b[^|]*\|.*|{_KEY}.*)")


class SaundNotation(Writer):
    """Saund's notation as a format."""

    name = "saund"
    title = "Saund's notation"
    suffixes = (".stud",)
    by_blanks = True
    first_line = re.compile(
        rf"^[ \t]*[1-8]\b[^|\n]*\|[ \t]*{_CARD}(?:[ \t]+{_CARD})?[ \t\r]*(?:$|\|)", re.M
    )
    """The line of a seat with its downcards."""

    inside = None  # a hand has a second seat, and so another first line
    opens = re.compile(rf"(?=#|[1-8]\b[^|\n]*\||{_KEY})")
    """A comment, a header line, or the line of a seat."""

    def ends(self, lines: Sequence[str]) -> bool:
        """Return True if the last line is whole and has no comment."""
        line = lines[-1]
        if "#" in line or line[-1:].isspace():
            return False
        return any(_is_line(line, variant) for variant in GAMES)

    def again(self, before: str, line: str) -> bool:
        """Return True if the line of a seat comes again, as hands list their seats in order."""
        return line.lstrip()[:1] <= before.lstrip()[:1]

    def above(self, lines: Sequence[str]) -> int:
        """Count the header lines and comments above the first seat."""
        return count_above(_HEADER, lines)

    def cut(self, text: str) -> int:
        """Return the index after the last blank line that is followed by text."""
        end = len(text.rstrip())
        while (start := text.rfind("\n", 0, end) + 1) > 0:
            before = text.rfind("\n", 0, start - 1) + 1
            if not text[before : start - 1].strip():
                return start
            end = start - 1
        return 0

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """Yield the hands of a text in order; a block without any seat yields only problems."""
        block: list[tuple[int, str]] = []
        lines = [*text.removeprefix("\ufeff").split("\n"), ""]
        for number, line in enumerate(lines, start=first_line):
            if line.strip():
                block.append((number, line.rstrip("\r")))
            elif block:
                yield from read_hand(block, file, self.name)
                block = []

    def write(self, hand: History | Replay) -> str:
        """Return a hand in Saund's notation, with a final line end.

        Room lines, remarks and uncalled bets are lost. Cards shown at the end move to the cells of
        their deal. Raise ``ValueError`` for a game other than stud, more than 8 seats in play, an
        all-in of an unknown stack, amounts without stakes, and actions out of turn.
        """
        return write_hand(hand)

    def joined(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the pieces of a file of many hands from the text of each."""
        for text in texts:
            yield text + "\n"


def _is_line(line: str, variant: str) -> bool:
    try:
        return parse_line(line, variant) is not None
    except LineError:
        return False


SAUND = SaundNotation()
