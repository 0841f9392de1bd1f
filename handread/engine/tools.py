"""The tools that assistants call: each returns plain text of a limited size, and JSON values."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import islice
from typing import Any

from rich.console import Console

import handread.engine.told as results
from handread.decisions.terms import CHECKED, decision_terms
from handread.engine.answers import analysis_of, chosen_reader
from handread.engine.requests import RequestError
from handread.engine.sources import ADDRESS, Sources, ToolError
from handread.formats.registry import writer_named
from handread.game.steps import Replay
from handread.inference.hand_analysis import Analysis
from handread.inference.readers import policies_of
from handread.inference.timeline import all_stages
from handread.lazy import lazily
from handread.parallel import RunError
from handread.policy import policy_names
from handread.report.build import hand_report
from handread.report.json import analysis_object, decisions_object
from handread.report.steps import hand_steps
from handread.report.text import plain_report
from handread.report.words import action_columns, visible
from handread.settings import is_there, only_below

with lazily():
    import handread.formats.saund_read as saund
    import handread.inference.players as inference
    import handread.opponents.records as records
    import handread.report.decision_words as decision_report
    import handread.report.first_screen as first
    import handread.report.index as index
    import handread.report.overview as summary
    import handread.report.players as player_report
    import handread.report.queries as query_report
    import handread.report.session_players as session_players
    import handread.report.tables as report_tables
    import handread.sessions.analyzing as analyzing
    import handread.sessions.reading as session_reading
    import handread.simulate as simulation
    import handread.spelling as spelling
    import handread.tables.conditions as conditions
    import handread.tables.query as queries
    import handread.tables.read as tables_read

MOST_HANDS = 200
"""The most hands of a session that are analyzed at once: each takes some tenth of a second."""

MOST_PLAYED = 20_000
"""The most hands for the profile of a player."""

MOST_GAMES = 50

TOP = 2
"""The number of likeliest holdings in the JSON values of a hand."""

WIDTH = 110

VIEW = "Each hand is seen from your seat, or by the public where you are not known."


def _is_policy(name: str) -> bool:
    file, mark, _ = name.rpartition("#")
    return is_there(name) or bool(mark and is_there(file))


class Tools:
    """The tools, which read hands of texts and of files below some folders."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    @property
    def all(self) -> tuple[Callable[..., results.Told], ...]:
        """The tools; assistants see their docstrings and arguments."""
        return (
            *(self.read_hand, self.explain_action, self.value_decisions, self.session_overview),
            *(self.list_hands, self.player_profile, self.query, self.simulate),
        )

    def _told(self, text: str, *notes: str, **found: Any) -> results.Told:
        """Return a tool's result; ``notes`` are for omissions, besides unread files."""
        kept = [*self._sources.unread.splitlines(), *filter(None, notes)]
        said = "".join(f"{note}\n" for note in kept)
        return results.Told(
            results.cut(said + results.DRAWN.sub(" ", text)),
            {**results.in_json(found), "notes": results.in_json(kept)},
        )

    def read_hand(
        self, text: str = "", path: str = "", hand: str = "", viewpoint: str = "", policy: str = ""
    ) -> results.Told:
        """Read a hand of stud poker street by street: likely holdings and chances to win.

        Give the text of the hand, or the path of a file. hand is its id, its address FILE:LINE, or
        #N for the Nth of several. viewpoint is public, hero, seat:N, omniscient or a player's name.
        policy says how players bet, such as people.
        """
        report = hand_report(analysis := self._analysis(text, path, hand, viewpoint, policy))
        steps = hand_steps(report, analysis).steps
        # The values before the betting of a street would double their size.
        stages = [stage for stage in all_stages(analysis) if stage.stage[-1] != "D"]
        answer = analysis_object(analysis, TOP, stages=stages)
        return self._told(plain_report(report, steps, WIDTH), analysis=answer)

    def explain_action(
        self,
        action: int,
        text: str = "",
        path: str = "",
        hand: str = "",
        viewpoint: str = "",
        policy: str = "",
    ) -> results.Told:
        """Explain what one action told: how expected it was, and how it changed the read.

        action is the number of a voluntary action of the hand, from 1; antes, bring-ins and deals
        do not count. The other arguments are those of read_hand.
        """
        report = hand_report(analysis := self._analysis(text, path, hand, viewpoint, policy))
        acted = [step for step in hand_steps(report, analysis).steps if step.action is not None]
        titles = "".join(f"{n}. {step.title}\n" for n, step in enumerate(acted, 1))
        if not 1 <= action <= len(acted):
            raise ToolError(results.cut(f"there is no action {action}; the actions are\n{titles}"))
        step = acted[action - 1]
        assert step.action is not None
        whole = analysis_object(analysis, stages=())
        shown = step.action.for_table if step.action.seat == report.viewer else step.action
        figures = (
            f"{each.head} {each.words(shown, '-')}{' bits' * each.in_bits}"
            for each in action_columns([step.action])
        )
        told = [step.title, step.gist, step.sentence, step.on_truth]
        wins = (f"{report.spoken[seat]} {each.bets.point}" for seat, each in step.chances.items())
        told += [f"In figures: {', '.join(figures)}."]
        told += [f"The pot is {step.pot}. Chances to win after it: {', '.join(wins)}."]
        source = visible("{file}:{line}".format(**whole["source"]))
        told += [f"{report.title}, {source}, policy {whole['policy']}, {report.looks_on}."]
        said = "".join(f"{line}\n" for line in told if line)
        return self._told(
            f"{said}\nAll actions:\n{titles}",
            **{key: whole[key] for key in ("hand_id", "source", "policy", "viewpoint")},
            action=next(each for each in whole["actions"] if each["n"] == step.action.n),
            **{key: getattr(step, key) for key in ("sentence", "on_truth", "pot")},
            p_win={seat: each.bets.value for seat, each in step.chances.items()},
            actions=[each.title for each in acted],
        )

    def value_decisions(
        self, text: str = "", path: str = "", hand: str = "", policy: str = ""
    ) -> results.Told:
        """Value the decisions of the players whose downcards are known: what each cost.

        It takes seconds if the policy has no learned values. The arguments are those of read_hand.
        """
        analysis = self._analysis(text, path, hand, "", policy)
        players = policies_of(analysis.reader)
        if players is None:
            raise ToolError("decisions are valued by policies: expected the name of one")
        terms = decision_terms(CHECKED, players)
        screen = Console(file=StringIO(), width=WIDTH, no_color=True, highlight=False, emoji=False)
        held = "Each decision is valued by the downcards that its player held."
        said = decision_report.hand_text(valued := terms.valued(analysis), screen)
        return self._told(f"{said}{held}\n", decisions=decisions_object(valued))

    def session_overview(self, text: str = "", path: str = "") -> results.Told:
        """Tell of a session what a player asks first: result, dearest decisions, tells, players.

        Give the text of the hands, or the path of a file or folder.
        """
        rows: list[index.IndexRow] = []
        left_out, usual = 0, session_reading.usual_reading()
        hands = self._sources.replays(text, path)
        for number, hand in session_reading.read_in_turn(islice(hands, MOST_HANDS), *usual):
            left_out += hand.problem is not None
            if hand.is_shown:
                rows.append(hand.row(number, ""))
        if not rows:
            raise ToolError("none of the hands can be analyzed")
        whole = summary.overview(rows)
        panel = whole.decisions
        return self._told(
            f"{first.first_text(rows, whole)}\n{VIEW}\n",
            f"{left_out:,} hands cannot be analyzed and are left out." * (left_out > 0),
            f"Only the first {MOST_HANDS:,} hands were read." * (next(hands, None) is not None),
            view=VIEW,
            **{key: getattr(whole, key) for key in ("hands", "policy", "result", "played")},
            decisions="" if panel is None else panel.counted,
            dearest=[] if panel is None else [*map(results.moment, panel.picks)],
            your_tells=[*map(results.moment, whole.yours)],
            other_tells=[*map(results.moment, whole.theirs)],
            players=results.listed(player_report.profiles(session_players.players_of(rows))),
        )

    def list_hands(
        self, text: str = "", path: str = "", start: int = 1, count: int = 20
    ) -> results.Told:
        """List hands with address, cards, result, end, and the action that gave away most.

        Give the text of the hands, or the path of a file or folder. start is the number of the
        first hand, count how many; the answer has the start of the next ones. Other tools take the
        addresses, and the numbers as #N.
        """
        if not (start >= 1 and 1 <= count <= results.MOST_LISTED):
            raise ToolError(f"expected start from 1, and count from 1 to {results.MOST_LISTED}")
        found = self._sources.replays(text, path)
        passed = sum(1 for _ in islice(found, start - 1))
        some = [*islice(found, count)]
        if not some:
            raise ToolError(f"there is no hand {start:,}; expected start from 1 to {passed:,}")
        following = start + count if next(found, None) is not None else None
        more = f" More hands follow: ask with start {following}." * (following is not None)
        reader, view = chosen_reader({}), analyzing.HandView()
        # Each hand is read alone, so that the result does not depend on where a list begins.
        read = (session_reading.read_hand(played, reader, view) for played in some)
        listed = [results.listed_hand(hand, n) for n, hand in enumerate(read, start)]
        said = f"Hands {start:,} to {start + len(some) - 1:,}, policy {reader.name}. {VIEW}{more}\n"
        said += "".join(f"{line}\n" for line, _ in listed)
        hands = [hand for _, hand in listed]
        return self._told(said, view=VIEW, policy=reader.name, hands=hands, next=following)

    def player_profile(self, name: str = "", text: str = "", path: str = "") -> results.Told:
        """Tell how a player bets, compared with the other players of the hands.

        Without a name, list the players. Give the text of hands, or the path of a file or folder.
        """
        legal = (hand for hand in self._sources.replays(text, path) if hand.problem is None)
        players = records.records_of(islice(legal, MOST_PLAYED))
        profiles = player_report.profiles(players)
        more = f"Only {MOST_PLAYED:,} hands were read." * (next(legal, None) is not None)
        if not name:
            ordered = sorted(profiles, key=lambda profile: -profile.player.hands)
            shown = ordered[: results.MOST_LISTED]
            fewer = f"Only {results.MOST_LISTED} of {len(profiles):,} players are listed."
            left = fewer * (len(shown) < len(profiles))
            said = player_report.players_text(shown, 0)
            return self._told(said, more, left, players=results.listed(shown), profiles=[])
        wanted = [profile for profile in profiles if name in (profile.player.name, profile.name)]
        if not wanted:
            names = sorted({profile.player.name for profile in profiles})
            meant = spelling.or_meant(name, names) or f"; players: {', '.join(names[:20])}"
            raise ToolError(f"there is no player {visible(name[:200])}{visible(meant)}")
        return self._told(
            "\n".join(map(player_report.profile_text, wanted)),
            more,
            players=results.listed(wanted),
            profiles=[*map(player_report.profile_object, wanted)],
        )

    def query(
        self,
        path: str = "",
        condition: str = "",
        table: str = "",
        given: str = "",
        columns: str = "",
        sort: str = "",
        count: int = 20,
    ) -> results.Told:
        """Count and list the rows of tables made by handread score that meet a condition.

        path is the folder of the tables; without it, list the columns, of one table if it is named.
        condition is SQL, such as "street = 5 and p_win > .6", or a whole SELECT. given selects the
        rows to count among, columns (with commas) and sort what is shown, count the most rows.
        """
        self._sources.unread = ""
        if table and table not in queries.ASKED:
            raise ToolError(f"no table {visible(table[:200])}; expected {', '.join(queries.ASKED)}")
        if not 0 <= count <= results.MOST_LISTED:
            raise ToolError(f"expected count from 0 to {results.MOST_LISTED}")
        if not path:
            of = [each for each in query_report.column_records() if table in ("", each["table"])]
            said = (f"{each['table']}.{each['column']}: {each['meaning']}\n" for each in of)
            return self._told("".join(said), policy="", answer=None, rows=[], columns=of)
        names = tuple(map(str.strip, columns.split(","))) if columns else ()
        asked = (condition or None, given or None, table or None, names, sort or None)
        question = queries.TableQuery(*asked)
        whole = conditions.is_statement(condition)
        if whole and question != queries.TableQuery(condition):
            raise ToolError("a SELECT is whole: expected no table, given, columns or sort")
        folder = self._sources.tables(path)
        try:
            return self._answer(tables_read.open_tables(folder), question, whole, count)
        except (RunError, conditions.QuestionError, OSError) as error:
            raise ToolError(visible(str(error).replace(str(folder), path))) from None

    def _answer(
        self, tables: "tables_read.Tables", question: "queries.TableQuery", whole: bool, most: int
    ) -> results.Told:
        """Return the rows of tables that meet a question, or the rows of a whole SELECT."""
        said, head = "", dict[str, Any](schema=query_report.SCHEMA, statement=question.condition)
        head["unfinished"] = tables.unfinished
        if whole:
            rows = queries.select(tables, question.condition or "")
        else:
            answer = queries.ask(tables, question)
            rows, head = answer.rows, query_report.answer_object(tables, question, answer)
            said = query_report.header(question, answer.table, answer.tally)
        answered = rows.first(most + 1)
        more = "There are more rows: ask for a larger count." * (len(answered) > most)
        policy = str(tables.terms.get("players", ""))
        base = str(tables.terms.get("folder", ""))
        for row in answered:
            if isinstance(file := row.get("file"), str):
                row["file"] = self._sources.named(base, file)
        said += "".join(map(results.row_text, answered[:most])) + f"Read by {policy}.\n"
        finite = [*map(report_tables.finite, answered[:most])]
        return self._told(said, more, policy=policy, answer=head, rows=finite, columns=[])

    def simulate(
        self,
        games: int = 1,
        game: str = "stud",
        seats: int = 7,
        policy: str = "people",
        seed: int = 1,
    ) -> results.Told:
        """Play games by a policy, and return them with all downcards, in PHH.

        game is stud, stud8, studhl, razz, 27razz or 5stud. Equal arguments give equal games.
        """
        if not (1 <= games <= MOST_GAMES and 2 <= seats <= 8 and 0 <= seed < 2**32):
            raise ToolError(f"games is from 1 to {MOST_GAMES}, seats from 2 to 8, seed 0 or more")
        try:
            unit, stakes, variant = saund.read_game(game)
            with self._only_given(policy) as named:
                players = inference.parse_players(named, None, ())
            at_table = simulation.seated(players, seats)
            setup = simulation.Setup(players, at_table, stakes, unit, game=variant)
            played = simulation.play_games(setup, seed, range(games))
            dialect = "phh" if variant.phh else "saund"
            hands = [each.replay for each in played]
        except ValueError as error:
            raise ToolError(visible(str(error))) from None
        write = writer_named(dialect).write_all
        while len(text := "".join(write(hands))) > results.MOST_CHARACTERS:
            hands.pop()
        fewer = f"Only {len(hands)} of {games} games are returned: the text would be too long."
        notes = [fewer] * (len(hands) < games)
        facts = {"games": len(hands), "dialect": dialect, "policy": visible(policy), "notes": notes}
        said = "".join(f"# {note}\n" for note in notes)
        return results.Told(said + text, {**facts, "text": text})

    def _analysis(self, text: str, path: str, hand: str, viewpoint: str, policy: str) -> Analysis:
        try:
            played = self._hand(text, path, hand)
            with self._only_given(policy) as named:
                wants = {"viewpoint": viewpoint, "policy": named}
                return analysis_of(played, {key: value for key, value in wants.items() if value})
        except RequestError as error:
            more = f"; expected {expected}" if (expected := error.record["expected"]) else ""
            raise ToolError(visible(f"{error.words}{more}")) from None

    @contextmanager
    def _only_given(self, policy: str) -> Iterator[str]:
        """Yield a policy by its name or resolved file; the body reads no other folder."""
        with only_below(self._sources.folders):
            files = (str(folder / policy) for folder in self._sources.folders)
            known = policy in ("", *policy_names())
            yield policy if known else next(filter(_is_policy, files), policy)

    def _hand(self, text: str, path: str, hand: str) -> Replay:
        if not text and not path and ADDRESS.fullmatch(hand):
            path, hand = hand, ""
        n = 0
        for n, played in enumerate(self._sources.replays(text, path), 1):
            id_, source = played.history.hand_id, played.history.source
            address = f"{source.file}:{source.line}"
            if hand and hand in (id_, f"#{n}", address, visible(id_), visible(address)):
                return played
            if n > 1 and not hand:
                break
            only = played
        expected = "an id, #N for the Nth, or an address FILE:LINE"
        if not hand:
            if n == 1:
                return only
            raise ToolError(f"there are several hands: give hand, {expected}")
        known = f"among {n:,}: expected {expected}\n{self._sources.unread}".strip()
        raise ToolError(f"no hand {visible(hand[:200])} {known}")
