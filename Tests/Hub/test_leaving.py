"""A hub that is one of several is told to stop: it sends those who listen to the others, bit by bit, and nobody misses
anything. One that is alone stops at once."""

import asyncio
import http.client
import json
import signal
import threading
import time

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bell_device import device_at, make_device
from hub import EVENT_STREAM, STATE, eventually
from live import listening
from several import holders, several

# Their records are on a server of their own.
pytestmark = pytest.mark.file

PAGES = 200


@pytest.fixture
def make_hubs(make_hub, store, nats, tmp_path):
    """Two hubs that know of each other, of which one takes so many seconds to leave."""
    def make(drain):
        one, other = several(make_hub, store, nats, tmp_path, "--drain", str(drain), "--rate-limits", "off")
        time.sleep(2)  # each looks every second whether there are others
        return one, other
    return make


class Page:
    """It does as the pages of the hub: told to come again, it listens at the other hub, asks for the state, and takes
    of the events those that are newer."""

    def __init__(self):
        self.heard = []  # the numbers of the changes that it was told of by the first hub
        self.state = 0  # the number as of which it has asked the second
        self.newer = []  # and of those that it was told of by that one
        self.left = None  # when it was told to come again
        self.code = None
        self.is_there = False

    async def live(self, one, other):
        try:
            await self._listen(one, self.heard)
        except ConnectionClosed as end:
            self.left, self.code = time.monotonic(), end.rcvd and end.rcvd.code
        await self._listen(other, self.newer, asks=True)

    async def _listen(self, hub, heard, asks=False):
        async with connect(hub.socket_url, proxy=None, open_timeout=20) as socket:
            await socket.send(json.dumps({"event": "pusher:subscribe", "data": {"channel": "space"}}))
            while True:
                message = json.loads(await socket.recv())
                if message["event"] == "pusher_internal:subscription_succeeded":
                    if asks:
                        answer = await asyncio.to_thread(hub.request, "GET", STATE)
                        self.state = int(answer.headers["Eightbells-Commit"])
                    self.is_there = True
                elif message["event"] == "state" and message["commit"] > self.state:
                    heard.append(message["commit"])


class Crowd:
    """Pages, on a thread of their own."""

    def __init__(self, one, other, count):
        self.pages = [Page() for _ in range(count)]
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        for page in self.pages:
            asyncio.run_coroutine_threadsafe(page.live(one, other), self._loop)

    def __enter__(self):
        eventually(lambda: all(page.is_there for page in self.pages), 30, "all pages listen")
        for page in self.pages:
            page.is_there = False
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _end(self):
        lives = asyncio.all_tasks() - {asyncio.current_task()}
        for life in lives:
            life.cancel()
        await asyncio.gather(*lives, return_exceptions=True)


def test_pages_are_sent_elsewhere_bit_by_bit_and_miss_nothing(make_hubs, postgres, store):
    drain = 6
    one, other = make_hubs(drain)
    stop = threading.Event()

    def turn():
        isOpen = True
        while not stop.is_set():
            other.turn(isOpen)
            isOpen = not isOpen
            time.sleep(0.05)

    with Crowd(other, other, 1) as observers, Crowd(one, other, PAGES) as crowd:
        steady = observers.pages[0]
        work = set(holders(postgres, store))
        turning = threading.Thread(target=turn)
        turning.start()
        began = time.monotonic()
        one.process.send_signal(signal.SIGTERM)
        eventually(lambda: one.request("GET", "/healthz").status == 503, 3, "balancers are told")
        assert other.request("GET", "/healthz").status == 200
        ids = postgres.ask("SELECT hub FROM hub_members ORDER BY since", store).splitlines()
        eventually(lambda: holders(postgres, store) == dict.fromkeys(work, ids[1]), 4, "the other has all work")
        assert one.process.poll() is None and one.get(STATE)[0] == 200, "it still answers"
        assert one.process.wait(drain + 15) == 0
        assert time.monotonic() - began < drain + 5
        eventually(lambda: all(page.is_there for page in crowd.pages), 20, "all pages listen at the other")
        stop.set()
        turning.join()
        newest = int(other.request("GET", STATE).headers["Eightbells-Commit"])
        everything = eventually(lambda: newest in steady.heard and steady.heard, what="the last event")
        assert everything == sorted(set(everything)) and len(everything) > 20
        eventually(lambda: all(newest in (page.state, *page.newer) for page in crowd.pages), what="everybody knows it")
        for page in crowd.pages:
            assert page.code == 4200, "come again at once"
            assert page.heard == everything[:len(page.heard)], "one event after the other, until it was told to go"
            assert page.state >= max(page.heard, default=0), "what it asks for is not older than what it knows"
            assert page.newer == [number for number in everything if number > page.state]
    times = sorted(page.left - began for page in crowd.pages)
    print("told after", [round(times[len(times) * part // 10], 1) for part in range(10)], round(times[-1], 1))
    assert times[0] > drain / 6 - 0.2, "nobody before balancers know"
    for begin in range(drain):
        assert sum(begin <= moment < begin + 1 for moment in times) < PAGES / 2, "not all at once"


def test_devices_and_event_streams_are_told_too(make_hubs):
    one, other = make_hubs(2)
    device = make_device(one)
    streaming = http.client.HTTPConnection("127.0.0.1", one.port, timeout=10)
    streaming.request("GET", EVENT_STREAM)
    stream = streaming.getresponse()
    with device_at(one, device["secret"]) as connection:
        one.process.send_signal(signal.SIGTERM)
        assert connection.expect("bye")["reason"] == "restart"
        with pytest.raises(ConnectionClosed) as end:
            connection.next()
        assert end.value.rcvd.code == 1012
    # Sent while the first hub is still leaving, or gone.
    status, sent = other.post(
        "/api/v1/notifications", other.owner_token, {"to": {"device": device["id"]}, "content": {"title": "Hello"}})
    assert status == 202, sent
    with device_at(other, device["secret"]) as connection:
        assert connection.show()["id"] == sent["id"]
    stream.read()  # to its end
    assert one.process.wait(15) == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_twice_it_ends_at_once(make_hubs, how):
    one, _ = make_hubs(60)
    with listening(one):
        one.process.send_signal(signal.SIGTERM)
        eventually(lambda: one.request("GET", "/healthz").status == 503, what="it leaves")
        one.process.send_signal(how)
        assert one.process.wait(5) == 128 + how


def test_by_hand_it_ends_at_once(make_hubs):
    one, _ = make_hubs(60)
    with listening(one) as listener:
        one.process.send_signal(signal.SIGINT)
        with pytest.raises(ConnectionClosed) as end:
            listener.next()
        assert end.value.rcvd.code == 4200
        assert one.process.wait(15) == 0


def test_it_does_not_wait_for_nobody(make_hubs):
    one, _ = make_hubs(12)
    began = time.monotonic()
    one.process.send_signal(signal.SIGTERM)
    assert one.process.wait(15) == 0
    assert 1 < time.monotonic() - began < 8, "balancers have their time, and that is all"


@pytest.mark.parametrize("place", ["file", "server"])
def test_a_hub_alone_ends_at_once(make_hub, store, place):
    hub = make_hub(options=["--store", store] if place == "server" else [])
    time.sleep(1.5)
    with listening(hub):
        began = time.monotonic()
        assert hub.stop() == 0
        assert time.monotonic() - began < 5
