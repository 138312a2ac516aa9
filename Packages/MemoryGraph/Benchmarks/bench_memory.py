"""The memory graph beside LeakSanitizer, valgrind and heaptrack, on test programs with known leaks (Tests/Victim)."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from faults import compiled
from figure import Figure
from foreign import MEGABYTES, SECONDS, drawn, language_server
from measure import cpu_seconds, needed, spread
from victims import VICTIM, Victim, measured

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LEAK_SANITIZER = "liblsan.so.0"
RUNS = 50
ROUNDS = 5
LIVING = 100
# The share of leaks that may be missed: one in a thousand.
MISSED = 0.001
# The number of objects, and the targets: milliseconds of stop, seconds, megabytes.
SIZES = {1_000_000: (10, 0.6, 200), 5_000_000: (25, 3, 700)}
# Objects of a program that is not the victim, and what a verdict on it may cost: seconds, megabytes.
FOREIGN, FOREIGN_SECONDS, FOREIGN_MEGABYTES = 5_000_000, 3, 700
# The seconds between two looks, the share of CPU that may be lost, and the seconds of measuring.
INTERVAL = 30
MOST_SLOWDOWN = 0.01
WINDOW = 4


def figures():
    needed("valgrind", "heaptrack", "heaptrack_print", "strip")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yield from accuracy(folder)
        yield from peers(folder)
        yield from size(folder)
        yield from foreign(folder)
        yield from server()
        yield from slowdown(folder)


# MARK: what is found

def look(process, folder, *words):
    """The tool's report on a process, with the tool's own cost."""
    file = folder / "graph.json"
    cost = measured("leaks", process, "--json", file, *words, stdout=subprocess.DEVNULL)
    assert cost.status in (0, 1), f"the tool ended with {cost.status}"
    return json.loads(file.read_text()) | {"seconds": cost.seconds, "megabytes": cost.megabytes}


def kinds(folder):
    """The test program in four kinds of build."""
    def built(*words):
        subprocess.run(
            ["swift", "build", "--product", "victim", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        path = subprocess.run(
            ["swift", "build", *words, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return pathlib.Path(path.strip()) / "victim"

    stripped = folder / "victim"
    subprocess.run(["strip", "-o", stripped, VICTIM], check=True)
    return {
        "debug": built(), "release": built("-c", "release", "--scratch-path", ".build/dynamic"),
        "release, static": VICTIM, "release, static, stripped": stripped,
    }


def accuracy(folder):
    for kind, program in kinds(folder).items():
        known = found = reported = living = 0
        for _ in range(RUNS):
            with Victim("everything", LIVING, program=program) as victim:
                leaks = {leak["address"] for leak in look(victim.pid, folder)["leaks"]}
            known, found = known + len(victim.leaks), found + len(leaks & set(victim.leaks))
            living, reported = living + len(victim.living), reported + len(leaks & set(victim.living))
        yield Figure(
            f"{RUNS} victims, {kind}: leaks missed", 1 - found / known, "", MISSED, f"{found:,} of {known:,} found")
        yield Figure(f"{RUNS} victims, {kind}: living objects reported", reported, "", 0, f"of {living:,}")


# MARK: beside other tools

@contextlib.contextmanager
def ended(command, environment=None):
    """A test program under another tool: its true leaks, the tool's output, and the duration of the run."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env=os.environ | (environment or {}))
    told, _ = process.communicate("", timeout=300)
    truth = {"LEAK": set(), "LIVE": set()}
    for line in told.splitlines():
        verdict, *words = line.split(" ", 2)
        if verdict in truth:
            truth[verdict].add(words[0])
    yield told, truth, time.monotonic() - start


def plain(program, case, count):
    with ended([program, case, str(count)]) as (_, _, seconds):
        return seconds


def leak_sanitizer(program, case, count):
    variables = {"LD_PRELOAD": LEAK_SANITIZER, "LSAN_OPTIONS": "report_objects=1:max_leaks=0"}
    with ended([program, case, str(count)], variables) as (told, truth, seconds):
        found = set(re.findall(r"^(0x[0-9a-f]+) \(\d+ bytes\)", told, re.M))
        return found, truth, seconds


def valgrind(program, case, count):
    words = ["valgrind", "--leak-check=full", "--show-leak-kinds=definite,indirect", str(program), case, str(count)]
    with ended(words) as (told, truth, seconds):
        lost = re.findall(r"(?:definitely|indirectly) lost: [\d,]+ bytes in ([\d,]+) blocks", told)
        return sum(int(number.replace(",", "")) for number in lost), truth, seconds


def heaptrack(program, case, count, folder):
    file = folder / "heap"
    with ended(["heaptrack", "-o", str(file), str(program), case, str(count)]) as (_, truth, seconds):
        start = time.monotonic()
        data, = folder.glob("heap*")
        told = subprocess.run(
            ["heaptrack_print", "-l", "1", "-f", str(data)], capture_output=True, text=True, errors="replace",
            timeout=300).stdout
        data.unlink()
        leaked = re.search(r"total memory leaked: (\S+)", told)
        return leaked[1] if leaked else "unknown", truth, seconds + time.monotonic() - start


def peers(folder):
    # valgrind cannot read the debugging information of Swift 6.3.
    program = folder / "stripped"
    subprocess.run(["strip", "-g", "-o", program, VICTIM], check=True)
    with Victim("everything", LIVING, program=program) as victim:
        ours = {leak["address"] for leak in look(victim.pid, folder)["leaks"]}
        yield truth_figure("the memory graph", ours, {"LEAK": set(victim.leaks), "LIVE": set(victim.living)})
    found, truth, _ = leak_sanitizer(program, "everything", LIVING)
    yield truth_figure("LeakSanitizer", found, truth)
    blocks, truth, _ = valgrind(program, "everything", LIVING)
    yield Figure("valgrind, blocks it calls lost", blocks, "", notes=f"{len(truth['LEAK'])} objects have leaked")
    leaked, truth, _ = heaptrack(program, "everything", LIVING, folder)
    yield Figure(
        "heaptrack, objects it knows to be unreachable", 0, "",
        notes=f"it counts what was not freed: {leaked}; {len(truth['LEAK'])} objects have leaked")


def truth_figure(name, found, truth):
    leaks, living = truth["LEAK"], truth["LIVE"]
    return Figure(
        f"{name}, leaks found", len(found & leaks) / len(leaks), "",
        notes=f"{len(found & leaks)} of {len(leaks)}; of {len(living)} living objects {len(found & living)} reported")


def size(folder):
    count = 1_000_000
    for objects, (most_stop, most_seconds, most_megabytes) in SIZES.items():
        with Victim("heap", objects) as victim:
            looks = [look(victim.pid, folder, "--once") for _ in range(ROUNDS)]
            verdict = look(victim.pid, folder)
        assert all(len(found["leaks"]) == 10 for found in [*looks, verdict])
        for name, values, unit, wished in (
                ("stop", [found["capture"]["stop_ms"] for found in looks], "ms", most_stop),
                ("scan", [found["seconds"] for found in looks], "s", most_seconds),
                ("memory", [found["megabytes"] for found in looks], "MB", most_megabytes)):
            yield Figure(
                f"{objects:,} objects, {name}", statistics.median(values), unit,
                notes=f"{spread(values)} {unit}; {wished} {unit} are wished for")
        yield Figure(
            f"{objects:,} objects, a verdict of two looks", verdict["seconds"], "s",
            notes=f"with 0.1 s between them; {verdict['megabytes']:.0f} MB")
        if objects == count:
            ours = statistics.median(found["seconds"] for found in looks)
    program = folder / "stripped"
    base = statistics.median(plain(program, "heap", count) for _ in range(3))
    # LeakSanitizer only checks which blocks are reachable; it knows no types, fields or reference counts.
    for name, bar, seconds in (
            ("LeakSanitizer", 2, lambda: leak_sanitizer(program, "heap", count)[2]),
            ("valgrind", 1, lambda: valgrind(program, "heap", count)[2]),
            ("heaptrack", 1, lambda: heaptrack(program, "heap", count, folder)[2])):
        took = seconds()
        yield Figure(
            f"{count:,} objects, the memory graph : {name}", ours / max(took - base, 0.001), "×", bar,
            f"{name} {took:.2f} s for a whole run that takes {base:.2f} s without it")


# MARK: programs of others

def foreign(folder):
    """The verdict as it is by default, of two looks, on a heap with blocks of many shapes: Benchmarks/HeapBench."""
    with subprocess.Popen(
            [VICTIM.with_name("heapbench"), str(FOREIGN)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True) as program:
        try:
            said = list(iter(program.stdout.readline, "ready\n"))
            verdicts = [look(program.pid, folder) for _ in range(ROUNDS)]
        finally:
            program.kill()
    lost = {line.split()[1] for line in said if line.startswith("LEAK ")}
    for found in verdicts:
        assert found["capture"]["looks"] == 2 and sum(type["objects"] for type in found["types"]) >= FOREIGN
        told = [leak["address"] for leak in found["leaks"] if leak["type"].startswith("HeapBench.")]
        assert lost <= set(told) and len(told) < 20 * len(lost), f"{len(told)} told for {len(lost)} that are lost"
    yield from spent(
        f"{FOREIGN:,} objects of another program", [found["seconds"] for found in verdicts], FOREIGN_SECONDS,
        [found["megabytes"] for found in verdicts], FOREIGN_MEGABYTES)


def server():
    with language_server() as process:
        costs = [drawn(process)[0] for _ in range(ROUNDS)]
    assert all(cost.status in (0, 1) for cost in costs)
    yield from spent(
        "sourcekit-lsp with a page", [cost.busy for cost in costs], SECONDS,
        [cost.megabytes for cost in costs], MEGABYTES)


def spent(name, seconds, wished, megabytes, bar):
    """A verdict's time, which depends on the machine, and its memory, which does not."""
    yield Figure(
        f"{name}, a verdict", statistics.median(seconds), "s", wished=wished,
        notes=f"{spread(seconds)} s; two looks, with 0.1 s between them")
    yield Figure(f"{name}, memory", statistics.median(megabytes), "MB", bar, f"{spread(megabytes)} MB")


# MARK: what it costs the program

def cost(process, seconds):
    """The CPU microseconds of a round, measured for so many seconds."""
    first = last = int(process.stdout.readline())
    before, until = cpu_seconds(process.pid), time.monotonic() + seconds
    while time.monotonic() < until:
        last = int(process.stdout.readline())
    return (cpu_seconds(process.pid) - before) / (last - first) * 1e6


def slowdown(folder):
    """The cost of a look at a program that writes to all of its memory all the time: the stop, and the copies made by
    writing while the twin exists. CPU time, since the tool itself keeps another core busy."""
    process = subprocess.Popen([compiled(HERE / "busy.c"), "1000000"], stdout=subprocess.PIPE, text=True)
    try:
        cost(process, 2)
        lost = []
        for _ in range(ROUNDS):
            before = cost(process, WINDOW)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                looking = pool.submit(look, process.pid, folder)
                beside = cost(process, WINDOW)
                stop = looking.result(60)["capture"]["stop_ms"] / 1000
            # Half before and half after: the machine's other load changes.
            without = (before + cost(process, WINDOW)) / 2
            lost.append(WINDOW * (beside / without - 1) + stop)
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()
    yield Figure(
        f"a program that always writes, a look every {INTERVAL} s", statistics.median(lost) / INTERVAL, "of it",
        MOST_SLOWDOWN, f"{spread(lost, '{:.3f}')} s lost with each look, of 1,000,000 blocks")
