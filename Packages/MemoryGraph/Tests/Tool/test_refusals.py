"""Refusals by the kernel: the actual reason is named, with a remedy."""

import ctypes
import errno
import os
import pathlib
import struct
import subprocess

import pytest

from victims import LIMIT, TOOL, Victim

NOBODY = 65534
UNABLE = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"]
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up root's rights")


def refused(process, *before, **options):
    told = subprocess.run(
        [*before, TOOL, "graph", str(process)], capture_output=True, text=True, timeout=LIMIT, **options)
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stdout + told.stderr
    assert "run as root" not in told.stderr.lower() and "ptrace_scope" not in told.stderr, told.stderr
    return told.stderr


def test_root_without_the_right_to_trace():
    with Victim("ring", 3) as victim:
        told = refused(victim.pid, *UNABLE)
        assert "it may do more than you (CAP_SYS_PTRACE)" in told and "--cap-add=SYS_PTRACE" in told, told


def test_root_without_the_right_and_another_users_process():
    with subprocess.Popen(
            ["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=NOBODY, group=NOBODY, extra_groups=[]
    ) as program:
        told = refused(program.pid, *UNABLE)
        program.stdin.close()
    assert f"it belongs to user {NOBODY}; you are root, but without the right to trace others" in told, told


def test_a_process_that_lets_nobody_look(compiled):
    program = subprocess.Popen(
        [*UNABLE, compiled("words"), "sealed"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with program:
        assert program.stdout.readline() == b"ready\n"
        told = refused(program.pid, *UNABLE)
        assert "it lets nobody look" in told and "PR_SET_DUMPABLE" in told, told
        program.stdin.close()


def forbid(call, error):
    """To be run before exec: a system call, by its number on x86_64, fails there (seccomp(2))."""
    def seal():
        program = b"".join(struct.pack("HBBI", *line) for line in [
            (0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, 0x50000 | error), (0x06, 0, 0, 0x7FFF0000)])
        lines = ctypes.create_string_buffer(program)
        head = struct.pack("HxxxxxxQ", 4, ctypes.addressof(lines))
        library = ctypes.CDLL(None)
        assert library.prctl(38, 1, 0, 0, 0) == 0 and library.prctl(22, 2, head, 0, 0) == 0
    return seal


ERRORS = pytest.mark.parametrize("error", [errno.EPERM, errno.ENOSYS])


@ERRORS
def test_a_filter_that_lacks_ptrace(error):
    with Victim("ring", 3) as victim:
        told = refused(victim.pid, preexec_fn=forbid(101, error))
    assert "a filter of system calls (seccomp) forbids memorygraph itself" in told, told


@ERRORS
def test_a_filter_that_lacks_process_vm_readv_is_got_round(error):
    with Victim("ring", 3) as victim:
        told = subprocess.run(
            [TOOL, "graph", str(victim.pid)], capture_output=True, text=True, timeout=LIMIT,
            preexec_fn=forbid(310, error))
    assert "DummyObject" in told.stdout and not told.stderr, told.stdout + told.stderr


def test_a_part_of_the_kernel():
    parts = [int(stat.parent.name) for stat in pathlib.Path("/proc").glob("[0-9]*/stat")
             if int(stat.read_text().rsplit(")", 1)[1].split()[6]) & 0x200000]
    if not parts:
        pytest.skip("no part of the kernel can be seen from here")
    assert "it is a part of the kernel" in refused(parts[0])
    nobody = ["setpriv", f"--reuid={NOBODY}", "--clear-groups"]
    assert "it is a part of the kernel" in refused(parts[0], *nobody)
