"""The fates of the hands of a session, counted and worded in one place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from handread.game.replay import is_unanalyzed
from handread.game.rules import NOT_BY_READER, ONLY_STUD
from handread.history import History, Problem
from handread.report.tables import hands_words
from handread.report.words import left_out_words, repeated_words


def listed(games: Counter[str]) -> str:
    """Return numbers of hands by game: "3 hold'em, 1 Omaha"."""
    return ", ".join(f"{n:,} {name}" for name, n in games.most_common())


class Fate(StrEnum):
    """The fate of a hand that is not read to its end."""

    REFUSED = "refused"  # its log is wrong
    UNANALYZED = "not analyzed"  # its log is legal
    OTHER_GAME = "of another game"  # its game as a whole is not read, or not analyzed
    NO_HAND = "not understood"  # this text, perhaps a whole file, is not a hand


def fate_of(hand: History, problems: Iterable[Problem]) -> Fate:
    """Return the fate of a hand with problems."""
    reasons = [problem.message for problem in problems if is_unanalyzed(problem)]
    if (reasons and reasons[0].endswith(NOT_BY_READER)) or (hand.other_game and not reasons):
        return Fate.OTHER_GAME
    return Fate.UNANALYZED if reasons else Fate.REFUSED


@dataclass
class Counts:
    """Numbers of hands."""

    found: int = 0  # hands read
    done: int = 0  # hands accepted: their logs are whole and legal
    damaged: int = 0  # hands of these with a dealt card that cannot be read
    unfinished: int = 0  # hands of these that stop in the middle
    unanalyzed: int = 0  # hands of these that cannot be analyzed
    unwritten: int = 0  # hands of these that a format cannot hold
    refused: int = 0  # hands with a faulty log
    repeated: int = 0  # hands left out because they came before
    other_games: Counter[str] = field(default_factory=Counter)  # hands by game that is not read
    unanalyzed_games: Counter[str] = field(default_factory=Counter)  # by game not analyzed
    stopped: Counter[Fate] = field(default_factory=Counter)  # hands read up to a fault
    unvalued: Counter[str] = field(default_factory=Counter)  # hands without values, by the reason
    unread_texts: int = 0  # texts that are not hands
    unknown_lines: int = 0  # lines of hands that no pattern of their room matches
    unreadable_files: int = 0  # files that cannot be read

    def accept(self, hand: History) -> None:
        """Count a hand as accepted."""
        self.done += 1
        self.damaged += bool(hand.damage)

    def refuse(self, hand: History | None, problems: Sequence[Problem]) -> Fate:
        """Count a hand not read to its end (refused only if its log is faulty), or a text."""
        if hand is None:
            self.unread_texts += 1
            return Fate.NO_HAND
        fate = fate_of(hand, problems)
        if any(map(is_unanalyzed, problems)):
            self.accept(hand)
            self.unanalyzed += 1
            if fate is Fate.OTHER_GAME:
                self.unanalyzed_games[hand.game_name] += 1
        elif fate is Fate.OTHER_GAME:
            self.other_games[hand.game_name] += 1
        else:
            self.refused += 1
        return fate

    @property
    def read_hands(self) -> int:
        """The number of hands accepted, refused, repeated, or of other games."""
        return self.done + self.refused + self.other_games.total() + self.repeated

    @property
    def analyzed(self) -> int:
        """The number of hands accepted and analyzed."""
        return self.done - self.unanalyzed

    @property
    def status(self) -> int:
        """The exit status: 2 for a file that cannot be read, 1 for a refused hand.

        Also 1 if no accepted hand could be analyzed, or one not written. Others do not count.
        """
        if self.unreadable_files:
            return 2
        nothing = self.unanalyzed and not self.analyzed
        return 1 if self.refused or self.unread_texts or self.unwritten or nothing else 0

    def summary(self) -> str:
        """Return the counts of hands in a line."""
        kinds = {
            "with an unreadable card": self.damaged,
            f"stop{'s' * (self.unfinished == 1)} in the middle": self.unfinished,
            "not analyzed": self.unanalyzed,
            "not written": self.unwritten,
        }
        some = ", ".join(f"{n:,} of them {kind}" for kind, n in kinds.items() if n)
        accepted = f"{self.done:,} accepted" + (f" ({some})" if some else "")
        left_out = {
            "refused": self.refused,
            "of other games": self.other_games.total(),
            "repeated": self.repeated,
            "not understood": self.unread_texts,
        }
        return f"{hands_words(self.read_hands)}: {accepted}, {left_out_words(left_out)}"

    def left_out(self) -> str:
        """Return the numbers of hands left out, or read in part, and of lines; or ""."""
        parts = {fate: f"{n:,} read in part" for fate, n in self.stopped.items() if n}
        some = parts.get(Fate.UNANALYZED, ""), listed(self.unanalyzed_games)
        counts = {
            f"refused ({parts.get(Fate.REFUSED, '')})": self.refused,
            f"not analyzed ({'; '.join(filter(None, some))})": self.unanalyzed,
            f"of other games ({listed(self.other_games)})": self.other_games.total(),
            "repeated": self.repeated,
            "not understood": self.unread_texts,
            f"unknown line{'s' * (self.unknown_lines != 1)}": self.unknown_lines,
        }
        return ", ".join(f"{n:,} {why.removesuffix(' ()')}" for why, n in counts.items() if n)

    def notes(self, hint: str = "") -> Iterator[str]:
        """Yield notes on hands by game, repeated hands and unknown lines that were left out.

        ``hint`` says how to list hands of other games.
        """
        if self.unknown_lines:
            lines = "1 line" if self.unknown_lines == 1 else f"{self.unknown_lines:,} lines"
            yield f"left out: {lines} that no pattern of the room matches (check --strict)"
        if self.repeated:
            yield repeated_words(self.repeated)
        if self.unanalyzed_games:
            yield f"not analyzed: {listed(self.unanalyzed_games)}; {NOT_BY_READER}{hint}"
        if self.other_games:
            yield f"not read: {listed(self.other_games)}; {ONLY_STUD}{hint}"
