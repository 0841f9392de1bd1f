"""SQL that people ask the tables in: what is let through, and faults in a person's words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise

import polars as pl

from handread.score import TABLES

LONGEST_SHOWN = 100
"""How many characters of a question a message repeats."""


class QuestionError(Exception):
    """A question that cannot be answered; the message is for a person."""


_STATEMENT = re.compile(r"(?:\s|\(|--[^\n]*\n|/\*.*?\*/)*(?:select|with)\b", re.I | re.S)

_READS = re.compile(r"\b(?:read|scan)_\w*|\b\w+_scan\b", re.I)
"""Functions that open files."""

_NO_CODE = re.compile(r"'(?!.*--)[\w .,-]*'", re.S)
"""A text in which no function can hide, wherever the dialect thinks that texts begin and end: it
has neither brackets nor quotes nor comments."""

MOST_JOINED = 200
"""How many ``and`` and ``or`` a question may have: polars takes time by the cube of it."""

_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`[^`]*`|[A-Za-z_]\w*)
    |(?P<sign><>|!=|<=|>=|==|.)""",
    re.X | re.S,
)
_SIGNS = {"=", "==", "<>", "!=", "<", ">", "<=", ">="}
_BETWEEN = {"not", "in", "(", ",", "is", "distinct", "from", "between", "any", "all"} | _SIGNS
"""What may stand between a column and the words that it is compared with."""


def is_statement(question: str) -> bool:
    """Whether a question is a whole statement, and no condition."""
    return _STATEMENT.match(question) is not None


def statement(question: str, frames: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """What a whole statement gives over the tables, which are not read yet."""
    _only_tables(question)
    with in_words():
        found = pl.SQLContext(frames, eager=False).execute(question)
        found.collect_schema()
    return found


def condition(question: str) -> pl.Expr:
    """A condition on the rows of a table."""
    _only_tables(question)
    if not question.strip():
        raise QuestionError("the condition is empty")
    words = [word.lower() for _, word in _tokens(question)]
    if "select" in words:
        raise QuestionError("a condition holds no SELECT; ask a whole statement: SELECT ...")
    for name, dot in pairwise(words):
        if name in TABLES and dot == ".":
            raise QuestionError(f"a condition names columns alone, without {name}.")
    with in_words():
        return pl.sql_expr(question)


def names_in(expression: pl.Expr) -> list[str]:
    """The columns that a condition names, each once."""
    return list(dict.fromkeys(expression.meta.root_names()))


def check_condition(question: str, expression: pl.Expr, table: pl.LazyFrame) -> None:
    """``QuestionError`` where a condition does not fit the columns of a table."""
    schema = table.collect_schema()
    for column, word in compared(question):
        kind = schema.get(column)
        words = kind.categories.to_list() if isinstance(kind, pl.Enum) else [word]
        if word not in words:
            known = f"{_meant(word, words)}; it is one of {', '.join(words)}"
            raise QuestionError(f"{column} is never {short(word)!r}{known}")
    with in_words():
        kinds = table.select(expression).collect_schema().dtypes()
    if kinds != [pl.Boolean]:
        raise QuestionError(
            f"{short(question)!r} is no condition: it is neither true nor false of a row"
        )


def compared(question: str) -> Iterator[tuple[str, str]]:
    """Names of a question with the texts that they are compared with."""
    tokens = list(_tokens(question))
    for place, (kind, name) in enumerate(tokens):
        if kind != "name":
            continue
        if place >= 2 and tokens[place - 1][1] in _SIGNS and tokens[place - 2][0] == "text":
            yield _bare(name), _bare(tokens[place - 2][1])
        yield from ((_bare(name), text) for text in _texts_behind(tokens[place + 1 :]))


def _texts_behind(tokens: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The texts of ``= 'a'``, ``in ('a', 'b')`` or ``between 'a' and 'b'`` behind a name."""
    joining = _BETWEEN
    for kind, word in tokens:
        if kind == "text":
            yield _bare(word)
        elif word.lower() not in joining:
            return
        if word.lower() == "between":
            joining = _BETWEEN | {"and"}


def _tokens(question: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(question):
        if found.lastgroup and found.lastgroup != "skip":
            yield found.lastgroup, found[0]


def _bare(token: str) -> str:
    """A name or a text without its quotation marks."""
    mark = token[0]
    return token[1:-1].replace(mark * 2, mark) if mark in "'\"`" else token


def _only_tables(question: str) -> None:
    found = _READS.search(_TOKEN.sub(_without_text, question))
    if found:
        raise QuestionError(f"{short(found[0])}: no other files are read than the tables")
    joined = sum(word.lower() in ("and", "or") for _, word in _tokens(question))
    if joined > MOST_JOINED:
        words = f"a question has at most {MOST_JOINED} 'and' and 'or', and this has {joined:,}"
        raise QuestionError(f"{words}; many values go in a list: seat in (1, 2, 3)")


def _without_text(token: re.Match[str]) -> str:
    return "''" if _NO_CODE.fullmatch(token[0]) else token[0]


def short(text: str) -> str:
    """Return a text cut to a length that fits a message."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."


def unknown_column(name: str, columns: Iterable[str], where: str) -> QuestionError:
    """A column that is not there, with those that are."""
    names = list(columns)
    meant = _meant(name, names)
    return QuestionError(f"no column {short(name)} in {where}{meant}; there are {', '.join(names)}")


def _meant(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name.lower(), list(names), n=3, cutoff=0.6)
    return f" (did you mean {' or '.join(close)}?)" if close else ""


def _lacking(found: re.Match[str]) -> str:
    names = re.findall(r'"([^"]*)"', found[2])
    return str(unknown_column(found[1], names, "what is selected from"))


_SAYINGS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r'unable to find column "([^"]*)"; valid columns: (\[.*?\])', _lacking),
    (
        r"relation '?(.*?)'? was not found",
        lambda found: f"no table {short(found[1])}; there are {', '.join(TABLES)}",
    ),
    (
        r'from `str` to `enum` failed for value "(.*?)"',
        lambda found: (
            f"{short(found[1])!r} is no word of the column that it is compared with; "
            "handread query --schema lists them"
        ),
    ),
    (
        r"cannot compare string with numeric",
        lambda _: "a number is compared with a text: numbers stand bare, texts in single marks",
    ),
    (r"regex parse error", lambda _: "a regular expression that is none"),
    (
        r"[Ss]tring.*enum|enum.*[Ss]tring",
        lambda _: (
            "such columns as action are compared with = or in; "
            "of text they are made by cast(action as text)"
        ),
    ),
    (
        r"(?s)unable to parse '(.*)' as Expr",
        lambda found: f"{short(found[1])!r} is no condition of SQL",
    ),
    (
        r"statement type is not supported",
        lambda _: "only SELECT is understood: tables are not changed",
    ),
    (r"one \(and only one\) statement", lambda _: "one statement at a time"),
)
"""What polars says of a fault, and what a person is told."""


@contextmanager
def in_words() -> Iterator[None]:
    """Turns what polars cannot do into a ``QuestionError`` of one sentence.

    ``OSError`` stays what it is: it is the disk's fault.
    """
    try:
        yield
    except OSError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        text = str(error)
        for pattern, saying in _SAYINGS:
            found = re.search(pattern, text)
            if found:
                raise QuestionError(saying(found)) from None
        first = text.strip().split("\n")[0][:200]
        raise QuestionError(f"polars cannot answer that: {first}") from None
