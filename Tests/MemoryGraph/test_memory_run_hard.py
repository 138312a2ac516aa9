"""Programs and surroundings that are hard on `run` and `check`: each has once been handled wrongly."""

import pathlib
import subprocess

import pytest

from faults import compiled
from victims import LIMIT, TOOL

SOURCE = pathlib.Path(__file__).with_name("programs") / "hard.c"


@pytest.fixture(scope="module")
def hard():
    return compiled(SOURCE, "", "-pthread")


def follow(*words, told="", **options):
    """The tool and its program, to their end, in bytes."""
    return subprocess.run(
        [TOOL, *words], capture_output=True, input=told.encode(), timeout=LIMIT, check=False, **options)


def test_a_first_block_inside_a_question_for_the_stack(hard):
    told = follow("run", "--stacks", "--", hard, "first block")
    assert b"hard ended with 3." in told.stderr, told.stderr
