"""Says where the time of a run went, and which group of tests took more than it may: python3 budget.py ROOT

Adds up the seconds of all tests in the xUnit reports of ROOT/.build/tests and of the packages, by folder of Tests:
Core, Realtime, Hub, each room, Browser, the packages. Two of the tests in Python run at a time, so a group takes less
of a run than its seconds. Ends with 1 when a group is over its budget.
"""

import collections
import pathlib
import sys
import xml.etree.ElementTree as tree

# Seconds of tests, in Swift and in Python together: about twice what two cores take that do nothing else.
BUDGETS = {"Portable": 20, "Core": 200, "Realtime": 60, "Hub": 240, "Peers": 120, "Tidy": 30, "Browser": 700,
           "Space": 400, "MemoryGraph": 500}
# What a room may cost that is not named above.
ROOM = 180


def groups(tests):
    """Modules of Swift's tests, and the group of the folder that each is in."""
    return {path.name: group_of(path.relative_to(tests).parts) for path in tests.rglob("*Tests") if path.is_dir()}


def group_of(parts):
    """Apps/Space/test_sign is of Space, Core/WireTests of Core, HubTests of Hub."""
    name = parts[1] if parts[0] == "Apps" else parts[0]
    return name.removesuffix("Tests")


def spent(root):
    """{group: [seconds in Swift, seconds in Python]}."""
    seconds = collections.defaultdict(lambda: [0.0, 0.0])
    for package in (root, *sorted((root / "Packages").glob("*"))):
        modules = groups(package / "Tests")
        for report in sorted((package / ".build/tests").glob("*.xml")):
            if report.stem.startswith(("thread", "address")):
                continue  # the same tests again, far slower: bin/test shows that step by itself
            for case in tree.parse(report).getroot().iter("testcase"):
                parts = [part for part in case.get("classname", "").split(".") if part != "Tests"]
                is_swift = not any(part.startswith("test_") for part in parts)
                group = modules.get(parts[0], parts[0]) if is_swift else group_of(parts)
                if package != root:
                    group = package.name
                seconds[group][not is_swift] += float(case.get("time") or 0)
    return seconds


def steps(root):
    """What bin/test did, one after the other, with the seconds that each took."""
    file = root / ".build/tests/seconds.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    return [(name, int(count)) for count, name in (line.split(" ", 1) for line in lines)]


def main():
    root = pathlib.Path(sys.argv[1])
    done = steps(root)
    for name, count in sorted(done, key=lambda step: -step[1]):
        if count >= 5:
            print(f"{count:6} s  {name}")
    print(f"{sum(count for _, count in done):6} s  in all")
    print(f"\n{'Seconds of tests':18}{'Swift':>8}{'Python':>8}{'at most':>9}")
    is_over = False
    for group, (swift, python) in sorted(spent(root).items()):
        most = BUDGETS.get(group, ROOM)
        over = swift + python > most
        is_over |= over
        print(f"{group:18}{swift:8.0f}{python:8.0f}{most:9}{'  over its budget (Tests/budget.py)' if over else ''}")
    sys.exit(is_over)


if __name__ == "__main__":
    main()
