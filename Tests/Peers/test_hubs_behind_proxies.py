"""The examples for several hubs (Docs/examples/several-hubs): Caddy and nginx in front of three real hubs, and what of
the other files can be tried without their machines."""

import json
import re
import socket

import pytest
import yaml

from front import FILES, HOST, WORDS, Front
from hub import ROOT, STATE, command, eventually
from live import Listener, connected
from uploads import ALBUMS, PART, join, make_album, some_bytes

# Their records are on a server of their own.
pytestmark = pytest.mark.file

EXAMPLES = ROOT / "Docs/examples/several-hubs"
ADDRESSES = ["10.0.0.11:8080", "10.0.0.12:8080", "10.0.0.13:8080"]


@pytest.fixture
def hubs(make_hub, postgres, nats, tmp_path):
    (tmp_path / "blobs").mkdir()
    options = ["--store", postgres.database(tmp_path), "--blobs", tmp_path / "blobs", "--bus", nats.url,
               "--trusted-proxies", "127.0.0.0/8"]
    # Nothing listens there.
    env = {"EIGHTBELLS_ANCHOR_TILES": "http://127.0.0.1:9/map,http://127.0.0.1:9/sea"}
    hubs = [make_hub(name, options=options, env=env) for name in ("one", "two", "three")]
    hubs[0].configure()
    eventually(lambda: all(hub.get("/api/v1/space")[1].get("name") for hub in hubs), what="all know the settings")
    return hubs


@pytest.fixture(params=sorted(WORDS))
def front(request, tmp_path, hubs):
    ports = dict(zip(ADDRESSES, (hub.port for hub in hubs), strict=True))
    made = Front(request.param, tmp_path, EXAMPLES / FILES[request.param], ports)
    yield made
    made.stop()


def turn(front, hubs, message):
    fields = {"Authorization": f"Bearer {hubs[0].keykeeper_token}", "Content-Type": "application/json"}
    status, _, body = front.request("POST", STATE, json.dumps({"open": True, "message": message}), fields)
    assert status == 200, body


def expect(front, hubs, message):
    """Opens a page's socket, turns the sign, and sees it there."""
    url = f"wss://{HOST}:{front.port}/app/eightbells?protocol=7&client=test&version=1"
    plain = socket.create_connection(("127.0.0.1", front.port))
    with connected(url, sock=plain, ssl=front.context, server_hostname=HOST) as opened:
        listener = Listener(opened)
        listener.expect("pusher:connection_established")
        listener.subscribe()
        turn(front, hubs, message)
        # The turn before may come late to the hub that has the socket.
        while listener.expect("state")["message"] != message:
            pass


def test_sockets_events_and_uploads_come_through(front, hubs):
    for number in range(3):
        expect(front, hubs, f"Soup {number}")
    with front.asked("GET", "/events/space") as stream:
        assert stream.status == 200
        turn(front, hubs, "Bread")
        while b"Bread" not in (line := stream.readline()):
            assert line, "the events have ended"
    # Each request of an upload goes to another hub.
    album = make_album(hubs[0])
    guest, content = join(hubs[0], album), some_bytes(600_000)
    fields = {"Authorization": f"Bearer {guest}", "Tus-Resumable": "1.0.0"}
    status, headers, body = front.request(
        "POST", f"{ALBUMS}/{album['id']}/uploads", None, fields | {"Upload-Length": str(len(content))})
    assert status == 201, body
    path = re.sub(r"^https://[^/]*", "", headers["Location"])
    for offset in range(0, len(content), 200_000):
        status, headers, body = front.request(
            "PATCH", path, content[offset:offset + 200_000],
            fields | {"Upload-Offset": str(offset), "Content-Type": PART})
        assert status == 204, body
    path = f"{ALBUMS}/{album['id']}/pictures/{headers['Eightbells-Picture']}/original"
    for _ in range(3):
        status, _, body = front.request("GET", path, headers={"Authorization": f"Bearer {guest}"})
        assert status == 200 and body == content
    # Who asks, and how, is told to each of them.
    status, headers, _ = front.request("GET", "/", headers={"Host": HOST})
    assert status == 200 and headers["Strict-Transport-Security"]


def answers(front, count=12):
    return {front.request("GET", STATE)[0] for _ in range(count)}


def test_when_hubs_are_gone_the_others_answer(front, hubs):
    one, two, three = hubs
    one.kill()
    assert answers(front) == {200}, "nobody notices that one is gone"
    expect(front, hubs, "without one")
    one.start()
    for gone in ([two, three], [one, three]):
        for hub in gone:
            hub.kill()
        # The web server leaves alone for some seconds who was gone before.
        eventually(lambda: answers(front) == {200}, 30, "those that are there answer")
        expect(front, hubs, "without two")
        for hub in gone:
            hub.start()
    eventually(lambda: answers(front) == {200}, 30, "all is well")


def test_hubs_that_answer_with_errors_are_not_left_alone(front, hubs):
    cookie = hubs[0].sign_in("member", "Ada")["Cookie"]
    ada = {"Cookie": f"__Host-{cookie}"}
    # The chart's server is away, which is no fault of a hub.
    for row in range(6):
        assert front.request("GET", f"/api/v1/anchor/tiles/map/9/260/{row}", headers=ada)[0] == 503
    assert answers(front) == {200}
    turn(front, hubs, "Soup")


# What cannot be run here


def settings():
    """The names of settings that the hub knows, in the file and as variables."""
    told = command("serve", "--help").stdout
    return {name.replace("-", "_") for name in re.findall(r"--([a-z][a-z-]+)", told)}


def test_the_configuration_is_understood(tmp_path):
    lines = [line for line in (EXAMPLES / "eightbells.conf").read_text().splitlines() if line[0] != "#"]
    assert {line.partition(" = ")[0] for line in lines} <= settings()
    (tmp_path / "data").mkdir(mode=0o700)
    # Nobody has this machine's address here, nor the database: it is told before that what is wrong.
    (tmp_path / "data/eightbells.conf").write_text("\n".join(lines))
    told = command("doctor", "--data", tmp_path / "data", "--store", "file")
    assert "eightbells.conf" not in told.stderr, told.stderr


def test_the_compose_file_names_what_there_is():
    """Docker itself cannot run here."""
    told = yaml.safe_load((EXAMPLES / "compose.yaml").read_text())
    services = told["services"]
    for name in ("one", "two", "three"):
        environment = services[name]["environment"]
        assert {key.removeprefix("EIGHTBELLS_").lower() for key in environment} <= settings() | {"data"}
        assert environment["EIGHTBELLS_TRUSTED_PROXIES"] == \
            services["caddy"]["networks"]["default"]["ipv4_address"]
        assert set(services[name]["depends_on"]) <= set(services)
    for service in services.values():
        named = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert {name for name in named if not name.startswith(".")} <= set(told["volumes"])
        assert set(service.get("secrets", [])) <= set(told["secrets"])
