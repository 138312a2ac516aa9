"""Words that calls have left on the main thread's stack: how often they hide a leak."""

import collections
import concurrent.futures
import json
import os
import random

import pytest

from trials import IS_WHOLE
from victims import Victim, run

# Everything that leaks on the main thread, with counts of references or without.
CASES = [
    "delegate", "closure", "captures", "array", "generic", "dictionary", "existential", "enum", "error", "set",
    "inherited", "indirect", "registered", "tangled", "unmanaged", "malloc", "ring",
]
LOOKS = 3000 if IS_WHOLE else 51
# Fewer than one look in so many may miss a leak.
RARE = 1000
AT_A_TIME = 2


def looked(number, seed, folder):
    """One look at a program of its own; its case, and what the look has missed."""
    chance = random.Random(f"{seed} {number}")
    case, file = CASES[number % len(CASES)], folder / f"{number}.json"
    # The environment moves the stack.
    env = os.environ | {"LITTER": "x" * chance.randrange(4096)}
    with Victim(case, chance.randrange(1, 30), more=["littered"], env=env) as victim:
        if case == "ring":
            victim.drop()
        told = run("leaks", victim.pid, "--json", file)
        assert told.returncode in (0, 1), told.stderr
        found = {leak["address"] for leak in json.loads(file.read_text())["leaks"]}
        missed = victim.leaks.keys() - found
        why = run("path", victim.pid, sorted(missed)[0]).stdout if missed else ""
    file.unlink()
    return case, len(victim.leaks), len(missed), why


@pytest.mark.timeout(60 if not IS_WHOLE else 3600)
def test_leftovers_of_the_main_thread_hide_less_than_one_leak_in_a_thousand(tmp_path):
    seed = random.randrange(1 << 32)
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        told = list(pool.map(lambda number: looked(number, seed, tmp_path), range(LOOKS)))
    hidden = [look for look in told if look[2]]
    said = (f"seed {seed}: {len(hidden)} of {LOOKS} looks missed a leak, and "
            f"{sum(look[2] for look in told)} of {sum(look[1] for look in told)} leaks were missed: "
            f"{dict(collections.Counter(look[0] for look in hidden))}")
    print(said)
    assert len(hidden) * RARE < max(LOOKS, RARE), said + "".join(f"\n{look[0]}: {look[3]}" for look in hidden[:5])
