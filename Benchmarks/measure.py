"""Measuring: one core for the server, another for the load, CPU time, and alternating runs."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import statistics
import time

CORES = sorted(os.sched_getaffinity(0))


def on_core(core):
    """The command prefix that keeps a program on one core; none where there is only one."""
    return ["taskset", "-c", str(core)] if len(CORES) > 1 else []


ON_SERVER_CORE = on_core(CORES[0])
ON_LOAD_CORE = on_core(CORES[-1])
# For `settle`, in seconds: the longest wait, and what processor time is next to none in a second.
PATIENCE, QUIET = 120, 0.001


def needed(*programs):
    """Reports missing programs before the first run."""
    missing = [program for program in programs if not shutil.which(program)]
    assert not missing, f"missing: {', '.join(missing)}; bin/install bench brings them"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(pid):
    """The live children of a process, such as nginx's worker, whichever of its threads has started them."""
    files = pathlib.Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def processes(pid):
    return [pid, *children(pid)]


def own_cpu_seconds(pid):
    """CPU time of one process, to the nanosecond; threads that have ended count (clock_getcpuclockid(3))."""
    return time.clock_gettime(~pid << 3 | 2)


def cpu_seconds(pid):
    """CPU time of a process and its children, which must stay: one that ends takes its time along."""
    return sum(map(own_cpu_seconds, processes(pid)))


def helpers_cpu_seconds(pid):
    """CPU time of a process' children, which may come and go: of those that have ended to the kernel's tick, 10 ms."""
    def ended():
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        # cutime and cstime (proc_pid_stat(5)).
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    while True:
        before = ended()
        with contextlib.suppress(OSError):
            live = sum(map(own_cpu_seconds, children(pid)))
            # None has ended meanwhile, which would count twice, or not at all.
            if ended() == before:
                return before + live


def settle(used):
    """Waits until what a start leaves to do is done: next to no processor time was used for a second."""
    limit = time.monotonic() + PATIENCE
    while True:
        before = used()
        time.sleep(1)
        if used() - before < QUIET:
            return
        assert time.monotonic() < limit, f"there is still something to do after {PATIENCE} s"


def resident(pid):
    """Resident kilobytes of a process and its children, and the part of them that is shared with files."""
    return resident_of(processes(pid))


def resident_of(pids):
    """The same of so many processes."""
    texts = [pathlib.Path(f"/proc/{one}/status").read_text() for one in pids]
    return tuple(
        sum(int(re.search(rf"^{name}:\s+(\d+) kB", text, re.M)[1]) for text in texts) for name in ("VmRSS", "RssFile"))


def proportional(pid):
    """Bytes of a process, with its share of what others use too (Pss)."""
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024


def in_turns(targets, run, rounds):
    """Runs `run(target)` for each target in rounds, every other round in reverse order: name → results.

    One more round goes before and does not count, since caches and connections are cold.
    """
    runs = {name: [] for name in targets}
    for number in range(rounds + 1):
        order = list(targets) if number % 2 == 0 else list(targets)[::-1]
        for name in order:
            found = run(targets[name])
            if number:
                runs[name].append(found)
    return runs


def median_ratio(ours, peers):
    """The median of the ratios of adjacent runs, so that other load slows both alike."""
    return statistics.median(our / peer for our, peer in zip(ours, peers, strict=True))


def spread(values, form="{:.2f}"):
    """The smallest and the largest value, for a note."""
    return f"{form.format(min(values))} to {form.format(max(values))}"
