"""Tests/budget.py, with generated reports."""

import pathlib
import subprocess
import sys

import pytest

BUDGET = pathlib.Path(__file__).with_name("budget.py")
# Measured on two cores: Python's tests report their own seconds, Swift's mostly time in which they waited.
PYTHON = {"Browser": 1900, "Core": 120, "Hub": 310, "Peers": 75, "Realtime": 32, "Apps.Space": 145}
SWIFT = {"core": (25, {"WireTests": 3000, "HubTests": 500}), "room": (120, {"SpaceTests": 900, "CalendarTests": 2300})}
OTHERS = 800


def report(path, times):
    cases = "".join(f'<testcase classname="{name}" name="one" time="{time}"/>' for name, time in times.items())
    path.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")


def run(root, *, python=PYTHON, swift=SWIFT, slow=1.0, fuzzing=0):
    """The output of budget.py for a run on a machine that is `slow` times slower than two idle cores."""
    for folder in ("Core/WireTests", "HubTests", "Apps/SpaceTests", "CalendarTests"):
        (root / "Tests" / folder).mkdir(parents=True)
    (root / ".build/tests").mkdir(parents=True)
    report(root / ".build/tests/python.xml", {f"{name}.test_it": time * slow for name, time in python.items()})
    lines = [f"{OTHERS * slow:.0f} release build", f"{fuzzing * slow:.0f} fuzz targets",
             f"{sum(python.values()) * slow / 3:.0f} pytest, python"]
    for name, (seconds, waited) in swift.items():
        # All of them wait for the same cores: their sums grow far more than the time of the step.
        report(root / f".build/tests/{name}-swift-testing.xml", {of: time * slow**3 for of, time in waited.items()})
        lines.append(f"{seconds * slow:.0f} swift test, {name}")
    report(root / ".build/tests/thread-swift-testing.xml", {"WireTests": 100_000})
    report(root / ".build/tests/waits.xml", {"Hub.test_it": 100_000})
    (root / ".build/tests/seconds.txt").write_text("\n".join(lines) + "\n")
    return subprocess.run([sys.executable, BUDGET, root], text=True, capture_output=True, timeout=30)


def over(told):
    return [line.split()[0] for line in told.stdout.splitlines() if "over its budget" in line]


@pytest.mark.parametrize("slow", [1.0, 2.0, 5.0])
def test_a_slow_machine_is_within_every_budget(tmp_path, slow):
    told = run(tmp_path, slow=slow)
    assert (told.returncode, over(told)) == (0, []), told.stdout + told.stderr


def test_swift_has_its_part_of_the_time_that_the_step_took(tmp_path):
    told = run(tmp_path)
    lines = {line.split()[0]: line.split()[1:3] for line in told.stdout.splitlines() if line.strip()}
    assert lines["Calendar"] == ["86", "0"] and lines["Space"] == ["34", "145"] and lines["Core"] == ["21", "120"]


@pytest.mark.parametrize("slow", [1.0, 2.0])
@pytest.mark.parametrize(("group", "more"), [("Hub", 500), ("Apps.Space", 420), ("Apps.Anchor", 250)])
def test_a_group_that_costs_minutes_more_is_over_its_budget(tmp_path, group, more, slow):
    told = run(tmp_path, python=PYTHON | {group: PYTHON.get(group, 0) + more}, slow=slow)
    assert (told.returncode, over(told)) == (1, [group.removeprefix("Apps.")]), told.stdout + told.stderr


def test_swift_tests_that_cost_minutes_more_are_over_their_budget(tmp_path):
    told = run(tmp_path, swift=SWIFT | {"room": (500, {"SpaceTests": 300, "CalendarTests": 2300})})
    assert (told.returncode, over(told)) == (1, ["Calendar"]), told.stdout + told.stderr


@pytest.mark.parametrize("slow", [1.0, 2.0])
@pytest.mark.parametrize(("fuzzing", "code"), [(1600, 0), (2000, 1)])
def test_a_run_of_more_than_three_quarters_of_an_hour_is_too_long(tmp_path, fuzzing, code, slow):
    told = run(tmp_path, fuzzing=fuzzing, slow=slow)
    assert (told.returncode, over(told)) == (code, []), told.stdout + told.stderr
    assert ("too long" in told.stdout) == bool(code)
