"""Tests/tally.py, with generated reports: what failed and passed the second time is told, and counts as passed."""

import pathlib
import subprocess
import sys

TALLY = pathlib.Path(__file__).with_name("tally.py")


def report(path, **cases):
    """A report in which each test has passed, or failed for the reason given."""
    path.parent.mkdir(exist_ok=True)
    found = "".join(
        f'<testcase classname="Hub.test_it" name="{name}">{why and f"""<failure message="{why}"/>"""}</testcase>'
        for name, why in cases.items())
    path.write_text(f"<testsuites><testsuite>{found}</testsuite></testsuites>")


def tally(folder, code="1"):
    done = subprocess.run(
        [sys.executable, TALLY, "pytest", code, folder / "log", "junit", folder / "python.xml"], text=True,
        capture_output=True, timeout=30, check=True)
    return done.stdout.strip(), done.stderr.splitlines()


def test_a_test_that_fails_twice_has_failed(tmp_path):
    report(tmp_path / "python.xml", one="", two="too late", three="wrong")
    assert tally(tmp_path)[0] == "1 2 0"
    report(tmp_path / "again/python.xml", two="", three="wrong")
    sums, told = tally(tmp_path)
    assert sums == "2 1 0"
    assert told == [
        "FAILED pytest: Hub.test_it.three", "  wrong", "ONLY THE SECOND TIME pytest: Hub.test_it.two", "  too late"]


def test_a_second_run_without_a_word_of_a_test_excuses_nothing(tmp_path):
    report(tmp_path / "python.xml", one="", two="too late")
    for text in ("", "<testsuites>"):
        report(tmp_path / "again/python.xml", other="")
        assert tally(tmp_path)[0] == "1 1 0"
        (tmp_path / "again/python.xml").write_text(text)
        assert tally(tmp_path)[0] == "1 1 0"


def test_a_runner_that_fails_without_a_failed_test_has_failed(tmp_path):
    report(tmp_path / "python.xml", one="")
    assert tally(tmp_path, code="3")[0] == "1 1 0"


def test_a_runner_that_crashed_is_told_with_its_last_words(tmp_path):
    (tmp_path / "python.xml").write_text('<?xml version="1.0"?>\n<testsuites>\n')
    (tmp_path / "log").write_text("Test one started.\nFatal error: out of eggs\n")
    counts, notes = tally(tmp_path, code="139")
    assert counts == "0 1 0"
    for words in ("  ended with code 139", "  begun and not ended: one", "  | Fatal error: out of eggs"):
        assert words in notes
