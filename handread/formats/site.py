"""Profile of a site: settings shared by all formats of its logs."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

from handread.formats.dates import DateStyle, check_format
from handread.formats.faults import GrammarReader
from handread.formats.format import Dialect
from handread.formats.styles import CardStyle, LabelStyle, MoneyStyle
from handread.formats.template import FieldKind, field_kinds
from handread.game.rules import GAMES, VARIANTS
from handread.spelling import misspelt

SITE_KEYS = (
    *("name", "title", "starts", "money", "cards", "dates", "labels", "streets"),
    *("house_rules", "variants", "other_games"),
)
"""The keys of a grammar that belong to the profile of the site."""

LABELS = ("hand_id", "table")
"""The keys of ``[labels]``: labels that have a style of the site, as in ``LabelStyle``.

Other sites' labels in the style ``"0-{int}-0"`` are numbers that are written between two zeros.
"""

ROOM_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
"""Matches valid names of rooms."""


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Rules of a site that its logs do not state.

    A ``cap`` counts bets and raises on a street, ``None`` for no cap between two players. Bring-ins
    are shares of the small bet, if nobody posts them.
    """

    cap: int
    cap_heads_up: int | None
    open_pair_doubles: bool
    cash_bring_in: Fraction
    tournament_bring_in: Fraction


@dataclass(frozen=True, eq=False)
class SiteProfile:
    """Profile of a site: its games, its rules, and its styles of cards, money and dates.

    ``variants`` are keys of ``VARIANTS`` by the site's names of games, in lowercase; ``games`` has
    the first name by key, ``read_games`` the names of games that are read, ``other_games`` the
    names of other games by number. ``raised_by`` is the meaning of ``by`` in a raise: the
    ``increase`` of the bet or the chips ``added``; empty if it differs between logs. With
    ``wins_uncalled``, winnings may include an uncalled bet that no line returns. ``by_deals`` says
    that deals alone mark the streets, ``one_by_one`` that each first card has a line of its own.
    """

    name: str
    title: str
    starts: re.Pattern[str]
    variants: Mapping[str, str]
    games: Mapping[str, str]
    read_games: tuple[str, ...]
    other_games: Mapping[str, str]
    house_rules: SiteRules
    pot_before_rake: bool
    wins_uncalled: bool
    raised_by: str
    cards: CardStyle
    money: MoneyStyle
    dates: DateStyle
    labels: Mapping[str, LabelStyle]
    by_deals: bool
    one_by_one: bool
    kinds: Mapping[str, FieldKind]

    def variant(self, game: str) -> str:
        """Return the key of a game by the site's name for it; ``other`` for a game not listed."""
        return self.variants.get(" ".join(game.lower().split()), "other")

    def label(self, name: str, text: str) -> str:
        """Return the hand id or the table that the site writes as this text."""
        return self.labels[name].read(text) if name in self.labels else text

    def meant(self, game: str) -> str:
        """Return the listed game that a misspelt name probably means; empty if none is similar."""
        if self.variant(game) != "other" or game in self.other_games:
            return ""
        return misspelt(" ".join(game.split()), self.read_games)


AnySite = TypeVar("AnySite", bound=SiteProfile)


class SiteDialect(Dialect, Generic[AnySite]):
    """Base of the formats of all rooms.

    Detection only needs ``starts``, so the grammar is compiled when it is first used.
    """

    def __init__(
        self, name: str, title: str, starts: re.Pattern[str], load: Callable[[], AnySite]
    ) -> None:
        """``starts`` matches the beginning of a hand; ``load`` compiles the grammar."""
        self.name = name
        self.title = title
        self.starts = starts
        self._load = load

    @cached_property
    def grammar(self) -> AnySite:
        """The whole grammar of the room."""
        return self._load()

    @property
    def first_line(self) -> re.Pattern[str]:
        """A regular expression of the beginning of a hand's first line."""
        return self.starts

    def detect(self, text: str) -> bool:
        """Return True if a hand of this room begins in the text."""
        return self.starts.search(text) is not None


def parse_site(data: Mapping[str, Any], reader: GrammarReader) -> SiteProfile:
    """Return the profile of a site from the tables of a grammar; the reader collects faults."""
    variants = reader.texts(data, "variants")
    for words, key in variants.items():
        if key not in VARIANTS:
            reader.unknown("variant", key, VARIANTS, "variants", words)
    name = reader.text(data, "name")
    if name and not ROOM_NAME.fullmatch(name):
        reader.add("must be lowercase letters, digits and dashes", "name")
    amounts, streets = reader.table(data, "money", needed=True), reader.table(data, "streets")
    cards, money = _cards(data, reader), _money(amounts, reader)
    kinds = field_kinds(cards, money)
    with reader.at("streets"):
        reader.known_keys(streets, ("by_deals", "one_by_one"))
        by_deals, one_by_one = (reader.flag(streets, k, False) for k in ("by_deals", "one_by_one"))
    return SiteProfile(
        name=name,
        title=reader.text(data, "title"),
        starts=_starts(data, reader),
        variants={" ".join(words.lower().split()): key for words, key in variants.items()},
        # Of several names of a game, the first is printed: in reverse order, it is set last.
        games={key: words for words, key in reversed(list(variants.items()))},
        read_games=tuple(words for words, key in variants.items() if key in GAMES),
        other_games=reader.texts(data, "other_games"),
        house_rules=_house_rules(data, reader),
        pot_before_rake=amounts.get("pot_before_rake") is True,
        wins_uncalled=amounts.get("wins_uncalled") is not False,
        raised_by=amounts.get("raised_by", ""),
        cards=cards,
        money=money,
        dates=_dates(data, reader),
        labels=_labels(data, kinds, reader),
        by_deals=by_deals,
        one_by_one=one_by_one,
        kinds=kinds,
    )


def _starts(data: Mapping[str, Any], reader: GrammarReader) -> re.Pattern[str]:
    starts = reader.text(data, "starts")
    with reader.at("starts"):
        pattern = _compiled(starts, re.MULTILINE)
        if starts and pattern.match(""):
            raise ValueError("matches an empty text, so a hand would begin everywhere")
        return pattern
    return re.compile("$.")  # after a fault: a pattern that matches nothing


def _cards(data: Mapping[str, Any], reader: GrammarReader) -> CardStyle:
    table, default = reader.table(data, "cards"), CardStyle()
    with reader.at("cards"):
        known = ("hidden", "ten", "between", "suit_first", "shown_in_order", "owner_only")
        reader.known_keys(table, known)
        return CardStyle(
            hidden=reader.strings(table, "hidden"),
            ten=reader.text(table, "ten", default.ten),
            between=reader.text(table, "between", default.between),
            suit_first=reader.flag(table, "suit_first", default.suit_first),
            shown_in_order=reader.flag(table, "shown_in_order", default.shown_in_order),
            owner_only=reader.flag(table, "owner_only", default.owner_only),
        )
    return default  # after a fault: the other tables may have faults, too


def _money(table: Mapping[str, Any], reader: GrammarReader) -> MoneyStyle:
    """Return the style of amounts; check the rules of the site that stand in the same table."""
    with reader.at("money"):
        flags, rules = ("after", "apart", "blanks"), ("pot_before_rake", "wins_uncalled")
        reader.known_keys(table, ("symbols", "codes", "words", *flags, *rules, "raised_by"))
        reader.flag(table, "pot_before_rake")
        reader.flag(table, "wins_uncalled", True)
        after, apart, blanks = (reader.flag(table, key, False) for key in flags)
        codes, words = reader.texts(table, "codes"), reader.strings(table, "words")
        symbols, raised_by = reader.text(table, "symbols"), reader.text(table, "raised_by", "")
        if raised_by not in ("", "increase", "added"):
            reader.add(f"must be increase or added, not {raised_by!r}", "raised_by")
        return MoneyStyle(symbols, after, apart, codes, words, blanks=blanks)
    return MoneyStyle("")


def _dates(data: Mapping[str, Any], reader: GrammarReader) -> DateStyle:
    table = reader.table(data, "dates")
    with reader.at("dates"):
        reader.known_keys(table, ("forms", "zone"))
        formats = reader.strings(table, "forms")
        for date_format in formats:
            with reader.at("forms"):
                check_format(date_format)
        return DateStyle(formats, reader.text(table, "zone", ""))
    return DateStyle()


def _labels(
    data: Mapping[str, Any], kinds: Mapping[str, FieldKind], reader: GrammarReader
) -> Mapping[str, LabelStyle]:
    table, styles = reader.table(data, "labels"), {}
    with reader.at("labels"):
        reader.known_keys(table, LABELS)
        for name in [name for name in LABELS if name in table]:
            texts = reader.texts(table, name)
            with reader.at(name):
                reader.known_keys(texts, ("own", "other"))
                own, other = (reader.text(texts, key) for key in ("own", "other"))
                # The texts around the first field; without any field, its kind is empty.
                before, kind, after = (*re.split(r"\{(\w+)\}", other), "", "")[:3]
                if kind not in kinds:
                    expected = 'a text with a field such as "{text}"'
                    reader.add(f"must be {expected}, not {other!r}", "other")
                    continue
                with reader.at("own"):
                    of_others = re.compile(kinds[kind].regex)
                    styles[name] = LabelStyle(_compiled(own), of_others, before, after)
    return styles


def _compiled(regex: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    try:
        return re.compile(regex, flags)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from error


def _house_rules(data: Mapping[str, Any], reader: GrammarReader) -> SiteRules:
    table = reader.table(data, "house_rules", needed=True)
    with reader.at("house_rules"):
        reader.known_keys(table, ("cap", "cap_heads_up", "open_pair_doubles", "default_bring_in"))
        if table and "cap" not in table:
            reader.add("is missing: the number of bets on a street", "cap")
        cap, cap_heads_up = (_cap(table, key, reader) for key in ("cap", "cap_heads_up"))
        doubles = reader.flag(table, "open_pair_doubles", False)
        cash, tournament = _bring_in_shares(table, reader)
    return SiteRules(cap or 0, cap_heads_up, doubles, cash, tournament)


def _cap(table: Mapping[str, Any], key: str, reader: GrammarReader) -> int | None:
    cap = table.get(key)
    if type(cap) is int and cap > 0:  # an instance of int may be True
        return cap
    if cap is not None:
        reader.add(f"must be the number of bets on a street, not {cap!r}", key)
    return None


def _bring_in_shares(table: Mapping[str, Any], reader: GrammarReader) -> tuple[Fraction, Fraction]:
    """Return the default shares of cash games and of tournaments."""
    shares = {"cash": Fraction(0), "tournament": Fraction(0)}
    given = reader.table(table, "default_bring_in", needed=bool(table))
    for key in shares if "default_bring_in" in table else ():
        with reader.at("default_bring_in", key):
            shares[key] = _share(given.get(key))
    return shares["cash"], shares["tournament"]


def _share(text: Any) -> Fraction:
    if text is None:
        raise ValueError('is missing: a share of the small bet such as "1/2"')
    try:
        share = Fraction(text)
    except (TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f'must be a share of the small bet such as "1/2", not {text!r}') from None
    if not 0 < share <= 1:
        raise ValueError(f"must be more than 0 and at most 1, not {text}")
    return share
