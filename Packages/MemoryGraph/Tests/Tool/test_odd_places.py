"""Places without detailed metadata: live objects in them are not leaks."""

import json
import pathlib
import platform
import subprocess

import pytest

from hub import eventually
from sealed import seal
from victims import LIMIT, Victim, follow, scan

SOURCE = pathlib.Path(__file__).parent / "programs/odd_places.swift"


@pytest.fixture(scope="module", params=["-Onone", "-O"])
def program(request, tmp_path_factory):
    program = tmp_path_factory.mktemp("odd") / "odd"
    subprocess.run(
        ["swiftc", request.param, "-swift-version", "5", "-module-name", "Odd", "-o", program, SOURCE],
        check=True, timeout=4 * LIMIT)
    return program


@pytest.mark.parametrize(
    "case, living, leaks", [("closures", 30, 2), ("room", 8, 0), ("bytes", 9, 2), ("tables", 0, 1),
                             ("names", 1, 3), ("leftover", 0, 1), ("own", 2, 0), ("crowd", 600, 0)])
def test_what_lives_in_odd_places_is_no_leak(program, tmp_path, case, living, leaks):
    with Victim(case, program=program) as victim:
        assert len(victim.living) >= living and len(victim.leaks) == leaks
        found = scan(victim, tmp_path)
    told = {leak["address"] for leak in found["leaks"]}
    assert [label for address, label in victim.living.items() if address in told] == []
    assert [label for address, label in victim.leaks.items() if address not in told] == []
    # A weak capture does not close a cycle.
    assert found["cycles"] == []


@pytest.mark.skipif(platform.machine() != "x86_64", reason="no red zone here")
@pytest.mark.parametrize("way", ["left", "kept"])
def test_what_stands_below_the_stack_pointer_lives_only_where_somebody_may_have_kept_it(compiled, tmp_path, way):
    with Victim(way, program=compiled("below")) as victim:
        call = pathlib.Path(f"/proc/{victim.pid}/syscall")
        eventually(lambda: call.read_text().startswith("0 0x0 "), what="it reads its input")
        told = {leak["address"] for leak in scan(victim, tmp_path)["leaks"]}
        assert len(victim.leaks) + len(victim.living) == 1 and told == victim.leaks.keys()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="no red zone here")
@pytest.mark.parametrize("place", [None, seal], ids=["traced", "sealed"])
def test_what_a_thread_has_left_below_its_stack_pointer_keeps_nothing(compiled, tmp_path, place):
    file = tmp_path / "graph.json"
    told = follow(
        "run", "--at-line", "^never$", "--json", file, "--", compiled("below"), "left in a thread", preexec_fn=place)
    [leak] = json.loads(file.read_text())["leaks"]
    assert f"LEAK {leak['address']} block\n" in told.stdout, told


@pytest.fixture
def library(tmp_path):
    """A library without a purpose, to be loaded on demand."""
    library = tmp_path / "libsmall.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=b"int small;", check=True, timeout=LIMIT)
    return library


def only_leak(program, case, tmp_path):
    with Victim(case, "", program=program) as victim:
        found = scan(victim, tmp_path)
        [leak] = victim.leaks
    return [told["address"] for told in found["leaks"]] == [leak]


def test_what_stands_in_the_rest_of_the_loaders_tables_is_no_reference(compiled, library, tmp_path):
    assert only_leak(compiled("words"), library, tmp_path)


def test_where_a_block_begins_for_malloc_is_no_reference_of_a_thread_that_waits(compiled, tmp_path):
    assert only_leak(compiled("words"), "header", tmp_path)


def test_a_signals_handler_may_have_interrupted_malloc(compiled, tmp_path):
    with Victim("header", "interrupted", program=compiled("words")) as victim:
        assert scan(victim, tmp_path)["leaks"] == []
