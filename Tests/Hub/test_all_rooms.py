"""All rooms at once with a kill, a cut network and a full disk: a short form of bin/trial all_rooms."""

import concurrent.futures
import sys

import pytest

from hub import ROOT

MINUTES, FAULTS = 0.3, 3


@pytest.mark.timeout(240)
def test_nothing_acknowledged_is_lost_and_nothing_shown_twice_in_all_rooms_at_once(tmp_path):
    sys.path.append(str(ROOT / "Benchmarks"))
    import all_rooms
    # Playwright's loop may run in this thread, since another test has a browser.
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        figures, wrong = thread.submit(all_rooms.measured, tmp_path, MINUTES, all_rooms.SMALL, FAULTS).result()
    assert not wrong, "\n".join(wrong)
    assert figures["counts"]["refused with 507"] > 0, "the disk was never full"
    assert figures["query news"] > 0 and figures["counts"]["news on pages"] > 0
