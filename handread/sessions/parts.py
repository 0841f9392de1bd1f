"""The parts of a hand that was read: each is kept from before, or made on request.

A hand is read without the name of its file; its place is put in afterwards, so that kept parts fit
each copy of the hand (``sessions.store``).
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from handread.decisions.decision_values import DecisionValue
from handread.decisions.hand_values import HandValues
from handread.decisions.learned import has_values, not_learned
from handread.decisions.terms import ValuedHand
from handread.game.steps import Replay
from handread.history import Problem, unplaced
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import PlayerModels, players_terms
from handread.inference.readers import Reader, cannot_be_read, policies_of, reader_of_hand
from handread.inference.timeline import timeline_moments
from handread.inference.viewpoint import session_viewpoint
from handread.policy import Policy, PolicyError, panel_of, policy_hash
from handread.report.build import kept_report
from handread.report.decision_words import hand_costs
from handread.report.ends import StageEnds, street_ends
from handread.report.html.page import kept_json
from handread.report.index import HandWorth, IndexRow, hand_worth, index_row, placed_row
from handread.report.shown_values import HandReport, KeptReport, Steps
from handread.report.steps import hand_steps
from handread.report.text import HandCosts
from handread.report.what_if import HandDecisions, hand_decisions, no_decisions, only_at
from handread.sessions.analyzing import HandView
from handread.sessions.store import HandStore, user_store

Kept = TypeVar("Kept")


class KeptRow(NamedTuple):
    """The row of a hand, its problems, and the evidence for its reader, kept of every hand.

    ``row`` is None if nothing can be shown. ``problems`` and ``members`` come from the analysis;
    unless it is ``complete``, the last problem gives the reason.
    """

    row: IndexRow | None
    problems: tuple[Problem, ...]
    complete: bool
    members: dict[int, list[float]]


class KeptValues(NamedTuple):
    """The values of a hand and their row in the list, or ``why`` it has none.

    The values are for ``HandView.valued_seats``; the row is yours, or everybody's without you.
    """

    values: HandValues | None
    why: str
    worth: HandWorth | None


class KeptPage(NamedTuple):
    """The report and the steps of a hand."""

    report: KeptReport
    steps: Steps


class HandParts:
    """The parts of a hand.

    Attributes:
        played: The hand.
        reader: The reader of the hand.
        view: The way to read it.
        problem: The reason for reading nothing of it.
        was_kept: True if the parts for lists and totals were kept.
    """

    def __init__(
        self,
        played: Replay,
        reader: Reader,
        view: HandView,
        made_by: str = "",
        known: Mapping[int, str] | None = None,
        store: HandStore | None = None,
    ) -> None:
        """Take the kept parts of a hand from a store, None for the user's.

        ``reader`` is the session's, after learning from the hands before. ``made_by`` is the
        command that makes the page again; ``known`` describes the players by seat, from the hands
        before.
        """
        self.played = played
        self.view = view
        self.reader = reader_of_hand(reader, played.history)
        self.problem = cannot_be_read(played, self.reader)
        self.was_kept = False
        self._made_by, self._known = made_by, known or {}
        self._bare = unplaced(played.history)
        self._store = store or user_store()
        self._has_policies = policies_of(self.reader) is not None
        self._found: dict[bytes, Any] = {}
        self._new: list[tuple[bytes, object, bool]] = []
        if self.problem is None:
            try:
                self._viewpoint = session_viewpoint(played, view.viewpoint)
            except ValueError as error:  # it is not possible for this hand
                self.problem = played.history.problem(0, str(error))
            else:
                wanted: dict[bytes, type[Any]] = {self._key("row"): KeptRow}
                if view.decisions is not None and not self._unvalued:
                    wanted[self._values_key(self._seats)] = KeptValues
                self.was_kept = self._fetch(wanted)

    @cached_property
    def _content(self) -> bytes:
        record = [getattr(self._bare, part.name) for part in fields(self._bare)]
        said = repr((record, _terms_of(self.reader), self.view.viewpoint, self.view.ties))
        return said.encode("utf-8", "surrogatepass")

    def _key(self, *part: object) -> bytes:
        return blake2b(self._content + repr(part).encode(), digest_size=16).digest()

    def _values_key(self, seats: set[int] | None) -> bytes:
        return self._key("values", self._terms, seats and sorted(seats))

    @cached_property
    def _terms(self) -> str:
        terms = self.view.decisions
        if terms is None:
            return ""
        check = terms.check_of(self.played.history)
        return f"{terms.words(None)} {check and _models_terms(check)}"

    @cached_property
    def _unvalued(self) -> str:
        """The reason for no values in lists and totals; empty if there are values."""
        players, game = policies_of(self.reader), self.played.history.variant
        if self.view.rolls_all or players is None or has_values(players, game):
            return ""
        return not_learned(players, game)

    @cached_property
    def _seats(self) -> set[int] | None:
        """The seats with values in lists and totals; None for all."""
        return self.view.valued_seats(self._viewpoint.you)

    def _fetch(self, kinds: Mapping[bytes, type[Any]]) -> bool:
        """Take parts from the store; return True if all of them are there."""
        if self._has_policies:
            self._found |= self._store.found(kinds)
        return kinds.keys() <= self._found.keys()

    def _part(self, key: bytes, made: Callable[[], Kept], page: bool = False) -> Kept:
        if key not in self._found:
            self._found[key] = made()
            self._new.append((key, self._found[key], page))
        kept: Kept = self._found[key]
        return kept

    def _of_page(self, key: bytes, kind: Any, made: Callable[[], Kept]) -> Kept:
        if key not in self._found:
            self._fetch({key: kind})
        part = self._part(key, made, page=True)
        self.keep()
        return part

    def keep(self) -> None:
        """Keep the parts that were made."""
        if self._new and self._has_policies:
            self._store.keep(self._new)
        self._new = []

    @cached_property
    def _analysis(self) -> Analysis:
        problem = self.played.problem
        problem = None if problem is None else replace(problem, file="")
        played = replace(self.played, history=self._bare, problem=problem)
        return analyze_replay(played, self.reader, self._viewpoint, self.view.ties)

    def _valued(self, seats: set[int] | None) -> ValuedHand:
        """Return the hand with the values of decisions; ``PolicyError`` without values."""
        assert self.view.decisions is not None
        if seats is None:
            return self._all_valued
        if "_all_valued" not in self.__dict__:
            return self.view.decisions.valued(self._analysis, seats)
        # The values of a seat do not depend on other seats.
        return replace(self._all_valued, values=_only(self._all_valued.values, seats))

    @cached_property
    def _all_valued(self) -> ValuedHand:
        assert self.view.decisions is not None
        valued: KeptValues | None = self._found.get(self._values_key(self._seats))
        known = () if valued is None or valued.values is None else valued.values.decisions
        return self.view.decisions.valued(self._analysis, None, known)

    @property
    def row(self) -> KeptRow:
        """The hand's row in lists."""
        return self._part(self._key("row"), self._read_row)

    def _read_row(self) -> KeptRow:
        read = self._analysis
        row = index_row(read) if read.complete or read.stages else None
        members = {seat: shares.tolist() for seat, shares in read.members.items()}
        return KeptRow(row, read.problems, read.complete, members)

    def unread_row(self, number: int, page: str) -> IndexRow:
        """Return the hand's row before it is read; arguments as for ``placed_row``."""
        return placed_row(index_row(self._bare_analysis), self.played.history, number, page)

    @property
    def _bare_analysis(self) -> Analysis:
        bare = unread(self.played, self.reader, self.view.ties)
        return replace(bare, you=self._viewpoint.you)

    @property
    def values(self) -> KeptValues | None:
        """The values of the decisions of ``HandView.valued_seats``; None if they have none."""
        if self.view.decisions is None:
            return None
        if self._unvalued:
            return KeptValues(None, self._unvalued, None)
        return self._part(self._values_key(self._seats), lambda: self._light(self._seats))

    def _light(self, seats: set[int] | None) -> KeptValues:
        try:
            valued = self._valued(seats)
        except PolicyError as error:
            return KeptValues(None, str(error), None)
        is_usual = seats == HandView().valued_seats(self._viewpoint.you)
        light = replace(valued.values, decisions=tuple(map(_light, valued.values.decisions)))
        return KeptValues(light, "", hand_worth(valued) if is_usual else None)

    @property
    def needs_values(self) -> bool:
        """True if decisions are to be valued for the first time."""
        wanted = self.view.decisions is not None and not self._unvalued
        return self.problem is None and not self.was_kept and wanted

    @cached_property
    def _page(self) -> KeptPage:
        return self._of_page(self._key("page", self.view.top), KeptPage, self._read_page)

    def _read_page(self) -> KeptPage:
        report = kept_report(self._analysis, self.view.top)
        return KeptPage(report, hand_steps(report, self._analysis))

    @property
    def has_page(self) -> bool:
        """True if the parts of the hand's page in a session were kept."""
        kinds: dict[bytes, type[Any]] = {self._key("page", self.view.top): KeptPage}
        if self.view.decisions is not None:
            kinds[self._figures_key] = HandDecisions
        return self._fetch(kinds)

    @property
    def _figures_key(self) -> bytes:
        return self._key("figures", self._terms, self.view.top)

    @cached_property
    def report(self) -> HandReport:
        """The report."""
        return HandReport.of(self._page.report, self.played, self._made_by, self._known)

    @property
    def steps(self) -> Steps:
        """The steps."""
        return self._page.steps

    @cached_property
    def figures(self) -> HandDecisions | None:
        """The figures of the decisions of all players; None if decisions are not valued."""
        if self.view.decisions is None:
            return None
        return self._of_page(self._figures_key, HandDecisions, self._read_figures)

    def _read_figures(self) -> HandDecisions:
        try:
            return hand_decisions(self.report, self.steps, self._all_valued)
        except PolicyError as error:
            return no_decisions(error)

    def checked(self, moment: int) -> HandDecisions:
        """Return a decision's figures by checked values, empty unless one action is surely best."""
        key = self._key("checked", self._terms, self.view.top, moment)
        return self._of_page(key, HandDecisions, lambda: self._read_checked(moment))

    def _read_checked(self, moment: int) -> HandDecisions:
        terms, hand = self.view.decisions, self._all_valued
        made = [*timeline_moments(self._analysis)][moment].decision
        value = next(candidate for candidate in hand.values.decisions if candidate.decision == made)
        if terms is not None and not value.is_checked:
            again = terms.played_on(self._analysis, {value.decision.n}, {value.decision.seat})
            hand = terms.valued(self._analysis, {value.decision.seat}, again.values())
            value = again[value.decision.n]
        figures = hand_decisions(self.report, self.steps, hand)
        return only_at(figures, moment) if value.lead else no_decisions("no action is surely best")

    @cached_property
    def costs(self) -> HandCosts | None:
        """The costs of the decisions of all players, for text; None without values."""
        terms = self.view.decisions
        if terms is None:
            return None
        kept = self._of_page(self._values_key(None), KeptValues, lambda: self._light(None))
        if kept.values is None:
            return None
        bare = self._bare_analysis
        return hand_costs(ValuedHand(bare, kept.values, terms.of_hand(bare)))

    @property
    def ends(self) -> tuple[StageEnds, ...]:
        """The final hands that seats may reach, after each street."""
        kind = tuple[StageEnds, ...]
        return self._of_page(self._key("ends"), kind, lambda: street_ends(self._analysis))

    @property
    def json(self) -> str:
        """The JSON in a self-contained page."""
        return self._of_page(self._key("json"), str, lambda: kept_json(self._analysis))


def _terms_of(reader: Reader) -> object:
    """Return everything that determines a read by the reader of the hand."""
    players = policies_of(reader)
    if players is None:
        return reader.terms
    return _models_terms(players), players_terms(players, None) if players.drawn else ""


def _models_terms(players: PlayerModels) -> object:
    """Return everything that determines the players' betting and its description on pages."""
    models = {0: players.rest, **players.seats}
    return [(seat, model.knowledge, _policy_terms(model.policy)) for seat, model in models.items()]


def _policy_terms(policy: Policy) -> object:
    """Return everything that determines a policy's bets; only panel weights change by the hand."""
    panel = panel_of(policy)
    if panel is None:
        return _single_terms(policy)
    members = [_single_terms(member) for member in panel.members]
    weights = panel.prior, panel.learning, panel.priors, panel.learned
    return panel.name, members, weights, panel.measured


_SINGLE: dict[int, tuple[Policy, str]] = {}
"""Policies by ``id``: their terms take longer than all else."""


def _single_terms(policy: Policy) -> str:
    """Return the hash and the rest of a policy: name, hit rates and the decisions of the fit."""
    if id(policy) not in _SINGLE:
        known = getattr(policy, "measured", None), getattr(policy, "spots", ())
        _SINGLE[id(policy)] = policy, repr((policy.name, policy_hash(policy), known))
    return _SINGLE[id(policy)][1]


def _only(values: HandValues, seats: set[int]) -> HandValues:
    decisions = tuple(value for value in values.decisions if value.decision.seat in seats)
    ledgers = {seat: ledger for seat, ledger in values.ledgers.items() if seat in seats}
    missing = {seat: why for seat, why in values.no_ledger.items() if seat in seats}
    return HandValues(decisions, ledgers, missing)


def _light(value: DecisionValue) -> DecisionValue:
    """Return a decision without the large reads after each action."""
    actions = tuple(replace(action, read=None) for action in value.actions)
    checked = None if value.checked is None else _light(value.checked)
    return replace(value, actions=actions, checked=checked)


def unread(played: Replay, reader: Reader, ties: str) -> Analysis:
    """Return the analysis of a hand without its reads."""
    hero = played.history.hero
    return Analysis(
        played, reader, ties, "public", stages=(), actions=(), problems=(), complete=True, you=hero
    )
