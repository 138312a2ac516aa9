"""eightbells doctor where several hubs are on one database server: who runs, whether they reach each other, and whether
all work is done."""

import json
import time

import pytest

from hub import command, eventually
from several import holders, several

# Their records are on a server of their own.
pytestmark = pytest.mark.file


@pytest.fixture
def hubs(make_hub, store, nats, tmp_path, postgres):
    hubs = several(make_hub, store, nats, tmp_path, "--drain", "0")
    eventually(lambda: len(holders(postgres, store)) > 10, what="all work has a holder")
    return hubs


def doctor(hub, *words):
    """Its findings by subject."""
    done = command("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}", "--json", *words)
    return {one["subject"]: one for one in json.loads(done.stdout)}


def test_hubs_and_the_bus_are_told(hubs, nats):
    version = command("version").stdout.split()[1]
    # A name has to be looked up, unlike an address.
    named = nats.url.replace("127.0.0.1", "localhost")
    told = doctor(hubs[0], "--bus", named)
    assert told["hubs"]["verdict"] == "ok" and told["hubs"]["text"].count(f"({version}, since 20") == 2
    assert told["bus"]["verdict"] == "ok" and named in told["bus"]["text"]
    assert "work" not in told and "blobs" not in told


def test_without_a_bus_that_works_it_warns(hubs, nats):
    told = doctor(hubs[0])
    assert told["bus"]["verdict"] == "warning" and "--bus" in told["bus"]["remedy"]
    nats.stop()
    try:
        began = time.monotonic()
        told = doctor(hubs[0], "--bus", nats.url)
        assert told["bus"]["verdict"] == "warning" and nats.url in told["bus"]["text"]
        assert time.monotonic() - began < 15
    finally:
        nats.start()
    told = doctor(hubs[0], "--bus", "http://127.0.0.1")
    assert told["bus"]["verdict"] == "problem" and "nats://" in told["bus"]["remedy"]


@pytest.mark.waits
def test_a_hub_that_is_not_heard_over_the_bus_is_told(hubs, make_hub, store, tmp_path):
    make_hub("third", options=["--store", store, "--blobs", tmp_path / "blobs"])
    eventually(lambda: "hubs are not heard over the bus" in hubs[0].log, 40, "the log tells of it")
    told = doctor(hubs[0])
    assert told["bus"]["verdict"] == "warning" and "no messages come from the hubs on" in told["bus"]["text"]


def test_different_versions_are_told(hubs, postgres, store):
    postgres.ask("UPDATE hub_members SET version = '0.1.0' WHERE since = (SELECT min(since) FROM hub_members)", store)
    told = doctor(hubs[0])
    assert told["hubs"]["verdict"] == "warning" and "(0.1.0, since" in told["hubs"]["text"]
    assert "upgrading.md" in told["hubs"]["remedy"]


def test_work_that_nobody_does_is_told(hubs, postgres, store):
    postgres.ask("INSERT INTO hub_leases (name, hub, token, until) VALUES ('galley', 'gone', 3, 1)", store)
    told = doctor(hubs[0])
    assert told["work"]["verdict"] == "warning" and told["work"]["text"].endswith(": galley")


def test_another_folder_of_blobs_is_a_problem(hubs):
    other = hubs[1]
    other.stop()
    (other.data / "blobs").unlink()
    (other.data / "blobs").mkdir()
    (other.data / "blobs/id").write_text("another")
    assert doctor(other)["blobs"]["verdict"] == "problem"


def test_leases_of_rooms_that_are_off_are_forgotten_by_the_first_hub(hubs, postgres, store):
    postgres.ask("INSERT INTO hub_leases (name, hub, token, until) VALUES ('galley', 'gone', 3, 1)", store)
    for hub in hubs:
        hub.stop()
    assert "hubs" not in doctor(hubs[0]), "nobody runs"
    hubs[0].start()
    eventually(lambda: len(holders(postgres, store)) > 10, what="all work has a holder")
    assert postgres.ask("SELECT count(*) FROM hub_leases WHERE name = 'galley'", store) == "0"
