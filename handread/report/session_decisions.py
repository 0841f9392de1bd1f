"""The decisions of a session as text: totals by player, and the most expensive decisions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import handread.report.decision_words as decisions
import handread.report.tables as tables
from handread.cards import cards_text
from handread.decisions.terms import ROLLOUTS, ValuedHand
from handread.game.rules import DEFAULT, STREET_NAMES, Unit, variant_of
from handread.report.spots import own_cards
from handread.report.stretches import LEAST_HANDS
from handread.report.words import YOU, action_words, hidden_words, visible
from handread.study.session_values import YOU as UNNAMED_YOU
from handread.study.session_values import PlayedDecision, SessionTable
from handread.study.statistics import Estimate, Key

_PERCENT = partial(tables.mean_cell, digits=0, scale=100.0, unit="%")


def _unless_few(figure: Estimate, digits: int, sign: str = "") -> tuple[str, str]:
    """Return a mean and its interval in two cells; no interval for few hands or decisions."""
    mean, within = tables.with_interval(figure, digits, sign=sign)
    return mean, within if figure.n >= LEAST_HANDS else ""


_DECISION_COLUMNS = (
    tables.FigureColumn(("decisions",), "cost", tables.n_cell),
    tables.FigureColumn(("best",), "best", _PERCENT),
    tables.FigureColumn(("close",), "close", _PERCENT),
    tables.FigureColumn(("costly",), "costly", _PERCENT),
    tables.FigureColumn(("mistakes",), "mistake", _PERCENT),
    tables.FigureColumn(("BB each", ""), "cost", partial(_unless_few, digits=3)),
)

_KIND_COLUMNS = (
    tables.FigureColumn(("times",), "cost", tables.n_cell),
    *(column for column in _DECISION_COLUMNS[1:-1] if column.figure != "close"),
    tables.FigureColumn(("cost, BB",), "sum", partial(tables.mean_cell, digits=1, sign="z")),
    tables.FigureColumn(("each", ""), "cost", partial(_unless_few, digits=2)),
)

_RESULT_COLUMNS = (
    tables.FigureColumn(("hands",), "net", tables.n_cell),
    tables.FigureColumn(("result, BB",), "net", partial(tables.mean_cell, digits=1, sign="+z")),
    tables.FigureColumn(("luck",), "luck", partial(tables.mean_cell, digits=1, sign="+z")),
    tables.FigureColumn(("without luck", ""), "adjusted", partial(_unless_few, digits=1, sign="+")),
)


@dataclass(slots=True)
class SessionDecisions:
    """The facts in the text of a session besides its totals.

    ``places`` has the place of each hand, its game unless seven-card stud, and the unit of its
    amounts. ``policies``, ``checks`` (policies that check) and ``ways`` (of valuing) count hands,
    ``counts`` decisions by verdict.
    """

    places: list[tuple[str, Unit]] = field(default_factory=list)
    policies: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    learned: bool = False  # some values are learned
    others: bool = False  # the policy is that of the others alone
    n_checked: int = 0  # decisions that looked expensive by learned values, and had rollouts
    hidden: int = 0  # hands without the hero's downcards
    stakes: set[str] = field(default_factory=set)  # the big bets of cash games; "" for tournaments

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.places)

    def add(self, hand: ValuedHand) -> None:
        """Count a hand."""
        history = hand.replay.history
        game = "" if history.variant == DEFAULT.key else f" ({variant_of(history.variant).title})"
        self.places.append((decisions.address_words(hand) + game, history.unit))
        self.policies[hand.policy] += 1
        if hand.check:
            self.checks[hand.check] += 1
        self.counts.update(value.verdict for value in hand.values.decisions)
        self.ways[decisions.way_words(hand.terms)] += 1
        bet = history.unit.text(hand.replay.stakes.bets[-1])
        self.stakes.add("" if history.tournament else bet)
        self.hidden += history.hero is not None and not own_cards(hand.replay, history.hero)[0]
        self.others |= hand.terms.then is not None
        if hand.terms.way != ROLLOUTS:
            self.learned = True
            self.n_checked += hand.played_on


def session_text(totals: SessionTable, session: SessionDecisions) -> str:
    """Return totals by player, and by street and action for the hero or the only player valued."""
    hands = tables.hands_words(session.hands)
    if not totals.players:
        return tables.as_prose(f"{hands}. {decisions.NOTHING_TO_VALUE}")
    policies, checks = (
        "; ".join(map(visible, sorted(names))) for names in (session.policies, session.checks)
    )
    check = f", checked by {checks}" if checks else ""
    counted = ", each hand at its own stakes" * (len(session.stakes - {""}) > 1)
    counted += "; results are those of cash games" * ("" in session.stakes)
    lines = [
        f"{hands}{hidden_words(session.hidden)}, {decisions.counts_words(session.counts)}",
        f"policy {policies}{check}; {'; '.join(sorted(session.ways))}; BB = big bets{counted}",
    ]
    if n := session.n_checked:
        s, were = ("", "was") if n == 1 else ("s", "were")
        lines.append(f"{n:,} decision{s} that looked expensive {were} checked.")
    return "\n".join([tables.as_prose(*lines), *session_tables(totals)])


def session_tables(totals: SessionTable) -> Iterator[str]:
    """Yield the costs of decisions by player, results without luck, and the hero by street."""
    shown = totals.players[: decisions.PLAYERS_SHOWN]
    # A player without valued decisions, or without results, has no row in that table.
    for about, columns in (("decision", _DECISION_COLUMNS), ("all", _RESULT_COLUMNS)):
        rows = [(_marked(totals, name), Key("", group=name, about=about)) for name in shown]
        if text := tables.figures_text(totals, rows, columns, "player", gaps=False):
            yield text
    if more := len(totals.players) - len(shown):
        yield f"... and {more:,} more (--player NAME)\n"
    first = totals.players[0]  # the hero, if known
    by_kind = kind_rows(totals, first) if first == totals.hero or len(totals.players) == 1 else []
    if by_kind[1:]:  # more than the heads
        yield f"{_marked(totals, first)} by street and action\n\n{tables.as_text(by_kind)}"


def kind_rows(totals: SessionTable, player: str) -> list[list[str]]:
    """Return the costs of a player's decisions by street and action, the heads first."""
    places = [
        (decisions.kind_words(kind.street, kind.action), Key("", group=player, about=str(kind)))
        for kind in totals.kinds.get(player, ())
    ]
    return tables.figure_rows(totals, places, _KIND_COLUMNS, "action", gaps=False)


def _marked(totals: SessionTable, player: str) -> str:
    """Return a player's name, with a mark for the hero, unless the name is "you"."""
    return visible(player) + YOU * (player == totals.hero != UNNAMED_YOU)


def worst_text(totals: SessionTable, session: SessionDecisions) -> str:
    """Return the most expensive decisions of a session, and where to find them."""
    if not totals.players:
        return ""
    if not totals.expensive:
        doubts = f" {decisions.rare_words(rare)}" if (rare := session.counts["rare"]) else ""
        return tables.as_prose(f"No decision was clearly wrong.{doubts}")
    items = [
        _expensive(played, _marked(totals, played.player), *session.places[played.place - 1])
        for played in totals.expensive
    ]
    return "The most expensive decisions, by what each cost at least\n\n" + "\n".join(items)


def _expensive(played: PlayedDecision, who: str, place: str, unit: Unit) -> str:
    """Return an expensive decision in a few lines; no line break is in its place, to copy it."""
    value = played.value
    chips = decisions.ChipWords(unit, value.big_bet)
    street = STREET_NAMES[value.decision.street]
    cards = f"({cards_text(value.down)}) {cards_text(played.upcards)}".rstrip()
    if played.shared is not None:
        cards += f", {cards_text([played.shared])} shared,"
    words = tables.as_prose(
        f"    {decisions.verdict_words(value)}: {who} {cards} "
        f"{action_words(value.decision, unit)} on {street} street, "
        f"{decisions.situation_words(value, unit)}",
        hang="    ",
    )
    return f"  {decisions.dear_words(value, chips)}  {place}\n{words}"


def meaning_words(session: SessionDecisions) -> str:
    """Return the meaning of the values of a session."""
    who = "everybody else" if session.others else "everybody"
    words = (
        f"An action is worth what it wins from there on, on average, if {who} then plays by the "
        "policy. A negative cost is only noise."
    )
    if session.n_checked:
        words += " Learned values are rough: what looks expensive is checked by rollouts."
    elif session.learned:
        words += " Learned values are rough; --exact values all decisions by rollouts."
    return f"{words} When not to trust it: {decisions.GUIDE}"
