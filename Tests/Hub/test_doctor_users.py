"""eightbells doctor as root, beside a hub that is another user."""

import contextlib
import fcntl
import http.server
import json
import os
import pathlib
import threading

import pytest

from hub import command

NOBODY = 65534

pytestmark = [pytest.mark.file, pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")]


@pytest.fixture
def data(tmp_path):
    """A data folder of another user, who can reach it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    os.chown(data, NOBODY, NOBODY)
    for folder in data.parents:
        if folder.stat().st_uid == 0 and folder.stat().st_mode & 0o001 == 0:
            folder.chmod(folder.stat().st_mode | 0o011)
    return data


def doctor(data, *words):
    """Its findings by subject."""
    done = command("doctor", "--data", data, "--json", *words)
    return {one["subject"]: one for one in json.loads(done.stdout)}


def test_root_finds_what_the_hubs_user_finds(data):
    (data / "eightbells.conf").touch(0o600)
    told = doctor(data)["settings"]
    assert told["verdict"] == "problem" and "Permission denied" in told["text"]
    assert f"`sudo chown nobody {data}/eightbells.conf`" in told["remedy"]
    os.chown(data / "eightbells.conf", NOBODY, NOBODY)
    assert doctor(data)["settings"]["verdict"] == "ok"


class Well(http.server.BaseHTTPRequestHandler):
    """Answers as a hub does that is well."""

    def do_GET(self):
        body = b'{"status":"ok"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.mark.skipif(
    int(pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) < 1024,
    reason="everybody may listen there")
def test_a_port_that_the_unit_alone_lets_the_hub_have_is_no_problem(data):
    for port in range(1023, 900, -1):
        with contextlib.suppress(OSError):
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Well)
            break
    words = ["--listen", f"127.0.0.1:{server.server_port}"]
    with server, open(data / "lock", "w", encoding="ascii") as lock:
        os.chown(lock.fileno(), NOBODY, NOBODY)
        told = doctor(data, *words)["listen"]
        assert told["verdict"] == "warning" and "setcap" in told["remedy"], told
        fcntl.flock(lock, fcntl.LOCK_EX)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        told = doctor(data, *words)["listen"]
        server.shutdown()
    assert (told["verdict"], told["text"]) == ("ok", f"the hub is running at 127.0.0.1:{server.server_port}")
