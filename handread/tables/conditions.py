"""Conditions in the SQL of polars: which are allowed, and messages for wrong ones."""

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import polars as pl

from handread.tables import ALL_TABLES, TABLES, VALUE_TABLES

LONGEST_SHOWN = 100
"""Maximum number of characters of a question quoted in a message."""


class QuestionError(Exception):
    """A question that cannot be answered; the message is for the user."""


_STATEMENT = re.compile(r"(?:\s|\(|--[^\n]*\n|/\*.*?\*/)*(?:select|with)\b", re.I | re.S)

_READS = re.compile(r"\b(?:read|scan)_\w*|\b\w+_scan\b", re.I)
"""Functions that open files."""

_NO_CODE = re.compile(r"'(?!.*--)[\w .,-]*'", re.S)
"""A string literal that cannot hide a function, even if polars splits the SQL differently: it has
neither brackets nor quotes nor comments."""

MOST_JOINED = 200
"""Maximum number of ``and`` and ``or``: the time that polars takes grows with their cube."""

_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`[^`]*`|[A-Za-z_]\w*)
    |(?P<sign><>|!=|<=|>=|==|.)""",
    re.X | re.S,
)
_OF_EMPTY_CELLS = {"null", "coalesce", "ifnull", "nullif", "distinct"}

_SIGNS = {"=", "==", "<>", "!=", "<", ">", "<=", ">="}
_BETWEEN = {"not", "in", "(", ",", "is", "distinct", "from", "between", "any", "all"} | _SIGNS
"""Tokens between a column and the strings that it is compared with."""


def is_statement(question: str) -> bool:
    """Return True if a question is a whole statement, not a condition."""
    return _STATEMENT.match(question) is not None


def condition(question: str) -> pl.Expr:
    """Parse a condition; raise ``QuestionError`` for one that is not allowed."""
    check_safe(question)
    if not question.strip():
        raise QuestionError("the condition is empty")
    words = [word.lower() for _, word in _tokens(question)]
    if "select" in words:
        raise QuestionError("a condition cannot contain SELECT; give a whole statement: SELECT ...")
    for name, dot in pairwise(words):
        if name in ALL_TABLES and dot == ".":
            raise QuestionError(f"a condition names columns alone, without {name}.")
    with polars_errors():
        return pl.sql_expr(question)


def check_condition(question: str, expression: pl.Expr, table: pl.LazyFrame) -> None:
    """Raise ``QuestionError`` if a condition does not fit the columns of a table."""
    schema = table.collect_schema()
    for column, word in _compared(question):
        kind = schema.get(column)
        words = kind.categories.to_list() if isinstance(kind, pl.Enum) else [word]
        if word not in words:
            known = f"{_meant(word, words)}; it is one of {', '.join(words)}"
            raise QuestionError(f"{column} is never {shortened(word)!r}{known}")
    with polars_errors():
        kinds = table.select(expression).collect_schema().dtypes()
    if kinds != [pl.Boolean]:
        why = "it is neither true nor false for a row"
        raise QuestionError(f"{shortened(question)!r} is not a condition: {why}")


def _compared(question: str) -> Iterator[tuple[str, str]]:
    """Yield the names in a question with the strings that each is compared with."""
    tokens = list(_tokens(question))
    for place, (kind, name) in enumerate(tokens):
        if kind != "name":
            continue
        if place >= 2 and tokens[place - 1][1] in _SIGNS and tokens[place - 2][0] == "text":
            yield _bare(name), _bare(tokens[place - 2][1])
        yield from ((_bare(name), text) for text in _texts_behind(tokens[place + 1 :]))


def _texts_behind(tokens: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the strings of ``= 'a'``, ``in ('a', 'b')`` or ``between 'a' and 'b'``."""
    joining = _BETWEEN
    for kind, word in tokens:
        if kind == "text":
            yield _bare(word)
        elif word.lower() not in joining:
            return
        if word.lower() == "between":
            joining = _BETWEEN | {"and"}


def _tokens(question: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(question):
        if match.lastgroup and match.lastgroup != "skip":
            yield match.lastgroup, match[0]


def speaks_of_empty_cells(question: str) -> bool:
    """Return True if a condition itself handles nulls."""
    return any(word.lower() in _OF_EMPTY_CELLS for _, word in _tokens(question))


def _bare(token: str) -> str:
    mark = token[0]
    return token[1:-1].replace(mark * 2, mark) if mark in "'\"`" else token


def check_safe(question: str) -> None:
    """Raise ``QuestionError`` if a question would open files or take too long to parse."""
    # Without the literals that cannot hide a function.
    code = _TOKEN.sub(lambda token: "''" if _NO_CODE.fullmatch(token[0]) else token[0], question)
    if match := _READS.search(code):
        raise QuestionError(f"{shortened(match[0])}: a query can only read the tables")
    joined = sum(word.lower() in ("and", "or") for _, word in _tokens(question))
    if joined > MOST_JOINED:
        words = f"a query can have at most {MOST_JOINED} 'and' and 'or'; this one has {joined:,}"
        raise QuestionError(f"{words}; many values go in a list: seat in (1, 2, 3)")


def shortened(text: str) -> str:
    """Return a text cut to ``LONGEST_SHOWN`` characters for a message."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."


def unknown_column(name: str, columns: Iterable[str], where: str) -> QuestionError:
    """Return the error of an unknown column, with the columns that exist."""
    names = list(columns)
    known = f"{_meant(name, names)}; there are {', '.join(names)}"
    return QuestionError(f"no column {shortened(name)} in {where}{known}")


def _meant(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name.lower(), list(names), n=3, cutoff=0.6)
    return f" (did you mean {' or '.join(close)}?)" if close else ""


_LACKING = r'unable to find column "([^"]*)"; valid columns: (\[.*?\])'

_MESSAGES = (
    (
        r"relation '?(.*?)'? was not found",
        f"no table {{}}; there are {', '.join(TABLES)}, by --decisions {', '.join(VALUE_TABLES)}",
    ),
    (
        r'from `str` to `enum` failed for value "(.*?)"',
        "{!r} is not a value of its column; handread query --schema lists them",
    ),
    (
        r"cannot compare string with numeric",
        "a number is compared with text: quote text, and only text, with single quotes",
    ),
    (r"regex parse error", "invalid regular expression"),
    (
        r"[Ss]tring.*enum|enum.*[Ss]tring",
        "columns such as action are compared with = or in; "
        "for text functions use cast(action as text)",
    ),
    (r"(?s)unable to parse '(.*)' as Expr", "{!r} is not an SQL condition"),
    (r"statement type is not supported", "only SELECT is allowed: tables cannot be changed"),
    (r"one \(and only one\) statement", "only one statement is allowed"),
)
"""Patterns of polars errors, and messages, filled with the groups of the pattern."""


@contextmanager
def polars_errors() -> Iterator[None]:
    """Turn polars errors into ``QuestionError``; let ``OSError`` pass."""
    try:
        yield
    except OSError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        text = str(error)
        if match := re.search(_LACKING, text):
            columns = re.findall(r'"([^"]*)"', match[2])
            raise unknown_column(match[1], columns, "what is selected from") from None
        for pattern, message in _MESSAGES:
            if match := re.search(pattern, text):
                raise QuestionError(message.format(*map(shortened, match.groups()))) from None
        first = text.strip().split("\n")[0][:200]
        raise QuestionError(f"polars cannot answer that: {first}") from None
