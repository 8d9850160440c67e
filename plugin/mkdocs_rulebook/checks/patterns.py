"""The one dialect of patterns: ECMA-262 with the Unicode flag, as JSON Schema asks (2020-12, Core §6.4)."""

from __future__ import annotations

import re
from functools import lru_cache

import regress


class PatternError(ValueError):
    """A pattern is no ECMA-262 regular expression."""


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> regress.Regex:
    """Compile an ECMA-262 pattern with the Unicode flag.

    Raises:
        PatternError: it is not well-formed.
    """
    try:
        return regress.Regex(pattern, "u")
    except regress.RegressError as error:
        raise PatternError(f"`{pattern}` is not an ECMA-262 regular expression: {error}") from None


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern matches anywhere in the text."""
    return compile_pattern(pattern).find(text) is not None


_UNIVERSAL = re.compile(
    r"""(?:
      [^\\\[\](){}]                                                   # a character, ., ^, $, |, *, +, ?
    | \\[dDwWsS] | \\[tnrfv] | \\[\^$\\.*+?()\[\]{}|/]
    | \\x[0-9a-fA-F]{2} | \\u(?![dD][89a-fA-F])[0-9a-fA-F]{4} | \\u\{(?![dD][89a-fA-F])[0-9a-fA-F]{1,5}\}
    | \\[pP]\{(?:L|Lu|Ll|Lt|Lm|Lo|M|N|Nd|P|S|Z)\}
    | \((?:\?[:=!] | (?!\?)) | \)
    | \{[0-9]+(?:,[0-9]*)?\}
    | \[(?:\^(?!\]) | (?![\^\]]))(?:
          [^\\\[\]&~-] | -(?=\]) | (?<=[A-Za-z0-9])-(?=[A-Za-z0-9])
        | \\[dDwWsS] | \\[tnrfv] | \\[\^$\\.*+?()\[\]{}|/-]
        | \\x[0-9a-fA-F]{2} | \\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}
      )+\]
    )*""",
    re.VERBOSE,
)
"""No two alternatives begin alike, so that there is nothing to try twice."""


def is_universal(pattern: str) -> bool:
    """Whether a pattern that compiles uses only what means the same in the engine that `jsonschema-rs` has built in.

    Back-references, word boundaries, named groups, lookbehind, surrogates and sets of sets are read otherwise there.
    """
    return _UNIVERSAL.fullmatch(pattern) is not None
