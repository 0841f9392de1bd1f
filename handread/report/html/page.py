"""The templates and what fills them.

The page of a hand is one file and loads nothing; it carries compressed data. The pages of a session
share a sheet and a script in the files beside them, and carry their body compressed, too.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from handread.game.rules import Variant, variant_of
from handread.inference.hand import Analysis
from handread.opponents.statistics import GROUPS
from handread.report.ends import hand_axis
from handread.report.html import charts
from handread.report.html.data import constant_data, page_data
from handread.report.html.environment import environment, template_text
from handread.report.index import IndexRow
from handread.report.json import analysis_object
from handread.report.overview import (
    DecisionsPanel,
    Overview,
    Pick,
    kinds_played,
    mean_bits,
    overview,
    read_words,
    search_words,
    told_words,
)
from handread.report.palette import DARK, LIGHT
from handread.report.session_players import PlayerLine, hands_of
from handread.report.values import HandReport, Steps
from handread.report.what_if import HandDecisions
from handread.report.words import prize_words, visible
from handread.version import __version__

EMBEDDED = 2
"""The number of holdings of each pdd in the embedded JSON."""

STRICT = '"use strict";\n'

FILES = Markup("'self' file:")
"""The source of a content security policy that admits the files beside a page."""

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
"""The policy in the head of a page: it stands before any text of a log."""

SCRIPTS = ("hand.js", "board.js", "read.js", "score.js", "guess.js", "page.js")
"""The parts of a page's script in order."""

DECISION_SCRIPTS = (*SCRIPTS[:-1], "decisions.js", SCRIPTS[-1])
"""The same of a page with the values of decisions."""

TRAINING_SCRIPTS = (*DECISION_SCRIPTS[:-1], "sitting.js", "train.js", SCRIPTS[-1])
"""The same of a page that asks for a decision before it shows it."""

INDEX_SCRIPTS = ("marks.js", "marks_browser.js", "list.js", "results.js")
"""The parts of the script of an index in order."""

LIVE_SCRIPTS = ("marks.js", "marks_program.js", "list.js", "results.js")
"""The same of a running program, which keeps the marks itself."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The pages that a page links to: names of files beside it, empty where there is none.

    ``copy`` is where a running program edits a copy of the hand, ``single`` where it makes a page
    that needs no other file; a choice of names may follow. ``noun`` says what is before and after:
    a hand, or a mistake.
    """

    index: str = ""
    previous: str = ""
    following: str = ""
    noun: str = "hand"
    copy: str = ""
    single: str = ""


def kept_json(analysis: Analysis) -> str:
    """Return the JSON that the page of a hand carries, without the path of its log."""
    return json.dumps(_in_file(analysis_object(analysis, EMBEDDED), ""), separators=(",", ":"))


def _in_file(found: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Return the JSON object of an analysis with another path of its log."""
    return {**found, "source": {**found["source"], "file": file}}


def page(
    report: HandReport,
    steps: Steps,
    analysis_json: str,
    links: PageLinks = PageLinks(),
    decision_values: HandDecisions | None = None,
) -> str:
    """Return the page of a hand: HTML that works from a file, without a network.

    ``analysis_json`` is what ``kept_json`` returns. None for ``decision_values`` leaves them out.
    """
    file = report.replay.history.source.file
    valued = decision_values is not None
    data = embedded(page_data(report, steps, decision_values)).encode()
    script = f"{_opener()}opened('data').then({_page_script(valued)});"
    return _rendered(
        "page.html",
        _page_style(valued),
        script,
        analysis_json=embedded(_in_file(json.loads(analysis_json), file)),
        data=Markup(_text_of(zlib.compress(data, 9, -15))),
        **_page_values(report, steps, links, decision_values),
    )


def session_page(
    report: HandReport,
    steps: Steps,
    links: PageLinks,
    decision_values: HandDecisions | None = None,
    asks: bool = False,
) -> str:
    """Return the page of a hand of a session: without its JSON, and small.

    It needs the ``shared_files`` beside it. Other arguments are as of ``page``; if ``asks``, the
    page asks for the only decision that is valued, the last of the steps, before it shows it.
    """
    values = _page_values(report, steps, links, decision_values)
    body = fragment("body.html", analysis_json="", **values)
    data = embedded(page_data(report, steps, decision_values))
    sheet, script = shared_files(decision_values is not None, asks)
    return fragment(
        "packed.html",
        version=__version__,
        title=report.title,
        links=links,
        sheet=sheet,
        script_file=script,
        style_source=FILES,
        script_source=FILES,
        connects=asks,
        made_by=values["made_by"],
        parts={
            name: Markup(_text_of(_compressed(name, text)))
            for name, text in (("body", body), ("data", data))
        },
    )


@cache
def shared_files(valued: bool = False, asks: bool = False) -> Mapping[str, str]:
    """Return the sheet and the script of a session's pages by file name.

    A name tells one version from another, so that pages of both may lie in a folder. If ``valued``,
    they serve pages with the values of decisions; if ``asks``, those of the training.
    """
    common = {
        name: {"compressed": _text_of(_compressor(name)[1]), "length": len(_common_text(name))}
        for name in ("body", "data")
    }
    code = f"{_opener()}openedPage({json.dumps(common)}).then({_page_script(valued, asks)});"
    sheets = (*["train.css"] * asks, "packed.css")
    sheet = "\n".join([_page_style(valued), *map(template_text, sheets)])
    files = {"css": sheet, "js": f"{code}\n"}
    digests = {kind: hashlib.sha256(text.encode()).hexdigest() for kind, text in files.items()}
    return {f"handread-{digests[kind][:10]}.{kind}": text for kind, text in files.items()}


def _text_of(data: bytes) -> str:
    """Return bytes in base 85, with a comma for the < that might end a script element."""
    return base64.b85encode(data).decode().replace("<", ",")


def _compressed(name: str, text: str) -> bytes:
    """Return a text compressed as the continuation of the common text of its name."""
    compressor = _compressor(name)[0].copy()
    return compressor.compress(text.encode()) + compressor.flush()


@cache
def _compressor(name: str) -> tuple[zlib._Compress, bytes]:
    """Return a compressor that has seen the common text of a name, and what it wrote of it."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    written = compressor.compress(_common_text(name).encode())
    return compressor, written + compressor.flush(zlib.Z_SYNC_FLUSH)


def _common_text(name: str) -> str:
    """Return text of which pages of all hands have parts: what does not depend on the hand."""
    if name == "data":
        return str(embedded(constant_data()))
    source = "".join(map(template_text, ("charts.html", "parts.html", "body.html")))
    return re.sub(r"\{[{%#].*?[}%#]\}", "", source, flags=re.S)


def _page_values(
    report: HandReport, steps: Steps, links: PageLinks, decision_values: HandDecisions | None
) -> dict[str, Any]:
    closed = decision_values is not None and decision_values.has_closed
    game = variant_of(report.replay.history.variant)
    known = set(report.replay.downcards_on(game.last))
    drawn: dict[str, Any] = {}
    if steps.steps:
        drawn = {
            "chart_chances": charts.chances_chart(report, steps.steps),
            "chart_entropy": charts.entropy_chart(steps.steps),
            "chart_bits": charts.bits_chart(report, steps.steps),
            "named": set(steps.steps[-1].chances),
        }
    return {
        "title": report.title,
        "report": report,
        "steps": steps,
        "links": links,
        "made_by": visible(report.made_by),
        "has_truth": bool(known) or closed,
        "may_guess": bool(known - set(report.known_seats)),
        "game": game,
        "axis": hand_axis(game),
        "prize": prize_words(game),
        "single": game.dealt[game.last][0] == 1,
        "top": EMBEDDED,
        "decision_values": decision_values,
        **drawn,
    }


class LivePlace(NamedTuple):
    """Where a running program shows an index."""

    offered: Mapping[str, str]  # titles of samples to look at, by address
    sample: str  # what there is to see in a sample, to which no logs are added; else empty


def index_page(
    title: str,
    rows: Sequence[IndexRow],
    refused: Iterable[str] = (),
    others: Mapping[str, int] = MappingProxyType({}),
    unanalyzed: Iterable[str] = (),
    repeated: int = 0,
    whole: Overview | None = None,
    place: LivePlace | None = None,
) -> str:
    """Return the index of a session, with a row for each hand that has a page.

    ``refused`` says what is wrong with hands that have none, ``unanalyzed`` why sound hands have
    none. ``others`` is the number of hands of each other game by its name, ``repeated`` that of
    hands left out because they came before. ``whole`` is the ``overview`` of the rows, if made.
    ``place`` is where a running program shows it, which sends the rows later.
    """
    live = place is not None
    parts = (LIVE_SCRIPTS if live else INDEX_SCRIPTS) * bool(rows)
    scripts = (*parts, *("window.js",) * live)
    sheets = ("session.css", *("window.css",) * live)
    return session_rendered(
        "index.html",
        scripts,
        sheets,
        title=title,
        rows=rows,
        listed=() if live else rows,
        live=live,
        place=place,
        connects=live,
        columns=columns_key(rows),
        whole=whole or overview(rows),
        curves=charts.result_curves(rows),
        refused=list(refused),
        unanalyzed=list(unanalyzed),
        repeated=repeated,
        others=others,
        **_columns(rows),
    )


def hand_rows(listed: Sequence[IndexRow], rows: Sequence[IndexRow]) -> str:
    """Return some rows of an index as HTML, with the columns that all ``rows`` need."""
    return fragment("rows.html", listed=listed, **_columns(rows))


def columns_key(rows: Sequence[IndexRow]) -> str:
    """Return a text that changes with the columns and the filters of an index; empty for no row."""
    found = _columns(rows)
    switches = [name for name, value in found.items() if value is True]
    return " ".join([*switches, *map(repr, found["games"])])


def _columns(rows: Sequence[IndexRow]) -> dict[str, Any]:
    """Return what the rows of an index need: which columns there are, and words."""
    return {
        "games": sorted({row.game for row in rows}),
        "many_sources": len({row.source for row in rows}) > 1,
        "has_you": any(row.in_hand for row in rows),
        "has_cards": any(row.cards for row in rows),
        "has_reads": any(row.reads for row in rows),
        "kinds_played": kinds_played,
        "mean_bits": mean_bits,
        "read_words": read_words,
        "told_words": told_words,
        "search_words": search_words,
    }


def new_hand_page(games: Sequence[Variant]) -> str:
    """Return the page on which a hand is entered in a running program."""
    sheets = ("session.css", "new.css")
    values = {"title": "New hand", "games": games, "connects": True}
    return session_rendered("new.html", ("new.js",), sheets, **values)


def fragment(template: str, **values: Any) -> str:
    """Return a template with values put in: a page, or a part that a running program sends."""
    return environment().get_template(template).render(**values)


def security_policy(page: str) -> str:
    """Return the content security policy that a page states, for the header of an answer."""
    found = _POLICY.search(page)
    assert found is not None, "a page begins with its policy"
    return found[1]


def player_page(session: str, index: str, line: PlayerLine, rows: Iterable[IndexRow]) -> str:
    """Return the page of a player of a session, of which ``rows`` are the hands.

    ``session`` is the title of the ``index``, the file to which the page leads back.
    """
    return session_rendered(
        "player.html",
        title=line.name,
        session=session,
        index=index,
        line=line,
        player=line.profile.player,
        compared=any(one.others for group in GROUPS for one in line.profile.rows(group)),
        hands=hands_of(line, rows),
    )


def mistakes_page(
    links: tuple[str, str],
    panel: DecisionsPanel | None,
    dear: Sequence[Pick],
    kind: str,
    progress: str,
) -> str:
    """Return the page of the costly decisions of a session, of which those in ``dear`` are shown.

    They are of a ``kind``, "5th call", or all if it is empty. ``links`` are the title of the
    session and the address of its index. ``panel`` is None until decisions are valued, ``progress``
    says what is still being done.
    """
    return session_rendered(
        "mistakes.html",
        title="The most expensive decisions" if panel is None else panel.all_title,
        links=links,
        panel=panel,
        dear=dear,
        costly_kinds=() if panel is None else panel.costly_kinds,
        kind=kind,
        progress=progress,
    )


def training_page(
    links: tuple[str, str],
    panel: DecisionsPanel | None,
    asked: Sequence[Mapping[str, str | int]],
    progress: str,
) -> str:
    """Return the page on which a training begins and ends.

    ``asked`` are the decisions that it asks for: ``id`` tells one from others wherever its log
    lies, ``page`` and ``moment`` say where it is, ``due`` when it is asked for again.
    The rest is as in ``mistakes_page``.
    """
    return session_rendered(
        "training.html",
        ("sitting.js", "training.js"),
        ("session.css", "train.css"),
        title="Learn from your mistakes",
        links=links,
        panel=panel,
        asked=asked,
        data=embedded(asked),
        progress=progress,
        connects=True,
    )


def logs_page(
    lines: Sequence[Any], folders: Sequence[str], offered: Sequence[str], added: str
) -> str:
    """Return the page of the logs of a window: ``window.logs.LogLine``, and folders."""
    return session_rendered(
        "logs.html",
        ("logs.js",),
        ("session.css", "window.css"),
        title="My logs",
        lines=lines,
        folders=folders,
        offered=offered,
        added=added,
        connects=True,
    )


def session_rendered(
    template: str,
    scripts: Sequence[str] = (),
    sheets: Sequence[str] = ("session.css",),
    **values: Any,
) -> str:
    """Return a page of a session that is no hand, from its template and parts of its script."""
    style = f"{_style()}\n{_joined(sheets)}"
    script = f"{STRICT}{{\n{_joined(scripts)}\n}}" if scripts else ""
    return _rendered(template, style, script, **values)


def embedded(value: object) -> Markup:
    """Return JSON for a script element; nothing in it can end the element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _rendered(template: str, style: str, script: str, **values: Any) -> str:
    """Return a page that admits only its own sheet and script."""
    return fragment(
        template,
        version=__version__,
        sheet="",
        style=Markup(style),
        style_source=_hash(style),
        script=Markup(script),
        script_source=_hash(script) if script else "",
        **{"connects": False, **values},
    )


def _hash(text: str) -> Markup:
    """Return the source of a content security policy that admits only this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return Markup("'sha256-{}'").format(base64.b64encode(digest).decode())


@cache
def _style() -> str:
    return fragment("style.css", LIGHT=LIGHT, DARK=DARK).strip()


def _page_style(valued: bool) -> str:
    return f"{_style()}\n{template_text('decisions.css').strip()}" if valued else _style()


def _page_script(valued: bool, asks: bool = False) -> str:
    parts = _joined(TRAINING_SCRIPTS if asks else DECISION_SCRIPTS if valued else SCRIPTS)
    return f"(text) => {{\nconst data = JSON.parse(text);\n{parts}\n}}"


def _opener() -> str:
    return f"{STRICT}{template_text('open.js')}"


@cache
def _joined(names: Sequence[str]) -> str:
    return "\n".join(template_text(name).strip() for name in names)
