"""Programs that were kept in a file: by gcore, by the kernel, by lldb."""

import json
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import struct
import subprocess

import pytest

from victims import LIMIT, TOOL, VICTIM, Victim, run

DEBUGGER = shutil.which("lldb")
# The register with a call's first argument.
FIRST = {"x86_64": "rdi", "aarch64": "x0"}[platform.machine()]


def lldb(*words):
    """Runs lldb and returns what it says; skips the test where it does not start."""
    if not DEBUGGER:
        pytest.skip("lldb is not here")
    # The toolchain's is linked with one version of Python, which may be elsewhere.
    places = sorted(pathlib.Path.home().glob(".pyenv/versions/3.10.*/lib"))
    world = dict(os.environ, LD_LIBRARY_PATH=":".join(map(str, places)))
    told = subprocess.run(
        [DEBUGGER, "--batch", *map(str, words)], env=world, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=2 * LIMIT)
    if "shared libraries" in told.stderr:
        pytest.skip(told.stderr)
    return told.stdout


def attached(process, order):
    lldb("-p", process, "-o", order, "-o", "detach")


def gdb(*words):
    return subprocess.run(
        ["gdb", "-nx", "--batch", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=2 * LIMIT).stdout


def by_gcore(victim, file):
    subprocess.run(
        ["gcore", "-o", file, str(victim.pid)], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
        check=True)
    return pathlib.Path(f"{file}.{victim.pid}")


def by_lldb(victim, file):
    attached(victim.pid, f"process save-core --style full {file}")
    return file


def by_lldb_in_short(victim, file):
    attached(victim.pid, f"process save-core --style modified-memory {file}")
    return file


def headers(core):
    """The program headers of a core file: kind, flags, offset, address, physical address, its bytes, bytes in memory,
    alignment (elf(5))."""
    table, count = struct.unpack_from("<Q", core, 32)[0], struct.unpack_from("<H", core, 56)[0]
    return [list(struct.unpack_from("<IIQQQQQQ", core, table + 56 * index)) for index in range(count)]


def as_the_kernel_writes(core, more=0):
    """A core file with its notes before the memory, and so many headers more, of nothing, at the beginning."""
    parts = sorted(headers(core), key=lambda part: (part[0] == 1, part[3]))
    table, rest, place = bytes(56 * more), [], 64 + 56 * (more + len(parts))
    for part in parts:
        rest.append(core[part[2]:part[2] + part[5]])
        table += struct.pack("<IIQQQQQQ", *part[:2], place, *part[3:])
        place += part[5]
    head = bytearray(core[:64])
    struct.pack_into("<Q", head, 32, 64)  # the table of program headers
    # A section stands behind all, and says how many program headers there are if these are too many for their number.
    struct.pack_into("<Q", head, 40, place)
    struct.pack_into("<HHHH", head, 56, min(more + len(parts), 0xFFFF), 64, 1, 0)
    section = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, more + len(parts), 0, 0)
    return bytes(head) + table + b"".join(rest) + section


# Not all of them at once: some living ones are in terabytes that were only reserved, which gcore would write.
@pytest.mark.parametrize("case", ["dictionary", "generic", "ended", "closure", "task", "heap"])
@pytest.mark.parametrize("way", [by_gcore, by_lldb, by_lldb_in_short])
def test_the_leaks_of_a_program_are_in_its_core_file(way, case, tmp_path):
    with Victim(case, 300 if case == "heap" else 3) as victim:
        core = way(victim, tmp_path / "core")
        leaks, living = victim.leaks, victim.living
    # The program has ended.
    told = run("leaks", core, "--json", tmp_path / "graph.json")
    assert told.returncode == 1, told.stderr
    found = json.loads((tmp_path / "graph.json").read_text())
    lost = {leak["address"]: leak["type"] for leak in found["leaks"]}
    assert leaks.keys() <= lost.keys() and not living.keys() & lost.keys()
    assert all(lost[address] in (f"Victim.{label}", "untyped block") for address, label in leaks.items())
    # lldb says nothing of what it leaves out.
    assert any("--style full" in remark for remark in found["remarks"]) == (way is by_lldb_in_short)
    assert found["capture"]["method"] == "core file" and f"(process {victim.pid})" in told.stdout, told.stdout
    assert "as it stands in the core file of " in told.stdout and "stood still" not in told.stdout


def test_the_stack_of_a_thread_that_has_ended_keeps_nothing_in_a_core_file(compiled, tmp_path):
    with Victim("", program=compiled("ended")) as victim:
        core = by_gcore(victim, tmp_path / "core")
    found = json.loads(run("leaks", core, "--json", "-").stdout)
    assert victim.leaks.keys() == {leak["address"] for leak in found["leaks"]} and len(victim.leaks) == 1


def stand_in_gdb(core, look, program):
    """What gdb says of a program that comes to a breakpoint, is kept in a file there, and is looked at."""
    return gdb(
        "-ex", "set breakpoint pending on", "-ex", f"break read if ${FIRST} == 0", "-ex", "run", "-ex", "backtrace",
        "-ex", f"generate-core-file {core}", "-ex", f"shell {look}", "-ex", "kill", "--args", *program)


def stand_in_lldb(core, look, program):
    return lldb(
        "-o", f"breakpoint set --name read --condition '${FIRST} == 0'", "-o", "run", "-o", "bt",
        "-o", f"process save-core --style full {core}", "-o", f"platform shell {look}", "-o", "kill", "--", *program)


@pytest.mark.parametrize("stand", [stand_in_gdb, stand_in_lldb])
@pytest.mark.parametrize("case", ["delegate", "closure", "task"])
def test_a_program_that_stands_at_a_breakpoint_is_looked_at(stand, case, tmp_path):
    core, file = tmp_path / "core", tmp_path / "graph.json"
    told = stand(core, f"{TOOL} leaks {core} --json {file}", [VICTIM, case, 3])
    # It waited for its input, and had made what leaks.
    assert re.search(r"^(Thread 1 .* hit )?Breakpoint 1[.,].*read \(|stop reason = breakpoint 1", told, re.M), told
    assert "nextLine" in told and "✗ 1 leak: " in told, told
    leaks = set(re.findall(r"^LEAK (0x\w+) ", told, re.M))
    found = json.loads(file.read_text())
    assert len(leaks) >= 3 and leaks <= {leak["address"] for leak in found["leaks"]}
    assert found["capture"]["method"] == "core file"


def test_every_verb_takes_one(tmp_path):
    with Victim("task", 3) as victim:
        core = by_gcore(victim, tmp_path / "core")
    assert "Download." in run("graph", core, "--html", tmp_path / "page.html").stdout
    assert "Victim.Download" in run("types", core).stdout
    assert run("cycles", core).returncode == 1
    assert "AsyncStream._Storage.next()" in run("object", core, "task").stdout
    assert "leaked" in run("path", core, "Download").stdout
    kept = run("graph", core, "--snapshot", tmp_path / "kept")
    assert kept.returncode == 1, kept.stderr
    assert "No type has changed." in run("diff", core, tmp_path / "kept").stdout
    assert "AsyncStream._Storage.next()" in run("object", tmp_path / "kept", "task").stdout


def test_a_program_that_crashed_is_in_the_kernels_core_file(tmp_path):
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if pattern != "core":
        pytest.skip(f"the kernel's core files go to {pattern}")

    def allow():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    with Victim("delegate", 3, cwd=tmp_path, preexec_fn=allow) as victim:
        victim.process.send_signal(signal.SIGABRT)
        victim.process.wait(LIMIT)
        [core] = tmp_path.glob("core*")
        told = run("leaks", core)
    assert told.returncode == 1 and "Boss.worker" in told.stdout, told.stdout + told.stderr


def test_files_that_are_damaged_or_no_core_files_are_refused(tmp_path):
    with Victim("delegate", 1) as victim:
        whole = by_gcore(victim, tmp_path / "core").read_bytes()
    short = tmp_path / "short"
    for count in (18, 64, 100, 4096, len(whole) // 2):
        short.write_bytes(whole[:count])
        told = run("leaks", short)
        assert told.returncode == 2 and told.stderr.startswith("memorygraph: "), (count, told.stderr)
    assert "no snapshot" in (told := run("leaks", VICTIM)).stderr or told.returncode == 2


@pytest.mark.parametrize("way", [by_gcore, by_lldb])
def test_a_file_that_was_cut_off_is_refused_although_it_has_all_threads_and_the_heap(way, tmp_path):
    with Victim("delegate", 3) as victim:
        whole = way(victim, tmp_path / "core").read_bytes()
    if way is by_gcore:
        whole = as_the_kernel_writes(whole)
    file = tmp_path / "file"
    file.write_bytes(whole)
    assert run("leaks", file).returncode == 1
    file.write_bytes(whole[:-200])
    told = run("leaks", file)
    assert told.returncode == 2 and "it was cut off" in " ".join(told.stderr.split()), told


def test_a_file_of_more_parts_than_its_head_can_count_is_read_to_the_last(tmp_path):
    with Victim("delegate", 3) as victim:
        whole = as_the_kernel_writes(by_gcore(victim, tmp_path / "core").read_bytes(), more=0xFFFF)
    file = tmp_path / "file"
    file.write_bytes(whole)
    told = run("leaks", file)
    assert told.returncode == 1 and "Boss.worker" in told.stdout, told
    file.write_bytes(whole[:-1])
    assert run("leaks", file).returncode == 2


@pytest.mark.parametrize("field, change", [
    (3, lambda part, next: next[3] + 0x1000),  # it begins within the next one
    (6, lambda part, next: (1 << 64) - part[3] - 0x1000),  # it has more bytes than there are addresses
])
def test_a_file_whose_parts_overlap_is_refused(tmp_path, field, change):
    with Victim("delegate", 3) as victim:
        whole = bytearray(as_the_kernel_writes(by_gcore(victim, tmp_path / "core").read_bytes()))
    parts = headers(whole)
    # Two that may be written to, and of which the second has more than a page.
    place = next(index for index, (part, behind) in enumerate(zip(parts, parts[1:]))
                 if part[0] == 1 and part[1] & behind[1] & 2 and behind[6] > 0x1000)
    parts[place][field] = change(parts[place], parts[place + 1])
    struct.pack_into("<IIQQQQQQ", whole, 64 + 56 * place, *parts[place])
    file = tmp_path / "file"
    file.write_bytes(whole)
    told = run("leaks", file)
    assert told.returncode == 2 and "overlap" in told.stderr, told


def test_a_program_whose_file_is_a_pipe_by_now_does_not_hold_the_look(compiled, tmp_path):
    program = shutil.copy(compiled("ended"), tmp_path / "ended")
    with Victim("", program=program) as victim:
        core = by_gcore(victim, tmp_path / "core")
    program.unlink()
    os.mkfifo(program)
    told = run("leaks", core, "--json", tmp_path / "graph.json")
    assert told.returncode == 1, told.stderr
    found = json.loads((tmp_path / "graph.json").read_text())
    assert victim.leaks.keys() == {leak["address"] for leak in found["leaks"]}


def test_a_program_that_was_built_anew_since_gives_its_types_to_no_core_file(tmp_path):
    program = shutil.copy(VICTIM, tmp_path / "victim")
    with Victim("delegate", 3, program=program) as victim:
        core = by_gcore(victim, tmp_path / "core")
    assert "Boss.worker" in run("leaks", core).stdout
    program.unlink()
    shutil.copy(TOOL, program)
    told = run("leaks", core, "--json", tmp_path / "graph.json")
    found = json.loads((tmp_path / "graph.json").read_text())
    assert victim.leaks.keys() <= {leak["address"] for leak in found["leaks"]}
    assert any("victim (here is another build)" in remark for remark in found["remarks"]), found["remarks"]
    assert not any(one["type"].startswith("Victim.") for one in found["types"]), told.stdout


@pytest.mark.parametrize("debugger, words", [
    ("gdb", "generate-core-file"), ("lldb", "process save-core --style full"),
])
def test_what_to_do_while_a_debugger_stands_there_is_said(debugger, words, tmp_path):
    with Victim("delegate", 3) as victim:
        asked = tmp_path / "asked"
        look = f"sh -c '{VICTIM.with_name('memorygraph')} leaks {victim.pid} > {asked} 2>&1'"
        if debugger == "gdb":
            gdb("-p", victim.pid, "-ex", f"shell {look}")
        else:
            attached(victim.pid, f"platform shell {look}")
        told = asked.read_text()
        assert re.search(rf"is tracing it already.*\"{words} /tmp/core\"", told, re.S), told
