"""Monitoring: /metrics, /healthz."""

import os
import pathlib
import sqlite3
import time

import pytest
from prometheus_client.parser import text_string_to_metric_families

from certificates import make_certificate
from hub import STATE, command, eventually
from live import listening


def metrics(hub, token=None):
    """The samples by name and labels, as parsed by Prometheus' own library, and the type of each family."""
    answer = hub.request("GET", "/metrics", {"Authorization": f"Bearer {token or hub.owner_token}"})
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    families = list(text_string_to_metric_families(answer.body.decode()))
    names = [family.name for family in families]
    assert names == sorted(set(names)), "each family stands once, in order"
    samples = {}
    for family in families:
        assert family.documentation and family.type != "unknown", family
        # As `promtool check metrics` says: these ends are those of histograms and summaries.
        is_of_buckets = family.name.endswith(("_count", "_sum", "_bucket"))
        assert family.type in ("histogram", "summary") or not is_of_buckets, family
        for sample in family.samples:
            samples[sample.name, tuple(sorted(sample.labels.items()))] = sample.value
    return samples


@pytest.mark.file
def test_metrics_are_what_prometheus_reads_and_true_of_the_process(hub):
    before = time.time()
    samples = metrics(hub)
    pid = hub.process.pid
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0]) * 1024
    assert samples["process_resident_memory_bytes", ()] == pytest.approx(resident, rel=0.5)
    assert samples["process_threads", ()] == pytest.approx(int(status.split("Threads:")[1].split()[0]), abs=3)
    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    assert samples["process_open_fds", ()] == pytest.approx(descriptors, abs=4)
    assert samples["process_max_fds", ()] >= 1024
    assert before - 60 < samples["process_start_time_seconds", ()] < time.time() + 1
    assert samples["process_virtual_memory_bytes", ()] > resident
    free = os.statvfs(hub.data)
    assert samples["eightbells_data_free_bytes", ()] == pytest.approx(free.f_bavail * free.f_frsize, rel=0.1)
    size = (hub.data / "eightbells.sqlite").stat().st_size
    assert samples["eightbells_store_file_bytes", (("file", "eightbells.sqlite"),)] == size


def test_work_shows_in_the_seconds_of_the_processor(hub):
    def seconds():
        return metrics(hub)["process_cpu_seconds_total", ()]

    first = seconds()

    def has_grown():
        for _ in range(50):
            hub.get(STATE)
        return seconds() > first

    eventually(has_grown, 30)


def test_the_store_counts_its_writes_and_their_commits(hub):
    before = metrics(hub)
    for open in (True, False, True):
        hub.turn(open)
    after = metrics(hub)

    def grown(name):
        return after[f"eightbells_store_{name}_total", ()] - before[f"eightbells_store_{name}_total", ()]

    assert grown("writes") >= 3
    assert 1 <= grown("commits") <= grown("writes")
    assert grown("reads") >= 1
    # The notification that follows from a turn is written in the background.
    eventually(lambda: metrics(hub)["eightbells_store_writes_waiting", ()] == 0, what="no write to wait")
    assert after["eightbells_blobs", ()] == after["eightbells_blobs_bytes", ()] == 0


@pytest.mark.parametrize("role, status, code", [
    (None, 401, 40101), ("unknown", 401, 40102), ("keykeeper", 403, 40301), ("member", 403, 40301),
    ("reader", 403, 40301),
])
def test_metrics_are_for_owners(hub, role, status, code):
    token = {None: None, "unknown": "eb_unknown"}.get(role) or (role and hub.token(role))
    told, answer = hub.get("/metrics", token=token)
    assert (told, answer["code"]) == (status, code)


def test_a_working_hub_is_healthy_for_anyone_and_tells_nothing_else(hub):
    answer = hub.request("GET", "/healthz")
    assert (answer.status, answer.json) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert hub.request("HEAD", "/healthz").status == 200


@pytest.mark.file
@pytest.mark.waits
def test_a_hub_that_cannot_write_says_so_until_it_can(hub):
    assert hub.get("/healthz")[0] == 200
    # Another process holds the store's lock, as a stuck program would.
    blocker = sqlite3.connect(hub.data / "eightbells.sqlite", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    try:
        status, answer = eventually(
            lambda: (found := hub.get("/healthz"))[0] == 503 and found, 30, "the hub notices that it cannot write")
        assert answer["code"] == 50302
        assert "5 s" in answer["error"] or "cannot be written" in answer["error"]
        assert str(hub.data) not in str(answer), "nothing secret"
    finally:
        blocker.execute("ROLLBACK")
        blocker.close()
    eventually(lambda: hub.get("/healthz")[0] == 200, 30, "the hub notices that it can write again")
    assert "the hub is not healthy" in hub.log
    # The line is written after the answer.
    eventually(lambda: "the hub is healthy again" in hub.log, what="the log to say so")


def test_a_command_asks_it_for_monitors(hub):
    told = command("health", "--hub", hub.url)
    assert (told.returncode, told.stdout, told.stderr) == (0, "The hub is well.\n", "")
    hub.stop()
    told = command("health", env={"EIGHTBELLS_HUB": hub.url})
    assert told.returncode == 1 and "Cannot reach the hub" in told.stderr and told.stdout == ""


def test_a_command_in_its_container_asks_it_where_its_settings_say(make_hub, tmp_path):
    certificate = make_certificate(tmp_path / "tls", hosts=("hub.example",), addresses=())
    hub = make_hub(certificate=certificate)
    # This hub has them from its options, a container's from its configuration.
    (hub.data / "eightbells.conf").write_text(
        "certificate = {}\nkey = {}\n".format(*certificate.paths) + f"listen = 127.0.0.1:{hub.port}\n")
    env = {"EIGHTBELLS_DATA": str(hub.data)}
    told = command("health", env=env, cwd=tmp_path)
    assert (told.returncode, told.stdout) == (0, "The hub is well.\n"), told.stderr
    told = command("health", env=env | {"EIGHTBELLS_LISTEN": "127.0.0.1:1"}, cwd=tmp_path)
    assert told.returncode == 1 and "https://127.0.0.1:1:" in told.stderr


def test_a_mistake_in_its_file_is_for_its_next_start(hub, tmp_path):
    listens = f"listen = 127.0.0.1:{hub.port}\n"
    file, env = hub.data / "eightbells.conf", {"EIGHTBELLS_DATA": str(hub.data)}
    for mistake in ("drain = x\n", "no setting\n", "nonsense = 1\n", "rooms = nowhere\n", "certificate = /tls.pem\n"):
        for text in (mistake + listens, "\ufeff" + (listens + mistake).replace("\n", "\r\n")):
            file.write_text(text, newline="")
            told = command("health", env=env, cwd=tmp_path)
            assert (told.returncode, told.stdout) == (0, "The hub is well.\n"), (text, told.stderr)
    # Nobody knows where to ask.
    file.write_text("listen = everywhere\n")
    told = command("health", env=env, cwd=tmp_path)
    assert told.returncode == 1 and "is no address to listen on" in told.stderr
    file.write_text(listens)
    hub.stop()
    told = command("health", env=env, cwd=tmp_path)
    assert told.returncode == 1 and "Cannot reach the hub" in told.stderr


def test_the_server_counts_its_connections_and_answers(hub):
    before = metrics(hub)
    for path in (STATE, STATE, "/nothing"):
        hub.get(path)
    with listening(hub):
        after = metrics(hub)
    assert after["eightbells_websockets", ()] == 1
    assert after["eightbells_open_connections", ()] >= 2
    assert after["eightbells_connections_total", ()] - before["eightbells_connections_total", ()] == 5

    def answered(status):
        name = "eightbells_http_requests_total", (("status", status), ("version", "1.1"))
        return after[name] - before[name]

    assert (answered("2xx"), answered("4xx")) == (3, 1), "two states and the metrics before; nothing"
    seconds = "eightbells_http_request_seconds_count", ()
    assert after[seconds] - before[seconds] == 4
