"""`mkdocs serve`, the real one: a save rebuilds once, a fault shows where it is, the next good save clears it."""

from __future__ import annotations

import html
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from test_site import ENVIRONMENT, make_site

GOOD_CHECK = """from mkdocs_rulebook import finding

def text(node):
    if node.value == 1:
        yield finding(node, "is 1")
"""


class Server:
    """A running `mkdocs serve --strict` of a site."""

    def __init__(self, site: Path) -> None:
        self.site = site
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = site / "serve.log"
        command = [sys.executable, "-m", "mkdocs", "serve", "--strict", "-a", f"127.0.0.1:{self.port}"]
        with self.log.open("wb") as log:
            environment = ENVIRONMENT | {"PYTHONUNBUFFERED": "1"}
            self.process = subprocess.Popen(command, cwd=site, env=environment, stdout=log, stderr=log)
        self.wait_for("Serving on")

    @property
    def text(self) -> str:
        return self.log.read_text()

    @property
    def builds(self) -> int:
        return self.text.count("Reloading browsers")

    def wait_for(self, text: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.text:
            assert self.process.poll() is None, self.text
            assert time.monotonic() < deadline, f"no {text!r} in\n{self.text}"
            time.sleep(0.05)

    def save(self, path: str, content: str) -> None:
        """Save a file and wait until the site was rebuilt and the server is idle again."""
        before = self.builds
        (self.site / path).write_text(content)
        deadline = time.monotonic() + 60
        while self.builds == before:
            assert self.process.poll() is None, self.text
            assert time.monotonic() < deadline, self.text
            time.sleep(0.05)

    def page(self, address: str = "rules/t/name/") -> str:
        """Return the text of a page, without the script that reloads it."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/docs/{address}", timeout=10) as response:
            text = html.unescape(re.sub(r"<[^>]+>", "", response.read().decode()))
        return re.sub(r"livereload\(\d+, \d+\)", "", text)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    rule = {"check": {"python": "names:text", "select": "$.name"}}
    running = Server(make_site(tmp_path, rule=rule, checks={"names.py": GOOD_CHECK}))
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


def test_serve_shows_every_fault_where_it_is_and_recovers(server: Server) -> None:
    rules, fixture = "rules/cat/rules.yaml", "rules/cat/fixtures/bad.json"
    good = {path: (server.site / path).read_text() for path in (rules, fixture, "rules/cat/catalogue.yaml")}
    proved = server.page()
    assert "proved both ways" in proved

    def cleared() -> bool:
        return server.page() == proved

    server.save(fixture, '{"name": 2}')
    assert "finds nothing wrong" in server.page()
    assert ": not-failing: t.name, example bad: " in server.text
    server.save(fixture, good[fixture])
    assert cleared()

    server.save(fixture, '{"name": ')
    assert re.search(r"bad\.json.*expected", server.page(), re.DOTALL)
    server.save(fixture, good[fixture])
    assert cleared()

    server.save(rules, good[rules] + "\t- :")
    assert "cannot be read just now" in server.page()
    assert "rules/cat/rules.yaml:" in server.text
    server.save(rules, good[rules])
    assert cleared()

    server.save("rules/cat/catalogue.yaml", "title: [")
    assert "cannot be read just now" in server.page()
    server.save("rules/cat/catalogue.yaml", good["rules/cat/catalogue.yaml"])
    assert cleared()

    server.save("rules/cat/checks/names.py", "def text(node:\n")
    assert "names.py:1" in server.page()
    server.save("rules/cat/checks/names.py", GOOD_CHECK.replace("is 1", "is one"))
    assert "is one" in server.page()


def test_one_save_rebuilds_once_and_never_loops(server: Server) -> None:
    before = server.builds
    server.save("rules/cat/fixtures/bad.json", '{"name": 1 }\n')
    time.sleep(2)
    assert server.builds == before + 1


def test_a_check_that_never_returns_does_not_hang_the_server(tmp_path: Path) -> None:
    rule = {"check": {"python": "names:text", "select": "$.name"}}
    site = make_site(tmp_path, rule=rule, checks={"names.py": "def text(node):\n    while True:\n        pass\n"})
    catalogue = (site / "rules/cat/catalogue.yaml").read_text()
    (site / "rules/cat/catalogue.yaml").write_text(catalogue.replace("{", '{"time_limit": 0.5,', 1))
    server = Server(site)
    try:
        assert "did not return within 0.5 s" in server.page()
        server.save("rules/cat/checks/names.py", GOOD_CHECK)
        assert "proved both ways" in server.page()
    finally:
        server.process.kill()
        server.process.wait()


def test_a_page_of_the_user_that_appears_during_serve_is_kept(server: Server) -> None:
    (server.site / "docs/rules/t").mkdir(parents=True)
    server.save("docs/rules/t/name.md", "# Mine\n")
    assert "Mine" in server.page()
    assert "stands where a generated page would go" in server.text
