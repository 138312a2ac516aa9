"""Programs and environments that are difficult for `run` and `check`: each was once handled wrongly."""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

import pytest

from faults import compiled
from hub import eventually
from victims import LIMIT, PACKAGE, TOOL, child, state

PROGRAMS = pathlib.Path(__file__).with_name("programs")
DOOR = f"-I{PACKAGE}/Sources/System/CMemoryLook"
NEVER = ("run", "--at-line", "^never$", "--")


@pytest.fixture(scope="module")
def hard():
    return compiled(PROGRAMS / "hard.c", "", "-pthread", DOOR)


def follow(*words, **options):
    """Runs the tool and its program to their end; output in bytes."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([TOOL, *words], timeout=LIMIT, check=False, **options)


def start(*words, **options):
    return subprocess.Popen([TOOL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **options)


# In the program:


def test_a_first_block_inside_a_question_for_the_stack(hard):
    told = follow("run", "--stacks", "--", hard, "first block")
    assert b"hard ended with 3." in told.stderr, told.stderr


def test_a_handler_ends_the_program_that_is_looked_at(hard):
    told = follow("run", "--", hard, "end in handler")
    assert b"hard ended with 3." in told.stderr and told.stderr.count(b"at exit") == 1, told.stderr


def test_a_limit_of_files_leaves_the_program_alone(hard):
    told = follow(
        "run", "--stacks", "--", hard, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10**6, 10**6)))
    assert b"hard ended with 7." in told.stderr and b"no stacks: " in told.stderr, told.stderr
    assert b"(ulimit -f)" in told.stderr and b"at exit" in told.stderr


def test_another_allocator_is_left_alone():
    other = compiled(PROGRAMS / "other.c", ".so", "-shared", "-fPIC", "-fno-builtin")
    program = compiled(PROGRAMS / "hard.c", "", "-pthread", DOOR, "-Wl,--no-as-needed", str(other))
    assert subprocess.run([program, "blocks"], timeout=LIMIT, check=False).returncode == 7
    told = follow("run", "--stacks", "--", program, "blocks")
    assert b"hard ended with 7." in told.stderr, told.stderr
    assert b"never looked at: its blocks are those of another allocator than glibc has" in told.stderr


def test_a_sanitized_program_is_left_alone():
    program = compiled(PROGRAMS / "hard.c", "", "-pthread", DOOR, "-fsanitize=address", "-static-libasan", "-rdynamic")
    told = follow("run", "--", program, "blocks")
    assert b"hard ended with 7." in told.stderr and b"and AddressSanitizer" in told.stderr, told.stderr
    told = follow("run", "--", compiled(PROGRAMS / "hard.c", "", "-pthread", DOOR, "-fsanitize=address"), "blocks")
    assert told.returncode == 2 and b"are not built with AddressSanitizer" in told.stderr, told.stderr


def test_the_right_library_is_forgotten(tmp_path):
    (tmp_path / "other.c").write_text("extern int other;\nint other;\n")
    other = str(compiled(tmp_path / "other.c", ".so", "-shared", "-fPIC"))
    told = follow(
        "run", "--", "sh", "-c", 'for way in "$0:$LD_PRELOAD" "$LD_PRELOAD:$0" "$LD_PRELOAD"; do '
        'LD_PRELOAD="$way" env | grep "^LD_PRELOAD=" || echo none; done', other)
    assert told.stdout.decode().splitlines() == [f"LD_PRELOAD={other}"] * 2 + ["none"], told


def test_a_child_gets_the_signal_that_asks(hard):
    told = follow("run", "--at-signal", "USR2", "--", hard, "ask child")
    assert f"hard ended with {signal.SIGUSR2.value}.".encode() in told.stderr, told.stderr


def test_a_moment_may_be_called_exit(hard):
    told = follow(*NEVER, hard, "look")
    assert told.returncode == 0 and told.stderr.count(b"at exit") == 1, told.stderr


def test_a_thread_that_stops_late_is_let_go(hard):
    told = follow("run", "--", hard, "vfork")
    assert b"At vfork: " in told.stderr and b"does not stand still" in told.stderr, told.stderr
    assert b"hard ended with 7." in told.stderr and b"at exit" in told.stderr, told.stderr


def test_a_thread_that_never_stops_does_not_keep_the_tool(hard):
    with start("run", "--", hard, "vfork for ever", stderr=subprocess.PIPE) as tool:
        try:
            assert tool.stdout.readline() == b"looked\n"
            tool.terminate()
            tool.wait(LIMIT)
        finally:
            tool.kill()
        assert b"was ended by signal 15." in tool.stderr.read()


# In the environment:


def test_bytes_that_are_no_text_arrive(tmp_path):
    program = os.fsencode(tmp_path) + b"/\xff\xfe"
    shutil.copy(shutil.which("sh"), program)
    told = follow(
        "run", "--", program, "-c", 'printf "%s|" "$@" "$WORD" "$LD_PRELOAD"', "sh", b"\xffa", b"", b"\xc3",
        env={**os.environb, b"WORD": b"\x80b", b"LD_PRELOAD": b"/nowhere/\xfe"})
    words = told.stdout.split(b"|")
    assert words[:4] == [b"\xffa", b"", b"\xc3", b"\x80b"] and words[4].endswith(b":/nowhere/\xfe"), told


def test_without_proc_it_says_so(tmp_path):
    space = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if subprocess.run([*space, "true"], capture_output=True, timeout=LIMIT, check=False).returncode:
        pytest.skip("no mount namespaces here")
    told = subprocess.run([*space, TOOL, "run", "--", "true"], capture_output=True, timeout=LIMIT, check=False)
    assert told.returncode == 2 and b"/proc/self/exe cannot be read" in told.stderr, told


def test_a_caller_that_ignores_the_ends_of_children(hard):
    told = follow(
        "run", "--", hard, "children ignored", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert b"hard ended with 5." in told.stderr, told.stderr
    assert b"hard ended with 6." in follow("run", "--", hard, "children ignored").stderr


def test_a_signal_that_comes_with_the_end_ends_only_the_program():
    # Without a shell that calls exec: it would connect to the tool, and wait for its answer while it is stopped.
    with start(*NEVER, compiled(PROGRAMS / "ring.c", "", "-w"), stderr=subprocess.PIPE) as tool:
        try:
            assert tool.stdout.readline() == b"ready\n"
            program = child(tool)
            tool.send_signal(signal.SIGSTOP)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
                tool.send_signal(number)
            os.kill(program, signal.SIGTERM)
            eventually(lambda: state(program) == "Z", seconds=LIMIT, what="the program has ended")
            tool.send_signal(signal.SIGCONT)
            _, said = tool.communicate(timeout=LIMIT)
        finally:
            tool.kill()
    assert tool.returncode == 2 and b"was ended by signal 15." in said, said


# The output:


def test_nobody_reads_what_it_writes():
    with start(*NEVER, "yes", stderr=subprocess.PIPE) as tool:
        assert tool.stdout.readline() == b"y\n"
        tool.stdout.close()
        try:
            tool.wait(LIMIT)
        finally:
            tool.kill()
        assert b"yes was ended by signal 13." in tool.stderr.read()


def test_an_output_that_does_not_block_gets_all():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    size = 1_000_000
    with subprocess.Popen(
            [TOOL, *NEVER, "head", "-c", str(size), "/dev/zero"], stdin=subprocess.DEVNULL, stdout=writer,
            stderr=writer) as tool:
        os.close(writer)
        time.sleep(0.5)
        with open(reader, "rb") as file:
            found = file.read()
        tool.wait(LIMIT)
    # The tool's own messages come after it.
    assert found[:size] == bytes(size) and b"was never looked at" in found[size:] and found.endswith(b"\n")


def test_what_outlives_the_program_may_still_write(tmp_path):
    wait = f'(while [ ! -e {tmp_path}/go ]; do sleep 0.02; done; echo late; echo later >&2; : > {tmp_path}/alive) &'
    with start(*NEVER, "sh", "-c", f"{wait} echo early", stderr=subprocess.PIPE) as tool:
        tool.wait(LIMIT)
        (tmp_path / "go").touch()
        out, said = tool.communicate(timeout=LIMIT)
    assert out == b"early\nlate\n" and said.endswith(b"later\n") and (tmp_path / "alive").exists(), (out, said)


def test_two_outputs_in_one_file_keep_their_order(tmp_path):
    with open(tmp_path / "both", "wb") as both:
        follow(
            *NEVER, "sh", "-c", "i=0; while [ $i -lt 50 ]; do echo $i; echo $i >&2; i=$((i+1)); done",
            stdout=both, stderr=both)
    lines = (tmp_path / "both").read_bytes().split(b"\n")
    assert lines[:100] == [str(number // 2).encode() for number in range(100)], lines


def used():
    """The CPU seconds of ended children and theirs, which do not depend on other load."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def test_very_many_short_lines():
    count = 1_000_000
    before = used()
    told = follow(*NEVER, "sh", "-c", f"head -c {count} /dev/zero | tr '\\0' '\\n' | dd bs=65536 iflag=fullblock")
    assert told.stdout == b"\n" * count and used() - before < 1


@pytest.mark.parametrize("way", [
    ["printf", r"a\0ready\n"], ["printf", "ready"], ["printf", r"\377ready\n"], ["last line"]])
def test_lines_that_are_no_usual_ones_ask_for_a_look(hard, way):
    words = [hard, *way] if len(way) == 1 else ["sh", "-c", 'printf "$1"; sleep 0.2', "sh", way[1]]
    told = follow("run", "--at-line", "ready$", "--", *words)
    assert told.returncode == 0 and told.stderr.count(b"at the line") == 1, told.stderr
