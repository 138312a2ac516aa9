"""Adds up one runner's reports: python3 tally.py NAME EXITCODE LOG junit|tap REPORT…

Prints "PASSED FAILED SKIPPED"; the failed and skipped tests, with reasons, go to standard error. A runner that failed
without naming a test counts as one failure, and so does one that left no report. A test that failed and then passed by
itself (its report of the second run is in the folder `again` beside the first) counts as passed, and is told too.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as tree

# The exit statuses of `timeout` after ending a runner: its own, or that of the signal that followed.
TIMED_OUT = ("124", "137")


def from_junit(path):
    """(passed, failures, skipped) of an xUnit file; the latter two are lists of (test, reason)."""
    passed, skipped, failures = 0, [], []
    for name, case in cases(path):
        wrong = [found for kind in ("failure", "error") for found in case.iter(kind)]
        if wrong:
            failures.append((name, "\n".join(reason(found) for found in wrong)))
        elif (left_out := case.find("skipped")) is not None:
            skipped.append((name, reason(left_out)))
        else:
            passed += 1
    return passed, failures, skipped


def cases(path):
    for case in tree.parse(path).getroot().iter("testcase"):
        yield ".".join(filter(None, (case.get("classname"), case.get("name")))), case


def passed_again(path):
    """The names of the tests that passed when they were run a second time."""
    second = path.parent / "again" / path.name
    if not second.exists() or not second.stat().st_size:
        return set()
    try:
        _, failures, skipped = from_junit(second)
        return {name for name, _ in cases(second)} - {name for name, _ in failures + skipped}
    except tree.ParseError:
        return set()


def reason(found):
    message = found.get("message") or (found.text or "").strip()
    return "\n".join(message.splitlines()[:12])


def from_tap(path):
    """The same from TAP as Node writes it: sums at the end, failures as lines."""
    text = path.read_text(errors="replace")
    sums = dict(re.findall(r"^# (pass|fail|cancelled|skipped|todo) (\d+)$", text, re.M))
    if not sums:
        raise ValueError("the report has no sums")
    names = re.findall(r"^\s*not ok \d+ - (.*?)(?: # (?:SKIP|TODO).*)?$\n(?:.*\n)*?\s*error: (.*)$", text, re.M)
    failed = int(sums.get("fail", 0)) + int(sums.get("cancelled", 0))
    failures = names[:failed] + [("a test that is not named", "see the log")] * max(0, failed - len(names))
    left_out = int(sums.get("skipped", 0)) + int(sums.get("todo", 0))
    return int(sums.get("pass", 0)), failures, [("a test that is not named", "see the log")] * left_out


def unfinished(log):
    """Swift tests that began and did not end: where a runner hung or crashed."""
    text = log.read_text(errors="replace") if log.exists() else ""
    started = re.findall(r"Test (.+?) started\.", text)
    ended = set(re.findall(r"Test (.+?) (?:passed|failed|skipped|recorded)", text))
    return [name for name in started if name not in ended and name != "run"]


def last_lines(log):
    """The end of what a runner wrote: where it crashed, the reason usually stands there."""
    return log.read_text(errors="replace").splitlines()[-30:] if log.exists() else []


def main():
    name, code, log, kind, *reports = sys.argv[1:]
    passed, skipped, failures, again, broken = 0, [], [], [], []
    found = [path for path in map(pathlib.Path, reports) if path.exists() and path.stat().st_size]
    for path in found:
        try:
            some = (from_junit if kind == "junit" else from_tap)(path)
        except (tree.ParseError, ValueError) as error:
            broken.append(f"\n{path} cannot be read: {error}")
            continue
        passed, skipped = passed + some[0], skipped + some[2]
        late = passed_again(path) if kind == "junit" else set()
        failures += [failure for failure in some[1] if failure[0] not in late]
        again += [failure for failure in some[1] if failure[0] in late]
    passed += len(again)
    if broken or passed + len(failures) + len(skipped) == 0 or (code != "0" and not failures and not again):
        why = "took too long and was ended" if code in TIMED_OUT else f"ended with code {code}"
        why += "" if found else " and left no report"
        hanging = unfinished(pathlib.Path(log))
        why += "".join(broken) + "".join(f"\nbegun and not ended: {test}" for test in hanging[:20])
        failures.append((name, why + "".join(f"\n| {line}" for line in last_lines(pathlib.Path(log)))))
    for word, tests in (("FAILED", failures), ("ONLY THE SECOND TIME", again), ("SKIPPED", skipped)):
        for test, why in tests:
            print(f"{word} {name}: {test}", *(f"  {line}" for line in why.splitlines()), sep="\n", file=sys.stderr)
    print(passed, len(failures), len(skipped))


if __name__ == "__main__":
    main()
