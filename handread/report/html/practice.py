"""The pages of practice. The page of a question holds no answer, not even in its source."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from handread.cards import card_texts
from handread.game.rules import variant_of
from handread.report.html.data import page_data
from handread.report.html.environment import embedded
from handread.report.html.page import PageLinks, fragment, game_values, packed_page
from handread.report.shown_values import HandReport, Steps
from handread.report.what_if import DecisionFigures

_SILENT = {"chances": (), "bits": (), "gist": "", "sentence": "", "on_truth": "", "notable": False}
"""A step without its effects."""

_WORDS = ("lines", "kinds", "holdings", "as_likely", "openness", "combinations", "entropy")
_UNSAID = dict.fromkeys((*_WORDS, "grid", "ends", "heights"), ())
_UNTOLD: Mapping[str, Any] = {"truth": None, "families": ()}
_HIDDEN = {"cards": ["??"]}
"""A read that is not shown, one without the truth, and the truth where it is asked for."""


def question_page(
    report: HandReport, steps: Steps, seat: int = 0, decision: DecisionFigures | None = None
) -> str:
    """Return the page that asks for a seat's holding after the steps, or for a decision."""
    data = _question_data(report, steps, seat, 0 if decision is None else decision.seat)
    options = () if decision is None else decision.options
    data["options"] = [(option.words, option.deed) for option in options]
    values = {
        **dict.fromkeys(("has_truth", "may_guess", "decision_values", "made_by"), None),
        **game_values(variant_of(report.replay.history.variant)),
        "title": "Practice",
        "asks": True,
        "links": PageLinks("train"),
        "steps": replace(steps, steps=()),
        "report": replace(report, honesty=(), viewer_actions=()),
    }
    return packed_page(fragment("question.html", **values), data, values, asks=True)


def _question_data(report: HandReport, steps: Steps, seat: int, actor: int) -> dict[str, Any]:
    """Return the data of a question; the ``actor``, asked to act, knows its downcards."""
    last, data = steps.steps[-1], page_data(report, steps)
    seen = {n for each in steps.steps for n in (*each.reads.values(), *each.table_reads.values())}
    lives = {steps.reads[n].live for n in seen}
    known = [each for each in (*report.known_seats, actor) if each not in (0, seat)]
    held = report.replay.downcards_on(last.street)
    reads = [each | _UNTOLD if n in seen else {} for n, each in enumerate(data["reads"])]
    if seat:
        reads = [each | _UNSAID if each.get("seat") == seat else each for each in reads]
        asked = last.reads[seat]
        reads[asked] |= {"families": data["reads"][asked]["families"], "truth": _HIDDEN}
    return data | {
        "title": "",
        "asks": seat or actor,
        "known": known,
        "downcards": {str(s): card_texts(held[s]) for s in known if s in held},
        "loose": {},
        "steps": [each | _SILENT for each in data["steps"]],
        "reads": reads,
        "lives": [each if n in lives else () for n, each in enumerate(steps.lives)],
    }


def answer_json(
    report: HandReport, steps: Steps, decision: DecisionFigures | None, page: str
) -> str:
    """Return what the page of a question shows once it is answered; ``page`` has the hand."""
    answer: dict[str, Any] = {"data": page_data(report, steps), "page": page}
    if decision is not None:
        answer["best"] = [option.highest for option in decision.options].index(True)
        answer["html"] = fragment("answer.html", decision=decision)
    return embedded(answer)
