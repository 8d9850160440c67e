"""The `rulebook` command: everything the plugin proves, without MkDocs.

Exit codes: 0, all is proved; 1, something is at fault; 2, the command was called wrongly.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path

import click

from mkdocs_rulebook import __version__, site
from mkdocs_rulebook.catalogue import FILE_NAME, MISNAMED, below, load
from mkdocs_rulebook.checks.runner import Runner
from mkdocs_rulebook.control import control
from mkdocs_rulebook.lint import LintFinding, Trouble, documents, lint
from mkdocs_rulebook.outputs import github, text
from mkdocs_rulebook.outputs.lint import as_json, as_text
from mkdocs_rulebook.project import Project, check
from mkdocs_rulebook.write import leading_out, write

FORMATS = {"text": text.lines, "github": github.lines}
LINT_FORMATS = {"text": as_text, "json": as_json}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rulebook")
def main() -> None:
    """Prove and render rule catalogues.

    Exit codes: 0, all is proved; 1, something is at fault; 2, the command was called wrongly.
    """
    if isinstance(sys.stdout, TextIOWrapper):  # a terminal or pipe that cannot show a character shows its escape
        sys.stdout.reconfigure(errors="backslashreplace")


_catalogues = click.argument("catalogues", nargs=-1, type=click.Path(path_type=Path))
_no_code = click.option(
    "--no-code", is_flag=True, help="Run no Python checks and no engines: for catalogues from strangers."
)


def _folders(given: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the catalogue folders to work on: the given ones, or all below ./rules, or the current folder."""
    all_below, misnamed = below(Path("rules"))
    found = given or tuple(all_below)
    if not found and Path(FILE_NAME).is_file():
        found = (Path(),)
    if not found:
        near = [*misnamed, *(Path(name) for name in MISNAMED if Path(name).is_file())]
        hint = f"rename {near[0].as_posix()}" if near else "name a catalogue folder"
        raise click.UsageError(f"there is no {FILE_NAME} here or in a folder of ./rules; {hint}")
    for folder in found:
        if not os.path.exists(folder):  # noqa: PTH110 - Path.exists raises for a name that is too long
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
@click.option("--cross-check", "both", is_flag=True, help="Ask both JSON Schema libraries; report where they disagree.")
@click.pass_context
def check_command(context: click.Context, catalogues: tuple[Path, ...], no_code: bool, output: str, both: bool) -> None:
    """Run every example of CATALOGUES against the check of its rule.

    CATALOGUES are folders with a catalogue.yaml; without any, all in ./rules are taken.
    """
    project = check(_folders(catalogues), allow_code=not no_code, both_libraries=both)
    _report(project, output)
    context.exit(1 if project.failed else 0)


@main.command("render")
@_catalogues
@_no_code
@click.option("--to", "folder", type=click.Path(path_type=Path), required=True, help="The documentation folder.")
@click.option("--base", default="rules", show_default=True, help="Where below it the pages of the rules go.")
@click.option("--site-url", default="", help="The address of the site, for the files that need whole addresses.")
@click.option(
    "--twins",
    type=click.Path(path_type=Path),
    help="Where the Markdown twins of the pages go: the built site, for a generator would take them for pages.",
)
@click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of templates that replace or extend those of the pages.",
)
@click.option("--faults", "keep", is_flag=True, help="Write the pages in spite of faults; they show them.")
@click.pass_context
def render_command(
    context: click.Context,
    catalogues: tuple[Path, ...],
    no_code: bool,
    folder: Path,
    base: str,
    site_url: str,
    twins: Path | None,
    templates: Path | None,
    keep: bool,
) -> None:
    """Write the pages of CATALOGUES as Python-Markdown files, for any site generator.

    Nothing is written where a file of yours stands in the way, or, unless --faults is given, where something is at
    fault. Specification pages that do not lie in the folder are copied there.
    """
    project = check(_folders(catalogues), allow_code=not no_code)
    _report(project, "text")
    if project.failed and not keep:
        context.exit(1)
    rendered = site.render_alone(project, folder, base, templates, site_url)
    for line in text.lines(rendered.faults, Path.cwd()):
        click.echo(line)
    if rendered.faults and not keep:
        context.exit(1)
    targets = {folder: [file for file in rendered.files if not file.published]}
    if twins is not None:
        targets[twins] = [file for file in rendered.files if file.published]
    foreign = False
    for target, own in targets.items():
        in_the_way = write(own, target)
        for path in in_the_way:
            shown = text.shown_path(path, Path.cwd())
            leads_out = leading_out(target, path.relative_to(target).as_posix()) is not None
            why = "is a link that leads out of the folder" if leads_out else "stands where a generated file would go"
            click.echo(f"{shown}: {why}; nothing was written")
        if not in_the_way:
            click.echo(f"{text.plural(len(own), 'file')} in {target}")
        foreign = foreign or bool(in_the_way)
    context.exit(1 if foreign or project.failed or rendered.faults else 0)


@main.command("lint")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--catalogue", "catalogues", multiple=True, type=click.Path(path_type=Path), help="A catalogue folder; repeatable."
)
@_no_code
@click.option("--format", "output", type=click.Choice(sorted(LINT_FORMATS)), default="text", help="How it is printed.")
@click.pass_context
def lint_command(
    context: click.Context, files: tuple[Path, ...], catalogues: tuple[Path, ...], no_code: bool, output: str
) -> None:
    """Hold FILES, or all JSON and YAML files of folders, against the rules of one or several catalogues.

    Without --catalogue, each file is held against those catalogues in ./rules whose `documents` it is one of.
    The exit code is 1 where a must-rule is broken, a file cannot be read or a check cannot be run.
    """
    results: list[LintFinding | Trouble] = []
    for folder in _folders(catalogues):
        loaded = load(folder)
        if loaded.catalogue is None:
            raise click.ClickException(f"{folder} cannot be read; run `rulebook check {folder}`")
        with Runner(loaded.catalogue, allow_code=not no_code, engine=loaded.engine) as runner:
            names = documents(files, loaded.catalogue.texts)
            results += lint(loaded.catalogue, runner, names, every=bool(catalogues))
    for line in LINT_FORMATS[output](results, Path.cwd()):
        click.echo(line)
    bad = any(isinstance(result, Trouble) or result.level.obligatory for result in results)
    context.exit(1 if bad else 0)


@main.command("control")
@_catalogues
@_no_code
@click.pass_context
def control_command(context: click.Context, catalogues: tuple[Path, ...], no_code: bool) -> None:
    """Take the proof of every confirmed example of CATALOGUES away, and see that each verdict turns.

    A catalogue whose verdicts stay green then proves nothing: the exit code is 1.
    """
    tried, failed = 0, 0
    for folder in _folders(catalogues):
        loaded = load(folder)
        if loaded.catalogue is None:
            raise click.ClickException(f"{folder} cannot be read; run `rulebook check`")
        with Runner(loaded.catalogue, allow_code=not no_code, engine=loaded.engine) as runner:
            for one in control(loaded.catalogue, runner):
                tried += 1
                if not one.held:
                    failed += 1
                    click.echo(f"{one.rule}, example {one.example}: {one.attempt}, and the verdict is {one.verdict}")
    if not tried:
        click.echo("nothing was tried: no example is confirmed")
    click.echo(f"{text.plural(tried, 'attempt')} to fool the verification, {failed} not noticed")
    context.exit(1 if failed or not tried else 0)


if __name__ == "__main__":
    main()
