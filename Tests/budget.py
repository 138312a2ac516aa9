"""Reports where the time of a run went, the groups of tests above their budgets, and a run that took too long: python3
budget.py ROOT

A group is a folder of Tests: Core, Realtime, Hub, each room, Browser, the packages. Its seconds are those of its tests
in Python, which run three at a time, and its share of the steps of `swift test`: Swift's tests all begin at once and
wait for their turn, so the duration of a single one says little, but a group's share of the sum of all durations is a
fair measure. Exits with 1 if a group is above its budget, or the run.
"""

import collections
import pathlib
import statistics
import sys
import xml.etree.ElementTree as tree

# Seconds of a whole run on two idle cores, without building and without what has not changed, and of each group, of
# which three files run at a time: measured on a machine half as fast, and halved. Measure them again when rooms are
# added, or when the tests have changed much.
RUN = 1750
MEASURED = {
    "Albums": 110, "Backend": 105, "Bells": 185, "Browser": 1910, "Core": 145, "Hub": 320, "MemoryGraph": 330,
    "Portfolio": 85, "Programme": 160, "Push": 110, "Space": 180, "TalkingClock": 105,
}
# The factor between measurement and budget: above it the tests have changed, below it may be the machine's load.
TIMES = 2.2
# The budget of a room that is not named above, and of a group so small that a slow start would double it.
ROOM = 180
# Seconds that a run may take on such a machine: three quarters of an hour. Building does not count, since it takes what
# has changed.
LONGEST = 45 * 60
# Tests in Python at a time (python_tests in runners.sh).
AT_A_TIME = 3


def groups(tests):
    """The modules of Swift's tests, with the group of each one's folder."""
    return {path.name: group_of(path.relative_to(tests).parts) for path in tests.rglob("*Tests") if path.is_dir()}


def group_of(parts):
    """Apps/Space/test_sign is of Space, Core/WireTests of Core, HubTests of Hub, a file of no folder of Tests."""
    name = parts[1] if parts[0] == "Apps" else parts[0]
    return "Tests" if name.startswith("test_") else name.removesuffix("Tests")


def reports(package):
    """The runners' reports, without those of the sanitizers: the same tests, far slower, in their own step; and without
    that of tests that only wait for real time to pass: they run beside the others, and cost the run next to nothing."""
    for path in sorted((package / ".build/tests").glob("*.xml")):
        if not path.stem.startswith(("thread", "address", "waits")):
            yield path.stem.removesuffix("-swift-testing"), tree.parse(path).getroot()


def spent(root):
    """{group: [seconds in Swift, seconds in Python]}."""
    seconds = collections.defaultdict(lambda: [0.0, 0.0])
    for package in (root, *sorted((root / "Packages").glob("*"))):
        modules, took = groups(package / "Tests"), dict(steps(package))
        for name, report in reports(package):
            waited, step = collections.Counter(), took.get(f"swift test, {name}", 0)
            for case in report.iter("testcase"):
                parts = [part for part in case.get("classname", "").split(".") if part != "Tests"]
                is_python = any(part.startswith("test_") for part in parts)
                group = group_of(parts) if is_python else modules.get(parts[0], parts[0])
                group, time = group if package == root else package.name, float(case.get("time") or 0)
                if is_python:
                    seconds[group][1] += time
                else:
                    waited[group] += time
            for group, time in waited.items():
                seconds[group][0] += step * time / (waited.total() or 1)
    return seconds


def steps(root):
    """The steps of bin/test in order, with the seconds of each."""
    file = root / ".build/tests/seconds.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    return [(name, int(count)) for count, name in (line.split(" ", 1) for line in lines)]


def budget(group, swift, python, run):
    """The budget of a group in a run of `run` seconds. The machine's speed is estimated from the rest of the run, so
    that a group that became slower does not excuse itself."""
    usual = MEASURED.get(group, 0)
    slow = max(1, (run - swift - python / AT_A_TIME) / (RUN - usual / AT_A_TIME))
    return max(ROOM, TIMES * usual) * slow


def longest(seconds):
    """The most seconds of a run whose groups took `seconds`. The machine's speed is the median of what the measured
    groups say, so that a few that became slower, and rooms that were added, excuse nothing."""
    slow = [(swift + python) / MEASURED[group] for group, (swift, python) in seconds.items() if group in MEASURED]
    return LONGEST * max(1, statistics.median(slow or [1]))


def main():
    root = pathlib.Path(sys.argv[1])
    done, seconds = steps(root), spent(root)
    run = sum(count for _, count in done)
    tried, most = sum(count for name, count in done if "build" not in name), longest(seconds)
    for name, count in sorted(done, key=lambda step: -step[1]):
        if count >= 5:
            print(f"{count:6} s  {name}")
    is_over = tried > most
    print(f"{run:6} s  in all")
    print(f"{tried:6} s  without building, at most {most:.0f}{'  too long (Tests/budget.py)' if is_over else ''}")
    print(f"\n{'Seconds of tests':18}{'Swift':>8}{'Python':>8}{'at most':>9}")
    for group, (swift, python) in sorted(seconds.items()):
        most = budget(group, swift, python, run)
        over = swift + python > most
        is_over |= over
        print(f"{group:18}{swift:8.0f}{python:8.0f}{most:9.0f}{'  over its budget (Tests/budget.py)' if over else ''}")
    sys.exit(is_over)


if __name__ == "__main__":
    main()
