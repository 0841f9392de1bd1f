"""Commands and options of earlier versions, and the words that took their place.

The program takes them for this version, and says on stderr how they are written now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

COMMANDS = {
    "plot DIR KIND": "summary DIR --plot KIND",
    "fit-values POLICY": "fit --values POLICY",
    "experiment starting-hands": "experiment loki-tables income",
    "experiment action-frequencies": "experiment loki-tables actions",
    "experiment bpp-expected": "experiment bpp expected",
    "experiment bpp-curves KIND": "experiment bpp curves --set curves=KIND",
}
"""The old commands, and what stands for each now. Words in capitals are arguments."""


class OldOption(NamedTuple):
    """An option of an earlier version.

    Attributes:
        commands: The commands that had it, by their names of today.
        old: The option. A value in small letters belongs to it; N stands for any value.
        new: The words that take its place, with N for the value; none if it is not needed now.
    """

    commands: tuple[str, ...]
    old: str
    new: str


SETTINGS = {
    "fit": "played-on showdowns least rounds",
    "experiment entropies": "figure stage pick",
    "experiment independence": "draws",
    "experiment misspecified": "fitted drift",
    "experiment readers": "fit baseline",
    "experiment read-value": "scoring decisions",
    "experiment decision-calibration": "decisions",
    "experiment luck": "values",
    "experiment tournament": "sessions deals reference",
    "experiment bpp": "matches pairing curves ante decks climbs steps candidates steepness",
    "experiment bpp-reader": "train",
    "experiment learning-curves": "others",
    "policy export": "cards",
}
"""Names of options that are settings now, by command."""

FLAGS = {"fit": "hidden by-stage", "experiment win-rates": "duplicate"}
"""Names of options without a value that are settings now, by command."""

OPTIONS = (
    OldOption(("analyze", "report", "score"), "--decisions learned", "--decisions"),
    OldOption(("analyze", "report", "score"), "--decisions rollouts", "--decisions --exact"),
    OldOption(("decisions",), "--by learned", ""),
    OldOption(("decisions",), "--by rollouts", "--exact"),
    OldOption(("decisions",), "--worst N", "--top N"),
    OldOption(("query",), "--limit N", "--top N"),
    OldOption(("fit",), "--like N", "--prior N"),
    OldOption(("fit", "evaluate"), "--players", ""),
    OldOption(("fit", "evaluate"), "--no-players", "--one-policy"),
    OldOption(("policy show",), "--players N", "--seats N"),
    OldOption(("policy export",), "--bif N", "--output N"),
    OldOption(("experiment misspecified",), "--players N", "--policy N"),
    OldOption(("experiment bpp",), "--expected", "expected"),
    OldOption(("experiment bpp",), "--learning N", "--games N"),
    *(
        OldOption((command,), f"--{name} N", f"--set {name}=N")
        for command, names in SETTINGS.items()
        for name in names.split()
    ),
    *(
        OldOption((command,), f"--{name}", f"--set {name}=yes")
        for command, names in FLAGS.items()
        for name in names.split()
    ),
)
"""The old options of commands."""

FlagsOf = Callable[[str], Collection[str]]
"""Returns the options of a command that take no value."""


def renewed(words: Sequence[str], flags_of: FlagsOf) -> tuple[list[str], list[str]]:
    """Return the words of a command line under their names of today, and what was renamed.

    What was renamed is one text for each old name, such as "--worst N is now --top N".
    """
    end = words.index("--") if "--" in words else len(words)
    given, said = _renewed_command(list(words[:end]), flags_of)
    options, more = _renewed_options(given)
    return [*options, *words[end:]], [*said, *dict.fromkeys(more)]


def _renewed_command(words: list[str], flags_of: FlagsOf) -> tuple[list[str], list[str]]:
    """Return the words with the command's name of today, and the text about it, if it is new."""
    for old, new in COMMANDS.items():
        names = [word for word in old.split() if not word.isupper()]
        if words[: len(names)] != names:
            continue
        options, wanted = words[len(names) :], [word for word in old.split() if word.isupper()]
        places = list(_arguments(options, flags_of(_beginning(new))))[: len(wanted)]
        values = {name: options[at] for name, at in zip(wanted, places, strict=False)}
        made = new.split()
        for name in wanted:
            at = next(at for at, word in enumerate(made) if word.rpartition("=")[2] == name)
            if name in values:
                made[at] = made[at].removesuffix(name) + values[name]
            else:  # the command says what is missing
                del made[at - made[at - 1].startswith("-") : at + 1]
        left = [word for at, word in enumerate(options) if at not in places]
        return [*made, *left], [f"{old} is now {new}"]
    return words, []


def _beginning(words: str) -> str:
    """Return the name of a command, without the options and arguments that follow it."""
    names: list[str] = []
    for word in words.split():
        if word.startswith("-") or word.isupper():
            break
        names.append(word)
    return " ".join(names)


def _arguments(words: Sequence[str], flags: Collection[str]) -> Iterator[int]:
    """Yield the places of the words that are neither options nor their values."""
    value_follows = False
    for at, word in enumerate(words):
        if value_follows:
            value_follows = False
        elif not word.startswith("-") or word == "-":
            yield at
        else:
            whole = "=" in word if word.startswith("--") else len(word) > 2
            value_follows = not whole and word not in flags


def _renewed_options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words with the names of today of their options, and the texts about them."""
    known = [
        one
        for one in OPTIONS
        if any(list(words[: len(name.split())]) == name.split() for name in one.commands)
    ]
    made: list[str] = []
    said: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        name, has_value, value = word.partition("=")
        rows = [one for one in known if one.old.split()[0] == name]
        takes = rows and len(rows[0].old.split()) > 1
        following = value if has_value else (left[0] if left else "")
        found = [one for one in rows if not takes or one.old.split()[1] in ("N", following)]
        if not found:
            made.append(word)
            continue
        if takes and not has_value and left:
            left.pop(0)
        new = found[0].new.split()
        # Of a value that is missing only its option is left, which says so.
        made += [one.replace("N", following) for one in new if following or one != "N"]
        said.append(f"{found[0].old} is now {found[0].new or 'the default'}")
    return made, said
