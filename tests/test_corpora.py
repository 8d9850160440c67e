"""The product on data that nobody here wrote. It lies beside the repository where it is at hand, and is never in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall import recall

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"

needs_mcpdesc = pytest.mark.skipif(
    not (CORPORA / "mcpdesc").is_dir(), reason="the upstream fixtures are not beside this checkout"
)


@needs_mcpdesc
def test_the_rules_find_all_that_is_wrong_upstream_and_nothing_that_is_right() -> None:
    result = recall(CORPORA / "mcpdesc")
    assert result.entries > 100
    assert result.missed == []
    assert result.false == []
    assert result.errors == []
