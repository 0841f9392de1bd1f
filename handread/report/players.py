"""Players in words: a table of many, and the profile of one, as text and as JSON."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handread.game.rules import STREET_NAMES, Variant
from handread.opponents.records import OPENINGS, PlayerRecord, Players, SeatHand, ShownHand
from handread.opponents.shares import FEW, LESS, MORE, Populations, Share, populations_of, shares_of
from handread.opponents.statistics import BY_GAME, GROUPS, OPENING, PLACES, Statistic, main_of
from handread.report.tables import as_prose, as_text, hands_words
from handread.report.words import share_words, visible
from handread.study.session_values import YOU

NAMELESS = "without a name"

MARKS = {MORE: "+", LESS: "-", "": ""}
"""The mark behind a share above or below the share of others."""

SENTENCES = 2
"""The most habits in a sentence of a profile."""

SCHEMA = "handread.players/1"
"""Version of the JSON object."""

LEAST_SHOWN = 3
"""With fewer bets of the last street shown down, a profile does not count bluffs."""

LEAST_STYLE = 0.05
"""The least probability of a style that a profile shows."""

STYLES: Mapping[str, str] = {
    "people-average": "the average player",
    "loose": "a loose player",
    "tight": "a tight player",
    "table1-left": "a player by the book",
    "uniform": "somebody who ignores the cards",
}
"""The styles of the policies included, for people."""

APART, DOUBT = 0.05, 0.1
"""How far from others, and with how little doubt, a share must be for a word such as "loose"."""

_MANNERS = (
    ("plays", "loose", "tight", "plays {} hands on {first} street"),
    ("aggression", "aggressive", "passive", "bets or raises rather than calls {} times"),
    ("folds", "folds a lot", "seldom folds", "folds to {} bets on later streets"),
)
"""Shares with words for more and for less than others, and what they are shares of."""


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A statistic in words: ``share`` and ``interval`` are empty if there are too few chances.

    ``others`` and ``likely`` are empty where no population is known.
    """

    phrase: str
    definition: str
    did: str
    share: str
    interval: str
    claim: str
    others: str
    likely: str


@dataclass(frozen=True)
class Profile:
    """A player's record beside the population of the game.

    ``shares`` (of statistics that had a chance) and ``populations`` are by the statistic's key.
    """

    player: PlayerRecord
    shares: Mapping[str, Share]
    populations: Populations

    @property
    def name(self) -> str:
        """The name for people."""
        return visible(self.player.name) or NAMELESS

    @property
    def claims(self) -> list[tuple[Statistic, Share]]:
        """What the player does more or less than others, the surest first."""
        pairs = [(stat, self.shares[stat.key]) for stat in self.statistics]
        return sorted((each for each in pairs if each[1].claim), key=lambda each: each[1].doubt)

    @property
    def statistics(self) -> list[Statistic]:
        """The statistics that had a chance, in order."""
        return [stat for stat in BY_GAME[self.player.game.key] if stat.key in self.shares]

    def rows(self, group: str) -> list[ShareRow]:
        """Return the statistics of a group in words."""
        of_group = (self.row(stat) for stat in self.statistics if stat.group == group)
        return [row for row in of_group if row is not None]

    def row(self, statistic: Statistic) -> ShareRow | None:
        """Return a statistic in words; None if it had no chance."""
        share, game = self.shares.get(statistic.key), self.player.game
        if share is None:
            return None
        low, high = share.interval
        known, little = share.population.players > 0, share.is_little
        return ShareRow(
            phrase=statistic.words(game, statistic.phrase),
            definition=statistic.words(game, statistic.definition),
            did=f"{share.done} of {share.of}",
            share="" if little else f"{share.mean:.0%}",
            interval="" if little else f"{100 * low:.0f} to {100 * high:.0f}",
            claim=share.claim,
            others=f"{share.population.mean:.0%}" if known else "",
            likely=f"{share.estimate:.0%}" if known else "",
        )

    def shown(self) -> Iterator[tuple[str, int, str]]:
        """Yield each opening after which first cards were shown down, how often, and which."""
        for opening in [*reversed(OPENINGS), ""]:
            families = Counter({f: n for (o, f), n in self.player.shown.items() if o == opening})
            if families:
                ordered = sorted(families.items(), key=lambda item: (-item[1], item[0]))
                cards = ", ".join(f"{family} {n}" if n > 1 else family for family, n in ordered)
                yield opening or "no choice", families.total(), cards

    def style(self) -> str:
        """Return which styles the reads point to in a sentence; empty without reads."""
        likely = [
            f"like {STYLES.get(name, visible(name))} ({share_words(style.probability)} likely; "
            f"{share_words(style.stranger)} of strangers do)"
            for name, style in self.player.styles.items()
            if style.probability >= LEAST_STYLE
        ]
        return f"By the reads of these hands, bets {', '.join(likely)}." if likely else ""

    def sentences(self) -> Iterator[str]:
        """Yield a description of the player as a friend would give it: up to four sentences."""
        words, parts = self._manners()
        if parts:
            yield _sentence(f"{', '.join(words)}: " * bool(words) + ", ".join(parts))
        told = bool(words)
        for opening in (True, False):
            habits = _unlike(
                (stat, share)
                for stat, share in self.claims
                if (stat.group == OPENING) == opening and stat.key not in ("plays", "aggression")
            )
            if habits:
                told = True
                yield _sentence(" and ".join(_habit(*habit, self.player.game) for habit in habits))
        if not told:
            yield (
                f"In {hands_words(self.player.hands)} nothing sets this player apart from others "
                "beyond chance."
            )
        bluffs, bets = self.player.bluffs
        last = f"{bets} bets of the last street that were shown down"
        if bets >= LEAST_SHOWN:
            showed = f"Showed nothing in {bluffs} of" if bluffs else "Has never shown a bluff in"
            yield f"{showed} {last}."

    def _manners(self) -> tuple[list[str], list[str]]:
        """Return words such as "loose" that hold for the player, and the shares behind them."""
        later = [share for key, share in self.shares.items() if key[:-1] == "folds_"]
        shares = {**self.shares, **({"folds": Share.together(later)} if later else {})}
        words, parts = [], []
        for key, more, less, counted in _MANNERS:
            share = shares.get(key)
            if share is None or share.is_little or not share.population.players:
                continue
            first, others = STREET_NAMES[self.player.game.first], share.population.mean
            often = counted.format(f"{share.mean:.0%} of {share.of:,}", first=first)
            parts.append(f"{often} (others {others:.0%})")
            if abs(share.estimate - others) >= APART and share.doubt < DOUBT:
                words.append(more if share.estimate > others else less)
        return words, parts


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _unlike(claims: Iterable[tuple[Statistic, Share]]) -> list[tuple[Statistic, Share]]:
    """Return the first claims, leaving out claims about the action of an earlier one."""
    by_action: dict[str, tuple[Statistic, Share]] = {}
    for statistic, share in claims:
        by_action.setdefault(statistic.phrase.split()[0], (statistic, share))
    return [*by_action.values()][:SENTENCES]


def _habit(statistic: Statistic, share: Share, game: Variant) -> str:
    """Return a player's habit in words: "plays 3rd street 75% of 57 times"."""
    often = f"{share.done / share.of:.0%} of {share.of:,} times"
    if not share.done:
        often = f"never in {share.of} chances"
    elif share.done == share.of:
        often = f"all {share.of} times"
    return f"{statistic.words(game, statistic.phrase)} {often} (others {share.population.mean:.0%})"


def _percent(share: Share | None) -> str:
    """Return a share with its mark; as a fraction if there is too little, empty for none."""
    if share is None:
        return "-"
    if share.is_little:
        return f"{share.done}/{share.of}"
    return f"{share.mean:.0%}{MARKS[share.claim]}"


def _bets(net: float) -> str:
    """Return a result in big bets; sums that differ by rounding alone read the same."""
    return f"{round(net, 4):+.1f}"


def profiles(players: Players) -> list[Profile]:
    """Return the profiles of players, each beside all players of the game that have a name."""
    profiled = []
    for game in {player.game.key: player.game for player in players.values()}.values():
        of_game = [player for player in players.values() if player.game is game]
        known = populations_of([player.counts for player in of_game if player.name], game)
        profiled += [Profile(each, shares_of(each.counts, game, known), known) for each in of_game]
    return profiled


def known_before(players: Players, plays: Iterable[SeatHand], game: str) -> dict[int, str]:
    """Return notes by seat on the players of a hand, from earlier hands: "34 hands: plays 53%".

    Players without a name, or with too few hands for any share, are left out.
    """
    notes = {}
    for play in plays:
        player = players.get((play.name, game))
        if play.name and player is not None:
            counts = [
                (stat, player.counts[PLACES[stat.key]].tolist()) for stat in main_of(player.game)
            ]
            shares = [f"{stat.short} {done / of:.0%}" for stat, (done, of) in counts if of >= FEW]
            if shares:
                notes[play.seat] = f"{hands_words(player.hands)}: {', '.join(shares)}"
    return notes


def players_text(shown: Sequence[Profile], left_out: int) -> str:
    """Return the tables of players as text, one for each game."""
    games = {profile.player.game.key: profile.player.game for profile in shown}
    by_game = ([each for each in shown if each.player.game is game] for game in games.values())
    texts = [as_text(table_rows(of_game)) for of_game in by_game]
    if shown:
        valued = any(profile.player.adjusted is not None for profile in shown)
        texts.append(as_prose(_legend([*games.values()], valued)))
    if left_out:
        who = "player is" if left_out == 1 else "players are"
        texts.append(as_prose(f"{left_out:,} more {who} not shown (--least-hands, --top)."))
    return "\n".join(texts)


def table_rows(of_game: Sequence[Profile]) -> list[list[str]]:
    """Return the table of the players of a game, at least one: heads, players, their average."""
    game, populations = of_game[0].player.game, of_game[0].populations
    main = main_of(game)
    rows = [[game.title, "hands", "net", "luck out", *(stat.short for stat in main)]]
    for profile in of_game:
        player = profile.player
        name = f"{profile.name} (you)" if player.you and player.name != YOU else profile.name
        net = _bets(player.net) if player.finished else "-"
        luck = "-" if player.adjusted is None else _bets(player.adjusted)
        shares = (_percent(profile.shares.get(stat.key)) for stat in main)
        rows.append([name, f"{player.hands:,}", net, luck, *shares])
    others = [populations.get(stat.key) for stat in main]
    means = ["-" if stat is None else f"{stat.mean:.0%}" for stat in others]
    rows.append(["average", "", "", "", *means])
    valued = any(profile.player.adjusted is not None for profile in of_game)
    return rows if valued else [[*row[:3], *row[4:]] for row in rows]


def _legend(games: Sequence[Variant], valued: bool) -> str:
    several = len({game.first for game in games}) > 1
    first = "the first" if several else STREET_NAMES[games[0].first]
    shown = {s.short: s.phrase.format(first=first) for game in games for s in main_of(game)}
    heads = "; ".join(f"{short}: {phrase}" for short, phrase in shown.items())
    luck = " luck out: with average luck." if valued else ""
    return (
        f"net: big bets won in cash games, each hand at its own stakes.{luck} {heads}. + and - "
        "mark what is more or less than others do, beyond chance; 2/7 is 2 of 7 chances, too few "
        "for a share. average: of all players known."
    )


def profile_text(profile: Profile) -> str:
    """Return the profile of a player as text."""
    player = profile.player
    some = f" in {player.finished:,} of them" * (player.finished < player.hands)
    result = f", {_bets(player.net)} big bets{some}" if player.finished else ""
    if player.adjusted is not None:
        result += f" ({_bets(player.adjusted)} with average luck)"
    title = f"{profile.name}: {hands_words(player.hands)} of {player.game.title}{result}"
    rows = [["", "did", "others", "likely"]]
    for group in GROUPS:
        cells = [_share_cells(row) for row in profile.rows(group)]
        rows += [[group, "", "", ""], *cells] if cells else []
    told = " ".join(filter(None, (*profile.sentences(), profile.style())))
    parts = [as_prose(title), as_prose(told), as_text(rows, left=(0, 1))]
    if player.shown:
        shown = [[f"shown down, by {STREET_NAMES[player.game.first]} street", "", "first cards"]]
        shown += [[opening, str(n), cards] for opening, n, cards in profile.shown()]
        parts.append(as_text(shown, left=(0, 2)))
    largest = [(hand, _bets(hand.net)) for hand in player.largest]
    unexpected = [(hand, _bits(hand.bits)) for hand in player.unexpected]
    for title, unit, tops in (
        ("largest results shown down", "big bets", largest),
        ("least expected, shown down", "bits", unexpected),
    ):
        if tops:
            rows = [
                [visible(hand.address), hand.opening, hand.family, figure] for hand, figure in tops
            ]
            parts.append(as_text([[title, "", "", unit], *rows], left=(0, 1, 2)))
    return "\n".join(parts)


def _bits(bits: float) -> str:
    return f"{bits:+.1f}" if math.isfinite(bits) else "ruled out"


def _share_cells(row: ShareRow) -> list[str]:
    """Return a statistic with its share: "12 of 31, 39%+ (24 to 55)"."""
    did = row.did
    if row.share:
        did += f", {row.share}{MARKS[row.claim]} ({row.interval})"
    return [f"  {row.phrase}", did, row.others or "-", row.likely or "-"]


def profile_object(profile: Profile) -> dict[str, Any]:
    """Return the profile of a player as a JSON object. Shares are fractions, nets in big bets."""
    player = profile.player
    return {
        "schema": SCHEMA,
        "name": player.name or None,
        "you": player.you,
        "game": player.game.key,
        "hands": player.hands,
        "net_big_bets": round(player.net, 4) if player.finished else None,
        "adjusted_big_bets": None if player.adjusted is None else round(player.adjusted, 4),
        "sentences": [*profile.sentences()],
        "statistics": {
            stat.key: _share_object(profile.shares[stat.key]) for stat in profile.statistics
        },
        "shown": [
            {"opening": opening or None, "cards": family, "hands": n}
            for (opening, family), n in sorted(player.shown.items())
        ],
        "largest_shown": [*map(_showdown_object, player.largest)],
        "least_expected_shown": [
            _showdown_object(hand)
            | {"truth_bits": round(hand.bits, 4) if math.isfinite(hand.bits) else None}
            for hand in player.unexpected
        ],
        "styles": {
            name: {"probability": round(style.probability, 4), "stranger": style.stranger}
            for name, style in player.styles.items()
        },
        "last_bets_shown": {"bluffs": player.bluffs[0], "of": player.bluffs[1]},
    }


def _showdown_object(shown: ShownHand) -> dict[str, Any]:
    return {
        "hand": shown.address,
        "opening": shown.opening or None,
        "cards": shown.family,
        "net_big_bets": round(shown.net, 4),
    }


def _share_object(share: Share) -> dict[str, Any]:
    return {
        "done": share.done,
        "of": share.of,
        "share": round(share.mean, 4),
        "low": round(share.interval[0], 4),
        "high": round(share.interval[1], 4),
        "others": round(share.population.mean, 4) if share.population.players else None,
        "estimate": round(share.estimate, 4),
        "claim": share.claim or None,
    }
