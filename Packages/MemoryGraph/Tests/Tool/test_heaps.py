"""Heaps of C programs with known leaks: other versions of glibc, unusual heaps, unusual processes."""

import os
import pathlib
import re
import subprocess

import pytest

from faults import compiled
from hub import eventually
from victims import Victim, measured, run, scan

SOURCE = pathlib.Path(__file__).with_name("heaps.c")
BUILD = SOURCE.parent.parent.parent / ".build"
# Every kind of heap; "threads" has several arenas.
HEAPS = ["", "break", "threads", "large"]


@pytest.fixture
def heaps():
    """The program, for this system's C library."""
    return compiled(SOURCE, "", "-pthread")


def judged(victim, tmp_path, *words):
    """The look, after checking that its leaks are the program's."""
    found = scan(victim, tmp_path, *words)
    leaks = {leak["address"] for leak in found["leaks"]}
    assert leaks == set(victim.leaks), f"{len(leaks)} found, {len(victim.leaks)} are there; {found['remarks']}"
    return found


@pytest.mark.parametrize("kind", [*HEAPS, "unforked", "protected", "events", "counted", "own", "fibers", "cache"])
@pytest.mark.parametrize("way", [[], ["--stopped"]], ids=["twin", "stopped"])
def test_every_block_is_found(heaps, tmp_path, kind, way):
    with Victim(kind, "", program=heaps) as victim:
        judged(victim, tmp_path, *way)


@pytest.mark.parametrize("change", ["locked", "readable", "untouchable", "unforked", "huge", "undumped"])
@pytest.mark.parametrize("way", [[], ["--stopped"]], ids=["twin", "stopped"])
def test_a_heap_in_several_mappings_is_read_as_one(heaps, tmp_path, change, way):
    with Victim("split", change, program=heaps) as victim:
        assert pathlib.Path(f"/proc/{victim.pid}/maps").read_text().count("[heap]") > 4
        assert judged(victim, tmp_path, *way)["damage"] == []


def test_what_is_kept_from_children_is_of_the_same_moment(heaps, tmp_path):
    with Victim("churning", "", program=heaps) as victim:
        for _ in range(20):
            assert scan(victim, tmp_path, "--once")["damage"] == []


def test_much_data_costs_no_memory_and_hides_no_reference(heaps, tmp_path):
    with Victim("plain", "", program=heaps) as victim:
        judged(victim, tmp_path)
        cost = measured("leaks", victim.pid, stdout=subprocess.DEVNULL)
    assert cost.status == 1
    # 128 MB are kept in any case.
    assert cost.megabytes < 300, "for 640 MB of data"


# MARK: other versions of the C library

def mirror():
    """The mirror from which this system installs Debian's packages."""
    told = subprocess.run(
        ["apt-get", "--print-uris", "update"], capture_output=True, text=True, check=True, timeout=120).stdout
    # Not the mirror of security updates, which is not a whole distribution.
    return re.search(r"'(\S+)/dists/[a-z]+/InRelease'", told)[1]


@pytest.fixture(scope="module")
def newer_library():
    """The folder of Debian 13's C library (glibc 2.41) with its loader, from the mirror this system installs from."""
    home = BUILD / "glibc"
    libraries = home / "trixie/usr/lib/x86_64-linux-gnu"
    if not (libraries / "libc.so.6").exists():
        for folder in ("lists/partial", "cache/archives/partial"):
            (home / folder).mkdir(parents=True, exist_ok=True)
        (home / "sources.list").write_text(
            f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror()} trixie main\n")
        places = {"Dir::Etc::SourceList": home / "sources.list", "Dir::Etc::SourceParts": "/dev/null",
                  "Dir::State::Lists": home / "lists", "Dir::Cache": home / "cache", "APT::Sandbox::User": "root"}
        apt = ["apt-get", *(f"-o{name}={value}" for name, value in places.items())]
        subprocess.run([*apt, "update", "-qq"], check=True, timeout=300)
        subprocess.run([*apt, "download", "-qq", "libc6"], check=True, timeout=300, cwd=home)
        package, = home.glob("libc6_*.deb")
        subprocess.run(["dpkg", "-x", package, home / "trixie"], check=True, timeout=60)
    return libraries


def with_library(folder, program, tmp_path):
    """A program that runs with the C library in a folder."""
    start = tmp_path / "start"
    start.write_text(
        f'#!/bin/sh\nexec {folder}/ld-linux-x86-64.so.2 --library-path {folder}:/lib/x86_64-linux-gnu {program} "$@"\n')
    start.chmod(0o755)
    return start


@pytest.mark.parametrize("kind", HEAPS)
def test_a_newer_library(heaps, newer_library, tmp_path, kind):
    with Victim(kind, "", program=with_library(newer_library, heaps, tmp_path)) as victim:
        assert str(newer_library) in pathlib.Path(f"/proc/{victim.pid}/maps").read_text()
        judged(victim, tmp_path)


@pytest.mark.parametrize("version, answer", [("2.30", "uses glibc 2.30"), ("2.99", "uses glibc 2.99")])
def test_an_unknown_library_is_refused(heaps, tmp_path, version, answer):
    loader = re.search(rb"/\S*ld-linux\S*", pathlib.Path("/proc/self/maps").read_bytes())[0].decode()
    for file in pathlib.Path(loader).resolve().parent.glob("*.so*"):
        if file.name.startswith(("libc.so", "ld-linux")):
            content = file.read_bytes()
            (tmp_path / file.name).write_bytes(
                re.sub(rb"release version 2\.\d\d", f"release version {version}".encode(), content))
    (tmp_path / "ld-linux-x86-64.so.2").chmod(0o755)
    with Victim("", "", program=with_library(tmp_path, heaps, tmp_path)) as victim:
        told = run("graph", victim.pid)
        assert told.returncode == 2
        assert answer in told.stderr and "glibc 2.31 to 2.41 and 2.43 is accepted" in told.stderr, told.stderr


# MARK: unusual processes

def test_a_damaged_heap_is_told_and_the_rest_is_shown(heaps, tmp_path):
    with Victim("damaged", "", program=heaps) as victim:
        found = judged(victim, tmp_path)
        assert any("The heap is corrupted at 0x" in remark for remark in found["remarks"])


@pytest.mark.parametrize("size", ["ffffffffffffffff", "4141414141414141", "7fffffff0001"])
@pytest.mark.parametrize("place", ["top", "end"])
def test_a_size_of_the_free_memory_that_cannot_be_is_told(heaps, tmp_path, place, size):
    with Victim(place, size, program=heaps) as victim:
        found = judged(victim, tmp_path)
        assert len(found["damage"]) == 1 and "its end claims" in found["damage"][0]["what"], found["damage"]
        cost = measured("leaks", victim.pid, stdout=subprocess.DEVNULL)
    assert cost.status == 1 and cost.megabytes < 200


def test_a_write_into_a_freed_block_is_told_and_makes_no_leaks(heaps, tmp_path):
    with Victim("list", "", program=heaps) as victim:
        damage, = judged(victim, tmp_path)["damage"]
    assert "the list of freed blocks of 1000 bytes breaks off there" in damage["what"], damage


def test_a_heap_that_is_right_at_the_next_look_is_not_called_corrupted(heaps, tmp_path):
    with Victim("passing", "", program=heaps) as victim:
        found = judged(victim, tmp_path, "--once")
        assert not any("corrupted" in remark for remark in found["remarks"]), found["remarks"]


@pytest.mark.parametrize("library", ["", "-static-libasan"], ids=["library", "static"])
def test_a_sanitized_program_is_refused(library):
    program = compiled(SOURCE.with_name("programs") / "ring.c", "", "-w", "-fsanitize=address", *library.split())
    with Victim("", "", program=program) as victim:
        told = run("graph", victim.pid)
        assert told.returncode == 2 and "has AddressSanitizer in it" in told.stderr, told.stderr


def test_a_program_that_may_not_clone_is_copied_while_it_stands(heaps, tmp_path):
    with Victim("filtered", "", program=heaps) as victim:
        assert judged(victim, tmp_path)["capture"]["method"] == "stopped"
        assert victim.process.poll() is None


def test_a_program_with_nonsense_in_its_own_header_is_looked_at(heaps, tmp_path):
    with Victim("lying", "", program=heaps) as victim:
        judged(victim, tmp_path)


def test_nothing_is_written_into_a_shared_file_of_code(heaps, tmp_path):
    code = tmp_path / "code"
    content = pathlib.Path("/bin/true").read_bytes()
    code.write_bytes(content)
    with Victim("shared", code, program=heaps) as victim:
        judged(victim, tmp_path)
    assert code.read_bytes() == content


def test_a_thread_that_waits_for_its_vfork_is_told_and_goes_on(heaps, tmp_path):
    with Victim("waiting", "", program=heaps) as victim:
        eventually(lambda: victim.children, what="the child")
        told = run("graph", victim.pid)
        assert told.returncode == 2 and "waits in the kernel, for the end of a vfork" in told.stderr, told.stderr
        victim.tell("go on")
        assert victim.line() == "ready"
        judged(victim, tmp_path)


def test_the_first_process_of_a_container_inherits_nothing(heaps, tmp_path):
    start = tmp_path / "start"
    rights = "" if os.geteuid() == 0 else "--user --map-root-user"
    start.write_text(f'#!/bin/sh\nexec unshare {rights} --pid --fork --kill-child {heaps} "$@"\n')
    start.chmod(0o755)
    with Victim("", "", program=start) as victim:
        first, = victim.children
        victim.pid = int(first)
        assert judged(victim, tmp_path)["capture"]["method"] == "stopped"
        assert victim.children == []
