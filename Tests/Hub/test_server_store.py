"""A hub whose records are on a PostgreSQL server: what it acknowledges is there, commands beside it find them, and a
server that goes away is found again."""

import contextlib
import http.client
import json
import os
import random
import re
import socketserver
import struct
import threading

import pytest

from hub import STATE, command, eventually
from postgres import over
from relay import Relay
from trials import some

NOTIFICATIONS = "/api/v1/notifications"


@pytest.fixture
def hub(postgres, make_hub):
    hub = make_hub(start=False)
    hub.address = postgres.database(hub.data)
    hub.options = ["--store", hub.address]
    return hub.start()


def test_records_are_on_the_server_and_commands_find_them(hub, postgres):
    hub.configure()
    hub.turn(open=True, message="Soup tonight")
    hub.kill()
    # Noted in the folder: no option is needed any more.
    hub.options = []
    hub.start()
    assert hub.state()["message"] == "Soup tonight"
    assert "test owner" in hub.command("token", "list").stdout
    assert not (hub.data / "eightbells.sqlite").exists()
    assert int(postgres.ask("SELECT count(*) FROM audit", hub.address)) > 0
    assert (hub.data / "store").stat().st_mode & 0o777 == 0o600


def test_the_doctor_looks_at_the_server(hub, postgres):
    told = {one["subject"]: one for one in json.loads(hub.command("doctor", "--json").stdout)}
    # That of the tests does not wait for the disk.
    assert told["server"]["verdict"] == "warning" and "fsync" in told["server"]["remedy"]
    assert told["database"]["verdict"] == "ok"


def test_a_backup_of_a_running_hub_is_restored_without_a_server(hub, make_hub, tmp_path):
    hub.configure()
    hub.turn(open=True, message="Soup tonight")
    token, stop = hub.keykeeper_token, threading.Event()
    turner = threading.Thread(target=_turn, args=(hub, token, "meanwhile", [], stop))
    turner.start()
    try:
        made = json.loads(hub.command("backup", tmp_path / "all.tar", "--json").stdout)
    finally:
        stop.set()
        turner.join()
    assert made["damage"] == [] and made["files"] > 0
    again = make_hub("again", start=False)
    again.server = None
    told = command("restore", tmp_path / "all.tar", "--data", again.data)
    assert told.returncode == 0, told.stderr
    again.start()
    assert again.state()["message"].startswith(("Soup tonight", "meanwhile."))
    assert "test owner" in again.command("token", "list").stdout
    again.turn(open=False)
    assert again.command("store", "verify").returncode == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become the hub's user")
def test_root_is_let_in_as_the_hubs_user_and_its_backup_is_its_own(hub, postgres, tmp_path):
    postgres.ask("DROP ROLE IF EXISTS nobody; CREATE ROLE nobody SUPERUSER LOGIN")
    # The user is whoever asks, as with a socket's peer authentication.
    (hub.data / "store").write_text(hub.address.replace("eightbells@", "") + "\n")
    os.chown(hub.data / "lock", 65534, 65534)
    told = hub.command("backup", tmp_path / "all.tar")
    assert told.returncode == 0 and (tmp_path / "all.tar").stat().st_uid == 0, told.stderr


def test_a_lost_connection_is_made_again(hub, postgres):
    hub.configure()
    for number in range(3):
        postgres.put_out(hub.address)
        # Whoever asks just then may be told so; nobody has to start the hub again.
        said = {"open": True, "message": f"turn {number}"}
        eventually(lambda: hub.post(STATE, hub.keykeeper_token, said)[0] == 200)
        eventually(lambda: hub.state()["message"] == f"turn {number}")


@pytest.mark.file  # its records are on a server, behind a line
def test_a_change_whose_answer_is_lost_is_not_done_again(make_hub, postgres, tmp_path):
    store = postgres.database(tmp_path)
    with Relay(postgres.socket) as line:
        hub = make_hub(options=["--store", over(line, store)])
        hub.configure()
        statuses = []

        def ring(title):
            message = {"to": {"role": "owner"}, "content": {"title": title}}
            statuses.append(hub.post(NOTIFICATIONS, hub.owner_token, message)[0])

        def is_kept():
            sent = "SELECT count(*) FROM push_notifications WHERE content LIKE '%only once%'"
            return postgres.ask(sent, store) == "1"

        # The connection ends when the server has committed, and before anybody knows.
        line.hold_back(b"only once", b"COMMIT\0")
        sender = threading.Thread(target=ring, args=("only once",))
        sender.start()
        try:
            eventually(is_kept)
        finally:
            line.hang_up()
            sender.join()
        assert statuses == [503], "nobody can say whether it was kept"
        eventually(lambda: ring("afterwards") or statuses[-1] == 202)
        assert is_kept(), "it rings once"


@pytest.mark.waits
@pytest.mark.file  # its records are on a server, behind a line
def test_a_server_that_takes_everything_and_says_nothing_is_told(make_hub, postgres, tmp_path, monkeypatch):
    monkeypatch.setattr("hub.ANSWER_SECONDS", 40)
    with Relay(postgres.socket) as line:
        hub = make_hub(options=["--store", over(line, postgres.database(tmp_path))])
        hub.configure()

        def turn():
            return hub.post(STATE, hub.keykeeper_token, {"open": True, "message": "Soup tonight"})

        assert turn()[0] == 200 and hub.owner_token  # tokens are made by commands, which need the server
        line.is_cut = True
        for ask in (turn, lambda: hub.get("/api/v1/people", token=hub.owner_token)):
            status, answer = ask()
            assert (status, answer["code"]) == (503, 50304)
        line.is_cut = False
        eventually(lambda: turn()[0] == 200)


def test_a_zero_byte_which_a_server_keeps_in_no_text_is_no_fault(hub):
    assert hub.get("/space/favourites/%00.ics")[0] == 404
    status, refused = hub.post(STATE, hub.keykeeper_token, {"open": True, "message": "a\0b"})
    assert (status, refused["code"]) == (400, 40002)
    assert " error " not in hub.log


def test_a_password_is_not_taken_from_the_command_line(tmp_path):
    done = command("serve", "--data", tmp_path / "data", "--store", "postgres://ada:secret@127.0.0.1/club")
    assert done.returncode == 2 and "passfile" in done.stderr and "secret" not in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_server_that_is_not_there_is_told(tmp_path):
    done = command("serve", "--data", tmp_path / "data", "--store", "postgres://ada@127.0.0.1:1/club")
    assert done.returncode == 1 and "Cannot reach the database server" in done.stderr
    done = command("serve", "--data", tmp_path / "other", "--store", "mysql://ada@127.0.0.1/club")
    assert done.returncode == 1 and "postgres://USER@HOST/NAME" in done.stderr


class Mute(socketserver.BaseRequestHandler):
    """A database server that lets everybody in, and then says nothing."""

    def handle(self):
        while struct.unpack("!I", self.request.recv(4096)[4:8])[0] in (80877103, 80877104):
            self.request.sendall(b"N")  # neither TLS nor GSSAPI
        for kind, body in ((b"R", bytes(4)), (b"S", b"server_version\x0015.1\0"), (b"Z", b"I")):
            self.request.sendall(kind + struct.pack("!I", len(body) + 4) + body)
        while self.request.recv(4096):
            pass


def test_a_server_that_says_nothing_is_told(tmp_path):
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mute) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"postgres://ada@127.0.0.1:{server.server_address[1]}/club"
        done = command("serve", "--data", tmp_path / "data", "--store", address)
        server.shutdown()
    assert done.returncode == 1 and "The database server does not answer" in done.stderr


class Pooler(Relay):
    """Gives prepared statements names of its own, as PgBouncer does since 1.21 with pool_mode = transaction."""

    async def _pass_on(self, reader, writer, is_answer=False):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data if is_answer else re.sub(rb"statement_(\d+)\0", rb"PGBOUNCER_\1\0", data))
                await writer.drain()


def test_a_pooler_that_shares_connections_is_told(postgres, tmp_path):
    with Pooler(postgres.socket) as line:
        done = command("serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0",
                       "--store", over(line, postgres.database(tmp_path)))
    assert done.returncode == 1 and "pool_mode = session" in done.stderr, done.stderr


def test_what_was_acknowledged_survives_kills(hub, postgres):
    hub.configure()
    token, chance, acknowledged = hub.keykeeper_token, random.Random(8), []
    for round in range(some(30)):
        threads = [threading.Thread(target=_turn, args=(hub, token, f"{round}.{writer}", acknowledged))
                   for writer in range(4)]
        for thread in threads:
            thread.start()
        eventually(lambda: len([one for one in acknowledged if one.startswith(f"{round}.")]) > chance.randrange(60))
        hub.kill()
        for thread in threads:
            thread.join()
        hub.start()
        kept = postgres.ask("SELECT message FROM space_sign", hub.address).splitlines()
        # The hub keeps the last 500 of a day.
        assert set(acknowledged[-300:]) <= set(kept)
        assert hub.state()["message"].startswith(f"{round}.")


def _turn(hub, token, name, acknowledged, stop=None):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
    fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    number = 0
    try:
        while not (stop and stop.is_set()):
            said = {"open": number % 2 == 0, "message": f"{name}.{number}"}
            connection.request("POST", STATE, json.dumps(said), fields)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                return
            acknowledged.append(f"{name}.{number}")
            number += 1
    except (OSError, http.client.HTTPException):
        pass
    finally:
        connection.close()
