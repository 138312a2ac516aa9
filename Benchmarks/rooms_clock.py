"""The talking clock among all rooms: an agent that says the time each minute, into a file, and what its hub has heard
of it. The agent goes by its own schedule while the hub is away, so nothing that happens to the hub excuses its
silence."""

import asyncio
import datetime
import json
import time

from hub import eventually
from shifted_zone import shifted_zone

CLOCK = "/api/v1/clock"
# Seconds from one announcement to the next, the least that the room has, and the most by which the hub wakes an agent
# ahead of one.
PERIOD, LEAD = 60, 30
# Milliseconds after which an announcement counts as late.
LATE = 500


class RoomsClock:
    """Its full minutes are those of a zone of its own, so that the first one is near, however short the run is."""

    def __init__(self, folder, first):
        self.first, self.on_since = first, None
        self.env = shifted_zone(folder / "zones", first, 15, 30)
        self.options = ["--audio", f"file:{folder}/heard.wav"]

    def switch_on(self, hub, agent, device):
        """As the owner does it on the clock's page: an agent keeps still until somebody has."""
        self.owner, self.device = hub.sign_in("owner", "Ada"), device
        agent.wait_told("connected")
        status, answer = hub.patch(CLOCK, self.owner, {"settings": {"every": PERIOD // 60}})
        assert status == 200, answer
        status, answer = hub.put(f"{CLOCK}/devices/{device}", self.owner, {"on": True, "volume": 100})
        assert status == 200 and answer["on"], answer
        state = agent.state / "clock.json"
        eventually(lambda: state.exists() and json.loads(state.read_text())["on"], 20, what="the agent's clock is on")
        self.on_since = time.time()

    def due(self, until):
        """The instants, in seconds since 1970, of what it had to say up to one of them."""
        return [at for at in range(self.first, int(until) + 1, PERIOD) if at > self.on_since + 1]

    async def told(self, world, until, seconds):
        """What the agent has reported of each instant, as the owner's page has it, when it is all there, or after so
        many seconds."""
        end = time.monotonic() + seconds
        while True:
            told = {}
            # Days are those of the hub's place, and the run may have gone over midnight.
            for day in (-1, 0, 1):
                date = time.strftime("%Y-%m-%d", time.gmtime(time.time() + day * 86_400))
                _, _, content, _ = await world.acknowledged(
                    "GET", f"{CLOCK}/history?device={self.device}&day={date}", self.owner)
                for one in json.loads(content)["announcements"]:
                    told[int(datetime.datetime.fromisoformat(one["at"]).timestamp())] = one
            if set(self.due(until)) <= set(told) or time.monotonic() > end:
                return told
            await asyncio.sleep(0.5)
