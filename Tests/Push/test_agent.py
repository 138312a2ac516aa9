"""The agent: the real program against a double of the gateway that cuts, repeats, keeps silent and is replaced."""

import contextlib
import os
import signal
import socket
import ssl
import stat
import subprocess
import threading

import pytest
from agent import AGENT, SECRET, Agent, run
from certificates import make_certificate
from gateway import Gateway
from hub import clean_environment, command, eventually

# Showing


def test_a_notification_is_shown_once_and_acknowledged(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        gateway.sends_twice = True
        identifier = gateway.show("Open", body="Ada has opened", user_info={"a": [1, None]}, unknown="kept")
        gateway.wait_acknowledged(identifier)
        line = agent.wait_told("shown")
        assert line["id"] == identifier and line["repeat"] is False
        assert line["presentation"]["banner"] is True and line["presentation"]["sound"] is False
        assert line["content"] == {"title": "Open", "body": "Ada has opened", "user_info": {"a": [1, None]},
                                   "unknown": "kept"}
        eventually(lambda: len(gateway.heard("ack", id=identifier, what="shown")) == 2)
        assert len(gateway.heard("ack", id=identifier, what="delivered")) == 1
        assert len(agent.told("shown")) == 1 and not agent.broken
        assert gateway.heard("hello")[0]["v"] == 1
        assert agent.end() == 0


def test_updates_withdrawals_and_collapsed_ones(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        first = gateway.show("Open", collapse_id="sign")
        gateway.wait_acknowledged(first)
        second = gateway.show("Closed", collapse_id="sign")
        gateway.wait_acknowledged(second)
        assert agent.wait_told("shown", id=second)["replaces"] == first
        gateway.show("Closed until 7", update=second)
        gateway.wait_acknowledged(second, version=2)
        assert agent.wait_told("shown", version=2)["update"] is True
        gateway.withdraw(second, "answered_elsewhere")
        gateway.wait_acknowledged(second, "withdrawn")
        assert agent.wait_told("withdrawn", id=second)["reason"] == "answered_elsewhere"


def test_without_json_people_read_words(tmp_path, gateway):
    words = [AGENT, "--hub", gateway.url, "--token", SECRET, "--state", tmp_path / "state"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env=clean_environment()) as process:
        try:
            gateway.wait_connected()
            gateway.wait_acknowledged(gateway.show("Open\x1b[31m", body="Ada has opened"))
        finally:
            process.terminate()
        assert process.stdout.read()[6:] == "Open\ufffd[31m: Ada has opened\n"


def test_what_waits_for_an_agent_comes_in_order_when_it_returns(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
    identifiers = [gateway.show(f"number {number}") for number in range(200)]
    with agent:
        for identifier in identifiers:
            gateway.wait_acknowledged(identifier)
        eventually(lambda: len(agent.told("shown")) == 200)
        assert [line["id"] for line in agent.told("shown")] == identifiers


# Networks


def test_cut_connections_are_made_again_and_nothing_is_lost(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        for number in range(3):
            gateway.wait_connected()
            identifiers = [gateway.show(f"{number} {one}") for one in range(20)]
            gateway.cut()
        for identifier in identifiers:
            gateway.wait_acknowledged(identifier)
        eventually(lambda: len(agent.told("shown")) == 60)
        assert len({line["id"] for line in agent.told("shown")}) == 60
        assert agent.told("disconnected") and gateway.connections >= 4


def test_a_hub_that_is_off_is_waited_for(tmp_path):
    gateway = Gateway(SECRET).start()
    gateway.stop()
    with Agent(tmp_path, gateway.url) as agent:
        assert "refused" in agent.wait_told("disconnected")["reason"].lower()
        gateway.start()
        try:
            gateway.wait_connected()
            gateway.wait_acknowledged(gateway.show("here"))
        finally:
            gateway.stop()


def answers(*pieces):
    """A server that reads a request and writes these bytes; returns its socket."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                connection.recv(4096)
                for piece in pieces:
                    connection.sendall(piece)
                connection.settimeout(5)
                while connection.recv(4096):
                    pass

    threading.Thread(target=serve, daemon=True).start()
    return listener


HEAD = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


@pytest.mark.parametrize(("pieces", "reason"), [
    ((b"HTTP/1.1 404 Not Found\r\n\r\n",), "answered 404"),
    ((b"SSH-2.0-OpenSSH\r\n\r\n",), "not HTTP"),
    ((HEAD + b"Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",), "does not belong"),
    ((b"HTTP/1.1 101 x\r\n" + b"X: y\r\n" * 10_000,), "too large"),
])
def test_a_server_that_is_no_gateway_is_told_from_one(tmp_path, pieces, reason):
    with answers(*pieces) as listener:
        with Agent(tmp_path, f"http://127.0.0.1:{listener.getsockname()[1]}") as agent:
            assert reason in agent.wait_told("disconnected")["reason"]


@pytest.mark.parametrize("message", [b"binary", "x" * 65_537, "no json", '{"do":"show"}'])
def test_messages_that_break_the_rules_do_no_harm(tmp_path, gateway, message):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        gateway._send(gateway.current, message)
        eventually(lambda: agent.told("disconnected") or agent.told("ignored"))
        gateway.wait_connected()
        gateway.wait_acknowledged(gateway.show("after all"))


def test_tls_is_verified(tmp_path):
    certificate = make_certificate(tmp_path / "tls")
    other = make_certificate(tmp_path / "other", hosts=("elsewhere.example",), addresses=())
    for made, trusted, reason in (
            (certificate, certificate, None), (certificate, other, "certificate"), (other, other, "mismatch")):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*made.paths)
        folder = tmp_path / f"agent-{made is other}-{trusted is other}"
        folder.mkdir()
        with Gateway(SECRET, tls=context) as gateway:
            for host in ("127.0.0.1", "localhost"):
                url = gateway.url.replace("127.0.0.1", host)
                with Agent(folder, url, env={"SSL_CERT_FILE": str(trusted.certificate)}) as agent:
                    if reason:
                        assert reason in agent.wait_told("disconnected")["reason"]
                        assert not gateway.heard("hello")
                    else:
                        gateway.wait_acknowledged(gateway.show("over TLS"))
                        agent.wait_told("shown")


# The flight recorder


def test_last_words_after_a_kill(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        gateway.wait_acknowledged(gateway.show("a secret matter", body="of nobody's"))
        said = agent.last_words()
        assert said.stdout.endswith("The agent is running.\n"), said
        agent.end(signal.SIGKILL)
    said = agent.last_words()
    assert said.returncode == 0 and "ended without a word" in said.stdout
    assert "show id=1" in said.stdout and "sent ack id=1" in said.stdout
    assert "secret matter" not in said.stdout and "nobody" not in said.stdout and SECRET not in said.stdout
    with agent:
        eventually(lambda: gateway.connections == 2)
        assert agent.end() == 0
    assert agent.last_words().stdout.endswith("The agent has ended in good order.\n")


def test_the_flight_recorder_keeps_its_size_and_the_newest_lines(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        for number in range(1_500):
            last = gateway.show(f"number {number}")
        gateway.wait_acknowledged(last)
    assert (agent.state / "flight").stat().st_size < 70_000
    lines = agent.last_words().stdout.splitlines()
    assert f"id={last} " in lines[-2] and len(lines) > 500
    assert all(line[4] == "-" and line[23] == "Z" for line in lines[:-1])


# Two agents, and the end


def test_the_newer_of_two_agents_wins_and_the_older_is_told(tmp_path, gateway):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with Agent(tmp_path / "one", gateway.url) as one:
        gateway.wait_connected()
        with Agent(tmp_path / "two", gateway.url) as two:
            assert one.process.wait(10) == 3
            assert "A newer agent with the same secret is connected" in one.log
            gateway.wait_acknowledged(gateway.show("for the newer"))
            two.wait_told("shown")


def test_two_agents_cannot_share_a_folder(tmp_path, gateway):
    with Agent(tmp_path, gateway.url):
        gateway.wait_connected()
        refused = run("--hub", gateway.url, "--token", SECRET, "--state", tmp_path / "state")
        assert refused.returncode == 1 and "is in use by another agent" in refused.stderr


def test_an_unknown_secret_ends_it_with_a_clear_message(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, secret="wrong") as agent:
        assert agent.process.wait(10) == 4
    assert "does not know this secret" in agent.log and "wrong" not in agent.log


def test_a_hub_that_has_lost_the_device_for_a_while_ends_no_agent(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        gateway.secret = "another"
        gateway.cut()
        for count in (1, 2):
            eventually(lambda count=count: agent.log.count("goes on without the hub") == count, what="it says so")
            assert agent.process.poll() is None
            agent.end(signal.SIGKILL)
            agent.start()


def test_a_removed_device_ends_too(tmp_path, gateway):
    with Agent(tmp_path, gateway.url) as agent:
        gateway.wait_connected()
        gateway.bye("removed", 4001)
        assert agent.process.wait(10) == 4 and "has removed this device" in agent.log


def test_nobody_who_reads_ends_it_before_something_is_taken_for_shown(tmp_path, gateway):
    words = [AGENT, "--hub", gateway.url, "--token", SECRET, "--state", tmp_path / "state", "--json"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=clean_environment()) as process:
        gateway.wait_connected()
        process.stdout.close()
        identifier = gateway.show("unread")
        assert process.wait(15) == 1
        assert "Standard output cannot be written" in process.stderr.read()
    assert not gateway.heard("ack", id=identifier, what="shown")


@pytest.mark.waits
def test_a_reader_that_stops_ends_it_too(tmp_path, gateway):
    words = [AGENT, "--hub", gateway.url, "--token", SECRET, "--state", tmp_path / "state", "--json"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=clean_environment()) as process:
        gateway.wait_connected()
        # Lines that do not end with a page of the pipe.
        for _ in range(12):
            gateway.show("unread", user_info={"x": "y" * 9_000})
        assert process.wait(30) == 1
        assert "Standard output is not read by anybody" in process.stderr.read()


def test_a_log_that_nobody_reads_holds_up_nothing(tmp_path, gateway):
    unread, full = os.pipe()
    os.set_blocking(full, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(full, b"x" * 4_096)
    os.set_blocking(full, True)
    words = [AGENT, "--hub", gateway.url, "--token", SECRET, "--state", tmp_path / "state"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=full,
                          env=clean_environment()) as process:
        try:
            gateway.wait_connected()
            gateway.wait_acknowledged(gateway.show())
            # Somebody reads again, and is told so with the next line.
            os.read(unread, 1 << 20)
            gateway.cut()
            told = b""
            while b"lines of this log are lost, as nobody took them lines=" not in told or b"not connected" not in told:
                told += os.read(unread, 1 << 16)
            assert told.index(b"are lost") < told.index(b"not connected")
        finally:
            process.kill()
            os.close(unread)
            os.close(full)


# The folder, the service manager, the command line


def test_the_folder_is_the_users_alone_and_named_by_the_device(tmp_path, gateway):
    home = tmp_path / "xdg"
    words = [AGENT, "--hub", gateway.url, "--json"]
    env = clean_environment(XDG_STATE_HOME=str(home), EIGHTBELLS_TOKEN=SECRET)
    for turn in (1, 2):
        with subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=env) as process:
            eventually(lambda turn=turn: gateway.connections == turn)
            gateway.wait_connected()
            folder = home / "eightbells" / "agent-7"
            eventually(folder.is_dir)
            gateway.wait_acknowledged(gateway.show())
            process.terminate()
            assert process.wait(10) == 0
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert len([path for path in folder.parent.iterdir() if not path.is_symlink()]) == 1
    said = run("--last-words", env={"XDG_STATE_HOME": str(home), "EIGHTBELLS_TOKEN": ""})
    assert said.returncode == 0 and "ended in good order" in said.stdout


def test_systemd_is_told(tmp_path, gateway):
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(path))
        notify.settimeout(10)
        with Agent(tmp_path, gateway.url, env={"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "400000"}) as agent:
            heard = [notify.recv(4096).decode() for _ in range(6)]
            assert heard[0] == "READY=1" and heard.count("WATCHDOG=1") >= 3
            assert "STATUS=connected as Boat" in heard
            assert agent.end() == 0
            while heard[-1] != "STOPPING=1":
                heard.append(notify.recv(4096).decode())


def test_help_says_what_it_takes():
    for words in (["--help"], ["-h"], ["--hub", "x", "--help"]):
        said = run(*words)
        assert said.returncode == 0 and said.stderr == ""
        for option in ("--hub URL", "--token SECRET", "--state DIR", "--json", "--exec CMD", "--last-words"):
            assert option in said.stdout
        assert "Usage: eightbells-agent --hub" in said.stdout


def test_its_version_is_the_hubs():
    said = run("--version")
    assert said.returncode == 0 and said.stdout == f"eightbells-agent {command('--version').stdout.split()[1]}\n"


@pytest.mark.parametrize(("words", "message"), [
    ([], "--hub is missing"),
    (["--hub", "http://127.0.0.1:1"], "--token is missing"),
    (["--hub", "ftp://127.0.0.1", "--token", "x"], 'ftp://127.0.0.1"; http://HOST:PORT and https'),
    (["--hub", "127.0.0.1:80", "--token", "x"], "http://HOST:PORT"),
    (["--hub", "http://a:99999", "--token", "x"], "http://HOST:PORT"),
    (["--hub", "http://user@host", "--token", "x"], "http://HOST:PORT"),
    (["--hub", "http://a/?x", "--token", "x"], "http://HOST:PORT"),
    (["--hub", "http://a", "--token", "with space"], "10 bytes"),
    (["--hub", "http://a", "--token", "x" * 257], "257 bytes"),
    (["--hub", "http://a", "--token", "x", "--exec", " "], "--exec"),
    (["--hub", "http://a", "--token", "x", "--jsno"], "Did you mean --json?"),
    (["--hub", "http://a", "--token", "x", "word"], 'Unexpected argument "word"'),
    (["--hub", "http://a", "--token", "x", "--state", ""], "--state"),
])
def test_a_wrong_command_line_is_explained(words, message):
    said = run(*words)
    assert said.returncode == 2 and message in said.stderr and "Usage: eightbells-agent" in said.stderr
    assert "with space" not in said.stderr


def test_folders_that_cannot_be_used_are_named(tmp_path):
    (tmp_path / "file").write_text("x")
    for state in (tmp_path / "file", tmp_path / "file" / "inner", "/proc/nothing"):
        said = run("--hub", "http://127.0.0.1:9", "--token", "x", "--state", state)
        assert said.returncode == 1 and str(state) in said.stderr
    said = run("--last-words", "--state", tmp_path / "none")
    assert said.returncode == 1 and "is not there" in said.stderr and not (tmp_path / "none").exists()


def test_http_to_elsewhere_is_warned_of(tmp_path):
    words = [AGENT, "--hub", "http://192.0.2.1", "--token", "x", "--state", tmp_path / "state"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env=clean_environment()) as process:
        line = process.stderr.readline()
        process.terminate()
        assert process.wait(10) == 0
    assert "is not encrypted" in line
