"""The `rulebook` command: everything the plugin proves, without MkDocs.

Exit codes: 0, all is proved; 1, something is at fault; 2, the command was called wrongly.
"""

from __future__ import annotations

from pathlib import Path

import click

from mkdocs_rulebook import __version__
from mkdocs_rulebook.catalogue import FILE_NAME
from mkdocs_rulebook.outputs import github, text
from mkdocs_rulebook.project import Project, check

FORMATS = {"text": text.lines, "github": github.lines}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rulebook")
def main() -> None:
    """Prove and render rule catalogues.

    Exit codes: 0, all is proved; 1, something is at fault; 2, the command was called wrongly.
    """


_catalogues = click.argument("catalogues", nargs=-1, type=click.Path(path_type=Path))
_no_code = click.option("--no-code", is_flag=True, help="Run no Python checks: for catalogues from strangers.")


def _folders(given: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the catalogue folders to work on: the given ones, or all below ./rules, or the current folder."""
    found = given or tuple(path.parent for path in sorted(Path("rules").glob(f"*/{FILE_NAME}")))
    if not found and Path(FILE_NAME).is_file():
        found = (Path(),)
    if not found:
        raise click.UsageError(f"there is no {FILE_NAME} here or in a folder of ./rules; name a catalogue folder")
    for folder in found:
        if not folder.exists():
            raise click.UsageError(f"there is no folder {folder}")
    return found


def _report(project: Project, output: str) -> None:
    base = Path.cwd()
    for line in FORMATS[output](project.faults, base):
        click.echo(line)
    click.echo(text.summary(project.reports, project.faults), err=output != "text")


@main.command("check")
@_catalogues
@_no_code
@click.option("--format", "output", type=click.Choice(sorted(FORMATS)), default="text", help="How faults are printed.")
@click.pass_context
def check_command(context: click.Context, catalogues: tuple[Path, ...], no_code: bool, output: str) -> None:
    """Run every example of CATALOGUES against the check of its rule.

    CATALOGUES are folders with a catalogue.yaml; without any, all in ./rules are taken.
    """
    project = check(_folders(catalogues), allow_code=not no_code)
    _report(project, output)
    context.exit(1 if project.failed else 0)


if __name__ == "__main__":
    main()
