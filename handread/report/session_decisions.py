"""The decisions of a session as text: totals by player, and the most expensive decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from handread.cards import cards_text
from handread.decisions.terms import ROLLOUTS, ValuedHand
from handread.game.rules import STREET_NAMES, Unit, variant_of
from handread.report.decisions import (
    GUIDE,
    NOTHING_TO_VALUE,
    PLAYERS_SHOWN,
    ChipWords,
    address_words,
    cost_words,
    counts_words,
    kind_words,
    situation_words,
    verdict_words,
    way_words,
)
from handread.report.tables import (
    FigureColumn,
    as_prose,
    as_text,
    figure_rows,
    figures_text,
    hands_words,
    n_cell,
    number,
    with_interval,
)
from handread.report.words import YOU, action_words, visible
from handread.study.session_values import YOU as UNNAMED_YOU
from handread.study.session_values import PlayedDecision, SessionTable
from handread.study.statistics import Key


@dataclass(slots=True)
class SessionDecisions:
    """The facts that the text of a session states besides its totals.

    ``places`` says where each hand is, with its game unless that is seven-card stud, and the unit
    of its amounts. ``policies``, ``checks`` (policies that check) and ``ways`` (of valuing) count
    hands by their words, ``counts`` decisions by verdict.
    """

    places: list[tuple[str, Unit]] = field(default_factory=list)
    policies: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    learned: bool = False
    played_on: int = 0

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.places)

    def add(self, hand: ValuedHand) -> None:
        """Count a hand."""
        history = hand.replay.history
        game = "" if history.variant == "stud" else f" ({variant_of(history.variant).title})"
        self.places.append((address_words(hand) + game, history.unit))
        self.policies[hand.policy] += 1
        self.checks[hand.check] += bool(hand.check)
        self.counts.update(value.verdict for value in hand.values.decisions)
        self.ways[way_words(hand.terms)] += 1
        if hand.terms.way != ROLLOUTS:
            self.learned, self.played_on = True, self.played_on + hand.played_on


def session_text(found: SessionTable, session: SessionDecisions) -> str:
    """Return the totals of a session by player, and those of the hero by street and action.

    A player whose decisions alone are valued takes the place of the hero.
    """
    hands = hands_words(session.hands)
    names = [
        "; ".join(visible(name) for name in sorted(+c)) for c in (session.policies, session.checks)
    ]
    check = f", checked by {names[1]}" if names[1] else ""
    if not found.players:
        return as_prose(f"{hands}. {NOTHING_TO_VALUE}")
    n = session.played_on
    were = f"decision{'s' * (n > 1)} that looked expensive {'was' if n == 1 else 'were'}"
    text = as_prose(
        f"{hands}, {counts_words(session.counts)}",
        f"policy {names[0]}{check}; {'; '.join(sorted(session.ways))}; BB = big bets",
        *[f"{n:,} {were} checked."] * (n > 0),
    )
    return "\n".join([text, *session_tables(found)])


def session_tables(found: SessionTable) -> Iterator[str]:
    """Yield what decisions cost by player, the results without luck, and the hero by street."""
    shown = found.players[:PLAYERS_SHOWN]
    more = len(found.players) - len(shown)
    tables = [
        figures_text(
            found,
            [(_marked(found, name), Key("", group=name, about=about)) for name in shown],
            columns,
            "player",
            gaps=False,
        )
        for about, columns in (("decision", _DECISION_COLUMNS), ("all", _RESULT_COLUMNS))
    ]
    rest = f"... and {more:,} more (--player NAME)\n" if more else ""
    alone = len(found.players) == 1 or found.players[0] == found.hero
    kinds = _kinds_text(found, found.players[0]) if alone else ""
    yield from filter(None, [*tables, rest, kinds])


def _kinds_text(found: SessionTable, player: str) -> str:
    """Return what the decisions of a player cost by street and action; empty without any."""
    rows = kind_rows(found, player)
    whose = _marked(found, player)
    return f"{whose} by street and action\n\n{as_text(rows)}" if rows[1:] else ""


def kind_rows(found: SessionTable, player: str) -> list[list[str]]:
    """Return what the decisions of a player cost by street and action, the heads first."""
    places = [
        (kind_words(kind.street, kind.action), Key("", group=player, about=str(kind)))
        for kind in found.kinds.get(player, ())
    ]
    return figure_rows(found, places, _KIND_COLUMNS, "action", gaps=False)


def _marked(found: SessionTable, player: str) -> str:
    """Return the name of a player of a session, marked if it is the hero."""
    return f"{visible(player)}{YOU if player == found.hero != UNNAMED_YOU else ''}"


def _share(head: str, figure: str) -> FigureColumn:
    return FigureColumn((head,), figure, lambda share: number(share.mean, 0, 100.0, unit="%"))


_DECISION_COLUMNS = (
    FigureColumn(("decisions",), "cost", n_cell),
    _share("best", "best"),
    _share("close", "close"),
    _share("costly", "costly"),
    _share("mistakes", "mistake"),
    FigureColumn(("BB each", ""), "cost", lambda cost: with_interval(cost, 3)),
)

_KIND_COLUMNS = (
    FigureColumn(("times",), "cost", n_cell),
    *(column for column in _DECISION_COLUMNS[1:-1] if column.figure != "close"),
    FigureColumn(("cost, BB",), "sum", lambda cost: number(cost.mean, 1, sign="z")),
    FigureColumn(("each", ""), "cost", lambda cost: with_interval(cost, 2)),
)

_RESULT_COLUMNS = (
    FigureColumn(("hands",), "net", n_cell),
    FigureColumn(("result, BB",), "net", lambda net: number(net.mean, 1, sign="+z")),
    FigureColumn(("luck",), "luck", lambda luck: number(luck.mean, 1, sign="+z")),
    FigureColumn(("without luck", ""), "adjusted", lambda net: with_interval(net, 1, sign="+")),
)


def worst_text(found: SessionTable, session: SessionDecisions) -> str:
    """Return the most expensive decisions of a session, and where to find them."""
    if not found.players:
        return ""
    if not found.expensive:
        n = session.counts["rare"]
        if not n:
            return "No decision cost more than chance can explain.\n"
        seems = "decision seems" if n == 1 else "decisions seem"
        return as_prose(
            f"None is listed: {n:,} {seems} to have cost more than chance can explain, but there "
            f"are few real hands like {'it' if n == 1 else 'them'}."
        )
    items = [
        _expensive(played, _marked(found, played.player), *session.places[played.place - 1])
        for played in found.expensive
    ]
    return "The most expensive decisions, by the lower end of the interval\n\n" + "\n".join(items)


def _expensive(played: PlayedDecision, who: str, place: str, unit: Unit) -> str:
    """Return an expensive decision in a few lines; its place is not broken, to be copied."""
    value = played.value
    chips = ChipWords(unit, value.big_bet)
    street = STREET_NAMES[value.decision.street]
    cards = f"({cards_text(value.down)}) {cards_text(played.upcards)}".rstrip()
    if played.shared is not None:
        cards += f", {cards_text([played.shared])} shared,"
    words = as_prose(
        f"    {verdict_words(value)}: {who} {cards} "
        f"{action_words(value.decision, unit)} on {street} street, {situation_words(value, unit)}; "
        f"a {value.best.action} is worth {chips.signed(value.best.q)}, this "
        f"{chips.signed(value.taken.q)}",
        hang="    ",
    )
    return f"  {cost_words(value, chips)}  {place}\n{words}"


def meaning_words(session: SessionDecisions) -> str:
    """Return the meaning of the values of a session."""
    words = (
        "An action is worth what it wins from there on, on average, if everybody then plays by the "
        "policy. A negative cost is only noise."
    )
    if session.played_on:
        words += " Learned values are rough: what looks expensive is checked by rollouts."
    elif session.learned:
        words += " Learned values are rough; --exact values all decisions by rollouts."
    return f"{words} When not to trust it: {GUIDE}"
