"""The state of a hub's calendars, and looks at them."""

from hub import eventually

CALENDARS = "/api/v1/space/calendars"


def told(hub):
    return [(event["title"], event["start"][:16]) for event in hub.events()["events"]]


def overview(hub):
    """The calendars as the owner sees them."""
    status, answer = hub.get(CALENDARS, token=hub.owner_token)
    assert status == 200, answer
    return answer["calendars"]


def look(hub, seconds=15):
    """Makes the hub look at its calendars, and waits for the end; returns the first as the owner sees it."""
    assert hub.post(f"{CALENDARS}/refresh", hub.owner_token, {})[0] == 202

    def looked():
        calendar = overview(hub)[0]
        return None if calendar["looking"] else calendar

    return eventually(looked, seconds)
