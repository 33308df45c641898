"""Cases of documents: a folder each, with files and, in expected.txt, the rows they give.

After a change of a reader: `python tests/documents/document_cases.py`, then read the difference.
"""

from pathlib import Path

from drift.documents import document_kind, read_document

CASES = sorted(each for each in (Path(__file__).parent / "cases").iterdir() if each.is_dir())


def rows_of(case):
    """A line for each item of each file: what is known of it, in order."""
    lines = []
    for path in sorted(each for each in case.rglob("*") if each.is_file() and each.name != "expected.txt"):
        relative = path.relative_to(case)
        folder = relative.parent.as_posix()
        kind = document_kind("" if folder == "." else folder, relative.name)
        assert kind is not None, relative
        document = read_document(kind, path.read_bytes())
        lines.append(
            f"{relative.as_posix()}: {document.kind}{f' ({document.problem})' if document.problem else ''}"
        )
        for element in document.elements:
            shown = element.tag + (f"#{element.identity}" if element.identity is not None else "")
            shown += "".join(f".{each}" for each in (element.classes or "").split())
            given = [name if value is None else f"{name}={value}" for name, value in element.attributes]
            lines.append(" ".join(["   ", str(element.line), "element", shown, *given]))
        for item in document.items:
            told = {
                name: value for name, value in item._asdict().items() if name not in {"line", "kind", "name"}
            }
            words = [f"{name}={value}" for name, value in told.items() if value is not None]
            lines.append(" ".join(["   ", str(item.line), item.kind, item.name, *words]))
    return "\n".join(lines) + "\n"


def main():
    for case in CASES:
        (case / "expected.txt").write_text(rows_of(case))


if __name__ == "__main__":
    main()
