"""Open the pages of a session as a browser does."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

SHARED = re.compile(r"handread-[0-9a-f]{10}\.(css|js)")
"""The names of the files that the pages of a session share."""

_PART = re.compile(r'(<script type="text/plain" id="(body|data)">)(.*?)(</script>)')


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
