"""Specification pages: which anchors they have, under which heading, and how a wrong one is answered."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from mkdocs_rulebook.model import Place, Position, Spec
from mkdocs_rulebook.source import SourceError
from mkdocs_rulebook.spec import ExternalSpec, Heading, SpecAnchor, SpecError, SpecPages, open_spec

TOOLS = """\
---
title: Not this one
---
<a id="before"></a>

# Tools & `resources` { #tools }

Text <a name="old-name"></a> and <span id="inline">more</span>.

A paragraph.
{ #paragraph }

## Errors <a id="within"></a> *and* results

<div id="raw" markdown>

### Inside &amp; below

</div>

```html
<p id="in-fence"></p>
```

`<p id="in-code"></p>`

<!-- <p id="in-comment"></p> -->

    <p id="in-block"></p>

| a | b |
|---|---|
| <img id="cell" src="x"/> | x |

Errors
------
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "tools.md").write_text(TOOLS, encoding="utf-8")
    (tmp_path / "deep" / "er" / "tokens.md").write_text(
        "## Only a second level\n\n<p id='req-token'></p>\n", encoding="utf-8"
    )
    (tmp_path / "front.md").write_text("---\ntitle: 'From the front: matter'\n---\nText\n", encoding="utf-8")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("# Not a page", encoding="utf-8")
    return tmp_path


@pytest.fixture
def pages(folder: Path) -> SpecPages:
    return SpecPages(Spec("spec", folder))


def test_pages_are_named_by_their_path(pages: SpecPages, folder: Path) -> None:
    assert list(pages.pages) == ["deep/er/tokens", "empty", "front", "tools"]
    assert pages.pages["deep/er/tokens"] == folder / "deep" / "er" / "tokens.md"


TOP = Heading(1, "Tools & resources", "tools")
SECOND = Heading(2, "Errors and results", "errors-and-results")
THIRD = Heading(3, "Inside & below", "inside-below")


@pytest.mark.parametrize(
    ("fragment", "heading"),
    [
        ("before", None),
        ("tools", TOP),
        ("old-name", TOP),
        ("inline", TOP),
        ("paragraph", TOP),
        ("errors-and-results", SECOND),
        ("within", SECOND),
        ("raw", SECOND),
        ("inside-below", THIRD),
        ("cell", THIRD),
        ("errors", Heading(2, "Errors", "errors")),
    ],
)
def test_an_anchor_lies_under_the_nearest_heading(pages: SpecPages, fragment: str, heading: Heading | None) -> None:
    assert pages.find("tools", fragment) == SpecAnchor("tools", fragment, heading)


@pytest.mark.parametrize("fragment", ["in-fence", "in-code", "in-comment", "in-block", "TOOLS", "nothing"])
def test_what_is_no_element_is_no_anchor(pages: SpecPages, fragment: str) -> None:
    assert pages.find("tools", fragment) is None


def test_anchors_come_in_the_order_of_the_page(pages: SpecPages) -> None:
    fragments = [anchor.fragment for anchor in pages.anchors("tools")]
    assert fragments == [
        "before", "tools", "old-name", "inline", "paragraph", "errors-and-results", "within", "raw", "inside-below",
        "cell", "errors",
    ]  # fmt: skip


def test_an_empty_fragment_is_the_page_itself(pages: SpecPages) -> None:
    assert pages.find("tools", "") == SpecAnchor("tools", "", TOP)
    assert pages.find("front", "") == SpecAnchor("front", "", Heading(1, "From the front: matter", ""))
    assert pages.find("missing", "") is None
    assert pages.find("missing", "tools") is None


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("tools", "Tools & resources"),
        ("front", "From the front: matter"),
        ("empty", "empty"),
        ("deep/er/tokens", "deep/er/tokens"),
    ],
)
def test_titles(pages: SpecPages, page: str, title: str) -> None:
    assert pages.title(page) == title


def test_a_front_matter_that_is_no_plain_data_gives_no_title(folder: Path) -> None:
    (folder / "front.md").write_text("---\ntitle: !ENV X\n---\n", encoding="utf-8")
    assert SpecPages(Spec("spec", folder)).title("front") == "front"


def test_the_first_of_two_equal_ids_counts(folder: Path) -> None:
    (folder / "twice.md").write_text("# One\n\n<p id='x'></p>\n\n# Two\n\n<p id='x'></p>\n", encoding="utf-8")
    assert SpecPages(Spec("spec", folder)).find("twice", "x") == SpecAnchor("twice", "x", Heading(1, "One", "one"))


def test_a_permalink_sign_is_no_part_of_a_title(folder: Path) -> None:
    html = '<h1 id="a">One <a class="headerlink" href="#a" title="Link"><b>¶</b> link</a>two<br>three</h1>\n'
    (folder / "sign.md").write_text(html, encoding="utf-8")
    assert SpecPages(Spec("spec", folder)).find("sign", "a") == SpecAnchor("sign", "a", Heading(1, "One twothree", "a"))


def test_configured_extensions_replace_the_usual_ones(folder: Path) -> None:
    pages = SpecPages(Spec("spec", folder, extensions=("attr_list",)))
    assert pages.find("tools", "tools") == SpecAnchor("tools", "tools", TOP)
    assert pages.find("tools", "errors-and-results") is None
    assert pages.find("tools", "within") == SpecAnchor("tools", "within", Heading(2, "Errors and results", ""))


@pytest.mark.parametrize("name", ["no_such_extension", "pathlib", "markdown.extensions.toc:Nothing"])
def test_an_extension_that_cannot_be_loaded_is_named(folder: Path, name: str) -> None:
    with pytest.raises(SpecError, match=f'the Markdown extension "{name}" cannot be loaded') as caught:
        SpecPages(Spec("spec", folder, extensions=("toc", name))).find("tools", "tools")
    assert caught.value.place == Place(folder)


def test_a_page_is_converted_once_and_only_when_asked_for(folder: Path) -> None:
    (folder / "broken.md").write_bytes(b"\xff")
    pages = SpecPages(Spec("spec", folder))
    first = pages.find("tools", "tools")
    (folder / "tools.md").unlink()
    assert pages.find("tools", "tools") == first


def test_a_page_that_is_not_utf_8_is_an_error_with_a_place(folder: Path) -> None:
    (folder / "broken.md").write_bytes(b"# One\n\nab\xff")
    with pytest.raises(SpecError, match="not UTF-8") as caught:
        SpecPages(Spec("spec", folder)).find("broken", "one")
    assert caught.value.place == Place(folder / "broken.md", Position(3, 3))
    assert isinstance(caught.value, SourceError)


def test_a_page_that_is_nested_too_deep_is_an_error(folder: Path) -> None:
    pages = SpecPages(Spec("spec", folder))
    with patch("markdown.Markdown.convert", side_effect=RecursionError), pytest.raises(SpecError, match="too deep"):
        pages.find("tools", "tools")


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="does not exist") as caught:
        SpecPages(Spec("spec", tmp_path / "none")).find("tools", "")
    assert caught.value.place == Place(tmp_path / "none")


@pytest.mark.parametrize(
    ("page", "fragment", "nearest"),
    [
        ("tools", "paragraf", ["tools#paragraph"]),
        ("tools", "req-tokens", ["deep/er/tokens#req-token"]),
        ("deep/er/tokens", "tools", ["tools#tools"]),
        ("tool", "paragraph", ["tools"]),
        ("deep/tokens", "", ["deep/er/tokens"]),
        ("tools", "zzzzzzzzzzzz", []),
    ],
)
def test_the_nearest_anchors_are_offered(pages: SpecPages, page: str, fragment: str, nearest: list[str]) -> None:
    assert pages.nearest(page, fragment) == nearest


def test_no_more_than_three_are_offered_those_of_the_page_first(folder: Path) -> None:
    (folder / "a.md").write_text("# Alpha 1\n# Alpha 2\n", encoding="utf-8")
    (folder / "b.md").write_text("# Alpha 3\n# Alpha 4\n", encoding="utf-8")
    (folder / "broken.md").write_bytes(b"\xff")
    nearest = SpecPages(Spec("spec", folder)).nearest("b", "alpha-9")
    assert sorted(nearest[:2]) == ["b#alpha-3", "b#alpha-4"]
    assert nearest[2].startswith("a#alpha-")
    assert len(nearest) == 3


def test_an_external_specification_knows_its_list() -> None:
    spec = ExternalSpec(Spec("ext", url="https://example.org/", anchors=("tools#errors", "tools#results", "about")))
    assert spec.find("tools", "errors") == SpecAnchor("tools", "errors", None)
    assert spec.find("tools", "") == SpecAnchor("tools", "", None)
    assert spec.find("about", "") == SpecAnchor("about", "", None)
    assert spec.find("tools", "error") is None
    assert spec.find("about", "errors") is None
    assert spec.find("tool", "") is None
    assert spec.nearest("tools", "error") == ["tools#errors"]


def test_an_external_specification_without_a_list_is_taken_on_trust() -> None:
    spec = ExternalSpec(Spec("ext", url="https://example.org/"))
    assert spec.known is None
    assert spec.find("any", "thing") == SpecAnchor("any", "thing", None)
    assert spec.nearest("any", "thing") == []


def test_a_specification_that_lists_no_anchor_has_none() -> None:
    assert ExternalSpec(Spec("ext", url="https://example.org/", anchors=())).find("any", "thing") is None


def test_open_spec_chooses_by_the_folder(folder: Path) -> None:
    assert isinstance(open_spec(Spec("spec", folder)), SpecPages)
    assert isinstance(open_spec(Spec("ext", url="https://example.org/")), ExternalSpec)
    with pytest.raises(ValueError, match="'ext' has no folder"):
        SpecPages(Spec("ext", url="https://example.org/"))
