"""The trace of a notification, as its sender is told it."""

NOTIFICATIONS = "/api/v1/notifications"


def events(hub, one, who=None):
    """The events of its trace, for its first device."""
    return hub.get(f"{NOTIFICATIONS}/{one}", token=who or hub.owner_token)[1]["devices"][0]["events"]


def happened(hub, one):
    """The same in a word each, such as "shown"."""
    return [event["what"] for event in events(hub, one)]
