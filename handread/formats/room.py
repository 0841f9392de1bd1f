"""Formats of rooms whose logs are lines, read and printed by grammars."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import islice

from handread.formats.format import NO_HAND, LineError, Reading, Writer, Written, count_above
from handread.formats.grammar import AnyGrammar, Grammar, GrammarFile, PrintRules, grammar_files
from handread.formats.room_events import NumberedLine, problem_at
from handread.formats.room_hand import read_block
from handread.formats.room_read import is_play, read_header
from handread.formats.room_write import write_hand
from handread.formats.site import SiteDialect
from handread.formats.suggest import near_header
from handread.formats.text import plain_line_ends
from handread.formats.xml import XmlRoom
from handread.formats.xml_grammar import XmlGrammar
from handread.game.steps import Replay
from handread.history import History, Problem

COMPARED = 1_000
"""Most lines of a text of unknown format that are compared with first lines."""

_COMMENT = re.compile(r"\s*(?:#.*)?")


class Room(SiteDialect[Grammar]):
    """The format of a room's text logs."""

    def nearly(self, text: str) -> bool:
        """Return True if one of the first lines of the text is almost the first of a hand."""
        lines = (line for line in text.split("\n") if line.strip())
        return any(near_header(self.grammar, line) for line in islice(lines, COMPARED))

    def begins(self, line: str) -> bool:
        """Return True for the first line of a hand; a comment must also name a known game."""
        try:
            header = read_header(self.grammar, 1, line)
        except LineError:
            return False
        return not line.startswith("#") or self.grammar.variant(header.word("game")) != "other"

    @cached_property
    def opens(self) -> re.Pattern[str]:
        """A comment, or the beginning of a first line."""
        return re.compile(f"(?=# |{self.starts.pattern.removeprefix('^')})", self.starts.flags)

    def ends(self, lines: Sequence[str]) -> bool:
        """Return True if the last line reports play of a player who is seated by the others."""
        *others, last = lines
        return is_play(self.grammar, others, last)

    def above(self, lines: Sequence[str]) -> int:
        """Return the number of comments right above the first line of a hand."""
        return count_above(_COMMENT, lines)

    def cut(self, text: str) -> int:
        """Return the offset of the last hand that begins in the complete lines of a text."""
        starts = self.starts.finditer(text, 0, text.rfind("\n") + 1)
        return max((match.start() for match in starts), default=0)

    def leaves_stakes_open(self, text: str) -> bool:  # noqa: ARG002 - other dialects need it
        """Return True if first lines of the room may name a game without stakes."""
        return self.grammar.leaves_stakes_open

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """Yield the hands of a log in order; each ends before the first line of the next one.

        A hand of a game that is not read is a history without events. A hand with an unreadable or
        misspelt first line is one problem for all of its lines.
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
    """A room whose grammar can also print hands.

    Every known downcard is printed with its deal, even of folded hands; cards that only a muck
    reveals are printed in the summary. A printed hand is played the same when it is read again.
    Some facts are lost:

    * Stakes that the first line does not state: PokerStars and Full Tilt state the bets, Bovada
      nothing. Readers take ante and bring-in from those who post them, the rest from the rules of
      the site (``SiteRules``).
    * The owner of the log, if downcards of several players are known, except in Bovada and OnGame.
    * One downcard of two; downcards of a winner that only a muck reveals, except in Bovada.
    * In Bovada, which identifies players by seat: names, and who sits out.
    * The time zone, if the room names none; the currency, if amounts have no symbol; a unit other
      than chips or hundredths, if the amounts do not need it.
    * A show of a hand that is not completely known, which becomes a muck; remarks; the names of the
      pots if ``written_out`` completed the hand.

    What a line needs and the history lacks is made up: names (``Player 3``), stacks (what an all-in
    put in, else 100 big bets, doubled until it is sufficient), and labels (``[print.unknown]``,
    ``LabelStyle``, numbers made from names). Players left at the end show their hands, if the
    record has a pay-out and no showdown, and all of these hands are known.
    """

    def write(self, hand: History | Replay) -> str:
        """Return a hand as a log of the room, with a final line end.

        Raise ``ValueError`` if the room has no logs of the game, plays no such stakes or does not
        write the currency; if the hand is illegal, has unseen upcards or its first bets do not show
        stakes that logs do not state; and if a line would be read differently.
        """
        return self.written(hand).text

    def written(self, hand: History | Replay) -> Written:
        """Return the text and the hand read from it; raise ``ValueError`` as ``write`` does."""
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
    """Return the rooms with installed grammars; those that can be printed are ``PrintingRoom``."""
    return tuple(map(_installed_room, grammar_files()))


def _installed_room(file: GrammarFile) -> Room | XmlRoom:
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
    """Return the nonblank numbered lines: before the first hand, then by hand."""
    text = plain_line_ends(text)
    begins = {match.start() for match in grammar.starts.finditer(text)}
    blocks: list[list[NumberedLine]] = [[]]
    place = 0
    for number, line in enumerate(text.split("\n"), start=first_line):
        if place in begins or near_header(grammar, line):
            blocks.append([])
        if line.strip():
            blocks[-1].append((number, line))
        place += len(line) + 1
    for block in blocks:
        while len(block) > 1 and block[-1][1].startswith("#"):
            block.pop()  # comments after a hand belong to the next one
    return [blocks[0], *filter(None, blocks[1:])]


def _hand(grammar: Grammar, file: str, block: list[NumberedLine]) -> Reading:
    """Return the hand of a block of lines, or the problem of a misspelt first line."""
    first, last = block[0], block[-1][0]
    near = None if grammar.starts.match(first[1]) else near_header(grammar, first[1])
    if near is not None:
        message = f"this is almost the first line of a {grammar.title} hand"
        why = LineError(message, repr(near.opening), near.column)
        return problem_at(grammar, file, first, why, last)
    hand = read_block(grammar, file, block)
    return hand if isinstance(hand, Problem) else hand.history()
