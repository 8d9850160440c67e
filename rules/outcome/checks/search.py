"""Checks of searches: what an empty answer says, how far it reaches, and what happened to its sources."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import contract, is_error, items, listed, part, phrase, scenario, text, texts, value

PARTIAL = ("partial", "partly", "incomplete", "only", "not all", "not every", "not searched", "more", "the first")
"""Phrases that say that an answer does not cover everything."""

UNOBTAINED = (
    "no results",
    "no result",
    "nothing was searched",
    "not searched",
    "could not be searched",
    "could not search",
    "nothing was created",
    "nothing was changed",
)
"""Phrases that say that nothing was obtained."""


def empty_list(result: Node) -> Iterator[Result]:
    """Find a search without a result that does not answer with an empty collection."""
    collection = text(contract(result), "collection")
    if collection is None:
        yield inapplicable(result)
        return
    if result.key != "result":
        yield finding(result, "is no tool result, but the search ran and found nothing", reason="no-tool-result")
        return
    if is_error(result):
        yield finding(
            part(result, "isError") or result, "says that the search failed, but it found nothing", reason="is-error"
        )
        return
    content = part(result, "structuredContent")
    found = part(content, collection)
    if found is None:
        yield finding(
            content or result, f"has no `{collection}`, not even an empty one", reason="missing", names=[collection]
        )
    elif found.value != []:
        yield finding(found, "is not an empty array", reason="not-empty", names=[collection])


def coverage(stated: Node) -> Iterator[Result]:
    """Find a search that claims more than it covered, or that does not say what it left out."""
    complete = part(stated, "complete")
    if complete is None or not isinstance(complete.value, bool):
        yield inapplicable(stated)
        return
    cursor = text(stated, "next_cursor")
    if complete.value is False:
        if not cursor and not items(stated, "not_searched"):
            yield finding(
                stated,
                "is partial, but names neither a source that was left out nor a next page",
                reason="gap-unnamed",
                names=["next_cursor", "not_searched"],
            )
        return
    searched = [source.value for source in items(stated, "searched")]
    left = [
        source.value
        for source in items(contract(stated), "sources")
        if source.value not in searched and isinstance(source.value, str)
    ]
    if left:
        yield finding(
            complete, f"is true, but the search does not cover {listed(left)}", reason="source-left-out", names=left
        )
    if cursor:
        yield finding(complete, "is true, but there is a next page", reason="more-pages", names=["next_cursor"])


def partial_in_text(result: Node) -> Iterator[Result]:
    """Find a partial answer whose text does not say that it is one."""
    if not any(phrase(block.value, PARTIAL) for block in texts(result)):
        yield finding(
            part(result, "content") or result,
            "does not say in words that the answer is partial",
            reason="not-said",
        )


def failed_source(result: Node) -> Iterator[Result]:
    """Find a search that passes over a source which failed or ran out of time."""
    yield from _unanswered(result, ("failed", "timed_out"))


def lost_connection(result: Node) -> Iterator[Result]:
    """Find a search that passes over a broken connection or an expired token."""
    yield from _unanswered(result, ("disconnected", "token_expired"))


def _unanswered(result: Node, states: tuple[str, ...]) -> Iterator[Result]:
    events = [(text(event, "source"), text(event, "state")) for event in items(scenario(result), "events")]
    answered = [source for source, state in events if state == "answered"]
    lost = {
        source: state for source, state in events if source is not None and state in states and source not in answered
    }
    if not lost:
        yield inapplicable(result)
        return
    if is_error(result):
        return
    what = ", ".join(f"`{source}` ({str(state).replace('_', ' ')})" for source, state in sorted(lost.items()))
    if not answered:
        yield finding(
            part(result, "isError") or result,
            f"reports no failure, but no source answered: {what}",
            reason="nothing-answered",
            names=sorted(lost),
        )
        return
    content = part(result, "structuredContent")
    stated = part(content, "coverage")
    complete = part(stated, "complete")
    if complete is None or complete.value is not False:
        yield finding(
            complete or stated or content or result,
            f"does not say that the search is partial, but there was no answer from {what}",
            reason="claimed-complete",
            names=sorted(lost),
        )
        return
    named = [source.value for source in items(stated, "not_searched")]
    unnamed = sorted(source for source in lost if source not in named)
    if unnamed:
        yield finding(
            part(stated, "not_searched") or stated or result,
            f"does not name {listed(unnamed)}, which did not answer",
            reason="source-unnamed",
            names=unnamed,
        )


def unavailable(result: Node) -> Iterator[Result]:
    """Find an unavailable service that looks like a success, or that does not say that it has nothing."""
    if not is_error(result):
        yield finding(
            part(result, "isError") or result,
            "does not say that the call failed, but the service was unavailable",
            reason="not-an-error",
            names=["isError"],
        )
        return
    content = part(result, "structuredContent")
    found = part(content, text(contract(result), "collection") or "")
    if found is not None:
        yield finding(
            found,
            "looks like what a search found, but nothing was searched",
            reason="collection",
            names=[str(found.key)],
        )
    if value(content, "results_obtained") is not False:
        yield finding(
            part(content, "results_obtained") or content or result,
            "does not state that no results were obtained: `results_obtained` is not false",
            reason="not-stated",
            names=["results_obtained"],
        )


def unavailable_in_text(result: Node) -> Iterator[Result]:
    """Find an unavailable service whose text does not say that there are no results."""
    if not any(phrase(block.value, UNOBTAINED) for block in texts(result)):
        yield finding(
            part(result, "content") or result,
            "does not say in words that no results were obtained",
            reason="not-said",
        )
