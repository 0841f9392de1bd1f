"""Rooms that write lines, as formats: read and printed by a grammar that is data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice

from handread.formats.format import NO_HAND, LineError, Reading, Writer, Written, count_above
from handread.formats.grammar import AnyGrammar, Grammar, GrammarFile, PrintRules, grammar_files
from handread.formats.room_read import NumberedLine, problem_at, read_block, read_header
from handread.formats.room_write import write_hand
from handread.formats.site import SiteDialect
from handread.formats.suggest import near_header
from handread.formats.text import plain_line_ends
from handread.formats.xml import XmlRoom
from handread.formats.xml_grammar import XmlGrammar
from handread.game.steps import Replay
from handread.history import History, Problem

COMPARED = 1_000
"""Most lines of a text of no known format that are compared with first lines."""

_COMMENT = re.compile(r"\s*(?:#.*)?")


class Room(SiteDialect[Grammar]):
    """The format of a room's text logs."""

    def nearly(self, text: str) -> bool:
        """Return True if one of the first lines of the text is almost the first of a hand."""
        lines = (line for line in text.split("\n") if line.strip())
        return any(near_header(self.grammar, line) for line in islice(lines, COMPARED))

    def begins(self, line: str) -> bool:
        """Return True if a line is a header; a comment must name a known game as well."""
        try:
            header = read_header(self.grammar, 1, line)
        except LineError:
            return False
        return not line.startswith("#") or self.grammar.variant(header.word("game")) != "other"

    def above(self, lines: Sequence[str]) -> int:
        """Count the comments right above the first line of a hand."""
        return count_above(_COMMENT, lines)

    def cut(self, text: str) -> int:
        """Return the place where the last hand begins, as far as whole lines tell."""
        starts = self.starts.finditer(text, 0, text.rfind("\n") + 1)
        return max((found.start() for found in starts), default=0)

    def leaves_stakes_open(self, text: str) -> bool:  # noqa: ARG002 - other dialects need it
        """Return whether the room has first lines that name a game without its stakes."""
        return self.grammar.leaves_stakes_open

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """Yield the hands of a log in order, each from its first line to the next one's.

        A hand of a game that is not read is a history without events. A hand whose first line
        is unreadable, or nearly one, is a problem that stands for all its lines.
        """
        before, *hands = _blocks(self.grammar, text, first_line)
        stray = next((line for line in before if not _COMMENT.fullmatch(line[1])), None)
        if stray:
            play = any(line[1].startswith(self.grammar.openings) for line in before)
            what = "the hand of this line has no first line" if play else NO_HAND
            why = LineError(what, "the beginning of a hand")
            yield problem_at(self.grammar, file, stray, why, end_line=before[-1][0])
        for block in hands:
            yield _hand(self.grammar, file, block)


class PrintingRoom(Room, Writer):
    """A room whose grammar can print hands as well.

    Every downcard that was seen is told, those of folded hands too, on the line that deals it;
    cards that only a muck reveals are told by the summary. Read again, a hand is played as it
    was. What a log cannot hold is lost:

    * The stakes, beyond what the header says: PokerStars and Full Tilt state the bets, Bovada
      nothing. A reader takes ante and bring-in from those who post them; where nobody does (a
      hand that opens with a completion), and for the cap and open pairs, it takes the rules
      of the site (``SiteRules``).
    * Whose log it is, if more players' downcards than one's are known, but for Bovada and OnGame.
    * One downcard of two; downcards of a winner that only a muck reveals, but for Bovada.
    * In Bovada, where the seat is the name, names and who sits out.
    * The time zone, where the room names none, and the currency, where amounts have no symbol.
    * A show at a showdown of a hand that is not known whole: it is written as a muck.
    * Remarks, and the names of the pots if the hand is written out by ``written_out``.
    * A unit other than chips or hundredths, where it is not needed: the amounts are the same.

    What a line needs and the history does not say is made up:

    * A player without a name is ``Player 3`` on seat 3.
    * A stack that nobody counted is what went in, if that was all of it, and else 100 big bets,
      doubled until it is sure to last.
    * ``[print.unknown]`` stands in for a number, table or date that is missing, and for a table
      or date that the pattern cannot hold. A hand whose name is no number gets one made from its
      name, where the room numbers its hands. Numbers and tables of other rooms take the form of
      the room's own where that can be undone (``template.LabelStyle``).
    * Those left at the end show their hands, if the record has a pay-out and no showdown, and
      all these hands are known.
    """

    def write(self, hand: History | Replay) -> str:
        """Return a hand as the room's log, with a final line end; all amounts must be written out.

        ``ValueError`` for another game than stud, an illegal hand, stakes that no room plays or,
        where a log does not state them, that the first bets do not tell, an unseen upcard or
        shared card, a currency that the room does not write, and any line, such as one with a
        strange name, that would not be read as it is meant.
        """
        return self.written(hand).text

    def written(self, hand: History | Replay) -> Written:
        """Return the text and the hand as it is read again; ``ValueError`` as ``write``."""
        return write_hand(self.grammar, self.print_rules, hand)

    def joined(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the pieces of a log of many hands from the text of each."""
        for text in texts:
            yield text + "\n\n"

    @property
    def print_rules(self) -> PrintRules:
        """The table ``[print]`` of the grammar."""
        if self.grammar.print_rules is None:
            raise ValueError(f"the grammar of {self.title} has no table [print]")
        return self.grammar.print_rules


@cache
def rooms() -> tuple[Room | XmlRoom, ...]:
    """Return the rooms with installed grammars; those that can print are ``PrintingRoom``."""
    return tuple(map(_installed_room, grammar_files()))


def _installed_room(file: GrammarFile) -> Room | XmlRoom:
    """Return the format of an installed grammar, which is compiled when it is used."""
    head = file.name, file.title, re.compile(file.starts, re.MULTILINE)
    if "xml" in file.tables:
        return XmlRoom(*head, partial(file.compiled, XmlGrammar))
    kind = PrintingRoom if "print" in file.tables else Room
    return kind(*head, partial(file.compiled, Grammar))


def room(grammar: AnyGrammar) -> Room | XmlRoom:
    """Return the format of a grammar."""
    head = grammar.name, grammar.title, grammar.starts
    if isinstance(grammar, XmlGrammar):
        return XmlRoom(*head, lambda: grammar)
    kind = Room if grammar.print_rules is None else PrintingRoom
    return kind(*head, lambda: grammar)


def _blocks(grammar: Grammar, text: str, first_line: int) -> list[list[NumberedLine]]:
    """Return the numbered lines that are not blank: those before any hand, then by hand."""
    text = plain_line_ends(text)
    begins = {found.start() for found in grammar.starts.finditer(text)}
    blocks: list[list[NumberedLine]] = [[]]
    place = 0
    for number, line in enumerate(text.split("\n"), start=first_line):
        if place in begins or near_header(grammar, line):
            _drop_comments(blocks[-1])
            blocks.append([])
        if line.strip():
            blocks[-1].append((number, line))
        place += len(line) + 1
    _drop_comments(blocks[-1])
    return [blocks[0], *filter(None, blocks[1:])]


def _drop_comments(block: list[NumberedLine]) -> None:
    """Drop comments after a hand: they belong to the one that follows."""
    while len(block) > 1 and block[-1][1].startswith("#"):
        block.pop()


def _hand(grammar: Grammar, file: str, block: list[NumberedLine]) -> Reading:
    """Return the hand of some lines, or the problem of the first one."""
    why = _misspelt(grammar, block[0])
    if why is not None:
        return problem_at(grammar, file, block[0], why, block[-1][0])
    hand = read_block(grammar, file, block)
    return hand if isinstance(hand, Problem) else hand.history()


def _misspelt(grammar: Grammar, line: NumberedLine) -> LineError | None:
    """Return the error of a line that is almost the first of a hand."""
    near = None if grammar.starts.match(line[1]) else near_header(grammar, line[1])
    if near is None:
        return None
    message = f"this is almost the first line of a {grammar.title} hand"
    return LineError(message, repr(near.opening), near.column)
