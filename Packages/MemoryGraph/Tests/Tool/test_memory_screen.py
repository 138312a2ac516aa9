"""The memory graph's output on a terminal: its width, its rows, and its order."""

import os
import re
import subprocess

import pytest

from victims import LIMIT, TOOL, VICTIM, Victim, on_terminal, run

@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Snapshots with everything that can be reported: many leaks, one leak many times, and over-retained objects."""
    folder = tmp_path_factory.mktemp("snapshots")
    for case, count in (("everything", 10), ("retained", 10), ("controls", 10), ("delegate", 2000)):
        with Victim(case, count) as victim:
            run("graph", victim.pid, "--snapshot", folder / case)
    return folder


@pytest.mark.parametrize("case", ["everything", "retained", "controls"])
def test_the_summary_fits_a_screen(everything, case):
    lines = run("graph", everything / case).stdout.splitlines()
    # The snapshot's path is long; the last line has its beginning only.
    assert len(lines) <= 23 and max(map(len, lines)) <= 80, lines
    assert not any(a == b == "" for a, b in zip(lines, lines[1:])), lines
    assert lines[3].startswith("✗ " if case == "everything" else "✓ ") and lines[-1].startswith("More: ")
    assert any("objects        bytes" in line for line in lines)
    found = [line for line in lines if re.match(r"  (leak|cycle|retained)-1 ", line)]
    assert len(found) == {"everything": 2, "retained": 1, "controls": 1}[case], lines
    assert all(line.endswith(" bytes") and len(line) == 80 for line in found), found


@pytest.mark.parametrize("words, variables", [(["--no-colour"], {}), ([], {"NO_COLOR": "1"})])
def test_whoever_wants_no_colours_gets_the_same_lines(everything, words, variables):
    asked = ("leaks", everything / "everything")
    plain = on_terminal(80, *asked, *words, coloured=False, env=os.environ | variables)
    assert plain == on_terminal(80, *asked)


def test_a_finding_that_finds_no_room_is_counted(everything):
    text = run("graph", everything / "everything").stdout
    told = int(re.search(r"✗ (\d+) leaks", text)[1])
    assert len(re.findall("^  leak-", text, re.M)) + int(re.search(r"  … and (\d+) more", text)[1]) == told


@pytest.mark.parametrize("columns, width", [(40, 40), (100, 100), (300, 120), (0, 80)])
def test_lines_are_as_wide_as_the_terminal(everything, columns, width):
    lines = on_terminal(columns, "graph", everything / "everything")
    first = next(line for line in lines if "leak-1" in line)
    assert len(lines) <= 23 and len(first) == width, lines
    assert max(map(len, lines)) <= width, lines
    titles = [line for line in on_terminal(columns, "leaks", everything / "everything") if "0x" not in line][4:]
    if columns >= 80:
        assert max(map(len, titles)) <= width, titles


@pytest.mark.parametrize("columns", [40, 60])
@pytest.mark.parametrize("words", [
    ["graph", "everything"], ["graph", "retained"], ["leaks", "everything"], ["leaks", "retained"],
    ["cycles", "everything"], ["types", "everything"], ["path", "everything", "Boss"], ["path", "everything", "Node"],
    ["object", "everything", "Boss"], ["object", "everything", "Ledger"], ["diff", "controls", "everything"]])
def test_no_line_is_too_long_for_a_narrow_terminal(everything, columns, words):
    verb, *names = words
    lines = on_terminal(columns, verb, *[everything / name if (everything / name).exists() else name for name in names])
    # A word longer than a line is not broken, and is alone in its line.
    long = [line for line in lines if len(line) > columns and " " in line.strip().removesuffix(" →")]
    assert not long, long


@pytest.mark.parametrize("columns", [40, 60])
def test_an_id_is_whole_however_narrow_the_terminal_is(everything, columns):
    for case in ("everything", "retained", "controls", "delegate"):
        lines = on_terminal(columns, "graph", everything / case)
        assert len(lines) <= 23, lines
        found = [line for line in lines if re.match("  (leak|cycle|retained)-", line)]
        whole = re.compile(r"  (leak|cycle|retained)-\d+ +\S{4}.* (bytes|KB)$")
        assert found and all(whole.match(line) for line in found), found


def test_a_program_that_was_run_is_told_within_a_narrow_terminal():
    for verb in ("run", "check"):
        lines = on_terminal(40, verb, "--", VICTIM, "delegate", 3, file="stderr")
        told = [line for line in lines if "0x" not in line and "warning:" not in line]
        assert any("nothing can" in line for line in told), lines
        assert not [line for line in told if len(line) > 40 and " " in line.strip()], told


def test_details_have_one_blank_line_between_them(everything):
    lines = run("leaks", everything / "retained").stdout.splitlines()
    assert lines[2:8] == [
        "", "✓ no leaks", "", "○ 1 type over-retained: its objects leak when they are let go", "",
        "○ retained-1  OverRetained.Ticket is retained more often than it is referred to"], lines
    text = run("leaks", everything / "everything").stdout
    assert "\n\n\n" not in text and "\n\n✗ leak-2 " in text


def test_one_cycle_is_one():
    with Victim("ring", 3) as victim:
        assert "○ 1 retain cycle still reachable: when it is let go, it leaks\n" in run("cycles", victim.pid).stdout


@pytest.mark.parametrize("verb", ["graph", "leaks", "cycles", "types"])
def test_what_could_not_be_read_is_told_by_every_verb(verb):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        program.stdin.write(b"x")
        program.stdin.flush()
        program.stdout.read(1)
        told = run(verb, program.pid).stdout
        missed = run("path", program.pid, "Session").stderr
        compared = run("diff", program.pid, program.pid).stdout
        program.stdin.close()
    assert "\n\n! There is no Swift in this process" in told, told
    assert '"Session". An address or a type\'s name is accepted. There is no Swift in this process' in missed, missed
    assert "\n\n! There is no Swift in this process" in compared, compared


def test_what_is_retained_too_often_tells_who_allocated_it():
    told = subprocess.run(
        [TOOL, "run", "--stacks", "--", VICTIM, "retained", "10"], capture_output=True, text=True, input="",
        timeout=LIMIT).stderr
    assert "over-retained: 10 blocks" in told, told
    allocated = re.search(r"allocated at .*OverRetained\.make\(_:\) /.*/Busy\.swift:\d+\n  reached from ", told)
    assert allocated, told
