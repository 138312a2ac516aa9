"""Webhooks of an app, checked by PyPI's pusher."""

import pytest

from live import opened
from pusher_app import App
from webhook_receiver import WebhookReceiver

KINDS = ["channel_occupied", "channel_vacated", "member_added", "member_removed", "client_event", "cache_miss"]


@pytest.fixture
def receiver():
    with WebhookReceiver() as receiver:
        yield receiver


@pytest.fixture
def app(hub, receiver):
    app = App(hub)
    app.set(webhooks=[{"url": f"{receiver.url}/hook", "events": KINDS}])
    return app


def told(app, receiver, count):
    """The events of so many posts, each with a signature that PyPI's pusher accepts."""
    events = []
    for posted in receiver.wait(count):
        assert posted.fields["content-type"] == "application/json"
        content = app.client().validate_webhook(
            posted.fields["x-pusher-key"], posted.fields["x-pusher-signature"], posted.body)
        assert content, posted
        events += content["events"]
    return events


def test_what_happens_is_told(app, receiver):
    client = app.client()
    with opened(app.hub, path=app.socket_path) as one:
        socket = one.expect("pusher:connection_established")["socket_id"]
        signed = client.authenticate("presence-table", socket, {"user_id": "ada"})
        one.send("pusher:subscribe", {"channel": "presence-table", **signed})
        one.expect("pusher_internal:subscription_succeeded")
        one.send("client-word", {"word": "anchor"}, channel="presence-table")
        one.subscribe("cache-words")
        events = told(app, receiver, 5)
    by_name = {event["name"]: event for event in events}
    assert by_name["member_added"] == {"name": "member_added", "channel": "presence-table", "user_id": "ada"}
    said = by_name["client_event"]
    assert (said["channel"], said["event"], said["socket_id"], said["user_id"]) == (
        "presence-table", "client-word", socket, "ada")
    assert by_name["cache_miss"] == {"name": "cache_miss", "channel": "cache-words"}
    assert {event["channel"] for event in events if event["name"] == "channel_occupied"} == {
        "presence-table", "cache-words"}
    # Both channels and the member are gone when three seconds have passed.
    left = told(app, receiver, 8)[5:]
    assert sorted(event["name"] for event in left) == ["channel_vacated", "channel_vacated", "member_removed"]


def test_whoever_comes_back_was_not_away_and_an_error_is_tried_again(app, receiver):
    receiver.answers = [(500, {}), (204, {})]
    for _ in range(2):
        with opened(app.hub, path=app.socket_path) as one:
            one.expect("pusher:connection_established")
            one.subscribe("lobby")
    events = told(app, receiver, 3)
    assert receiver.posted[0].body == receiver.posted[1].body, "the same, once more"
    assert [event["name"] for event in events[1:]] == ["channel_occupied", "channel_vacated"]


def test_an_address_inside_is_refused(make_hub, receiver):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": ""})
    app = App(hub)
    hooks = [{"url": f"{receiver.url}/hook", "events": KINDS}]
    status, answer = hub.patch(f"/api/v1/apps/{app.id}", hub.owner_token, {"webhooks": hooks})
    assert status == 400 and "webhooks[0].url" in str(answer)
