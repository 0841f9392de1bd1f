"""Summarize a read by family of holdings, beside the upcards alone."""

from collections.abc import Sequence
from typing import NamedTuple

from handread.bits import rounded
from handread.inference.stages import NOTABLE_CHANGE, SeatRead
from handread.report.words import Number, share_figure, share_words

LEAST_SHARE = 0.01
"""A family below this share, in the read and by the cards alone, is not listed; nor is a kind."""

KINDS = 3
"""The largest number of kinds of a family."""


class HoldingChance(NamedTuple):
    """A kind of holding in words, and its probability."""

    what: str
    chance: Number


class FamilyLine(NamedTuple):
    """A family of holdings with its share in the read and by the cards alone.

    ``change`` is "rise" or "fall" for the families that moved most, if they moved notably.
    ``kinds`` has the likeliest of several kinds: "kings" and "aces" of a pair.
    """

    family: str
    read: Number
    cards_alone: Number
    change: str
    kinds: tuple[HoldingChance, ...] = ()

    @property
    def words(self) -> str:
        """The family with its shares: "split pair 30% → 38%", or "split pair 30%" if equal."""
        if self.read.words == self.cards_alone.words:
            return f"{self.family} {self.read.words}"
        return f"{self.family} {self.cards_alone.words} → {self.read.words}"

    @property
    def short(self) -> str:
        """The family with its shares, in less room: "split pair 30→38%"."""
        return f"{self.family} {self.shares}"

    @property
    def shares(self) -> str:
        """Both shares in little room, "30→38%"; "30%" if equal."""
        if self.read.words == self.cards_alone.words:
            return self.read.words
        return f"{self.cards_alone.words.removesuffix('%')}→{self.read.words}"

    @property
    def kind_words(self) -> str:
        """The kinds with their shares, without ranges: "kings 9%, aces 6%"; "kings" if all are."""
        shares = [(what, share_words(share.value or 0.0)) for what, share in self.kinds]
        if [words for _, words in shares] == [share_words(self.read.value or 0.0)]:
            return shares[0][0]
        return ", ".join(f"{what} {words}" for what, words in shares)


def family_lines(read: SeatRead) -> tuple[FamilyLine, ...]:
    """Return the families of a read, the likeliest first."""
    families = read.families()
    changes = {name: family.change for name, family in families.items()}
    marks = {}
    for change, name in (
        ("rise", max(changes, key=changes.__getitem__)),
        ("fall", min(changes, key=changes.__getitem__)),
    ):
        if abs(changes[name]) >= NOTABLE_CHANGE:
            marks[name] = change
    kinds = _kinds(read)
    return tuple(
        FamilyLine(
            name,
            share_figure(family.bet_inference, read.family_ranges.get(name)),
            share_figure(family.cards_only),
            marks.get(name, ""),
            kinds.get(name, ()),
        )
        for name, family in families.items()
        if max(family) >= LEAST_SHARE
    )


def _kinds(read: SeatRead) -> dict[str, tuple[HoldingChance, ...]]:
    """Return the likeliest kinds of each family that has more than one."""
    by_family: dict[str, tuple[HoldingChance, ...]] = {}
    for kind, p in sorted(read.by_kind.items(), key=lambda share: -rounded(share[1])):
        others = by_family.get(kind.family, ())
        if kind.detail and p >= LEAST_SHARE and len(others) < KINDS:
            share = share_figure(p, read.kind_ranges.get(kind.words))
            by_family[kind.family] = (*others, HoldingChance(kind.detail, share))
    return by_family


def informative_families(lines: Sequence[FamilyLine]) -> tuple[FamilyLine, ...]:
    """Return the families to name first: the likeliest, and the one that rose most."""
    return tuple(line for line in lines if line is lines[0] or line.change == "rise")


def headline(lines: Sequence[FamilyLine]) -> str:
    """Return the likeliest family and the largest rise: "split pair 38%; pair in the hole ..."."""
    return "; ".join(line.words for line in informative_families(lines))
