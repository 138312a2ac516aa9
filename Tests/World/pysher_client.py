"""Unmodified pysher, a client of Channels, on an app of a hub."""

import contextlib
import json
import logging
import queue

import pysher

SECONDS = 15
JOINED, ADDED = "pusher_internal:subscription_succeeded", "pusher_internal:member_added"


@contextlib.contextmanager
def listening(app, channels, user=None, port=None):
    """A client on these channels, and a queue of (channel, event, data) of those of their events that are named;
    `user` is the one whom it says to be on presence channels."""
    heard = queue.Queue()
    client = pysher.Pusher(
        app.key, secret=app.secret, user_data={"user_id": user} if user else None, custom_host="127.0.0.1",
        port=port or app.hub.port, secure=False, log_level=logging.CRITICAL, reconnect_interval=1, auto_sub=True)

    def connected(_):
        # Only here nothing can come before its callback is bound. When it comes back, pysher subscribes by itself.
        if client.channels:
            return
        for name, events in channels.items():
            channel = client.subscribe(name)
            for event in (JOINED, *events):
                channel.bind(event, lambda data, *where: heard.put((*where, json.loads(data))), name, event)

    client.connection.bind("pusher:connection_established", connected)
    client.connect()
    try:
        client.joined = {name: heard.get(timeout=SECONDS) for name in channels}
        yield client, heard
    finally:
        # Its thread may sleep on for a while; it does not keep the process.
        client.disconnect(timeout=1)
