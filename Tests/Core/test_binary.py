"""The binary's hardening by the linker, against attackers who can write to its memory."""

import subprocess

from hub import BINARY


def readelf(option):
    """The file's headers, by binutils, which come with the compiler."""
    return subprocess.run(
        ["readelf", option, "-W", BINARY], capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()


def test_nothing_on_the_stack_can_be_run():
    stack, = (line.split() for line in readelf("-l") if "GNU_STACK" in line)
    assert "RW" in stack and "RWE" not in stack and "E" not in stack


def test_what_was_looked_up_in_libraries_cannot_be_written_over():
    assert any("GNU_RELRO" in line for line in readelf("-l"))
    flags = [line for line in readelf("-d") if "(FLAGS" in line]
    assert any("BIND_NOW" in line for line in flags) and any(" NOW" in line for line in flags)


def test_its_place_in_memory_is_not_known_beforehand():
    assert any("PIE" in line for line in readelf("-d") if "(FLAGS_1)" in line)
