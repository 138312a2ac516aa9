"""Files and lines of leaks, as a person reads them."""

import json
import pathlib
import re
import subprocess

import pytest

from victims import LIMIT, follow

PROGRAMS = pathlib.Path(__file__).with_name("programs")
SOURCE = PROGRAMS / "optimised.swift"


def line(text, after=""):
    """The number of the line with a text, after the line with another one."""
    lines = SOURCE.read_text().splitlines()
    first = next(place for place, line in enumerate(lines) if after in line)
    return next(place for place, line in enumerate(lines) if place >= first and text in line) + 1


@pytest.fixture(scope="module")
def optimised(tmp_path_factory):
    program = tmp_path_factory.mktemp("optimised") / "optimised"
    # As SwiftPM calls it.
    subprocess.run(
        ["swiftc", "-g", "-O", "-Xcc", "-fno-omit-frame-pointer", "-o", program, SOURCE], check=True,
        timeout=10 * LIMIT)
    return program


@pytest.fixture(scope="module")
def checked(optimised, tmp_path_factory):
    """The output of `check`, and its report."""
    file = tmp_path_factory.mktemp("checked") / "graph.json"
    told = follow("check", "--json", file, "--", optimised)
    assert told.returncode == 1, told.stderr
    return told.stderr, json.loads(file.read_text())


def warnings(text, name):
    return [line for line in text.splitlines() if f"warning: optimised.{name} leaks" in line]


def test_places_of_one_line_are_one_leak(checked):
    text, found = checked
    [finding] = [one for one in found["findings"] if "Single" in one["title"]]
    assert finding["instances"] == 4
    [warning] = warnings(text, "Single")
    assert warning.startswith(f"{SOURCE}:{line('passRetained', 'loseInLoop')}: ") and "4 times" in warning, warning


def test_warnings_that_read_the_same_are_added_up(checked):
    text, found = checked
    # Two callers, and three lines that call.
    counts = sorted(one["instances"] for one in found["findings"] if "Shared" in one["title"])
    assert len(counts) > 1 and sum(counts) == 3, counts
    [warning] = warnings(text, "Shared")
    assert warning.startswith(f"{SOURCE}:{line('passRetained', 'loseShared')}: "), warning
    assert "(root leak, 3 times: " in warning and ": 3 blocks, " in warning, warning


def test_a_call_without_line_is_told_by_its_functions_and_not_by_its_caller(checked):
    text, _ = checked
    boxes = [line for line in text.splitlines() if "warning: closure or box" in line]
    assert boxes, text
    for box in boxes:
        place = int(re.match(rf"{SOURCE}:(\d+): ", box)[1])
        assert line("func loseBoxes") <= place < line("final class Keeper"), box


def test_what_is_harmless_is_told_as_what_is_not(optimised, checked, tmp_path):
    [title] = [one["title"] for one in checked[1]["findings"] if "Keeper" in one["title"]]
    assert '["the key of a keeper"]' in title
    (tmp_path / "known").write_text("leak type optimised.Keeper because it is a test's\n")
    follow("check", "--known", tmp_path / "known", "--json", tmp_path / "graph.json", "--", optimised)
    [harmless] = json.loads((tmp_path / "graph.json").read_text())["harmless"]
    assert harmless["title"] == title


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("compiler", ["cc", "clang"])
def test_files_are_told_from_the_root(compiler, version, tmp_path):
    """Packages are compiled in their folder, so compilers write relative paths."""
    (tmp_path / "Sources/Part").mkdir(parents=True)
    source = tmp_path / "Sources/Part/lose.c"
    source.write_text("""#include <stdlib.h>
static char *volatile last;
int main(void) {
  last = malloc(100);
  last = NULL;
  return (int)(long)last;
}
""")
    program = tmp_path / "lose"
    # As SwiftPM calls clang, which shortens the path.
    named = source if compiler == "clang" else source.relative_to(tmp_path)
    subprocess.run(
        [compiler, f"-gdwarf-{version}", "-O1", "-fno-omit-frame-pointer", "-o", program, named],
        cwd=tmp_path, check=True, timeout=LIMIT)
    # Run from another folder.
    told = follow("check", "--json", tmp_path / "graph.json", "--", program, cwd="/")
    assert told.returncode == 1, told.stderr
    files = {call["file"] for one in json.loads((tmp_path / "graph.json").read_text())["findings"]
             for call in one["backtrace"] if "file" in call}
    assert files == {str(source)}
    assert re.search(rf"^{source}:\d+: warning: ", told.stderr, re.M), told.stderr


INLINED = """#include <stdlib.h>
static char *volatile last;
static inline __attribute__((always_inline)) void inner(int size) {
  last = malloc(size);
}
static inline __attribute__((always_inline)) void middle(int size) {
  inner(size + 1);
}
__attribute__((noinline)) void outer(int size) {
  middle(size);
  last = NULL;
}
int main(int count, char **words) {
  (void)words;
  outer(count * 100);
  return 0;
}
"""


@pytest.mark.parametrize("options", [
    ("cc", "-gdwarf-4"), ("cc", "-gdwarf-5"), ("clang", "-gdwarf-4"), ("clang", "-gdwarf-5"),
    ("cc", "-gdwarf-5", "-ffunction-sections"),
], ids=" ".join)
def test_inlined_calls_are_told_with_their_lines(options, tmp_path):
    source = tmp_path / "inlined.c"
    source.write_text(INLINED)
    subprocess.run(
        [*options, "-O1", "-fno-omit-frame-pointer", "-o", tmp_path / "inlined", source], check=True, timeout=LIMIT)
    told = follow("check", "--json", tmp_path / "graph.json", "--", tmp_path / "inlined")
    assert told.returncode == 1, told.stderr
    calls = [call for one in json.loads((tmp_path / "graph.json").read_text())["findings"]
             for call in one["backtrace"]]
    ways = [(call["function"], call["line"]) for call in calls if call.get("file") == str(source)]
    assert ways == [("inner", 4), ("middle", 7), ("outer", 10), ("main", 15)], calls
