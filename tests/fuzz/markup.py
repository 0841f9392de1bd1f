"""What can be done to XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from numpy.random import Generator

from tests.fuzz.hostile import PHRASES
from tests.fuzz.luck import pick

_BOMB = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefg", "bcdefgh", strict=True))
    + "]>"
)
_EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
_REMOTE = '<!DOCTYPE x SYSTEM "http://localhost:9/x.dtd">'
_PARAMETER = '<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///dev/zero">%a;]>'

_TAG = re.compile(r"<[^<>]*>")
_VALUE = re.compile(r'="([^"]*)"')
_NAME = re.compile(r"</?(\w+)|(\w+)=")
_DEEP = 2_000


def entities(rng: Generator, text: str) -> str:
    """Declares entities and uses one of them."""
    kind = pick(rng, (_BOMB, _EXTERNAL, _REMOTE, _PARAMETER))
    used = pick(rng, ("&a;", "&i;", "&nothing;", "&#1114112;", "&#xD800;", "%a;", "&", "&#"))
    start = text.find("?>") + 2 if text.startswith("<?xml") else 0
    return text[:start] + kind + _in_a_value(rng, text[start:], used)


def value(rng: Generator, text: str) -> str:
    """A hostile text or another value where a value stands."""
    values = [found[1] for found in _VALUE.finditer(text)] or [""]
    return _in_a_value(rng, text, pick(rng, (pick(rng, values), pick(rng, PHRASES))))


def no_tag(rng: Generator, text: str) -> str:
    return _changed_tag(rng, text, lambda tag: "")


def half_tag(rng: Generator, text: str) -> str:
    """With a tag that does not close, or that is empty too soon."""
    change = pick(rng, (("/>", ">"), (">", "/>"), (">", ""), ("<", "<<"), ("<", "</"), ('"', "")))
    return _changed_tag(rng, text, lambda tag: tag.replace(*change))


def twice(rng: Generator, text: str) -> str:
    found = _some(rng, list(re.finditer(r' \w+="[^"]*"', text)))
    return text[: found.end()] + found[0] + text[found.end() :] if found else text


def renamed(rng: Generator, text: str) -> str:
    """With an element or attribute of another name, once or everywhere."""
    names = sorted({a or b for a, b in _NAME.findall(text)})
    if not names:
        return text
    old, new = pick(rng, names), pick(rng, (*names, "x", "XML:lang", "a:b", "é"))
    return re.sub(rf"\b{old}\b", new, text, count=int(rng.integers(2)))


def nested(rng: Generator, text: str) -> str:
    deep = int(rng.integers(2, _DEEP)) ** int(rng.integers(1, 3)) % (10 * _DEEP)
    tag = pick(rng, ("<a>", "<game>", "<round>", '<a b="c">', "<!--", "<![CDATA[", "<!DOCTYPE"))
    at = int(rng.integers(len(text) + 1))
    ends = ("</" + tag[1:].split(" ")[0].rstrip(">") + ">") * deep if rng.random() < 0.5 else ""
    return text[:at] + tag * deep + ends + text[at:]


def attributes(rng: Generator, text: str) -> str:
    many = "".join(f' a{n}="{n}"' for n in range(int(rng.integers(1, 3_000))))
    return _changed_tag(rng, text, lambda tag: re.sub(r"(/?>)$", lambda end: many + end[0], tag))


def prolog(rng: Generator, text: str) -> str:
    """With another beginning or end than it should have."""
    declared = ('version="1.0" encoding="utf-16"', 'version="1.0" encoding="ascii"')
    declared += ('version="1.0" encoding="nonsense"', 'version="9.9"')
    begun = *(f"<?xml {how}?>{text}" for how in declared), f" \n{text}", f"x{text}"
    sheet = "<?xml-stylesheet href='file:///etc/hostname'?>"
    ended = text + "}", f"{text}</session></session>", text.replace("</session>", ""), text + text
    return pick(rng, (*begun, sheet + text, *ended, f"<session>{text}</session>"))


Change = Callable[[Generator, str], str]

CHANGES: Sequence[Change] = (
    *(entities, value, value, no_tag, half_tag, twice, renamed, nested, attributes, prolog),
)
"""What can be done to a text of markup."""


def _in_a_value(rng: Generator, text: str, new: str) -> str:
    found = _some(rng, list(_VALUE.finditer(text)))
    return text[: found.start(1)] + new + text[found.end(1) :] if found else text + new


def _changed_tag(rng: Generator, text: str, change: Callable[[str], str]) -> str:
    found = _some(rng, list(_TAG.finditer(text)))
    return text[: found.start()] + change(found[0]) + text[found.end() :] if found else text


def _some(rng: Generator, found: Sequence[re.Match[str]]) -> re.Match[str] | None:
    return pick(rng, found) if found else None
