"""Reachable retain cycles: the closing reference is named, and weak references close no cycle."""

import json

import pytest

from victims import Victim, run, scan

TAIL = "→ handler.work → block literal.captured → back to the first"
# The case, and the beginnings of its cycles' titles: a compiler may add a closure between an object and its owner.
CYCLES = [
    ("sources", [
        "Signalman.timer → Dispatch.DispatchSource.__wrapped → dispatch source.state → state of a dispatch "
        "source.event handler " + TAIL,
        "Signalman.input → Dispatch.DispatchSource.__wrapped → dispatch source.state → state of a descriptor's "
        "dispatch source.event handler " + TAIL,
        "Signalman.work → Dispatch.DispatchWorkItem._block → work item.work → block literal.captured → back "
        "to the first",
    ]),
    ("sighted", []),
    ("strokes", [
        "Bell.strokes → Array<() -> ()> storage[1] → back to the first",
        'Bell.orders → Dictionary<String, (Int) -> ()> storage["ring"] → ',
    ]),
    ("borrowers", []),
    ("layouts", [
        f"Layouts.{ring} → back to the first" for ring in (
            "Bundle.owner", "Claimant.claim", "Idler.doing", "Idler.later",
            "Isolated.executor → Layouts.Executor.owner",
            "Librarian.shelf → Layouts.Shelf[…]", "Locked.state", "Marker._owner.wrappedValue", "Once.owner",
            "Rack.places[2]")
    ] + ["Layouts.Twin.work → closure capturing Victim.Layouts.Twin, Victim.Layouts.Twin.captured "]),
]


@pytest.mark.parametrize("case, titles", CYCLES, ids=[case[0] for case in CYCLES])
def test_a_cycle_that_is_still_reached_is_named(tmp_path, case, titles):
    with Victim(case, 3) as victim:
        found = scan(victim, tmp_path)
        assert found["findings"] == []
        told = sorted(cycle["title"] for cycle in found["cycles"])
        assert len(told) == len(titles) and all(map(str.startswith, told, sorted(titles))), told
        assert [cycle["instances"] for cycle in found["cycles"]] == [3] * len(titles)


def test_a_snapshot_keeps_what_is_doubted(tmp_path):
    kept = tmp_path / "kept"
    with Victim("borrowers", 2) as victim:
        run("graph", victim.pid, "--snapshot", kept)
    assert json.loads(run("cycles", kept, "--json", "-").stdout)["cycles"] == []


def test_what_ends_when_a_task_is_resumed_is_harmless(tmp_path):
    with Victim("answers", 3) as victim:
        found = scan(victim, tmp_path)
        assert found["findings"] == found["cycles"] == []
        told = {finding["title"]: finding for finding in found["harmless"]}
        assert told.keys() == {
            "Asker.checked → CheckedContinuationCanary.continuation → task (suspended).frames → frames of a task[…] → "
            "back to the first",
            "Asker.unsafely → task (suspended).frames → frames of a task[…] → back to the first",
        }
        for finding in told.values():
            assert finding["instances"] == 3 and finding["reason"].startswith("it ends when the task is resumed")


@pytest.mark.parametrize("case, findings", [("sources", 1), ("strokes", 2), ("answers", 2), ("layouts", 11)])
def test_and_leaks_when_it_is_let_go(tmp_path, case, findings):
    with Victim(case, 3) as victim:
        victim.drop()
        found = scan(victim, tmp_path)
        told = {leak["address"] for leak in found["leaks"]}
        assert len(victim.leaks) == 3 * findings
        assert victim.leaks.keys() <= told and not (victim.living.keys() - victim.leaks.keys()) & told
        assert [finding["kind"] for finding in found["findings"]] == ["retain cycle"] * findings
