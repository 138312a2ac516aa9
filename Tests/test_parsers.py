"""Every parser of foreign bytes stands in Fuzz/parsers.txt, with the target that feeds it or why there is none."""

import re

from hub import ROOT

NAMES = re.compile(r"(Reader|Parser|Message|Metadata|Format|Multistatus|ZoneFile|CoreFile|CoreNotes|Minidump|GraphFile"
                   r"|ContentLines|Frame|Archive)\.swift$")
CORPORA = [ROOT / "Fuzz/Corpus", ROOT / "Packages/MemoryGraph/Fuzz/Corpus"]


def table():
    lines = (ROOT / "Fuzz/parsers.txt").read_text().splitlines()
    return {path: rest for path, _, rest in (line.partition(" ") for line in lines if not line.startswith("#"))}


def test_every_parser_is_fuzzed_or_says_why_not():
    found = {str(path.relative_to(ROOT)) for folder in (ROOT / "Sources", *ROOT.glob("Packages/*/Sources"))
             for path in folder.rglob("*.swift") if NAMES.search(path.name)}
    assert found == set(table())
    targets = {path.name for folder in CORPORA for path in folder.iterdir()}
    for path, rest in table().items():
        assert rest in targets or rest.startswith("- ") and len(rest) > 4, f"{path}: {rest!r}"


def test_every_corpus_has_a_target():
    sources = "".join(path.read_text() for folder in (ROOT / "Fuzz/Targets", ROOT / "Packages/MemoryGraph/Fuzz/Targets")
                      for path in folder.glob("*.swift"))
    for folder in CORPORA:
        for path in folder.iterdir():
            assert f'"{path.name}": ' in sources and any(path.iterdir()), path
