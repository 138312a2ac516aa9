"""Rooms on two hubs with one database: live queries, the anchor watch, topics in ntfy's manner, calendars,
albums."""

import contextlib
import http.client
import io
import json
import signal
import time

import pytest

from bell_device import device_at, make_device
from hub import eventually
from ics import calendar, event
from live import connected
from ntfy import publish, topic
from parse_app import ParseApp
from parse_webhooks import ParseWebhooks
from planted import photo
from uploads import Guest, join, make_album

# Their records are on a server of their own.
pytestmark = pytest.mark.file

ANCHOR = "/api/v1/anchor"
METRE = 1 / 111_195


@pytest.fixture
def hubs(make_two_hubs):
    return make_two_hubs()


# Live queries


@pytest.fixture
def apps(hubs):
    """The same app at both hubs."""
    app = ParseApp(hubs[0])
    other = object.__new__(ParseApp)
    vars(other).update(vars(app) | {"hub": hubs[1]})
    eventually(lambda: other.ask("GET", "classes/Word")[0] == 200, what="the other knows the app")
    return app, other


@contextlib.contextmanager
def following(app, where=None):
    """A live query of words; yields what reads its next message."""
    with connected(app.hub.socket_url.replace("/app/eightbells", "/parse")) as socket:
        def said(message=None, seconds=30):
            if message:
                socket.send(json.dumps(message))
            return json.loads(socket.recv(seconds))

        connect = {"op": "connect", "applicationId": app.application_id, "restAPIKey": app.rest_key}
        assert said(connect)["op"] == "connected"
        subscribe = {"op": "subscribe", "requestId": 1, "query": {"className": "Word", "where": where or {}}}
        assert said(subscribe)["op"] == "subscribed"
        yield said


def test_a_live_query_hears_of_what_is_saved_at_the_other(apps):
    one, other = apps
    one.ask("POST", "classes/Word", {"number": -1})
    with following(other, {"number": {"$gte": 0}}) as said, following(one) as own:
        for number in range(40):
            status, _ = (one, other)[number % 3 == 0].ask("POST", "classes/Word", {"number": number})
            assert status == 201
        assert [said()["object"]["number"] for _ in range(40)] == list(range(40))
        told = [own()["object"] for _ in range(40)]
        assert [each["number"] for each in told] == list(range(40))
        word = told[0]["objectId"]
        one.ask("PUT", f"classes/Word/{word}", {"number": 50, "ACL": {"*": {"read": True, "write": True}}})
        changed = said()
        assert (changed["op"], changed["object"]["number"], changed["original"]["number"]) == ("update", 50, 0)
        one.ask("PUT", f"classes/Word/{word}", {"number": -5})
        assert said()["op"] == "leave"
        # Whoever may not read it does not hear of it, wherever it was saved.
        one.ask("POST", "classes/Word", {"number": 60, "ACL": {}})
        one.ask("POST", "classes/Word", {"number": 61})
        assert said()["object"]["number"] == 61


def test_what_a_command_changes_beside_one_hub_the_other_knows(apps):
    one, other = apps
    assert other.ask("GET", "schemas", master=True)[0] == 200
    assert one.hub.command("app", "rotate", one.told["app_id"], "--now").returncode == 0
    eventually(lambda: other.ask("GET", "schemas", master=True)[0] == 403, what="the old master key has ended")
    assert one.hub.command("app", "delete", one.told["app_id"]).returncode == 0
    eventually(lambda: other.ask("GET", "classes/Word")[0] == 403, what="the app is gone")


def test_nothing_is_lost_while_the_bus_is_away(apps, nats):
    one, other = apps
    with following(other) as said:
        nats.stop()
        try:
            for number in range(10):
                assert one.ask("POST", "classes/Word", {"number": number})[0] == 201
            assert [said()["object"]["number"] for _ in range(10)] == list(range(10))
        finally:
            nats.start()


def test_changes_are_kept_for_those_alone_who_have_live_queries(apps, postgres, tmp_path):
    one, other = apps
    store = postgres.database(tmp_path)

    def passed():
        return int(postgres.ask("SELECT count(*) FROM hub_passed WHERE name = 'apps.changes'", store))

    with following(one):
        one.ask("POST", "classes/Word", {"number": 1})
        assert passed() == 0, "nobody else follows"
        other.ask("POST", "classes/Word", {"number": 2})
        assert passed() == 1


def test_a_webhook_hears_of_what_was_saved_at_either(apps):
    one, other = apps
    with ParseWebhooks() as webhooks:
        hook = {"className": "Word", "triggerName": "afterSave", "url": f"{webhooks.url}/after"}
        assert one.ask("POST", "hooks/triggers", hook, master=True)[0] == 200
        eventually(lambda: other.ask("GET", "hooks/triggers", master=True)[1], what="the other knows it")
        for number in range(8):
            assert (one, other)[number % 2].ask("POST", "classes/Word", {"number": number})[0] == 201
        told = [question["object"]["number"] for _, question, _, _ in webhooks.wait("/after", 8)]
        assert told == list(range(8))


# The anchor watch


def report(hub, secret, metres, age=0, **more):
    """A fix so many metres north of the anchor, some seconds ago."""
    fix = [time.time() - age, 54.1 + metres * METRE, 10.2, 1, 0.8]
    body = {"source": "gpsd", "kind": "agent", "interval_s": 60, "fixes": [fix]} | more
    status, answer = hub.post(f"{ANCHOR}/positions", secret, body)
    assert status == 200, answer


def drag(hub, secret):
    """She drags for some seconds, as a report that came late tells."""
    now = time.time()
    fixes = [[now - 6 + step, 54.1 + (20 + 8 * step) * METRE, 10.2, 1, 0.8] for step in range(7)]
    report(hub, secret, 0, fixes=fixes)


def armed(hub, boat):
    owner = hub.owner_token
    report(hub, boat["secret"], 20, age=30)
    assert hub.post(f"{ANCHOR}/drop", owner, {"lat": 54.1, "lon": 10.2})[0] == 200
    quick = {"grace_s": 0, "zone": {"shape": "circle", "radius_m": 40}}
    assert hub.patch(ANCHOR, owner, quick)[0] == 200
    assert hub.post(f"{ANCHOR}/arm", owner, {})[0] == 200


def state(hub):
    return hub.get(ANCHOR, token=hub.owner_token)[1]


def holder(postgres, store):
    return postgres.ask("SELECT hub FROM hub_leases WHERE name = 'anchor' AND until > 0", store)


def test_whatever_hub_a_boat_reports_to_the_watch_judges_it(hubs):
    hubs[0].sign_in("owner", "Ada")
    boat, phone = make_device(hubs[0], "boat"), make_device(hubs[0], "Ada's phone", person="Ada")
    armed(hubs[0], boat)
    eventually(lambda: state(hubs[1])["armed"], what="both watch")
    for number in range(6):
        report(hubs[number % 2], boat["secret"], 20 + number, age=20 - number)
        for hub in hubs:
            eventually(lambda hub=hub, n=number: abs(state(hub)["distance_m"] - 20 - n) < 0.5, what="both have judged")
    with device_at(hubs[1], phone["secret"]) as bell:
        # The one that has not heard the last report hears that she drags.
        drag(hubs[0], boat["secret"])
        content = bell.show(20)["content"]
        assert content["interruption_level"] == "critical" and "drags" in content["title"]
    assert [state(hub)["state"] for hub in hubs] == ["alarm", "alarm"]
    since = [state(hub)["alarms"][0]["since"] for hub in hubs]
    assert since[0] == since[1]


@pytest.mark.waits
@pytest.mark.parametrize("dies", [0, 1])
def test_the_watch_goes_on_when_a_hub_dies(hubs, postgres, tmp_path, dies):
    """Its alarm rings on at its times, and whoever reports to the one that lives is judged by what was known."""
    store = postgres.database(tmp_path)
    hubs[0].sign_in("owner", "Ada")
    boat, phone = make_device(hubs[0], "boat"), make_device(hubs[0], "Ada's phone", person="Ada")
    eventually(lambda: holder(postgres, store), what="one keeps the watch")
    armed(hubs[dies], boat)
    report(hubs[dies], boat["secret"], 20, age=20)
    lives = hubs[1 - dies]
    eventually(lambda: state(lives)["state"] == "holding", what="it knows")
    with device_at(lives, phone["secret"]) as bell:
        drag(hubs[dies], boat["secret"])
        assert bell.show(20)["content"]["interruption_level"] == "critical"
        alarm, = state(lives)["alarms"]
        hubs[dies].process.send_signal(signal.SIGKILL)
        # The second ring comes half a minute after the first, whoever keeps the watch by then.
        began = time.monotonic()
        again = bell.show(60)
        assert again["content"]["interruption_level"] == "critical" and time.monotonic() - began < 45
        assert state(lives)["alarms"][0]["since"] == alarm["since"]
        report(lives, boat["secret"], 70)
        assert state(lives)["state"] == "alarm", "she is where she was"


def test_a_phone_that_comes_by_another_hub_rings_its_place(hubs):
    ben = hubs[0].sign_in("member", "Ben")
    status, made = hubs[0].post(f"{ANCHOR}/phones", ben, {"name": "Ben's phone", "app": "owntracks", "aboard": False})
    assert status == 201, made
    eventually(lambda: hubs[1].get(f"{ANCHOR}/phones", ben)[1]["phones"], what="the other knows it")

    def move(hub, north):
        body = {"_type": "location", "lat": 54.32 + north / 1_000, "lon": 10.14, "acc": 5, "tst": int(time.time())}
        status, answer = hub.post(f"{ANCHOR}/owntracks", made["secret"], body)
        assert status == 200, answer

    def rung(title):
        return [item for item in hubs[0].get("/api/v1/bells", ben)[1]["items"] if item["content"]["title"] == title]

    move(hubs[0], 20)
    sent = {"to": {"role": "member"}, "content": {"title": "You are near"}, "trigger": {
        "type": "location", "latitude": 54.32, "longitude": 10.14, "radius": 500, "on": "enter", "repeats": True}}
    assert hubs[0].post("/api/v1/notifications", hubs[0].owner_token, sent)[0] == 202
    time.sleep(1.1)  # The bus tells the other where he is; the notification it reads by itself.
    move(hubs[0], 19)
    time.sleep(0.3)
    move(hubs[1], 2)
    eventually(lambda: len(rung("You are near")) == 1, what="it rings once")
    # Where he is now, a notification for this place finds him at the other hub too.
    sent["content"]["title"] = "You are here"
    sent["trigger"]["inside"] = True
    assert hubs[0].post("/api/v1/notifications", hubs[0].owner_token, sent)[0] == 202
    eventually(lambda: rung("You are here"), what="it rings at once")
    phones = [hub.get(f"{ANCHOR}/phones", ben)[1]["phones"][0]["last"] for hub in hubs]
    assert phones[0] == phones[1] is not None


# Topics in ntfy's manner


@contextlib.contextmanager
def stream(hub, path):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=15)
    connection.request("GET", path, headers={"Authorization": f"Bearer {hub.owner_token}"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    try:
        yield lambda: json.loads(answer.readline())
    finally:
        connection.close()


def test_a_topic_is_heard_at_either_hub(hubs):
    one, other = hubs
    topic(one, "coffee")
    eventually(lambda: other.request(
        "GET", "/coffee/json?poll=1", {"Authorization": f"Bearer {other.owner_token}"}).status == 200)
    with stream(one, "/coffee/json") as here, stream(other, "/coffee/json") as there:
        assert here()["event"] == there()["event"] == "open"
        for number in range(20):
            status, sent = publish((one, other)[number % 2], "/coffee", f"cup {number}")
            assert status == 200
            for heard in (here(), there()):
                assert (heard["id"], heard["message"]) == (sent["id"], f"cup {number}")


# Calendars


def test_a_calendar_is_read_whatever_hub_is_told_of_it(hubs, calendar_server):
    """One of the hubs reads them all."""
    for path, told in zip(("/one.ics", "/other.ics"), hubs):
        url = calendar_server.serve(path, calendar(event("a", "20260601T180000Z", title=path)))
        told.configure(calendars=[{"kind": "ics", "url": url}])
        for hub in hubs:
            eventually(lambda hub=hub, path=path: [one["title"] for one in hub.events()["events"]] == [path])
    for told in hubs:
        before = len(calendar_server.asked("/other.ics"))
        assert told.post("/api/v1/space/calendars/refresh", told.owner_token, {})[0] == 202
        eventually(lambda before=before: len(calendar_server.asked("/other.ics")) > before)


# Albums


def test_a_picture_is_made_whatever_hub_it_is_sent_to(hubs):
    """One of the hubs makes them all."""
    album = make_album(hubs[0])
    token = join(hubs[0], album, "Ada")
    for width, hub in zip((600, 700), hubs):
        time.sleep(1)  # whoever makes them has nothing left to do
        content = io.BytesIO()
        photo(width, 400).save(content, "JPEG")
        guest = Guest(hub, album, token)
        path = f"{guest.path}/pictures/{guest.send(content.getvalue())}"
        eventually(lambda hub=hub, path=path: hub.get(path, token=token)[1]["state"] == "shown", 20)
