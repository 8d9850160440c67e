"""Judges one claim: the fixture, the selection and what the check of the rule found, in; the verdict, out.

This is the one place that decides and words a verdict on an example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.messages import names_in_words, spot_in_words, spots_in_words
from mkdocs_rulebook.model import Claim, Engine, Example, Expect, Finding, Outcome, Selection, Verdict
from mkdocs_rulebook.selections import judged, judged_anywhere, judged_around, speaks_against, touches

Judgement = tuple[Outcome, str]


def judge(example: Example, run: Run, foreign: Mapping[str, Sequence[Finding]]) -> Judgement:
    """Decide whether what a check found confirms a claim.

    Where the engine does not tell what it judged, a `valid` confirmed here still needs a confirmed `invalid`.

    Args:
        example: The example; its selection exists.
        run: What the check of its rule said about the whole fixture.
        foreign: What other rules found inside the selection, for the message where the own rule was silent.
    """
    if run.error:
        return Outcome.CHECK_ERROR, run.error
    if run.skipped:
        return Outcome.NOT_RUN, run.skipped
    match example.claim:
        case Claim.INVALID:
            return _invalid(example, run, foreign)
        case Claim.VALID:
            return _valid(example, run)
        case Claim.INAPPLICABLE:
            return _inapplicable(example, run)


def _invalid(example: Example, run: Run, foreign: Mapping[str, Sequence[Finding]]) -> Judgement:
    selection = example.selection
    found = [finding for finding in run.findings if touches(finding, selection)]
    if not found and run.findings:
        where = _within(selection)
        return Outcome.ELSEWHERE, f"the rule finds nothing {where}, but {_elsewhere(run.findings, selection)}"
    if not found and not run.unknown and not any(judged_around(run, selection)):
        return Outcome.NOT_APPLIED, _not_applied(run, selection)
    if not found:
        others = f"; other rules do: {names_in_words(foreign)}" if foreign else ""
        hint = f"; {run.hint}" if run.hint else ""
        return Outcome.NOT_FAILING, f"the rule finds nothing wrong with {spot_in_words(selection)}{others}{hint}"
    if example.expect is not None and pinned(example, run) is None:
        reasons = "; ".join(f"{spot_in_words(f)} {f.message} ({f.why})" for f in found[:3])
        return Outcome.OTHER_REASON, f"expected {_expected(example.expect)}, found {reasons}"
    return Outcome.CONFIRMED, ""


def _valid(example: Example, run: Run) -> Judgement:
    selection = example.selection
    against = [f for f in run.findings if speaks_against(f, selection)]
    if against:
        first = next((f for f in against if touches(f, selection)), against[0])
        more = f" (and {len(against) - 1} more)" if len(against) > 1 else ""
        return Outcome.FAILING, f"the rule finds that {spot_in_words(first)} {first.message}{more}"
    if run.unjudged:
        return Outcome.NOT_APPLIED, run.unjudged
    if not run.unknown and not judged(run, selection):
        return Outcome.NOT_APPLIED, _not_applied(run, selection)
    return Outcome.CONFIRMED, ""


def _inapplicable(example: Example, run: Run) -> Judgement:
    if run.unknown:
        return Outcome.NOT_RUN, "an engine does not tell what it applies to, so `inapplicable` cannot be claimed for it"
    where = list(judged_around(run, example.selection))
    if where:
        return Outcome.APPLIES, f"the rule does judge {spots_in_words(where[:3])}"
    return Outcome.CONFIRMED, ""


def unsupported(code: str) -> Judgement:
    """Return what becomes of a valid example that rests on the silence of an engine which nothing has shown to speak.

    Args:
        code: What the engine would report.
    """
    why = f"nothing shows that the engine looks for `{code}`: no invalid example of this rule is confirmed in this run"
    return Outcome.NOT_APPLIED, why


def remarks(verdict: Verdict, engine: Engine | None, shown_by: str) -> tuple[str, ...]:
    """Return what a reader has to know to weigh the word of an external engine.

    Args:
        verdict: The verdict.
        engine: The engine that decided it.
        shown_by: The id of the invalid example that shows that the engine can speak.
    """
    said = []
    if verdict.example.claim == Claim.VALID and verdict.outcome == Outcome.CONFIRMED:
        said.append(
            "The engine does not tell what it looked at. Its silence counts because it finds this rule broken in "
            f"the example “{shown_by}” in the same run."
        )
    if engine is not None and engine.follow and verdict.outcome not in (Outcome.CHECK_ERROR, Outcome.NOT_RUN):
        said.append(f"What it finds behind a {engine.follow} counts for the place of use.")
    return tuple(said)


def _within(selection: Selection) -> str:
    if selection.lines is None:
        return f"at or below `{selection.pointer}`"
    return f"on {spot_in_words(selection)}"


def _elsewhere(findings: Sequence[Finding], selection: Selection) -> str:
    """Return where findings are; one on a folder itself has a line all the same, which is that of none of its files."""
    folder = [finding for finding in findings if selection.pointer and finding.lines and not finding.pointer]
    inner = [finding for finding in findings if finding not in folder]
    said = [f"at {spots_in_words(inner)}"] if inner else []
    if folder:
        said.append(f"at the folder itself ({spots_in_words(folder)})")
    return " and ".join(said)


def _not_applied(run: Run, selection: Selection) -> str:
    if not run.applies:
        return "the rule judges no node of this fixture: `select` finds none, or `when` leaves them out"
    places = judged_anywhere(run)
    more = f" and {len(places) - 3} more" if len(places) > 3 else ""
    return f"the rule judges no node at {spot_in_words(selection)}, but {spots_in_words(places[:3])}{more}"


def pinned(example: Example, run: Run) -> Finding | None:
    """Return the finding inside the selection that the `expect` of an example describes, or None."""
    expect = example.expect
    if expect is None:
        return None
    for finding in run.findings:
        if touches(finding, example.selection) and _fits(finding, expect, example.pointer):
            return finding
    return None


def _fits(finding: Finding, expect: Expect, selection: str) -> bool:
    places = (finding.pointer, finding.target)
    return (
        (expect.pointer is None or selection + expect.pointer in places)
        and expect.keyword in ("", finding.keyword)
        and expect.reason in ("", finding.reason)
        and set(expect.names) <= set(finding.names)
        and (expect.line is None or (finding.lines or (0, 0))[0] == expect.line)
    )


def _expected(expect: Expect) -> str:
    where = (
        "" if expect.pointer is None else f" at `{expect.pointer}`" if expect.pointer else " at the selection itself"
    )
    where += f" on line {expect.line}" if expect.line is not None else ""
    parts = [f"{word} `{value}`" for word, value in (("keyword", expect.keyword), ("reason", expect.reason)) if value]
    if expect.names:
        parts.append(f"names {names_in_words(expect.names)}")
    return f"a finding{where}" + (f" with {', '.join(parts)}" if parts else "")
