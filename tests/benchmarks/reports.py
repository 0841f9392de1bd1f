"""Pages and pictures of hands: what they take beyond the analysis, and sessions of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from handread.formats.registry import writer_named
from handread.game.replay import replay, written_out
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy
from handread.report import figures as plots
from handread.report.build import hand_report
from handread.report.ends import street_ends
from handread.report.html.page import kept_json, page
from handread.report.steps import hand_steps
from handread.report.text import plain_report
from tests.benchmarks.timing import Row, as_time, median_seconds, run_python, seconds
from tests.hands import GOLDEN, hand, random_hand

N_HANDS = 40


def one() -> Iterator[Row]:
    """A seven-handed hand with every downcard known, analyzed and then shown."""
    played, policy = replay(hand(GOLDEN)), load_policy("default")
    analyzed = median_seconds(lambda: analyze_replay(played, policy), runs=9)

    def shown() -> str:
        # Reads keep what they have worked out, so that only those of a new analysis will do.
        analysis = analyze_replay(played, policy)
        report = hand_report(analysis)
        return page(report, hand_steps(report, analysis), kept_json(analysis))

    whole = median_seconds(shown, runs=9)
    analysis = analyze_replay(played, policy)
    report = hand_report(analysis)
    steps, carried = hand_steps(report, analysis), kept_json(analysis)
    filled = median_seconds(lambda: page(report, steps, carried), runs=9)
    yield Row(
        "the page of a hand beyond its analysis",
        as_time(whole - analyzed),
        f"{len(steps.steps)} moments; analysis {as_time(analyzed)}, "
        f"of the rest the template {as_time(filled)}; {len(shown().encode()) / 1000:.0f} kB",
    )
    text = median_seconds(lambda: plain_report(report, steps.steps), runs=9)
    yield Row("that hand as text, from its report", as_time(text))
    svg, png = (
        median_seconds(
            lambda: plots.picture_bytes(plots.hand_figure(report, steps), ending),  # noqa: B023 - called at once
            runs=3,
        )
        for ending in (".svg", ".png")
    )
    ends = street_ends(analysis)
    pdf = median_seconds(lambda: plots.pages_drawn(plots.hand_pages(report, steps, ends)), runs=3)
    yield Row("as a picture, from its report", as_time(svg), f"PNG {as_time(png)}")
    yield Row("as a PDF with a page a street", as_time(pdf))


def sessions() -> Iterator[Row]:
    """Sessions of the same hands shown by one process and by two, from start to end."""
    write = writer_named("saund").write
    played = [replay(random_hand(seed, n_players=2 + seed % 7)) for seed in range(N_HANDS)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "session.stud"
        file.write_text("\n".join(write(written_out(one)) for one in played), encoding="utf-8")
        run = partial(run_python, "-m", "handread", "report", str(file), "-o", str(folder / "x"))
        run()  # the kernels are compiled
        times = [seconds(partial(run, "--workers", str(workers))) for workers in (1, 2)]
    for workers, time in enumerate(times, start=1):
        yield Row(
            f"handread report, {workers} worker{'s' if workers > 1 else ''}",
            f"{N_HANDS / time:.1f} hands/s",
            f"{N_HANDS} hands, whole process {as_time(time)}; {times[0] / time:.2f} x one worker",
        )
