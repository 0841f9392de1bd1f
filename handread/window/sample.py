"""Sample hands for players who have none of their own yet: an evening, and a gallery."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from handread.formats.grammar import data_folder
from handread.window.marks import Marks
from handread.window.reading import Workshop


@dataclass
class SampleSession:
    """A session of its own, with marks of its own, so that nothing mixes with the user's hands.

    ``name`` is its address, ``words`` describe it. The workshop reads its ``logs``, a file or the
    files of a folder, from the first request on.
    """

    name: str
    title: str
    words: str
    logs: str
    workshop: Workshop
    marks: Marks

    @cached_property
    def begun(self) -> bool:
        """True once its logs are given to the workshop."""
        self.workshop.start()
        place = data_folder("samples", "docs") / self.logs
        each = [place] if place.is_file() else list(place.iterdir())
        for log in sorted(each, key=lambda log: log.name):
            self.workshop.add_file(Path(str(log)), log.name, 0.0)
        return True


SAMPLES = (
    (
        "sample",
        "A sample evening",
        "Sixty hands of seven-card stud, as a player's log has them.",
        "first-evening.txt",
    ),
    (
        "gallery",
        "Ten hands worth a look",
        "A bluff, a trap, a steal: hands of stud, razz and hi/lo in which the betting tells.",
        "gallery",
    ),
)
"""The first fields of ``SampleSession``."""


def samples(workshops: Sequence[Workshop], marks: Marks) -> list[SampleSession]:
    """Return the samples, each in a workshop of its own."""
    pairs = zip(SAMPLES, workshops, strict=True)
    return [SampleSession(*facts, workshop=shop, marks=marks) for facts, shop in pairs]
