"""A real MQTT broker, Mosquitto, and OwnTracks at it."""

import json
import shutil
import socket
import subprocess
import threading
import time

import paho.mqtt.client as mqtt

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
SECONDS = 30


class Broker:
    """Mosquitto on a port of its own; `start` after `kill` takes the same port again."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self._process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()

    def start(self):
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", self._settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert time.monotonic() < until, "mosquitto does not listen"
                time.sleep(0.02)

    def kill(self):
        if self._process:
            self._process.kill()
            self._process.wait()


class Listener:
    """A client that keeps the newest message of each topic, and can publish."""

    def __init__(self, broker, *topics):
        self.newest = {}
        self._news = threading.Condition()
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self._client.on_message = self._message
        subscribed = threading.Event()
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.on_connect = lambda *_: self._client.subscribe([(topic, 1) for topic in topics])
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert subscribed.wait(SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._client.disconnect()
        self._client.loop_stop()

    def _message(self, client, userdata, message):
        with self._news:
            self.newest[message.topic] = message.payload
            self._news.notify_all()

    def wait(self, topic, condition=lambda told: True):
        """The newest message of a topic that fulfils a condition, read as JSON."""

        def fits():
            try:
                return topic in self.newest and condition(json.loads(self.newest[topic]))
            except ValueError:
                return False

        with self._news:
            assert self._news.wait_for(fits, SECONDS), f"{topic}: {self.newest.get(topic)}; all: {sorted(self.newest)}"
            return json.loads(self.newest[topic])

    def wait_for_text(self, topic, text):
        with self._news:
            found = self._news.wait_for(lambda: self.newest.get(topic) == text.encode(), SECONDS)
            assert found, f"{topic}: {self.newest.get(topic)}"

    def publish(self, topic, told):
        self._client.publish(topic, json.dumps(told), qos=1).wait_for_publish(SECONDS)
