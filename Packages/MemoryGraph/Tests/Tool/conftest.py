"""Fixtures of the memory graph's tests."""

import pathlib
import subprocess

import pytest

from victims import LIMIT, PACKAGE

DOOR = PACKAGE / "Sources/System/CMemoryLook"


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Compiles a C program, once, and returns its path."""
    folder = tmp_path_factory.mktemp("programs")

    def compile(name):
        program = folder / name
        if not program.exists():
            subprocess.run(
                ["cc", "-g", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-pthread", f"-I{DOOR}",
                 "-o", program, pathlib.Path(__file__).with_name("programs") / f"{name}.c"],
                check=True, timeout=LIMIT)
        return program

    return compile
