"""An analysis as notes in a PHH file: comments for people, fields for programs.

The comment on an action has its probability and its information; the comments on the last card and
the last action of a street have the chances to win. The fields hold the exact figures:

* ``_handread_reader``: the program, the policy, the viewpoint, whether the record could be read to
  its end (``complete``), and the ``seats`` with a model of their own.
* ``_handread_stages``: the pot of each stage, and the chances to win by bet-inference (``p_win``)
  and by the cards alone, in the order of the players; 0.0 for players who are out. With known
  downcards, ``omniscience`` is "full" or "partial", ``entropy_bits`` the entropy of the outcome
  given these cards, and ``kl_bits`` the divergences of the two reads.
* ``_handread_told``: each decision's number among the actions (from 1), seat, probability
  (``expected``), surprise, information about the downcards, and bits on the true downcards.

Bits are to base 2. Unknown and infinite figures are left out.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from handread.formats.phh_write import Layout, Notes, array, money, number, quoted, rows, table
from handread.game.rules import Unit
from handread.game.steps import Replay
from handread.history import Action, Deal, Event, History, SharedCard, StreetStart, Wager
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model
from handread.inference.readers import policies_of
from handread.inference.stages import ActionReading, StageReading
from handread.policy import policy_hash
from handread.report.words import bits_words, chance_words, percent_words, spoken_label
from handread.version import __version__


def notes_on(analysis: Analysis, where: Layout) -> Notes:
    """Return the PHH notes on a hand."""
    history = where.history
    acted = list(zip(choice_places(history), analysis.actions, strict=False))
    stages = rows(_stage(stage, where, history.unit) for stage in analysis.stages)
    told = rows(_told(where, where.places[index], action) for index, action in acted)
    return Notes(
        comments=_comments(analysis, acted, _last_cards(history.events)),
        fields=(
            ("_handread_reader", _reader(analysis, where)),
            ("_handread_stages", stages or "[]"),
            ("_handread_told", told or "[]"),
        ),
    )


def choice_places(history: History) -> list[int]:
    """Return the indices in ``events`` of a hand's decisions, without the forced bring-in."""
    return [
        index
        for index, event in enumerate(history.events)
        if isinstance(event, Wager) and event.action is not Action.BRING_IN
    ]


def _last_cards(events: Iterable[Event]) -> dict[int, int]:
    """Return the index of the last card by street; every street of the hand must be marked."""
    last, street = {}, 0
    for index, event in enumerate(events):
        if isinstance(event, StreetStart):
            street = event.street
        elif isinstance(event, Deal | SharedCard):
            last[street] = index
    return last


def _comments(
    analysis: Analysis, acted: Sequence[tuple[int, ActionReading]], last_card: Mapping[int, int]
) -> dict[int, str]:
    public = analysis.viewpoint == "public"
    said = {index: [_action_words(action, public)] for index, action in acted}
    last_choice = {action.decision.street: index for index, action in acted}
    for stage in analysis.stages:
        last = last_choice if stage.after_bets else last_card
        if stage.street in last:  # a street without betting has no news
            said.setdefault(last[stage.street], []).append(_chances_words(stage, analysis.replay))
    return {index: "; ".join(words) for index, words in said.items()}


def _action_words(action: ActionReading, public: bool) -> str:
    if not action.explained:
        of_which = "" if public else ", of those that the viewpoint leaves open"
        return f"no hand of the policy plays so{of_which}"
    words = (
        f"expected {percent_words(action.evidence)}, "
        f"{bits_words(action.surprise_bits)} bits of surprise; "
        f"told {bits_words(action.information_bits)} bits"
    )
    if action.truth_bits is None:
        return words
    on_truth = bits_words(action.truth_bits, sign=True)
    if action.truth_bits == -math.inf:
        return f"{words}; the true downcards {on_truth}"
    return f"{words}, {on_truth} on the true downcards"


def _chances_words(stage: StageReading, replay: Replay) -> str:
    seats = sorted(stage.active)
    if len(seats) == 1:
        return f"{stage.stage}: {spoken_label(replay, seats[0])} is left alone"
    chances = (f"{spoken_label(replay, s)} {chance_words(stage.bet_inference[s])}" for s in seats)
    return f"{stage.stage}: {', '.join(chances)}"


def _reader(analysis: Analysis, where: Layout) -> str:
    players = policies_of(analysis.reader)
    if players is not None:
        rest = _model(players.rest)
        models = {seat: _model(players.of(seat)) for seat in where.players}
    else:
        rest = {"reader": quoted(analysis.reader.name), "terms": quoted(analysis.reader.terms)}
        models = {}
    seated = {quoted(str(seat)): table(model) for seat, model in models.items() if model != rest}
    return table(
        {
            "version": quoted(__version__),
            **rest,
            "seats": table(seated),
            "viewpoint": quoted(analysis.viewpoint),
            "ties": quoted(analysis.ties),
            "complete": str(analysis.complete).lower(),
        }
    )


def _model(model: Model) -> dict[str, str]:
    return {"policy": quoted(model.name), "policy_hash": quoted(policy_hash(model.policy))}


def _stage(stage: StageReading, where: Layout, unit: Unit) -> str:
    kl = stage.kl_bits or (None, None)
    return table(
        {
            "stage": quoted(stage.stage),
            "pot": money(stage.pot, unit),
            "p_win": _chances(stage.bet_inference, where),
            "cards_only": _chances(stage.cards_only, where),
            "omniscience": "" if stage.omniscient is None else quoted(stage.omniscience),
            "entropy_bits": number(stage.entropy_bits),
            "kl_bits": table({"cards_only": number(kl[0]), "bet_inference": number(kl[1])}),
        }
    )


def _chances(chances: Mapping[int, float], where: Layout) -> str:
    return array(number(chances.get(seat, 0.0)) for seat in where.players)


def _told(where: Layout, place: int, action: ActionReading) -> str:
    seat = action.decision.seat
    return table(
        {
            "action": str(place),
            "player": quoted(f"p{where.players.index(seat) + 1}"),
            "seat": str(seat),
            "expected": number(action.evidence),
            "surprise_bits": number(action.surprise_bits),
            "told_bits": number(action.information_bits),
            "truth_bits": number(action.truth_bits),
            "table_bits": number(action.table_bits),
            "table_truth_bits": number(action.table_truth_bits),
        }
    )
