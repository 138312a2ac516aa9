"""eightbells doctor, on installations that are really broken."""

import contextlib
import os
import pty
import re
import resource
import shutil
import socket
import sqlite3
import subprocess

import pytest

from certificates import make_certificate
from hub import BINARY, clean_environment, command, eventually
from ics import calendar, event
from measure import free_port

WORDS = {"ok": "✓", "warning": "!", "problem": "✗"}


class Told:
    """The doctor's findings: verdicts and texts by subject, and remedies."""

    def __init__(self, done):
        self.code, self.output = done.returncode, done.stdout
        assert done.stderr == "", done.stderr
        self.findings = {}
        lines, _, self.mends = done.stdout.partition("\n\n")
        for line in lines.splitlines():
            sign, verdict, rest = line.split(maxsplit=2)
            assert WORDS[verdict] == sign
            subject, _, text = rest.partition("  ")
            while subject in self.findings:
                subject += " again"
            self.findings[subject] = (verdict, text.strip())
        verdicts = [verdict for verdict, _ in self.findings.values()]
        assert self.code == (1 if "problem" in verdicts else 0)
        assert f"{verdicts.count('ok')} ok, " in done.stdout.splitlines()[-1]

    def verdict(self, subject):
        return self.findings[subject][0]

    def problems(self):
        return [subject for subject, (verdict, _) in self.findings.items() if verdict == "problem"]


def doctor(folder, *words, **options):
    options.setdefault("env", {})
    return Told(command("doctor", "--data", folder, *words, **options))


@pytest.fixture
def stopped(make_hub):
    """A hub's folder that was used once, with an owner."""
    hub = make_hub()
    assert hub.owner_token
    hub.configure()
    hub.stop()
    return hub


def at(hub):
    return ["--listen", f"127.0.0.1:{hub.port}"]


# No problem


def test_a_good_set_up_is_well_while_the_hub_stands_and_while_it_runs(stopped):
    told = doctor(stopped.data, *at(stopped))
    assert told.problems() == [] and told.code == 0, told.output
    for subject in ("settings", "data folder", "disk", "time zones", "database", "calendars", "listen"):
        assert told.verdict(subject) == "ok", told.output
    assert "is free" in told.findings["listen"][1]
    assert str(stopped.data) in told.findings["data folder"][1] and "0700" in told.findings["data folder"][1]
    stopped.start()
    told = doctor(stopped.data, *at(stopped))
    assert told.findings["listen"] == ("ok", f"the hub is running at 127.0.0.1:{stopped.port}")
    assert told.code == 0
    stopped.get("/healthz")


def test_it_changes_nothing(stopped, tmp_path):
    def all_of(folder):
        return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir() if path.is_file()}

    before = all_of(stopped.data)
    doctor(stopped.data, *at(stopped))
    after = all_of(stopped.data)
    assert {name: after.get(name) for name in before} == before
    doctor(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_no_colour_where_nobody_sees_it_and_a_word_always(stopped):
    assert "\x1b" not in doctor(stopped.data).output


# Settings


def test_settings_that_cannot_be_understood_are_a_problem(stopped):
    (stopped.data / "eightbells.conf").write_text("lisen = 127.0.0.1:1\n")
    told = doctor(stopped.data)
    assert told.problems() == ["settings"]
    assert "Did you mean listen?" in told.findings["settings"][1]
    assert told.verdict("database") == "ok", "the rest is looked at all the same"


@pytest.mark.parametrize("words", [["--lisen", "x"], ["now"]])
def test_a_wrong_call_ends_with_2(words, tmp_path):
    assert command("doctor", "--data", tmp_path, *words).returncode == 2


# The data folder


def test_a_folder_that_is_not_there_is_a_warning(tmp_path):
    told = doctor(tmp_path / "none", "--listen", f"127.0.0.1:{free_port()}")
    assert told.verdict("data folder") == "warning" and told.verdict("database") == "warning"
    assert told.code == 0 and "eightbells serve --data" in told.mends


def test_a_file_in_its_place_is_a_problem(tmp_path):
    (tmp_path / "data").write_text("")
    assert "data folder" in doctor(tmp_path / "data").problems()


def test_a_folder_that_others_can_look_into_is_a_warning(stopped):
    stopped.data.chmod(0o755)
    told = doctor(stopped.data, *at(stopped))
    assert told.verdict("data folder") == "warning"
    assert f"chmod 700 {stopped.data}" in told.mends


@pytest.mark.file
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_that_a_command_of_root_left_behind_are_a_problem(stopped):
    (stopped.data / "eightbells.conf").write_text("")
    (stopped.data / "blobs/27").mkdir(parents=True, exist_ok=True)
    for name in ("eightbells.sqlite", "eightbells.conf", "blobs/27"):
        os.chown(stopped.data / name, 65534, 65534)
    told = doctor(stopped.data, *at(stopped))
    assert told.problems() == ["files"]
    assert told.findings["files"][1].startswith("blobs/27, eightbells.sqlite in "), told.output
    assert "chown -R" in told.mends


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path):
    # Another user has to reach the program and the folder.
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == 0 and folder.stat().st_mode & 0o001 == 0:
            folder.chmod(folder.stat().st_mode | 0o011)
    program = tmp_path / "eightbells"
    shutil.copy(BINARY, program)
    data = tmp_path / "data"
    data.mkdir(mode=0o500)
    os.chown(data, 65534, 65534)
    done = subprocess.run(
        [program, "doctor", "--data", data], capture_output=True, text=True, user=65534, group=65534, extra_groups=[],
        env=clean_environment(), timeout=60, check=False, cwd="/")
    told = Told(done)
    assert "data folder" in told.problems() and "cannot be written" in told.findings["data folder"][1]


@pytest.mark.parametrize("options, subject, verdict", [
    ("size=1m", "disk", "problem"), ("size=300m", "disk", "warning"), ("size=900m,nr_inodes=60", "inodes", "problem"),
    ("size=900m", "disk", "ok"),
])
def test_a_disk_without_room_is_told(tmp_path, options, subject, verdict):
    folder = tmp_path / "data"
    folder.mkdir()
    # A small disk in memory, in a mount name space of its own.
    script = f'mount -t tmpfs -o mode=0700,{options} none "$0" && exec "$1" doctor --data "$0"'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, folder, BINARY], capture_output=True,
        text=True, env=clean_environment(), timeout=60, check=False)
    if done.returncode not in (0, 1) or "✓" not in done.stdout:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    assert Told(done).verdict(subject) == verdict


# The machine


def test_a_machine_without_zone_files_is_told(stopped, tmp_path):
    told = doctor(stopped.data, *at(stopped), env={"TZDIR": str(tmp_path / "none")})
    assert "time zones" in told.problems() and "apt install tzdata" in told.mends


@pytest.mark.parametrize("limit, verdict", [(256, "problem"), (4096, "warning")])
def test_few_descriptors_are_told(tmp_path, limit, verdict):
    done = subprocess.run(
        [BINARY, "doctor", "--data", tmp_path / "none"], capture_output=True, text=True, env=clean_environment(),
        timeout=60, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    told = Told(done)
    assert told.verdict("descriptors") == verdict and "LimitNOFILE" in told.mends


# The port


@pytest.mark.waits
def test_a_port_that_another_program_has_is_a_problem_with_its_name(stopped):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = doctor(stopped.data, "--listen", f"127.0.0.1:{port}")
    assert told.problems() == ["listen"]
    assert f"process {os.getpid()}" in told.findings["listen"][1]
    assert f"--listen 127.0.0.1:{port + 1}" in told.mends


def test_a_hub_of_another_folder_on_the_port_is_a_problem(stopped, make_hub):
    other = make_hub("other")
    told = doctor(stopped.data, *at(other))
    assert told.problems() == ["listen"] and "another hub" in told.findings["listen"][1]


def test_a_hub_that_runs_elsewhere_is_a_warning(hub):
    told = doctor(hub.data, "--listen", f"127.0.0.1:{free_port()}")
    assert told.verdict("listen") == "warning" and "other settings" in told.mends


def test_an_address_that_is_not_ours_is_a_problem(stopped):
    for host in "192.0.2.1", "no-such-host.invalid":
        told = doctor(stopped.data, "--listen", f"{host}:8080")
        assert told.problems() == ["listen"] and "hostname -I" in told.mends, host


def test_plain_http_for_the_whole_network_is_a_warning(stopped):
    told = doctor(stopped.data, "--listen", f"0.0.0.0:{free_port()}")
    assert told.verdict("encryption") == "warning" and told.code == 0


# The database


def damage(path):
    """Overwrites the middle of a page."""
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)


@pytest.mark.parametrize("harm, said", [
    (damage, "damaged"), (lambda path: path.write_bytes(b"no database, but long enough " * 400), "damaged"),
    (lambda path: (path.unlink(), path.mkdir()), "cannot be opened"),
])
@pytest.mark.file
def test_a_database_that_is_broken_is_a_problem(stopped, harm, said):
    harm(stopped.data / "eightbells.sqlite")
    told = doctor(stopped.data, *at(stopped))
    assert told.problems() == ["database"]
    assert said in told.findings["database"][1] and told.mends
    if said == "cannot be opened":
        start = command("serve", "--data", stopped.data, *at(stopped))
        assert start.returncode == 1 and f"`eightbells doctor --data {stopped.data}`" in start.stderr, start


def test_a_restore_that_was_cut_short_is_a_problem(tmp_path):
    (tmp_path / "half/restoring").mkdir(parents=True)
    told = doctor(tmp_path / "half", "--listen", f"127.0.0.1:{free_port()}")
    assert told.problems() == ["database"] and f"eightbells restore FILE --data {tmp_path / 'half'}`" in told.mends
    assert "cut short" in command("token", "list", "--data", tmp_path / "half").stderr


@pytest.mark.file
def test_a_database_of_a_newer_program_is_a_problem(stopped):
    database = sqlite3.connect(stopped.data / "eightbells.sqlite")
    database.execute("INSERT INTO migrations VALUES ('space', 99, x'00', 0)")
    database.commit()
    database.close()
    told = doctor(stopped.data, *at(stopped))
    assert told.problems() == ["database"] and "newer" in told.findings["database"][1]


def test_a_hub_without_an_owner_is_a_warning(make_hub):
    hub = make_hub()
    told = doctor(hub.data, *at(hub))
    assert told.verdict("owner") == "warning" and "eightbells link" in told.mends and "token create" in told.mends
    assert told.verdict("place") == "warning"


def on_a_terminal(*words):
    """The output lines of a command on a terminal."""
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen([BINARY, *map(str, words)], stdout=theirs, env=clean_environment()) as process:
            os.close(theirs)
            output = b""
            # A terminal without writers reads as an error.
            with contextlib.suppress(OSError):
                while piece := os.read(ours, 4096):
                    output += piece
            process.wait(30)
    finally:
        os.close(ours)
    return re.sub(r"\x1b\[\d+m", "", output.decode()).splitlines()


def test_a_command_that_is_to_be_copied_stays_in_one_line(make_hub):
    hub = make_hub("a-folder-with-a-name-that-is-as-long-as-names-of-folders-are")
    command_line = f"`eightbells token create --data {hub.data} --name me --role owner`"
    told = doctor(hub.data, *at(hub))
    assert command_line in told.mends
    (line,) = [line for line in told.output.splitlines() if line.startswith("   Become it")]
    assert line.endswith(command_line), "what goes into a pipe is not broken at all"
    lines = on_a_terminal("doctor", "--data", hub.data, *at(hub))
    assert sum(command_line in line for line in lines) == 1, lines
    long = [re.sub(r"`[^`]*`", "", line) for line in lines if len(line) > 80]
    assert [line for line in long if " " in line[26:].strip()] == [], "the rest fits, but for a long path"


# The certificate


def secured(stopped, certificate, key, *more):
    return doctor(stopped.data, *at(stopped), "--certificate", certificate, "--key", key, *more)


def test_a_good_certificate_is_told_with_its_names_and_its_end(stopped, tmp_path):
    made = make_certificate(tmp_path / "tls", hosts=("hub.example", "www.hub.example"))
    told = secured(stopped, *made.paths)
    verdict, text = told.findings["certificate"]
    assert verdict == "ok" and "hub.example, www.hub.example, 127.0.0.1" in text and "valid until 20" in text
    assert told.verdict("certificate again") == "warning", "nobody else vouches for it"
    assert told.code == 0


def test_an_address_that_the_certificate_is_not_for_is_a_warning(stopped, tmp_path):
    made = make_certificate(tmp_path / "tls", hosts=("hub.example",))
    for url, said in (("", "not set"), ("https://hub.example", None), ("https://127.0.0.1:8443", None),
                      ("https://other.example", "other.example")):
        found = secured(stopped, *made.paths, "--public-url", url).findings.get("public_url")
        assert found is None if said is None else found[0] == "warning" and said in found[1], url


def test_dates_of_a_certificate(stopped, tmp_path):
    for number, (dates, verdict, said) in enumerate([
            ({"days": -1, "began": -10}, "problem", "expired"), ({"days": 13.5, "began": -77}, "warning", "in 13 days"),
            ({"days": 14.5, "began": -76}, "ok", "valid until"),
            ({"began": 2, "days": 90}, "problem", "valid only from"),
            # A private authority's, of a day.
            ({"days": 0.3, "began": -0.7}, "ok", "valid until"), ({"days": 0.2, "began": -0.8}, "warning", "in 4 h")]):
        told = secured(stopped, *make_certificate(tmp_path / f"tls-{number}", **dates).paths)
        assert told.findings["certificate"][0] == verdict and said in told.findings["certificate"][1], dates


def test_a_key_of_another_certificate_is_a_problem(stopped, tmp_path):
    one, other = make_certificate(tmp_path / "tls", "one"), make_certificate(tmp_path / "tls", "other")
    told = secured(stopped, one.certificate, other.key)
    assert told.problems() == ["key"] and "openssl pkey" in told.mends


def test_files_that_cannot_be_used_are_a_problem(stopped, tmp_path):
    def lock(made):
        subprocess.run(["openssl", "ec", "-in", made.key, "-aes256", "-passout", "pass:secret", "-out", made.key],
                       check=True, capture_output=True)

    for number, (change, subject, said) in enumerate([
            (lambda made: made.certificate.unlink(), "certificate", "No such file"),
            (lambda made: made.certificate.write_text("nothing"), "certificate", "holds no certificate"),
            (lambda made: made.key.unlink(), "key", "No such file"),
            (lambda made: made.key.write_text("nothing"), "key", "holds no private key"),
            (lock, "key", "without a password")]):
        made = make_certificate(tmp_path / f"tls-{number}")
        change(made)
        told = secured(stopped, *made.paths)
        assert told.problems() == [subject] and said in told.findings[subject][1], said


def test_a_key_that_everyone_can_read_is_a_warning(stopped, tmp_path):
    made = make_certificate(tmp_path / "tls")
    made.key.chmod(0o644)
    assert secured(stopped, *made.paths).verdict("key") == "warning"


# Calendars


def test_each_calendar_is_fetched_once_and_judged(make_hub, calendar_server):
    good = calendar(event("one", "20260601T180000Z", title="Soup"), event("two", "20260602T180000Z", title="Bread"))
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.1"})
    assert hub.owner_token
    hub.configure(calendars=[{"kind": "ics", "url": url} for url in [
        calendar_server.serve("/secret-good.ics", good), calendar_server.serve("/secret-gone.ics", status=404),
        calendar_server.serve("/secret-page", "<html>Sign in</html>", content_type="text/html"),
        calendar_server.url.replace("127.0.0.1", "127.0.0.2") + "/secret-elsewhere.ics", "file:missing.ics"]])
    eventually(lambda: len(calendar_server.requests) >= 3, what="the hub's own look at the calendars")
    hub.stop()
    calendar_server.requests.clear()
    told = doctor(hub.data, *at(hub), env=hub.env)
    assert told.findings["calendar 1"][0] == "ok" and "2 events" in told.findings["calendar 1"][1]
    assert told.problems() == ["calendar 2", "calendar 3", "calendar 4", "calendar 5"]
    assert "404" in told.findings["calendar 2"][1]
    assert "BEGIN:VCALENDAR" in told.findings["calendar 3"][1]
    assert "reachable_networks = 127.0.0.2" in told.findings["calendar 4"][1]
    assert "there is none" in told.findings["calendar 5"][1]
    assert "secret" not in told.output, "what it says may be shown to others"
    assert sorted(request.path for request in calendar_server.requests) == [
        "/secret-gone.ics", "/secret-good.ics", "/secret-page"]


def test_a_calendar_below_a_home_that_the_service_does_not_see_is_told_as_that(make_hub):
    hub = make_hub(env={"EIGHTBELLS_CALENDAR_FOLDERS": "/home/joe"})
    assert hub.owner_token
    hub.configure(calendars=[{"kind": "ics", "url": "file:///home/joe/p.ics"}])
    hub.stop()
    # As with ProtectHome=yes: a folder that nobody may enter.
    script = 'mount -t tmpfs -o mode=0000 none /home && exec setpriv --bounding-set=-all --inh-caps=-all "$@"'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", BINARY, "doctor", "--data",
         hub.data, *at(hub)], capture_output=True, text=True, env=clean_environment(**hub.env), timeout=60, check=False)
    if "✓" not in done.stdout:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    assert "(ProtectHome)" in Told(done).findings["calendar 1"][1]


# The web server in front


FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "hub.example"}


def test_a_web_server_in_front_that_is_not_listed_is_noticed(make_hub):
    hub = make_hub()
    assert hub.owner_token and "web server" not in doctor(hub.data, *at(hub)).findings
    assert hub.request("GET", "/healthz").json == {"status": "ok"}
    for _ in range(3):
        assert hub.request("GET", "/", FORWARDED).status == 200
    assert hub.request("GET", "/healthz").json == {"status": "ok", "unbelieved_proxy": "127.0.0.1"}
    told = doctor(hub.data, *at(hub))
    assert told.verdict("web server") == "warning" and told.code == 0, told.output
    mends = " ".join(told.mends.split())
    assert "127.0.0.1" in told.findings["web server"][1] and "`trusted_proxies = 127.0.0.1`" in mends
    assert "sign in anew then: `eightbells link --data " in mends
    assert hub.log.count("is not believed") == 1, "one line says it"


def test_a_web_server_that_passes_no_websocket_on_is_told_once(make_hub):
    hub = make_hub()
    asked = {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13"}
    assert hub.request("GET", "/app/eightbells?protocol=7").status == 426
    assert "passes no WebSocket on" not in hub.log, "somebody may have typed the address"
    for _ in range(2):
        assert hub.request("GET", "/app/eightbells?protocol=7", asked).status == 426
    assert hub.log.count("passes no WebSocket on") == 1


def test_it_is_noticed_too_by_a_hub_that_serves_https_under_its_public_name(make_hub, tmp_path):
    certificate = make_certificate(tmp_path / "tls", hosts=("hub.example",))
    hub = make_hub(certificate=certificate)
    fields = [word for name, value in FORWARDED.items() for word in ("-H", f"{name}: {value}")]
    subprocess.run(
        ["curl", "-sk", *fields, f"https://127.0.0.1:{hub.port}/"], check=True, capture_output=True, timeout=10)
    certificate, key = certificate.paths
    told = doctor(hub.data, *at(hub), "--certificate", certificate, "--key", key)
    assert told.verdict("web server") == "warning" and "127.0.0.1" in told.findings["web server"][1], told.output


def test_a_web_server_in_front_that_is_listed_is_well(make_hub):
    hub = make_hub(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"})
    assert hub.owner_token and hub.request("GET", "/", FORWARDED).status == 200
    assert hub.request("GET", "/healthz").json == {"status": "ok"}
    assert "web server" not in doctor(hub.data, *at(hub)).findings


@pytest.mark.file
def test_https_that_nobody_speaks_is_noticed_without_a_running_hub(stopped):
    words = [*at(stopped), "--public-url", "https://hub.example"]
    told = doctor(stopped.data, *words)
    assert told.verdict("web server") == "warning" and "https://hub.example" in told.findings["web server"][1]
    assert "web server" not in doctor(stopped.data, *words, "--trusted-proxies", "127.0.0.0/8,::1/128").findings


# Permissions


def test_files_that_others_may_read_are_named(stopped):
    (stopped.data / "eightbells.sqlite").chmod(0o644)
    told = doctor(stopped.data, *at(stopped))
    assert told.verdict("files") == "warning" and "eightbells.sqlite" in told.findings["files"][1]
    assert f"chmod 600 {stopped.data}/eightbells.sqlite*" in " ".join(told.mends.split())
