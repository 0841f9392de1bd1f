"""Texts that nobody should have in a log: what breaks terminals, pages, tables and parsers."""

from __future__ import annotations

CHARACTERS = (
    *"\0\x07\x08\x0b\x0c\x1b\x1c\x1e\x7f\x85\x9b\xa0\u2028\u2029",
    *"\u200b\u200d\u202e\u2066\u2069\ufeff\ufffd\ue000\uffff\U000e0041",
    *"\r\n\t |[](){}<>&#=:;,.'\"\\/%$€£+-*?@_^~`!",
    *"İßſKﬁ²½Ⅷ٣１𝟙é老🂡",
    "e\u0301",
    "\r\n",
)
"""Single characters: controls, marks of direction, brackets, digits that are none."""

PHRASES = (
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\u202etxet desrever\u202c"),
    *("<script>alert(1)</script>", "</td><b onmouseover='x()'>", "&lt;&amp;&#0;&#x1F0A1;"),
    *("<!-- -->", "]]>", "<![CDATA[", "<?xml version='1.0'?>"),
    *("=cmd|' /C calc'!A0", "@SUM(1+1)*cmd|'", "+1-1", "-2+3", "%s%n%d", "{0}{seat}{player}"),
    *("${x}`x`$(x)", "'; drop table hands; --", "\\x1b\\u202e\\N{BELL}", "'''", '"""'),
    *("# a comment", "variant = 'F7S'", "[1]", "Seat 1: ", "*** SUMMARY ***", "*** RIVER ***"),
    *(" calls $1 and is all-in", ": folds", " wins the pot ($1)", "[As Ks Qs]"),
    *("name|name", "a: b: c", "null", "None", "true", "NaN", " ", "", "?" * 40, "([" * 60),
    *("a " * 120, "x" * 600, "y" * 10_000, "ab " * 3_500, "e" + "\u0301" * 300),
)
"""Names, words and pieces of lines."""

NUMBERS = (
    *("0", "00", "-0", "-1", "+1", "--1", "1.", ".5", "1.2.3", "1,2,3", "1,00", "1 000", "1_000"),
    *("0x1F", "1e9", "1e-9", "1e999999", "inf", "nan", "0.0000001", "0.123456", "0.1234567890123"),
    *("9" * 15, "9" * 16, "9" * 30, "9" * 60, "9" * 4_500, "999,999,999,999,999"),
    *("999999999999999.999999", "9" * 18 + ".99", "$", "$$1", "$1€", "1€", "(1)"),
    *("²", "½", "٣", "１２", "Ⅷ", ""),
)
"""What may stand where a number should."""

CARDS = ("1s", "10s", "10S", "11h", "tS", "As", "sA", "D10", "XX", "X", "H", "??", "of", "null", "")
"""What may stand where a card should."""
