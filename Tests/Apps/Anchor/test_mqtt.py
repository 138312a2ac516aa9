"""The hub at a real broker: OwnTracks' reports in, Home Assistant's discovery, the state and Signal K out."""

import contextlib
import socket
import time

import pytest
from broker import Broker, Listener
from certificates import make_certificate
from hub import command, eventually

ANCHOR = "/api/v1/anchor"
STATE = "eightbells/anchor/state"


@pytest.fixture
def broker(tmp_path):
    with Broker(tmp_path / "broker") as broker:
        yield broker


def location(north=0.0, **more):
    return {
        "_type": "location", "lat": 54.32 + north / 1_000, "lon": 10.14, "acc": 5, "tst": int(time.time())} | more


def test_reports_come_in_and_the_watch_is_told(make_hub, broker):
    hub = make_hub(env={"EIGHTBELLS_ANCHOR_MQTT": f"mqtt://127.0.0.1:{broker.port}"})
    ada = hub.sign_in("owner", "Ada")
    assert hub.post(f"{ANCHOR}/phones", ada, {"name": "ada/phone", "app": "owntracks"})[0] == 201
    with Listener(broker, "eightbells/#", "homeassistant/#", "vessels/#", "owntracks/+/+/cmd") as listener:
        listener.wait_for_text("eightbells/anchor/online", "online")
        alarm = listener.wait("homeassistant/binary_sensor/eightbells_anchor/alarm/config")
        assert alarm["state_topic"] == STATE and alarm["device_class"] == "safety" and alarm["unique_id"]
        state = listener.wait("homeassistant/sensor/eightbells_anchor/state/config")
        assert (state["name"], state["device"]["name"], alarm["name"]) == (None, "Anchor watch", "Alarm")
        assert listener.wait(STATE)["state"] == "idle"

        def source():
            return next(iter(hub.get(ANCHOR, token=hub.owner_token)[1]["sources"]), None)

        # Somebody else's phone at the same broker, and what is no position, are nobody's business.
        listener.publish("owntracks/eve/phone", location())
        # Nor is the will of a phone, which the broker sends, a sign of its life.
        assert hub.post(f"{ANCHOR}/phones", ada, {"name": "ada/tablet", "app": "owntracks"})[0] == 201
        listener.publish("owntracks/ada/tablet", {"_type": "lwt", "tst": 1})
        listener.publish("owntracks/ada/phone", location(batt=70, bs=2, m=1))
        assert eventually(lambda: (source() or {}).get("battery") == 0.7, seconds=30)
        assert source()["name"] == "ada/phone"
        assert len(hub.get(ANCHOR, token=hub.owner_token)[1]["sources"]) == 1

        assert hub.post(f"{ANCHOR}/drop", ada, {"lat": 54.32, "lon": 10.14})[0] in (200, 201)
        assert hub.post(f"{ANCHOR}/arm", ada, {})[0] == 200
        listener.publish("owntracks/ada/phone", location(0.1, bs=2, m=1))
        command = listener.wait("owntracks/ada/phone/cmd")
        assert command["action"] == "setConfiguration" and command["configuration"]["monitoring"] == 2
        told = listener.wait(STATE, lambda told: told["distance_m"] is not None)
        assert told["state"] in ("waiting", "holding") and 10 < told["distance_m"] < 13 and told["radius_m"] > 0
        position = listener.wait("vessels/self/navigation/anchor/position", lambda told: told is not None)
        assert position == {"latitude": 54.32, "longitude": 10.14}
        delta = listener.wait("eightbells/anchor/signalk", lambda told: told["updates"][0]["values"][2]["value"])
        values = {one["path"]: one["value"] for one in delta["updates"][0]["values"]}
        assert values["navigation.anchor.maxRadius"] == told["radius_m"]
        assert values["navigation.anchor.currentRadius"] == told["distance_m"]
        hub.kill()
        listener.wait_for_text("eightbells/anchor/online", "offline")


@pytest.mark.waits
def test_what_a_phone_has_kept_is_taken_to_the_last(make_hub, broker):
    hub = make_hub(env={"EIGHTBELLS_ANCHOR_MQTT": f"mqtt://127.0.0.1:{broker.port}"})
    ada = hub.sign_in("owner", "Ada")
    assert hub.post(f"{ANCHOR}/phones", ada, {"name": "ada/phone", "app": "owntracks"})[0] == 201
    with Listener(broker, "eightbells/#") as listener:
        listener.wait_for_text("eightbells/anchor/online", "online")
        # More than may come at once: those wait, since the broker sends nothing twice.
        for number in range(300):
            listener.publish("owntracks/ada/phone", location(batt=number % 90))
        listener.publish("owntracks/ada/phone", location(batt=99))

        def battery():
            sources = hub.get(ANCHOR, token=hub.owner_token)[1]["sources"]
            return next(iter(sources), {}).get("battery")

        assert eventually(lambda: battery() == 0.99, seconds=90)
        assert "reports of phones were lost" not in hub.log
        # If more than half a minute's worth waits, the oldest go, and that is told.
        for number in range(400):
            listener.publish("owntracks/ada/phone", location(batt=number % 90))
        assert eventually(lambda: "too many of one phone are waiting" in hub.log)


def test_a_broker_that_dies_and_comes_back_is_told_everything_again(make_hub, broker):
    hub = make_hub(env={"EIGHTBELLS_ANCHOR_MQTT": f"mqtt://127.0.0.1:{broker.port}"})
    with Listener(broker, "eightbells/#") as listener:
        listener.wait(STATE)
    broker.kill()
    assert eventually(lambda: "no MQTT broker" in hub.log, seconds=30)
    broker.start()
    with Listener(broker, "eightbells/#", "homeassistant/#") as listener:
        listener.wait_for_text("eightbells/anchor/online", "online")
        listener.wait("homeassistant/sensor/eightbells_anchor/state/config")
        assert listener.wait(STATE)["state"] == "idle"


def test_a_broker_that_refuses_the_hub_again_and_again_is_logged_once(make_hub):
    with socket.create_server(("127.0.0.1", 0)) as broker:
        broker.settimeout(30)
        hub = make_hub(env={"EIGHTBELLS_ANCHOR_MQTT": f"mqtt://127.0.0.1:{broker.getsockname()[1]}"})
        for _ in range(3):
            with broker.accept()[0] as connection:
                connection.settimeout(30)
                connection.recv(4_096)
                connection.sendall(b"\x20\2\0\5")
                assert connection.recv(4_096) == b""
        # The end of a connection without an answer would be another reason.
        with broker.accept()[0]:
            assert hub.log.count("no MQTT broker") == 1


def test_the_will_of_a_hub_from_before_is_not_believed_for_long(make_hub, broker):
    make_hub(env={"EIGHTBELLS_ANCHOR_MQTT": f"mqtt://127.0.0.1:{broker.port}"})
    with Listener(broker, "eightbells/#") as listener:
        listener.wait(STATE)
        listener.newest.clear()
        listener.publish("eightbells/anchor/online", "offline")
        listener.wait_for_text("eightbells/anchor/online", "online")


def test_a_broker_that_sends_what_it_never_releases_is_left(make_hub):
    with socket.create_server(("127.0.0.1", 0)) as broker:
        hub = make_hub(env={"EIGHTBELLS_ANCHOR_MQTT": f"mqtt://127.0.0.1:{broker.getsockname()[1]}"})
        broker.settimeout(30)
        with broker.accept()[0] as connection, contextlib.suppress(ConnectionResetError):
            connection.settimeout(30)
            connection.recv(4_096)
            message = b"\0\7a/b/c/d" + b"\0\1" + b"text"
            connection.sendall(b"\x20\2\0\0" + bytes([0x34, len(message)]) + message)
            while connection.recv(4_096):
                pass
        assert eventually(lambda: "sends with QoS 2" in hub.log, seconds=30)


def test_the_doctor_looks_at_the_broker(hub, broker):
    def told(address):
        listen = f"127.0.0.1:{hub.port}"
        return command("doctor", "--data", hub.data, "--listen", listen, "--anchor-mqtt", address).stdout

    def line(text):
        return next(line for line in text.splitlines() if "mqtt" in line)

    assert "the broker takes the hub" in line(told(f"mqtt://127.0.0.1:{broker.port}"))
    broker.kill()
    assert "cannot be used" in line(told(f"mqtt://127.0.0.1:{broker.port}"))
    assert "mqtt" not in told("")


def test_a_brokers_certificate_is_believed_if_openssl_believes_it(hub, tmp_path):
    certificate = make_certificate(tmp_path / "tls")
    broker = Broker(tmp_path / "broker")
    # Started by root it would take another user, who cannot read the key; by any other user it stays that.
    with (tmp_path / "broker/mosquitto.conf").open("a") as settings:
        settings.write(f"certfile {certificate.certificate}\nkeyfile {certificate.key}\nuser root\n")
    with broker:
        def told(**environment):
            words = ("--listen", f"127.0.0.1:{hub.port}", "--anchor-mqtt", f"mqtts://127.0.0.1:{broker.port}")
            return command("doctor", "--data", hub.data, *words, env=environment).stdout

        assert "the broker takes the hub" in told(SSL_CERT_FILE=str(certificate.certificate))
        assert "cannot be used" in told()
