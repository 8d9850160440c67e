"""Rules that there are no more: what stands at their addresses, who finds it, and who may not name them any more."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
import sphobjinv

from conftest import Checked, Run
from mkdocs_rulebook.project import check
from mkdocs_rulebook.removal import by_name, living
from test_outputs import SITE, files, front_matter, held
from test_site import build, make_site, page

REMOVED = """\
removed:
  - id: t.old
    title: Name *it* | well
    removed_in: "2.0"
    replaced_by: [t.name, t.mid]
    reason: It was said **twice**, see `t.mid`.
    aliases: [t.older]
  - id: t.mid
    replaced_by: t.name
    reason: Doubled.
  - id: t.lone
    reason: Nobody kept it.
"""
NAMES = ("t.old", "t.older", "t.mid", "t.lone")


@pytest.fixture
def made(run: Run) -> Checked:
    checked = run(rule={"notes": "Once `t.older`."}, files={"gone.yaml": REMOVED})
    assert checked.lines == []
    return checked


def gone(entries: str) -> dict[str, str]:
    """Return a file of removed rules, each entry of which begins at column 5."""
    return {"gone.yaml": f"removed:\n{entries}"}


FAULTS: list[tuple[dict[str, Any], str, list[str]]] = [
    (
        {"files": gone("  - {id: t.name, reason: x}\n")},
        "gone.yaml:2: catalogue: t.name: `t.name` is said to be removed, but there is a rule of that id",
        ["rules.yaml:4"],
    ),
    (
        {"files": gone("  - {id: t.a.b, reason: x, aliases: [t.na]}\n"), "rule": {"id": "t.a-b"}},
        "gone.yaml:2: catalogue: t.a.b: `t.a.b` is said to be removed, but the rule id `t.a-b` has its id or address",
        ["rules.yaml:4"],
    ),
    (
        {"files": gone("  - {id: t.x, reason: x, aliases: [t.old]}\n"), "rule": {"aliases": ["t.old"]}},
        "gone.yaml:2: catalogue: t.x: `t.old` is said to be removed, but the alias `t.old` has its id or address",
        ["rules.yaml:4"],
    ),
    (
        {"files": gone("  - {id: t.x, reason: x}\n  - {id: t.y, reason: x, aliases: [t.x]}\n")},
        "gone.yaml:3: catalogue: t.y: the removed rule `t.x` has the id or address of `t.x`",
        ["gone.yaml:2"],
    ),
    (
        {"files": gone("  - {id: t.a, reason: x, aliases: [t.a]}\n")},
        "gone.yaml:2: catalogue: t.a: the alias `t.a` has the id or address of `t.a` itself",
        [],
    ),
    (
        {"rule": {"aliases": ["t.name"]}},
        "rules.yaml:4: catalogue: t.name: the alias `t.name` is the id or address of a rule that exists",
        ["rules.yaml:4"],
    ),
    (
        {"files": gone("  - {id: u.x, reason: x}\n")},
        "gone.yaml:2: catalogue: u.x: `u.x` belongs to `u`, which is no owner of this catalogue; known: `t`",
        [],
    ),
    (
        {"files": gone("  - {id: t.x, reason: x, replaced_by: t.nam}\n")},
        "gone.yaml:2: catalogue: t.x: there is no rule `t.nam`; nearest: `t.name`",
        [],
    ),
    (
        {"files": gone("  - {id: t.x, reason: x, replaced_by: t.was}\n"), "rule": {"aliases": ["t.was"]}},
        "gone.yaml:2: catalogue: t.x: `t.was` is a former id: write `t.name`",
        [],
    ),
    (
        {"files": gone("  - {id: t.x, reason: x, replaced_by: t.y}\n  - {id: t.y, reason: x, replaced_by: [t.x]}\n")},
        "gone.yaml:2: catalogue: t.x: the replacements lead in a circle: `t.x` → `t.y` → `t.x`",
        [],
    ),
    (
        {"files": gone("  - {id: t.x, reason: see `t.nam`}\n")},
        "gone.yaml:2: catalogue: the text names the rule `t.nam`, which does not exist; nearest: `t.name`",
        [],
    ),
    (
        {"files": {"gone.yaml": REMOVED}, "rule": {"replaced_by": "t.old"}},
        "rules.yaml:4: removed: t.name: `replaced_by` names `t.old`, which was removed in 2.0; replaced by `t.name`",
        ["gone.yaml:2"],
    ),
    (
        {"files": {"gone.yaml": REMOVED}, "rule": {"requirement": "As in `t.lone`."}},
        "rules.yaml:6: warning: removed: t.name: the text names `t.lone`, which was removed; nothing replaces it",
        ["gone.yaml:11"],
    ),
    (
        {
            "files": {"gone.yaml": REMOVED},
            "rule": {"examples": {"valid": [{"id": "a", "fixture": "good.json", "breaks": ["t.mid"]}]}},
        },
        "rules.yaml:17: removed: t.name: `breaks` names `t.mid`, which was removed; replaced by `t.name`",
        ["gone.yaml:8"],
    ),
]


@pytest.mark.parametrize(("parts", "line", "related"), FAULTS)
def test_a_fault_about_a_removed_rule(run: Run, parts: dict[str, Any], line: str, related: list[str]) -> None:
    checked = run(**parts)
    lines = [re.sub(r"^cat/(.*?:\d+):\d+:", r"\1:", shown) for shown in checked.lines]
    assert [shown for shown in lines if shown.startswith(line)], lines
    fault = next(fault for shown, fault in zip(lines, checked.project.faults, strict=True) if shown.startswith(line))
    assert [f"{place.path.name}:{place.position.line}" for place in fault.related] == related


def test_one_circle_is_said_once(run: Run) -> None:
    entries = "".join(
        f"  - {{id: t.{one}, reason: x, replaced_by: t.{other}}}\n" for one, other in ("ab", "bc", "ca", "da")
    )
    [line] = run(files=gone(entries)).lines
    assert "circle: `t.a` → `t.b` → `t.c` → `t.a`" in line


def test_a_replacement_that_is_gone_itself_is_followed(made: Checked) -> None:
    removed = by_name(made.report.catalogue)
    assert {name: living(removed[name], removed) for name in NAMES} == {
        "t.old": ("t.name",),
        "t.older": ("t.name",),
        "t.mid": ("t.name",),
        "t.lone": (),
    }


def test_a_chain_of_replacements_is_followed_to_its_end_in_order(run: Run) -> None:
    entries = "".join(
        f"  - {{id: t.{one}, reason: x, replaced_by: {others}}}\n"
        for one, others in (("a", "[t.b, t.d]"), ("b", "t.c"), ("c", "[t.name, t.d]"), ("d", "t.e"), ("e", "[]"))
    )
    catalogue = run(files=gone(entries)).report.catalogue
    removed = by_name(catalogue)
    assert [living(removed[f"t.{one}"], removed) for one in "abde"] == [("t.name",), ("t.name",), (), ()]


def test_a_rule_that_cannot_be_read_may_be_named(run: Run) -> None:
    entries = "  - {id: t.x, reason: x, replaced_by: t.y}\n  - {id: t.y}\n"
    assert [line for line in run(files=gone(entries)).lines if "there is no rule" in line] == []


def test_the_page_says_what_became_of_it(made: Checked) -> None:
    text = html.unescape(files(made)["rules/t/old.md"].text)
    assert "**This rule was removed in 2.0.**\n\nIt was said **twice**, see [`t.mid`](mid.md)." in text
    assert 'title: "Name *it* | well"' in text
    assert (
        '# Name &#x2A;it&#x2A; &#x7C; well {: #t.old data-search-title="t.old" }' in files(made)["rules/t/old.md"].text
    )
    assert "-   [Name it](name.md) <small" in text
    assert "</small>, today [Name it](name.md)" in text
    assert "Nothing takes its place." in files(made)["rules/t/lone.md"].text
    assert "[`t.older`](old.md)" in files(made)["rules/t/name.md"].text
    assert re.search(r"## Rule source.*\n\n\[\S+\.yaml, line \d+\]\(", text)


def test_the_twin_says_the_same(made: Checked) -> None:
    twin = files(made)["rules/t/old/index.md"]
    assert twin.published
    assert front_matter(twin.text) == {
        "title": "Name *it* | well",
        "description": "The rule `t.old` was removed in 2.0. Replaced by `t.name`.",
        "source": f"{SITE}rules/t/old/",
        "rule": "t.old",
        "removed": True,
    }
    assert "It was said **twice**, see [`t.mid`](../mid/index.md)." in twin.text
    assert "- [t.mid](../mid/index.md) `t.mid` (removed), today [Name it](../name/index.md)" in twin.text


@pytest.mark.parametrize("directory_urls", [True, False])
def test_each_id_leads_there(made: Checked, directory_urls: bool) -> None:
    found = files(made, directory_urls=directory_urls)
    end = "/" if directory_urls else ".html"
    for name, target in (("t.old", "old"), ("t.older", "old"), ("t/older", "old"), ("t.lone", "lone")):
        path = f"rules/{name}/index.html" if directory_urls or "." in name else f"rules/{name}.html"
        link = re.search('url=([^"]+)', found[path].text)
        assert link, path
        assert urljoin(f"https://x/{path}", link[1]) == f"https://x/rules/t/{target}{end}"
        assert "was removed" in found[path].text


def test_lists_and_counts_know_nothing_of_it(made: Checked) -> None:
    found = files(made)
    index = found["rules/index.md"].text
    assert "1 rule &#xB7; 2 examples" in index
    assert "old.md" not in index.partition('<details class="rb-details-box rb-removed"')[0]
    for path in ("rules/by/owner/t.md", "rules/evidence.md", "rules/rules.sarif", "rules/llms-full.txt"):
        assert not [name for name in NAMES if re.search(rf"\b{name}\b(?!er)", found[path].text) and name != "t.older"]


def test_programs_are_told(made: Checked) -> None:
    found = files(made)
    document = held(found["rules/rules.json"].text)
    assert document["catalogues"][0]["counts"]["rules"] == 1
    old, mid, lone = document["removed"]
    assert (old["replaced_by"], old["today"], old["removed_in"]) == (["t.name", "t.mid"], ["t.name"], "2.0")
    assert (old["page"], old["twin"], old["source"]) == ("t/old/", "t/old/index.md", {"file": "gone.yaml", "line": 2})
    assert (mid["id"], "today" in lone) == ("t.mid", False)
    data = found["rules/objects.inv"].data
    assert data is not None
    objects = {each.name: each.uri_expanded for each in sphobjinv.Inventory(zlib=data).objects}
    assert objects == {
        "t.name": "t/name/",
        "t.old": "t/old/",
        "t.older": "t/old/",
        "t.mid": "t/mid/",
        "t.lone": "t/lone/",
    }
    assert f"]({SITE}rules/t/lone/index.md): The rule `t.lone` was removed." in found["llms.txt"].text


def test_a_catalogue_without_any_says_nothing_of_it(run: Run) -> None:
    found = files(run())
    assert "removed" not in held(found["rules/rules.json"].text)
    assert "Removed rules" not in found["rules/index.md"].text


def test_two_catalogues_cannot_disagree(tmp_path: Path, catalogue_dir: Any) -> None:
    folders = [catalogue_dir("a", files={"gone.yaml": REMOVED}), catalogue_dir("b", rule={"id": "t.old"})]
    [fault] = check(folders).faults
    assert (fault.message, fault.related[0].path.name) == ("`t.old` stands in two catalogues", "gone.yaml")


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_a_built_site_has_it_and_its_search_finds_it(tmp_path: Path, theme: str) -> None:
    site = make_site(
        tmp_path,
        config={"theme": {"name": theme}, "plugins": ["search", "rulebook"]},
        files={"gone.yaml": REMOVED},
    )
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    text = page(site, "rules/t/old")
    assert '<link rel="alternate" type="text/markdown" href="index.md"' in text
    assert "Name *it* | well" in text
    assert "1 rule (0 unverified)" in done.stderr
    assert '"location":"rules/t/lone/"' in (site / "site/search/search_index.json").read_text()
    assert f"<loc>{SITE}rules/t/old/</loc>" in (site / "site/sitemap.xml").read_text()
