"""The words of a rule catalogue as immutable values.

Nothing here reads, checks or words anything, and nothing here imports another part of the package: every other
module can be understood from the names in this one.
"""

from mkdocs_rulebook.model.catalogue import Catalogue, Facet, Owner, Policy, SourceLink, Spec, Untestable
from mkdocs_rulebook.model.check import Check, EngineCheck, NoCheck, PythonCheck, SchemaCheck, judges_data, judges_text
from mkdocs_rulebook.model.engine import Columns, Engine, Format, Output
from mkdocs_rulebook.model.example import Example, Expect, Inline, Known, Replacement
from mkdocs_rulebook.model.place import JSON, Lines, Place, Position, Selection, Span
from mkdocs_rulebook.model.report import Fault, Finding, Report, Verdict
from mkdocs_rulebook.model.rule import Anchor, Removed, RequiredBy, Rule, Source, address_of, owner_of
from mkdocs_rulebook.model.words import Claim, Group, Level, Outcome, Proof, Severity

__all__ = [
    "JSON",
    "Anchor",
    "Catalogue",
    "Check",
    "Claim",
    "Columns",
    "Engine",
    "EngineCheck",
    "Example",
    "Expect",
    "Facet",
    "Fault",
    "Finding",
    "Format",
    "Group",
    "Inline",
    "Known",
    "Level",
    "Lines",
    "NoCheck",
    "Outcome",
    "Output",
    "Owner",
    "Place",
    "Policy",
    "Position",
    "Proof",
    "PythonCheck",
    "Removed",
    "Replacement",
    "Report",
    "RequiredBy",
    "Rule",
    "SchemaCheck",
    "Selection",
    "Severity",
    "Source",
    "SourceLink",
    "Span",
    "Spec",
    "Untestable",
    "Verdict",
    "address_of",
    "judges_data",
    "judges_text",
    "owner_of",
]
