"""The templates and what fills them.

The page of a hand is one file and loads nothing; it carries compressed data. The pages of a session
share a sheet and a script in the files beside them, and carry their body compressed, too.
"""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

import handread.report.html.environment as templates
import handread.report.overview as overviews
from handread.game.rules import Variant, variant_of
from handread.inference.hand_analysis import Analysis
from handread.opponents.statistics import GROUPS
from handread.report.ends import hand_axis
from handread.report.html import charts
from handread.report.html.data import page_data
from handread.report.index import IndexRow, dates
from handread.report.json import analysis_object
from handread.report.palette import COLOURS, DARK, LIGHT
from handread.report.session_players import PlayerLine, hands_of, mark_key, styles_of
from handread.report.shown_values import HandReport, Steps
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

SCRIPTS = ("hand.js", "board.js", "read.js", "score.js", "guess.js", "share.js", "page.js")
"""The parts of a page's script in order."""

DECISION_SCRIPTS = (*SCRIPTS[:-1], "decisions.js", SCRIPTS[-1])
"""The script of a page with the values of decisions."""

QUESTION_SCRIPTS = (*SCRIPTS[:-1], "sitting.js", "train.js", SCRIPTS[-1])
"""The script of a page that asks something of a hand."""

LIST_SCRIPTS = ("list.js", "filters.js", "results.js", "curve.js")

MARK_SCRIPTS = {False: ("marks.js", "marks_browser.js"), True: ("marks.js", "marks_program.js")}
"""The scripts of stars, tags and notes; True for a running program, which keeps them itself."""


class PlayerLink(NamedTuple):
    """The page of a player, and the user's note on the player."""

    page: str
    note: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The pages that a page links to: names of files beside it, or empty.

    ``copy`` is where a running program edits a copy of the hand, ``single`` where it makes a page
    that needs no other file; chosen names may follow. ``noun`` names the neighbours, hands or
    mistakes; ``players`` are by seat.
    """

    index: str = ""
    previous: str = ""
    following: str = ""
    noun: str = "hand"
    copy: str = ""
    single: str = ""
    players: Mapping[int, PlayerLink] = field(default_factory=dict)


def kept_json(analysis: Analysis) -> str:
    """Return the JSON that the page of a hand carries, without the path of its log."""
    return json.dumps(_in_file(analysis_object(analysis, EMBEDDED), ""), separators=(",", ":"))


def _in_file(analysis: Mapping[str, Any], file: str) -> dict[str, Any]:
    return {**analysis, "source": {**analysis["source"], "file": file}}


def page(
    report: HandReport,
    steps: Steps,
    analysis_json: str,
    links: PageLinks = PageLinks(),
    decision_values: HandDecisions | None = None,
) -> str:
    """Return the page of a hand: HTML that works from a file, without a network.

    ``analysis_json`` comes from ``kept_json``. None for ``decision_values`` leaves them out.
    """
    file = report.replay.history.source.file
    valued = decision_values is not None
    data = templates.embedded(page_data(report, steps, decision_values)).encode()
    script = f"{_opener()}opened('data').then({_page_script(valued)});"
    return _rendered(
        "page.html",
        _page_style(valued),
        script,
        analysis_json=templates.embedded(_in_file(json.loads(analysis_json), file)),
        data=Markup(templates.text_of(zlib.compress(data, 9, -15))),
        **_page_values(report, steps, links, decision_values),
    )


def session_page(
    report: HandReport, steps: Steps, links: PageLinks, decision_values: HandDecisions | None = None
) -> str:
    """Return the page of a hand of a session: without its JSON, and small.

    It needs the ``shared_files`` beside it. The other arguments are as in ``page``.
    """
    values = _page_values(report, steps, links, decision_values)
    body = fragment("body.html", analysis_json="", **values)
    return packed_page(body, page_data(report, steps, decision_values, links.players), values)


def packed_page(
    body: str, data: Mapping[str, Any], values: Mapping[str, Any], asks: bool = False
) -> str:
    """Return a page that carries its body and its data compressed."""
    sheet, script = shared_files(asks or values["decision_values"] is not None, asks)
    return fragment(
        "packed.html",
        version=__version__,
        title=values["title"],
        links=values["links"],
        sheet=sheet,
        script_file=script,
        style_source=FILES,
        script_source=FILES,
        connects=asks,
        made_by=values["made_by"],
        parts={
            name: Markup(templates.text_of(templates.compressed(name, text)))
            for name, text in (("body", body), ("data", templates.embedded(data)))
        },
    )


@cache
def shared_files(valued: bool = False, asks: bool = False) -> Mapping[str, str]:
    """Return the sheet and the script of a session's pages by file name, one per version.

    If ``valued``, they serve pages with the values of decisions; if ``asks``, pages of practice.
    """
    common = {
        name: {
            "compressed": templates.text_of(templates.compressor(name)[1]),
            "length": len(templates.common_text(name)),
        }
        for name in ("body", "data")
    }
    code = f"{_opener()}openedPage({json.dumps(common)}).then({_page_script(valued, asks)});"
    sheets = (*["train.css"] * asks, "packed.css")
    sheet = "\n".join([_page_style(valued), *map(templates.template_text, sheets)])
    files = {"css": sheet, "js": f"{code}\n"}
    digests = {kind: hashlib.sha256(text.encode()).hexdigest() for kind, text in files.items()}
    return {f"handread-{digests[kind][:10]}.{kind}": text for kind, text in files.items()}


def _page_values(
    report: HandReport, steps: Steps, links: PageLinks, decision_values: HandDecisions | None
) -> dict[str, Any]:
    closed = decision_values is not None and decision_values.has_closed
    history = report.replay.history
    game = variant_of(history.variant)
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
        "played": " · ".join(filter(None, (dates(history.played_at)[0], visible(history.table)))),
        "report": report,
        "steps": steps,
        "links": links,
        "made_by": visible(report.made_by),
        "has_truth": bool(known) or closed,
        "may_guess": bool(known - set(report.known_seats)),
        **game_values(game),
        "top": EMBEDDED,
        "decision_values": decision_values,
        **drawn,
    }


def game_values(game: Variant) -> dict[str, Any]:
    """Return the values of a game that templates need."""
    return {
        "game": game,
        "axis": hand_axis(game),
        "prize": prize_words(game),
        "single": game.dealt[game.last][0] == 1,
    }


class LivePlace(NamedTuple):
    """Where a running program shows an index."""

    offered: Mapping[str, str]  # titles of samples to look at, by address
    sample: str  # the contents of a sample, to which no logs are added; else empty
    all_hands: int = 0  # how many hands there are, if it shows some of them alone
    found: int = 0  # hands that are being read or valued; the next two count finished ones
    read: int = 0
    valued: int = 0
    rest: str = ""  # hands that are not even counted yet, in words
    progress: str = ""  # the progress of the reading in a sentence


def index_page(
    title: str,
    rows: Sequence[IndexRow],
    reasons: Mapping[str, Sequence[str]] = MappingProxyType({}),
    left_out: str = "",
    whole: overviews.Overview | None = None,
    place: LivePlace | None = None,
) -> str:
    """Return the index of a session, with a row for each hand that has a page.

    ``reasons`` says by fate why hands or texts could not be read to their end; ``left_out`` counts
    them in words. ``whole`` is the ``overview``, if made; ``place``, where a running program shows
    it and sends rows later.
    """
    live = place is not None
    parts = (*MARK_SCRIPTS[live], *LIST_SCRIPTS) * bool(rows)
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
        whole=whole or overviews.overview(rows),
        curves=charts.result_curves(rows),
        reasons=reasons,
        left_out=left_out,
        **_columns(rows),
    )


def hand_rows(listed: Sequence[IndexRow], rows: Sequence[IndexRow]) -> str:
    """Return some rows of an index as HTML, with the columns that all ``rows`` need."""
    return fragment("rows.html", listed=listed, **_columns(rows))


def columns_key(rows: Sequence[IndexRow]) -> str:
    """Return a text that changes with the columns and the filters of an index; empty for no row."""
    columns = _columns(rows)
    switches = [name for name, value in columns.items() if value is True]
    return " ".join([*switches, *map(repr, columns["games"])])


def _columns(rows: Sequence[IndexRow]) -> dict[str, Any]:
    return {
        "games": sorted({row.game for row in rows}),
        "many_sources": len({row.source for row in rows}) > 1,
        "has_you": any(row.in_hand for row in rows),
        "has_cards": any(row.cards for row in rows),
        "has_days": len({row.day for row in rows}) > 1,
        "has_reads": any(row.reads or row.awaits_reads for row in rows),
        "overviews": overviews,
    }


def fragment(template: str, **values: Any) -> str:
    """Return a template with values put in: a page, or a part that a running program sends."""
    return templates.environment().get_template(template).render(**values)


def security_policy(text: str) -> str:
    """Return the content security policy that a page states, for the header of an answer."""
    match = _POLICY.search(text)
    assert match is not None, "a page begins with its policy"
    return match[1]


def player_page(
    session: str, index: str, line: PlayerLine, rows: Sequence[IndexRow], live: bool = False
) -> str:
    """Return the page of a player with the hands ``rows``; it leads back to the file ``index``.

    ``session`` is the title. If ``live``, a running program shows the page and keeps the notes.
    """
    player = line.profile.player
    hands, styles = hands_of(player, rows), styles_of(player, rows)
    known = [hand for hand in hands if hand[1].shown]
    return session_rendered(
        "player.html",
        (*MARK_SCRIPTS[live], "player.js"),
        title=line.name,
        live=live,
        connects=live,
        session=session,
        index=index,
        line=line,
        player=player,
        key=mark_key(player.name),
        colours=COLOURS,
        compared=any(row.others for group in GROUPS for row in line.profile.rows(group)),
        plays_like=replace(line.profile, player=replace(player, styles=styles)).style(),
        shown=sorted(
            known, key=lambda hand: (hand[1].net_bets is None, -(hand[1].net_bets or 0.0))
        ),
        others=[hand for hand in hands if not hand[1].shown],
    )


def session_rendered(
    template: str,
    scripts: Sequence[str] = (),
    sheets: Sequence[str] = ("session.css",),
    **values: Any,
) -> str:
    """Return a page of a session other than a hand, from its template and parts of its script."""
    style = f"{_style()}\n{_joined(sheets)}"
    script = f"{STRICT}{{\n{_joined(scripts)}\n}}" if scripts else ""
    return _rendered(template, style, script, **values)


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
    return fragment("style.css", LIGHT=LIGHT, DARK=DARK, COLOURS=COLOURS).strip()


def _page_style(valued: bool) -> str:
    return f"{_style()}\n{templates.template_text('decisions.css').strip()}" if valued else _style()


def _page_script(valued: bool, asks: bool = False) -> str:
    parts = _joined(QUESTION_SCRIPTS if asks else DECISION_SCRIPTS if valued else SCRIPTS)
    return f"(text) => {{\nconst data = JSON.parse(text);\n{parts}\n}}"


def _opener() -> str:
    return f"{STRICT}{templates.template_text('open.js')}"


@cache
def _joined(names: Sequence[str]) -> str:
    return "\n".join(templates.template_text(name).strip() for name in names)
