"""How long each parser has been fuzzed without a fault: Fuzz/hours.txt, in which `bin/trial fuzz` adds up its runs.

    python3 Tests/hours.py least [TARGET…]        these targets, or all of both packages, the fewest seconds first
    python3 Tests/hours.py add TARGET SECONDS…    a run that has ended well: its seconds of a core, in its own code and
                                                  in the kernel

A line is a target's name, its seconds in all, and the day and the commit of its last run. Those until 28 November 2026
were seconds of the clock, with builds and tests beside them. Whoever writes a parser anew removes its line: what was
tried before says nothing about it then.
"""

import datetime
import fcntl
import pathlib
import subprocess
import sys

LEDGER = "Fuzz/hours.txt"
CORPORA = ("Fuzz/Corpus", "Packages/MemoryGraph/Fuzz/Corpus")
HEAD = "# Fuzzed without a fault (Tests/hours.py): target, seconds in all, day and commit of the last run.\n"


def targets(root):
    return sorted(path.name for folder in CORPORA for path in (root / folder).glob("*"))


def read(root):
    """The words of each target's line."""
    path = root / LEDGER
    lines = path.read_text().splitlines() if path.exists() else []
    return {line.split()[0]: line.split() for line in lines if line and not line.startswith("#")}


def least(root, wanted):
    known, hours = targets(root), read(root)
    if unknown := [name for name in wanted if name not in known]:
        sys.exit(f"Unknown target {', '.join(unknown)}; there are: {' '.join(known)}")
    return sorted(wanted or known, key=lambda name: int(hours[name][1]) if name in hours else 0)


def add(root, name, seconds):
    # Several targets are fuzzed at a time, and may end at the same moment.
    with open(root / LEDGER, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        hours = read(root)
        total = seconds + (int(hours[name][1]) if name in hours else 0)
        hours[name] = [name, str(total), datetime.date.today().isoformat(), commit(root)]
        file.truncate(0)
        file.write(HEAD + "".join(" ".join(hours[name]) + "\n" for name in sorted(hours)))


def commit(root):
    found = subprocess.run(["git", "-C", root, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True,
                           check=False)
    return found.stdout.strip() or "-"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["least", *wanted]:
            print(*least(pathlib.Path(), wanted), sep="\n")
        case ["add", name, first, *others]:
            add(pathlib.Path(), name, round(sum(map(float, [first, *others]))))
        case _:
            sys.exit(__doc__)
