"""Open the pages of a session as a browser does."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

SHARED = re.compile(r"handread-[0-9a-f]{10}\.(css|js)")
"""The names of the files that the pages of a session share."""

_PART = re.compile(r'(<script type="text/plain" id="(body|data)">)(.*?)(</script>)')


def page_data_of(page: str, script: str = "") -> dict[str, Any]:
    """What a page steps through: a page that stands alone, or one of a session with its script."""
    (text,) = re.findall(r'<script type="text/plain" id="data">(.*?)</script>', page)
    common = {"compressed": "", "length": 0}
    if script:
        (found,) = re.findall(r"^openedPage\((\{.*?\}\})\)", script, re.M)
        common = json.loads(found)["data"]
    whole = b"".join(
        base64.b85decode(str(one).replace(",", "<")) for one in (common["compressed"], text)
    )
    found_data: dict[str, Any] = json.loads(
        zlib.decompress(whole, wbits=-15).decode()[int(common["length"]) :]
    )
    return found_data


def opened(page: bytes, folder: Path) -> str:
    """The page of a session with what it carries unpacked, and without digests in names."""
    (script,) = folder.glob("handread-*.js")
    common = json.loads(re.findall(r"^openedPage\((\{.*?\}\})\)", script.read_text(), re.M)[0])

    def unpacked(part: re.Match[str]) -> str:
        own = common[part[2]]
        texts = (text.replace(",", "<") for text in (own["compressed"], part[3]))
        whole = b"".join(map(base64.b85decode, texts))
        return part[1] + zlib.decompress(whole, wbits=-15).decode()[own["length"] :] + part[4]

    return _PART.sub(unpacked, SHARED.sub(r"handread.\1", page.decode()))
