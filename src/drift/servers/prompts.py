"""The prompts of the analysis server: beginnings of a task, filled with what Drift knows of the project."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import mcp_types as types

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import ServerRuntime, may_name_projects
from drift.protocol.completions import Suggest
from drift.protocol.prompts import Argument, Prompt, user_text
from drift.protocol.registry_tools import current_caller
from drift.servers.assembly import ask_tool

_FINDINGS_TOKENS: Final = 6_000
_TARGET_TOKENS: Final = 1_500
# Nothing is wrong with the request then: the prompt is written all the same and says what must come first.
_NO_INDEX: Final = frozenset({ErrorCode.SCAN_REQUIRED, ErrorCode.CALLGRAPH_NOT_BUILT})

_DEBUG: Final = (
    "Find and fix the cause of this issue:\n\n{issue}\n\n"
    "Work from evidence: read the ranked places below before any other file, form a hypothesis for the cause and check it "
    "in the code, then make the smallest change that removes the cause. Look at the callers and tests named below: they "
    "will notice the change. Write a test that fails without it. Cite files and lines."
)
_REFACTOR: Final = (
    "Plan a refactoring of {target}.\n\n"
    "Say what it does today and what is wrong with its shape; then give steps that each leave the project working, the "
    "files and symbols each step touches, the callers that must change with it, and the tests to run after it. Keep public "
    "API unless you say why not. Where calls could not be resolved, say how to make sure. Cite files and lines."
)

_REVIEW: Final = (
    "Review the change in this project{subject}.\n\n"
    "Read what changed and who uses it. For each finding give file and line, what is wrong, what would go wrong for whom, and "
    "the smallest remedy; say which are certain and which you could not check. Hold the change against the conventions below: "
    "a deviation is a finding only where the rule is sure and the place had the choice. Look for missing tests of what changed. "
    "Praise nothing; say so when nothing is wrong."
)
_AUDIT: Final = (
    "Audit the security of this project{subject}.\n\n"
    "Go from what must not get out to who reaches it: take the sensitive fields and tables below, worst first, follow the entry "
    "points that come to them, and check in the code what guards each way. For each finding give file and line, who could do "
    "what, why it is possible, how sure you are, and the smallest remedy. What the analysis below could not tell is no proof: "
    "say what you checked by reading. Report nothing that a guard, a validated type or a constant rules out."
)
_CONVENTIONS_TOKENS: Final = 1_500
_SURE: Final = 0.85


def write_prompts(runtime: ServerRuntime) -> tuple[Prompt, ...]:
    """The prompts, in the order they are listed."""
    return (
        _onboarding(runtime),
        _debug_issue(runtime),
        _refactor_plan(runtime),
        _code_review(runtime),
        _security_audit(runtime),
    )


def prompt_completions(runtime: ServerRuntime) -> dict[tuple[str, str], Suggest]:
    """What may stand in the blanks of the prompts."""
    return {
        ("onboarding", "project"): lambda: _project_names(runtime),
        ("onboarding", "pack"): lambda: list(runtime.packs(runtime.project).by_name),
        ("debug-issue", "file"): lambda: _file_paths(runtime),
        ("code-review", "file"): lambda: _file_paths(runtime),
        ("refactor-plan", "target"): lambda: [*_file_paths(runtime), *symbol_names(runtime)],
    }


def symbol_names(runtime: ServerRuntime) -> Sequence[str]:
    """The functions and classes of the server's own project outside its tests; none before it is scanned."""
    state = runtime.index_state(runtime.project)
    return _read_symbol_names(state.path, state.generation) if state.is_usable else ()


def _file_paths(runtime: ServerRuntime) -> Sequence[str]:
    """The files of the server's own project; none before it is scanned."""
    state = runtime.index_state(runtime.project)
    return _read_file_paths(state.path, state.generation) if state.is_usable else ()


# A person's every key asks anew, and a large project has many thousands of names: they are kept until the next scan.
@lru_cache(maxsize=2)
def _read_symbol_names(index: Path, _generation: int) -> tuple[str, ...]:
    from drift.index import IndexReader  # brings SQLite, which a project without an index does not need

    with IndexReader(index) as reader:
        kinds = (reader.symbols.of_kind(kind, limit=-1) for kind in ("function", "class"))
        names = {
            one.name for found in kinds for one in found if one.role != "test" and one.name.isidentifier()
        }
    return tuple(sorted(names))


@lru_cache(maxsize=2)
def _read_file_paths(index: Path, _generation: int) -> tuple[str, ...]:
    from drift.index import IndexReader  # as above

    with IndexReader(index) as reader:
        return tuple(stamp.path for stamp in reader.files.stamps())


def _project_names(runtime: ServerRuntime) -> list[str]:
    """The projects a caller may name; whoever may not gets only the server's own."""
    if not may_name_projects(current_caller()):
        return [runtime.project.name]
    return [entry.name for entry in runtime.projects.list()]


def _onboarding(runtime: ServerRuntime) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        about = {"project": given["project"]} if "project" in given else {}
        status = await ask_tool(runtime, "drift_status", **about)
        tools = await ask_tool(runtime, "drift_discover", section="tools", **about)
        pack = runtime.packs(runtime.project).get(given["pack"]) if "pack" in given else None
        follow = f" Follow the pack {pack.name}: {', '.join(pack.tools)}." if pack else ""
        return [
            user_text(
                "I am new to this code base. Introduce me: what it is, how it is laid out, where to start reading, "
                f"and which conventions to keep. Use Drift's tools and cite files and lines.{follow}"
            ),
            user_text(f"What Drift knows now:\n\n{status.full_text}"),
            user_text(f"Tools to call through drift_tool:\n\n{tools.full_text}"),
        ]

    return Prompt(
        "onboarding",
        "Get to know the project",
        "A guided introduction to the code base for someone new to it",
        write,
        (Argument("project", "A registered project"), Argument("pack", "A pack whose tools to follow")),
    )


def _debug_issue(runtime: ServerRuntime) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        issue = _said(given, "issue")
        about = {"focus": issue, **({"file": given["file"]} if given.get("file") else {})}
        found = await _find(runtime, "bug-fix", about, intent="fix_bug")
        return [user_text(_DEBUG.format(issue=issue)), user_text(found)]

    return Prompt(
        "debug-issue",
        "Debug an issue",
        "Find the cause of an issue, beginning with the places, callers, history and tests that matter",
        write,
        (
            Argument("issue", "The report, error message or stack trace", is_required=True),
            Argument("file", "Where you are, or where it shows"),
        ),
    )


def _refactor_plan(runtime: ServerRuntime) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        target = _said(given, "target")
        begin = user_text(_REFACTOR.format(target=target))
        try:
            # Also proves that the target is there and is one: an error has the names to choose from.
            is_what = await ask_tool(runtime, "drift_explain", target=target, maxTokens=_TARGET_TOKENS)
        except DriftError as error:
            if error.code not in _NO_INDEX:
                raise
            return [begin, user_text(_say_unscanned(error))]
        found = await _find(runtime, "refactoring", {"target": target}, intent="refactor")
        return [begin, user_text(f"What it is, from Drift's index:\n\n{is_what.full_text}"), user_text(found)]

    return Prompt(
        "refactor-plan",
        "Plan a refactoring",
        "A plan for changing a file or symbol, from its place, its users, what a change reaches and its tests",
        write,
        (Argument("target", "A file, a symbol, or path:line", is_required=True),),
    )


def _code_review(runtime: ServerRuntime) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        file, focus = given.get("file", "").strip(), given.get("focus", "").strip()
        about = {"focus": focus or file or "what changed lately", **({"file": file} if file else {})}
        begin = user_text(_REVIEW.format(subject=f": {focus or file}" if focus or file else ""))
        try:
            if file:
                rules = await ask_tool(
                    runtime, "drift_file_patterns", file=file, maxTokens=_CONVENTIONS_TOKENS
                )
            else:
                rules = await ask_tool(
                    runtime, "drift_patterns_list", minConfidence=_SURE, maxTokens=_CONVENTIONS_TOKENS
                )
        except DriftError as error:
            if error.code not in _NO_INDEX:
                raise
            return [begin, user_text(_say_unscanned(error))]
        found = await _find(runtime, "code-review", about, intent="review_pr")
        return [
            begin,
            user_text(f"What the project does, as counted:\n\n{rules.full_text}"),
            user_text(found),
        ]

    return Prompt(
        "code-review",
        "Review a change",
        "A review of what changed, against what the project does, with the callers and tests that matter",
        write,
        (Argument("file", "A changed file"), Argument("focus", "What the change is about")),
    )


def _security_audit(runtime: ServerRuntime) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        focus = given.get("focus", "").strip()
        begin = user_text(_AUDIT.format(subject=f": {focus}" if focus else ""))
        found = await _find(
            runtime, "security-audit", {"focus": focus or "security"}, intent="security_audit"
        )
        return [begin, user_text(found)]

    return Prompt(
        "security-audit",
        "Audit security",
        "A review of what is sensitive, who reaches it, what guards the ways, and what goes round",
        write,
        (Argument("focus", "An area, such as payments"),),
    )


def _said(given: Mapping[str, str], name: str) -> str:
    text = given[name].strip()
    if not text:
        raise DriftError(ErrorCode.MISSING_REQUIRED_PARAM, f"{name}: is empty")
    return text


async def _find(runtime: ServerRuntime, pack: str, about: Mapping[str, Any], *, intent: str) -> str:
    """What a pack finds, as text; where the project switched it off, the context alone."""
    try:
        if pack in runtime.packs(runtime.project).by_name:
            outcome = await ask_tool(
                runtime, "drift_pack", action="run", name=pack, maxTokens=_FINDINGS_TOKENS, **about
            )
        else:
            context = {"focus": about.get("focus") or about["target"], "activeFile": about.get("file")}
            outcome = await ask_tool(
                runtime, "drift_context", intent=intent, maxTokens=_FINDINGS_TOKENS, **context
            )
    except DriftError as error:
        if error.code not in _NO_INDEX:
            raise
        return _say_unscanned(error)
    return f"What Drift found:\n\n{outcome.full_text}"


def _say_unscanned(error: DriftError) -> str:
    return (
        f"Drift has no index to answer from: {error.message}. Run `drift scan` in the project, or call drift_scan, "
        "and ask again; until then, search the files yourself."
    )
