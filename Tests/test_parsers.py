"""Every parser of foreign bytes stands in Fuzz/parsers.txt, with the target that feeds it or why there is none. How
long each was fed is added up in Fuzz/hours.txt (hours.py)."""

import pathlib
import re
import sys

import pytest
from hub import ROOT

sys.path.append(str(pathlib.Path(__file__).parent))
import hours

NAMES = re.compile(r"(Reader|Parser|Message|Metadata|Format|Multistatus|ZoneFile|CoreFile|CoreNotes|Minidump|GraphFile"
                   r"|ContentLines|Frame|Archive)\.swift$")
# The head of a function or an initialiser that takes bytes first, or as a body, and what stands behind its parameters.
TAKES = re.compile(r"\b(?:init|func (?:read|parse|feed|receive|take|check|decode|entries|all|next)\w*)(\??)(?:<[^>]*>)?"
                   r"\(\s*(?:[^:)]*|[^)]* body): *(?:inout )?(?:\[UInt8\]|ArraySlice<UInt8>|UnsafeBufferPointer<UInt8>"
                   r"|UnsafeRawBufferPointer|FileBytes)[^)]*\)([^{\n]*)")
CORPORA = [ROOT / folder for folder in hours.CORPORA]


def table():
    lines = (ROOT / "Fuzz/parsers.txt").read_text().splitlines()
    return {path: rest for path, _, rest in (line.partition(" ") for line in lines if not line.startswith("#"))}


def refuses(text):
    """True if something in a source takes bytes and may refuse them."""
    return any(mark or re.search(r"throws|\?\s*$|Result<", rest) for mark, rest in TAKES.findall(text))


def test_every_parser_is_fuzzed_or_says_why_not():
    found = {str(path.relative_to(ROOT)) for folder in (ROOT / "Sources", *ROOT.glob("Packages/*/Sources"))
             for path in folder.rglob("*.swift") if NAMES.search(path.name) or refuses(path.read_text())}
    assert found <= set(table()), found - set(table())
    targets = hours.targets(ROOT)
    for path, rest in table().items():
        assert (ROOT / path).exists(), path
        assert rest in targets or rest.startswith("- ") and len(rest) > 4, f"{path}: {rest!r}"


@pytest.mark.parametrize(("head", "is_one"), [
    ("  init?(_ bytes: [UInt8]) {", True),
    ("  static func read(status: Int, body: [UInt8]) throws(Fault) -> JSON {", True),
    ("  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) -> Result<Int, Fault> {", True),
    ("  func parseIt(_ text: [UInt8]) -> Int? {", True),
    ("  func write(_ bytes: [UInt8]) throws {", False),
    ("  init(_ bytes: [UInt8]) {", False),
])
def test_a_function_that_takes_bytes_and_may_refuse_them_is_a_parser(head, is_one):
    assert refuses(head) == is_one


def test_every_corpus_has_a_target():
    sources = "".join(path.read_text() for folder in (ROOT / "Fuzz/Targets", ROOT / "Packages/MemoryGraph/Fuzz/Targets")
                      for path in folder.glob("*.swift"))
    for folder in CORPORA:
        for path in folder.iterdir():
            assert f'"{path.name}": ' in sources and any(path.iterdir()), path


def test_the_ledger_has_a_line_for_targets_only():
    lines = [line for line in (ROOT / hours.LEDGER).read_text().splitlines() if not line.startswith("#")]
    assert [line.split()[0] for line in lines] == sorted({line.split()[0] for line in lines})
    for line in lines:
        assert re.fullmatch(r"\w+ [1-9]\d* \d{4}-\d\d-\d\d [0-9a-f]{8}", line), line
    assert {line.split()[0] for line in lines} <= set(hours.targets(ROOT))
