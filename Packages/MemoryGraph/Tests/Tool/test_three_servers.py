"""Three programs in the manner of servers, each with a mistake that people make: Docs/memory-graph.md tells what one
does with the answers."""

import json
import pathlib
import subprocess

import pytest

from victims import LIMIT, follow

PROGRAMS = pathlib.Path(__file__).parent / "programs"
# The rings that each loses, and their steps.
SERVERS = {
    "channels": (10, "Context.handler → IdleTimeout.timeout → Scheduled.act → back to the first"),
    "feeds": (5, "Feed.renewal → Foundation.BlockOperation._block → back to the first"),
    "fleet": (10, "Boat.sailing → task (suspended).frames → frames of a task[…] → back to the first"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("servers")

    def build(name):
        (folder / "main.swift").write_text((PROGRAMS / f"{name}.swift").read_text())
        subprocess.run(
            ["swiftc", "-g", "-swift-version", "5", "-module-name", name.capitalize(), "-o", folder / name,
             folder / "main.swift"], check=True, timeout=4 * LIMIT)
        return folder / name

    return build


@pytest.mark.parametrize("name", SERVERS)
def test_the_mistake_of_a_server_is_the_one_finding(built, tmp_path, name):
    lost, ring = SERVERS[name]
    file = tmp_path / "graph.json"
    told = follow("run", "--at-line", "^ready", "--json", file, "--", built(name), stdin=subprocess.DEVNULL)
    found = json.loads(file.read_text())
    [finding] = found["findings"]
    assert ring in " ".join(told.stderr.split()), told.stderr
    # Memory that libraries do not clear may hold one of them for a while: ICU's formats do.
    assert lost - 2 <= finding["instances"] <= lost, told.stderr
