"""The Markdown twins of pages that are no pages of rules: overviews, and what somebody wrote by hand."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from conftest import Run
from mkdocs_rulebook.pages.retarget import retargeted
from mkdocs_rulebook.pages.text import first_paragraph
from test_coverage import PAGE as SPECIFICATION
from test_outputs import SITE, files, front_matter, twins_of
from test_site import build, make_site, page

CATALOGUE = {
    "facets": [{"key": "kind", "label": "Kind", "pages": True}],
    "owners": {"t": {"title": "Tests | all"}},
    "summary": "All about `t.name`.",
    "specs": {
        "spec": {"pages": "../../docs/spec", "requirements": "req-*", "untestable": {"page#req-may": "No machine."}}
    },
}
RULES: tuple[dict[str, Any], ...] = (
    {
        "title": "Name *it*",
        "facets": {"kind": "x y"},
        "required_by": [{"text": "The text", "anchors": ["spec:page#req-must"]}],
    },
    {"id": "t.b", "facets": {"kind": "z"}, "check": {"none": "Only *people* can tell."}, "examples": None},
)
GUIDE = """\
---
title: The guide
description: "How *it* is done."
---
# Guide

See [the rule](../rules/t/name.md#requirement), [home][1], ![a picture](a%20b.png "x") and [away](https://x.example/a.md).

`[code](../index.md)` <a href="../index.md">home</a> [here](#x) [list](../rules/index.md?kind=z)
[nowhere](gone.md)

```markdown
[code](../index.md)
```

[1]: ../index.md
"""
TWIN = """\
---
title: "The guide"
description: "How *it* is done."
source: "https://site.example/docs/guide/start/"
---

# Guide

See [the rule](../../rules/t/name/index.md#requirement), [home][1], ![a picture](../a%20b.png "x") and [away](https://x.example/a.md).

`[code](../index.md)` <a href="../../index.md">home</a> [here](#x) [list](../../rules/index.md?kind=z)
[nowhere](gone.md)

```markdown
[code](../index.md)
```

[1]: ../../index.md

"""


def made_site(folder: Path, **parts: Any) -> Path:
    for name, text in (("spec/page.md", SPECIFICATION), ("guide/start.md", GUIDE), ("guide/a b.png", "")):
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return make_site(folder, **{"catalogue": CATALOGUE, "rules": RULES, **parts})


def is_redirect(path: Path) -> bool:
    return 'http-equiv="refresh"' in path.read_text()


def broken(site: Path) -> list[str]:
    """Return each link in a twin of a built site that leads nowhere."""
    found = []
    for path in site.rglob("*.md"):
        prose = re.sub(r"^```.*?^```$|`[^`\n]+`", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s#?]+)|^\[\w+\]: (\S+)", prose, flags=re.MULTILINE):
            target = unquote(link[0] or link[1])
            if target.startswith(SITE):
                at = site / target.removeprefix(SITE)
            elif re.match("[a-z]+:", target):
                continue
            else:
                at = path.parent / target
            if not (at / "index.html" if at.is_dir() else at).is_file():
                found.append(f"{path.relative_to(site)}: {target}")
    return found


@pytest.mark.parametrize("directory_urls", [True, False])
def test_each_page_has_a_twin_whose_links_hold(tmp_path: Path, directory_urls: bool) -> None:
    site = made_site(tmp_path, config={"use_directory_urls": directory_urls})
    done = build(site)
    assert done.returncode == 0, done.stderr
    built = site / "site"
    pages = [path for path in built.rglob("*.html") if path.name != "404.html" and not is_redirect(path)]
    assert len(pages) > 10
    for path in pages:
        head = path.read_text().partition("</head>")[0]
        [href] = re.findall('<link rel="alternate" type="text/markdown" href="([^"]*)"', head)
        twin = path.parent / href
        assert twin == path.with_suffix(".md")
        assert {"title", "description", "source"} <= front_matter(twin.read_text()).keys() | {"description"}
    assert broken(built) == ["guide/start/index.md: gone.md" if directory_urls else "guide/start.md: gone.md"]
    assert ".md<" not in (built / "sitemap.xml").read_text()


def test_a_page_that_somebody_wrote_is_its_own_twin(tmp_path: Path) -> None:
    site = made_site(tmp_path)
    assert build(site).returncode == 0
    assert (site / "site/guide/start/index.md").read_text() == TWIN
    assert "og:title" not in page(site, "guide/start")
    home = (site / "site/index.md").read_text()
    assert front_matter(home) == {"title": "Home", "source": SITE}


def test_the_twin_of_a_specification_names_its_rules(tmp_path: Path) -> None:
    site = made_site(tmp_path)
    assert build(site).returncode == 0
    text = (site / "site/spec/page/index.md").read_text()
    assert text.startswith("---\ntitle: ")
    notes = text.partition("## Rules that check this page\n\n")[2]
    assert "`#req-must`: [Name \\*it\\*](../../rules/t/name/index.md) `t.name`, must\n" in notes
    assert "`#req-may`: not testable: No machine." in notes


def test_a_twin_has_what_other_plugins_made_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "hook.py").write_text(
        "def on_page_markdown(markdown, **_):\n    return markdown.replace('Home', 'House')\n"
    )
    site = make_site(tmp_path, config={"hooks": ["hook.py"]})
    assert build(site, "--strict").returncode == 0
    assert "# House" in (site / "site/index.md").read_text()


def test_what_is_written_about_rules_by_hand_is_plain_markdown_in_the_twin(tmp_path: Path) -> None:
    site = made_site(tmp_path)
    hand = "# Page\n\nSee [the *rule*][t.name] and `[code][t.name]`.\n\n<!-- rulebook: rules kind=z -->\n"
    (site / "docs/guide/hand.md").write_text(hand)
    assert build(site).returncode == 0
    text = (site / "site/guide/hand/index.md").read_text()
    assert "See [the *rule*](../../rules/t/name/index.md) and `[code][t.name]`." in text
    assert "](../../rules/t/b/index.md)" in text
    assert "rulebook:" not in text
    assert broken(site / "site") == ["guide/start/index.md: gone.md"]


def test_twins_of_written_pages_can_be_switched_off(tmp_path: Path) -> None:
    site = made_site(tmp_path, option={"page_twins": False})
    assert build(site).returncode == 0
    assert not (site / "site/guide/start/index.md").exists()
    assert "alternate" not in page(site, "guide/start")
    assert "The guide" not in (site / "site/llms.txt").read_text()
    assert (site / "site/rules/index.md").is_file()
    assert broken(site / "site") == []


def test_a_page_can_do_without(tmp_path: Path) -> None:
    site = made_site(tmp_path)
    (site / "docs/secret.md").write_text("---\ntwin: false\n---\n# Secret\n")
    assert build(site).returncode == 0
    assert not (site / "site/secret/index.md").exists()
    assert "alternate" not in page(site, "secret")
    assert "secret" not in (site / "site/llms.txt").read_text()
    assert "alternate" in page(site, "guide/start")


HOOK = """\
from mkdocs.structure.files import File

def on_files(files, config):
    for name in {names}:
        file = File.generated(config, name + ".txt", content="Mine")
        file.dest_uri = name
        files.append(file)
    return files
"""


def test_a_file_of_the_users_is_never_replaced(tmp_path: Path) -> None:
    hook = tmp_path / "hook.py"
    hook.write_text(HOOK.format(names=["guide/start/index.md"]))
    site = made_site(tmp_path, config={"hooks": ["hook.py"], "plugins": ["rulebook"]})
    assert build(site).returncode == 0
    assert (site / "site/guide/start/index.md").read_text() == "Mine"
    assert "alternate" not in page(site, "guide/start")
    assert "guide/start" not in (site / "site/llms.txt").read_text()


def test_language_models_find_the_pages(tmp_path: Path) -> None:
    site = made_site(tmp_path)
    (site / "docs/rules.txt").write_text("")
    assert build(site).returncode == 0
    for name in ("llms.txt", "rules/llms.txt"):
        text = (site / "site" / name).read_text()
        assert f"## Pages\n\n- [Home]({SITE}index.md)\n" in text
        assert f"- [The guide]({SITE}guide/start/index.md): How \\*it\\* is done.\n" in text
        assert f"- [Evidence]({SITE}rules/evidence/index.md): What is proved" in text
    (site / "docs/llms.txt").write_text("Mine\n")
    assert build(site).returncode == 0
    assert (site / "site/llms.txt").read_text() == "Mine\n"
    assert "The guide" in (site / "site/rules/llms.txt").read_text()


OVERVIEWS = {
    "rules/index.md": [
        "# Rules\n\n[Traceability](traceability/index.md) · [Evidence](evidence/index.md)\n",
        "- By Kind: [X y](by/kind/x-y/index.md) (1), [Z](by/kind/z/index.md) (1)\n",
        "All about [`t.name`](t/name/index.md).",
        "- [Name \\*it\\*](t/name/index.md) `t.name`, must, proved both ways\n",
    ],
    "rules/by/kind/z/index.md": [
        "[Rules](../../../index.md) · 1 rule\n\n- [Name it](../../../t/b/index.md) `t.b`, must"
    ],
    "rules/evidence/index.md": [
        "1 of 2 rules are proved both ways",
        "| Tests \\| all | must | 1 | 0 | 1 | 0 | 2 |\n",
        "## Not machine-checked\n\n- [Name it](../t/b/index.md) `t.b`: Only *people* can tell.\n",
    ],
    "rules/traceability/index.md": [
        "`spec:page#req-must`, must\n    - [Name \\*it\\*](../t/name/index.md) `t.name`, must, proved both ways",
        "(../../spec/page/#req-must)",
        "`spec:page#req-may`, may: not testable: No machine.\n",
        "## Rules without an anchor\n\n- [Name it](../t/b/index.md) `t.b`",
    ],
}


def test_overviews_have_twins_that_say_the_same(run: Run, tmp_path: Path) -> None:
    spec = tmp_path / "spec" / "page.md"
    spec.parent.mkdir()
    spec.write_text(SPECIFICATION)
    specs = {"spec": {**CATALOGUE["specs"]["spec"], "pages": "../spec"}}  # type: ignore[index]
    checked = run(catalogue={**CATALOGUE, "specs": specs}, rules=RULES)
    found, pages = twins_of(checked), files(checked)
    for path, said in OVERVIEWS.items():
        assert "&#x" not in found[path].text
        assert front_matter(found[path].text)["source"] == SITE + posixpath.dirname(path) + "/"
        for each in said:
            assert each in found[path].text, found[path].text
        of = path if path == "rules/index.md" else f"{posixpath.dirname(path)}.md"
        assert '<link rel="alternate" type="text/markdown" href="index.md"' in pages[of].head


def test_what_is_wrong_is_readable(run: Run) -> None:
    known = {"verdict": "not-failing", "reason": "A `b` is *not* c.", "issue": "https://x.example/"}
    bad = {"id": "bad", "fixture": "good.json", "pointer": "/name", "known": known}
    text = files(run(rule={"examples": {"invalid": [bad]}}, catalogue={"policy": {}}))["rules/evidence/index.md"].text
    assert "## Known faults\n\n- [Name it](../t/name/index.md) `t.name`: Example `bad`: " in text
    assert "A `b` is \\*not\\* c." in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](x.md)", "[a](NEW/x.md)"),
        ("[a](x.md#y) [b](<x.md>)", "[a](NEW/x.md#y) [b](<NEW/x.md>)"),
        ("[a](x.md 'Title')", "[a](NEW/x.md 'Title')"),
        ("![a](x.png){: .b }", "![a](NEW/x.png){: .b }"),
        ("[![a](x.png)](y.md)", "[![a](NEW/x.png)](NEW/y.md)"),
        ("[a]: x.md 'Title'", "[a]: NEW/x.md 'Title'"),
        ('<img src="x.png">', '<img src="NEW/x.png">'),
        ("`[a](x.md)` ``[a](x.md) ` ``", None),
        ("```md\n[a](x.md)\n```\n[b](x.md)", "```md\n[a](x.md)\n```\n[b](NEW/x.md)"),
        ("~~~\n```\n[a](x.md)\n~~~", None),
        ("````\n```\n[a](x.md)\n```\n````\n", None),
        ("[a](#x) [b](?y) [c](/z) [d](mailto:x@y) [e](//x/y)", None),
        ("[a](x%20y.md)", "[a](NEW/x y.md)"),
        ("an array[0](x) and [text]", "an array[0](NEW/x) and [text]"),
    ],
)
def test_links_are_moved_and_code_is_not(text: str, expected: str | None) -> None:
    assert retargeted(text, lambda target: f"NEW/{target}") == (text if expected is None else expected)
    assert retargeted(text, lambda _: None) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\nB `c` [d](e.md)\n*f*.\n\nG", "B c d f."),
        ("# A\n\n- b\n\n1. c\n\n| d |\n\n> e\n\n```\nf\n```\n\nG\n{: .h }", "G"),
        ("A\n===\n\n<b>\n\n[c]: d\n\n!!! note\n\n    e\n\n**F** g", "F g"),
        ("# A", ""),
        ("", ""),
    ],
)
def test_the_first_paragraph_says_what_a_page_is_about(text: str, expected: str) -> None:
    assert first_paragraph(text) == expected
