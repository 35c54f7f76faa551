"""Every mlir block in a page or a TableGen description is part of a test's input,
and every relative link of a page leads to a file.

A block is found if its text, blanks aside, stands in one piece in a lit test or
in an example, both of which the suite runs. Sketches with left-out parts are no
mlir blocks; they are fenced without a language.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])


def squeeze(text):
    return re.sub(r"\s+", "", text)


def blocks(path):
    """(line, text) of each mlir block."""
    start, lines = None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if start is None:
            if re.match(r"\s*```\s*mlir\b", line):
                start, lines = number, []
        elif line.strip().startswith("```"):
            yield start, "\n".join(lines)
            start = None
        else:
            lines.append(line)


def program(path):
    """A test's text without the lines that only the checker reads."""
    kept = [
        line
        for line in path.read_text().splitlines()
        if not re.match(r"\s*//\s*(RUN|REQUIRES|expected-|[A-Z0-9_]+(-[A-Z]+)*:)", line)
    ]
    return squeeze("\n".join(kept))


generated = [root / "docs" / "Dialects", root / "docs" / "Passes"]
pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
pages = [p for p in pages if not any(p.is_relative_to(g) for g in generated)]
pages += sorted((root / "include").rglob("*.td"))
inputs = [*(root / "test").rglob("*.mlir"), *(root / "examples").glob("*.mlir")]
programs = [program(path) for path in inputs]

count, missing = 0, 0
for page in pages:
    for line, text in blocks(page):
        count += 1
        if not any(squeeze(text) in p for p in programs):
            missing += 1
            print(f"{page.relative_to(root)}:{line}: no test runs this block:\n{text}\n")
print(f"{count} blocks, {missing} that no test runs")

for page in pages:
    if page.suffix != ".md":
        continue
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        if not (page.parent / target).exists():
            missing += 1
            print(f"{page.relative_to(root)}: no such file: {target}")
sys.exit(1 if missing or not count else 0)
