"""`eightbells memory`: runs the program `memorygraph` beside it, or tells how to get it."""

import shutil
import subprocess

import pytest

from hub import BINARY


@pytest.fixture
def program(tmp_path):
    """The program by a link, with nothing beside it."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "links").mkdir()
    shutil.copy(BINARY, tmp_path / "bin/eightbells")
    link = tmp_path / "links/eightbells"
    link.symlink_to(tmp_path / "bin/eightbells")
    return link


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, timeout=20, check=False)


@pytest.mark.parametrize("words", [["memory", "leaks", "1"], ["memory"], ["help", "memory"]])
def test_what_is_missing_is_named_and_how_to_get_it(program, words):
    told = run(program, *words)
    # Not 1, which would mean leaks.
    assert told.returncode == 2 and told.stdout == b""
    assert told.stderr.decode() == (
        f"eightbells: {program.resolve().with_name('memorygraph')} is missing, which looks into running programs; "
        "bin/build memorygraph puts it there.\n")


@pytest.mark.parametrize("typed, passed", [
    (["memory", "run", "--", b"sh\xff", "a b"], b"run|--|sh\xff|a b"),
    (["memory"], b""),
    (["help", "memory"], b"--help"),
])
def test_the_program_beside_it_gets_every_word(program, typed, passed):
    beside = program.resolve().with_name("memorygraph")
    beside.write_text("#!/bin/sh\nfor word; do printf '%s|' \"$word\"; done\nexit 1\n")
    beside.chmod(0o755)
    told = run(program, *typed)
    assert told.returncode == 1 and told.stdout == passed + (b"|" if passed else b""), told
