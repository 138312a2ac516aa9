"""The anchor watch among all rooms: a boat that lies still through all faults, and drags at the end. A phone aboard
reports where she is."""

import asyncio
import base64
import json
import time

ANCHOR = "/api/v1/anchor"
# Where she lies, in degrees; and where she is when she has dragged, about a kilometre away.
LIES, DRAGGED = 54.0, 54.01
EAST = 10.2
# The radius of her zone in metres, and the seconds that she must be out of it.
RADIUS, CONFIRMED = 40, 5
# Seconds within which the alarm has to come, with reports every second.
ALARM = 30


class RoomsBoat:
    """`secret` is that of the phone aboard."""

    def __init__(self, hub, secret):
        self.owner = {"Authorization": f"Bearer {hub.owner_token}", "Content-Type": "application/json"}
        basic = base64.b64encode(f"phone:{secret}".encode()).decode()
        self.phone = {"Authorization": f"Basic {basic}", "Content-Type": "application/json"}
        settings = {"zone": {"shape": "circle", "radius_m": RADIUS}, "grace_s": CONFIRMED}
        for method, path, body in (("POST", "drop", {"lat": LIES, "lon": EAST}), ("PATCH", "", settings),
                                   ("POST", "arm", {})):
            answer = hub.request(method, f"{ANCHOR}/{path}".rstrip("/"), self.owner, json.dumps(body))
            assert answer.status == 200, answer.body

    async def report(self, world, north=LIES):
        place = {"_type": "location", "lat": north, "lon": EAST, "acc": 8, "tst": int(time.time()), "batt": 70}
        await world.acknowledged("POST", f"{ANCHOR}/owntracks", self.phone, json.dumps(place).encode())

    async def told(self, world, method, path, body=b""):
        return json.loads((await world.acknowledged(method, f"{ANCHOR}{path}", self.owner, body))[2])

    async def end(self, world):
        """Lets her drag. What was wrong with the watch: that it was not on any more, had rung before, or did not ring
        now."""
        told = await self.told(world, "GET", "")
        is_off, until = not told["armed"], time.monotonic() + ALARM
        while told["state"] != "alarm" and time.monotonic() < until:
            await self.report(world, DRAGGED)
            await asyncio.sleep(1)
            told = await self.told(world, "GET", "")
        is_silent = told["state"] != "alarm"
        await self.told(world, "POST", "/weigh", b'{"sure": true}')
        rung = (await self.told(world, "GET", "/history"))["anchorages"][0]["alarms"]
        return {"the armed watch": int(is_off), "the alarm when she drags": int(is_silent),
                "quiet of the boat, by alarms": max(0, rung - (not is_silent))}
