"""PHH, the poker hand history format: one hand as TOML (.phh), or many (.phhs).

Read are hands of seven-card stud high (``F7S``), hi/lo (``F7S/8``) and razz (``FR``); hands of
other variants come back without events. A player may be dealt the three cards of 3rd street at
once or one by one; the seventh card is down. ``finishing_stacks`` or ``winnings`` tell what each
seat collects.

PHH takes its betting rules from the variant, where rooms differ; it is read as four bets a street,
without cap when two players are left, and in stud high double bets on an open pair of 4th street.

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
  uncalled bet, total pot, rake, payments, hands shown without a showdown; ``unpaid`` where it is
  cut off before the payments.

A hand may be written with notes (``phh_write.Notes``): comments behind its actions, and further
fields. Both are passed over when it is read again.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence

from handread.formats.format import Reading, Writer, count_above
from handread.formats.phh_fields import GAME, last_header, sections
from handread.formats.phh_read import read_hand
from handread.formats.phh_write import write_hand
from handread.game.steps import Replay
from handread.history import History

_KEY = r"""["']?[A-Za-z_]\w*["']?[ \t]*="""
_FIELD = re.compile(
    # A field, unless the header or a key of another hand follows its value.
    rf"""\s*(?:["']?\w+["']?[ \t]*=(?![ \t]*(?:[\w.:+-]{{1,40}}|"[^"]*"|'[^']*')(?:\[|{_KEY})).*"""
    r"""|\#.*|\[\s*"?\d+"?\s*\]\s*(?:\#.*)?|["'](?:d|p\d) .*|\],?\s*)?"""
)


class PokerHandHistory(Writer):
    """PHH as a format."""

    name = "phh"
    title = "PHH, the poker hand history format"
    suffixes = (".phhs", ".phh")
    first_line = GAME
    opens = re.compile(rf"(?=\#|\[[ \t]*\"?\d+\"?[ \t]*\]|{_KEY})")
    """A comment, a header, or the key of a field."""

    def ends(self, lines: Sequence[str]) -> bool:
        """Return True if the last line is a whole field, or the end of a list."""
        line = lines[-1]
        return not line[-1:].isspace() and (_is_toml(line) or _is_toml(f"list = [{line}"))

    def above(self, lines: Sequence[str]) -> int:
        """Count the header of the hand, comments, and the fields before the game."""
        return count_above(_FIELD, lines)

    def cut(self, text: str) -> int:
        """Return the place of the header of the last hand, judged by whole lines."""
        return last_header(text[: text.rfind("\n") + 1])

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """Yield the hands of a text in order, and problems for text that is not a hand."""
        for section in sections(text, file, self.name, first_line):
            yield from read_hand(section)

    def write(self, hand: History | Replay) -> str:
        """Return one hand as the text of a .phh file, with a final line end.

        Raise ``ValueError`` if PHH has no code for the game, the hand is illegal, nobody is dealt
        in, or a bring-in is called of which only a part was posted.
        """
        return write_hand(hand)

    def joined(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the pieces of a .phhs file from the text of each hand."""
        for number, text in enumerate(texts, start=1):
            yield f"[{number}]\n{text}\n"


def _is_toml(line: str) -> bool:
    try:
        return "#" not in line and bool(tomllib.loads(line))
    except (ValueError, ArithmeticError, RecursionError):
        return False


PHH = PokerHandHistory()
