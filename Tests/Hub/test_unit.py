"""The systemd unit: how far it restricts the hub, and that the hub still works."""

import re
import shutil
import socket
import subprocess

import pytest

from hub import BINARY, EVENTS, ROOT, command, eventually
from ics import calendar, event
from live import listening
from png import png
from unit import allowed, exposure, made, setting

UNIT = ROOT / "Docs/eightbells.service"
EXPOSURE = 1.5


def test_the_unit_exposes_little():
    score, words = exposure(UNIT)
    print(f"exposure {score}")
    assert score <= EXPOSURE, words


def test_the_unit_bounds_memory_and_tasks():
    high, most = (re.fullmatch(r"(\d+)([MG])", setting(UNIT, name)[0]) for name in ("MemoryHigh", "MemoryMax"))
    size = lambda match: int(match[1]) << {"M": 20, "G": 30}[match[2]]
    assert 256 << 20 <= size(high) < size(most) <= 2 << 30
    assert int(setting(UNIT, "TasksMax")[0]) <= 1024


@pytest.mark.parametrize("unit", ["eightbells", "eightbells-agent"])
def test_a_film_or_a_command_without_memory_does_not_end_the_service(unit):
    assert setting(ROOT / f"Docs/{unit}.service", "OOMPolicy") == ["continue"]


def test_a_hub_that_hangs_is_started_again():
    assert setting(UNIT, "Type") == ["notify"] and int(setting(UNIT, "WatchdogSec")[0]) >= 10


def test_a_hub_waits_for_its_database_and_not_for_better_settings(tmp_path):
    assert "postgresql.service" in setting(UNIT, "After")[0].split()
    assert setting(UNIT, "StartLimitIntervalSec") == ["0"] and int(setting(UNIT, "RestartSec")[0]) >= 1
    given_up, = setting(UNIT, "RestartPreventExitStatus")
    away = command("serve", "--data", tmp_path / "data", "--store", f"postgres:///club?host={tmp_path}")
    assert away.returncode == 1 and given_up == "2"
    assert command("serve", "--data", tmp_path / "data", "--listen", "nowhere").returncode == 2


@pytest.mark.parametrize("unit", ["eightbells", "eightbells-agent"])
def test_programs_that_a_service_starts_can_shut_themselves_in(unit):
    wanted = {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp", "prlimit64"}
    assert wanted - allowed(ROOT / f"Docs/{unit}.service") == set()


def test_systemd_is_told_that_the_hub_is_ready_lives_and_stops(make_hub, tmp_path):
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(path))
        notify.settimeout(10)
        hub = make_hub(env={"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "400000"})
        heard = [notify.recv(4096).decode() for _ in range(4)]
        assert heard == ["READY=1"] + ["WATCHDOG=1"] * 3
        assert hub.request("GET", "/healthz").status == 200
        assert hub.stop() == 0
        while heard[-1] != "STOPPING=1":
            heard.append(notify.recv(4096).decode())


def test_the_hub_makes_no_system_call_that_the_unit_forbids(make_hub, calendar_server, tmp_path):
    assert shutil.which("strace"), "strace is not installed: bin/install test"
    trace = tmp_path / "trace"
    # strace watches from another process, so that the hub itself is the one started.
    hub = make_hub(under=["strace", "-D", "-f", "-o", str(trace)])
    url = calendar_server.serve("/c.ics", calendar(event("a", "20300101T180000Z")))
    hub.configure(calendars=[{"kind": "ics", "url": url.replace("127.0.0.1", "localhost")}])
    eventually(lambda: hub.events("2030-01-01", "2031-01-01")["events"], 20)
    logo = hub.request(
        "PUT", "/api/v1/space/pictures/logo", {"Authorization": f"Bearer {hub.owner_token}"}, png(64, 64))
    assert logo.status == 200, logo.body
    with listening(hub) as listener:
        hub.turn(True, message="Soup")
        listener.expect("state")
    assert hub.request("GET", "/space/pictures/logo").status == 200 and hub.request("GET", "/").status == 200
    assert hub.request("GET", "/metrics", {"Authorization": f"Bearer {hub.owner_token}"}).status == 200
    assert hub.get(EVENTS)[0] == 200
    hub.stop()
    text = eventually(lambda: (text := trace.read_text(errors="replace")).rstrip().endswith("+++") and text)
    calls = made(text)
    assert len(calls) > 40 and {"epoll_wait", "epoll_pwait", "openat"} & calls
    # SQLite gives its log to the database's owner if it runs as root, as tests may, and the unit does not.
    assert calls - allowed(UNIT) - {"fchown"} == set()
    families = set(re.findall(r"\bsocket\((AF_\w+)", text))
    # The C library uses it, if it can, to sort a name's addresses.
    assert families - {"AF_NETLINK"} <= set(setting(UNIT, "RestrictAddressFamilies")[0].split())
    # The unit forbids memory that is writable and executable. A shared Swift library, which a release does not have,
    # asks for such a stack.
    if b"libswiftCore.so" not in subprocess.run(["ldd", BINARY], capture_output=True, timeout=30, check=True).stdout:
        assert not re.search(r"m(map|protect)\([^\n]*PROT_WRITE\|PROT_EXEC", text)
