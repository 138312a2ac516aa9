"""Webhooks in place of cloud code, rules and live queries, with the real program: over HTTP and WebSocket."""

import concurrent.futures
import hashlib
import hmac
import json
import threading

import pytest

from hub import eventually
from live import connected
from parse_app import ParseApp, sign_up
from parse_webhooks import ParseWebhooks
from png import png


class App(ParseApp):
    def master(self, method, path, body=None):
        """What is answered to whoever has the master key."""
        status, answer = self.ask(method, path, body, master=True)
        assert status in (200, 201), answer
        return answer


@pytest.fixture
def app(hub):
    return App(hub)


@pytest.fixture
def webhooks():
    with ParseWebhooks() as webhooks:
        yield webhooks


def test_a_function_is_called_by_its_name_and_its_question_is_signed(app, webhooks):
    assert app.ask("POST", "functions/hello", {}) == (400, {"code": 141, "error": 'Invalid function: "hello"'})
    hook = {"functionName": "hello", "url": f"{webhooks.url}/hello"}
    assert app.ask("POST", "hooks/functions", hook)[0] == 403
    assert app.master("POST", "hooks/functions", hook) == hook
    assert app.ask("POST", "hooks/functions", hook, master=True)[1]["code"] == 143
    webhooks.answers["/hello"] = lambda question: {"success": {"text": f"Ahoy {question['params']['name']}"}}
    assert app.ask("POST", "functions/hello", {"name": "Ann"}) == (200, {"result": {"text": "Ahoy Ann"}})
    _, question, fields, body = webhooks.wait("/hello")[0]
    assert question["functionName"] == "hello" and question["master"] is False and "user" not in question
    key = app.master("GET", "hooks/key")["webhookKey"]
    assert fields["x-parse-webhook-key"] == key != app.told["secret"]
    signature = hmac.new(app.told["secret"].encode(), body, hashlib.sha256).hexdigest()
    assert fields["x-eightbells-signature"] == signature
    ada = sign_up(app, "Ada")
    assert app.ask("POST", "functions/hello", {"name": "Ada"}, session=ada["sessionToken"])[0] == 200
    user = webhooks.wait("/hello", 2)[1][1]["user"]
    assert (user["username"], user["sessionToken"]) == ("Ada", ada["sessionToken"])
    webhooks.answers["/hello"] = {"error": {"code": 4711, "message": "not now"}}
    assert app.ask("POST", "functions/hello", {}) == (400, {"code": 4711, "error": "not now"})
    webhooks.answers["/hello"] = b"<html>"
    assert app.ask("POST", "functions/hello", {})[1]["code"] == 141
    assert app.master("PUT", "hooks/functions/hello", {"__op": "Delete"}) == {}
    assert app.ask("POST", "functions/hello", {})[1]["code"] == 141


def test_a_webhook_refuses_or_changes_before_a_save_and_hears_of_it_after(app, webhooks):
    for trigger in ("beforeSave", "afterSave", "beforeDelete", "afterDelete"):
        hook = {"className": "Word", "triggerName": trigger, "url": f"{webhooks.url}/{trigger}"}
        assert app.master("POST", "hooks/triggers", hook) == hook

    def checked(question):
        word = question["object"]
        if word["text"] == "rude":
            return {"error": "not here"}
        return {"success": word | {"text": word["text"].upper(), "points": len(word["text"])}}

    webhooks.answers["/beforeSave"] = checked
    assert app.ask("POST", "classes/Word", {"text": "rude"}) == (400, {"code": 141, "error": "not here"})
    status, made = app.ask("POST", "classes/Word", {"text": "anchor"})
    # What it has made of the object is told, since the client does not know it.
    assert status == 201 and (made["text"], made["points"]) == ("ANCHOR", 6)
    path = f"classes/Word/{made['objectId']}"
    kept = app.ask("GET", path)[1]
    assert (kept["text"], kept["points"]) == ("ANCHOR", 6)
    after = webhooks.wait("/afterSave")[0][1]
    assert after["object"]["objectId"] == made["objectId"] and "original" not in after
    assert set(app.ask("PUT", path, {"text": "sail"})[1]) == {"updatedAt", "text", "points"}
    assert webhooks.wait("/afterSave", 2)[1][1]["original"]["text"] == "ANCHOR"
    # A file that was stored under another of the hub's addresses is no change.
    name = f"{'0' * 32}_a.png"
    before = f"http://before.example/parse/files/{app.told['application_id']}/{name}"
    photo = {"__type": "File", "name": name, "url": before}
    webhooks.answers["/beforeSave"] = lambda question: {"success": question["object"]}
    assert set(app.ask("PUT", path, {"photo": photo})[1]) == {"updatedAt"}
    assert app.ask("GET", path)[1]["photo"]["url"] != before
    assert set(app.ask("PUT", path, {"text": "SAIL"})[1]) == {"updatedAt"}
    # A field that it has taken out of the object is not saved; an answer that is no whole object takes none out.
    webhooks.answers["/beforeSave"] = lambda question: {"success": {
        name: value for name, value in question["object"].items() if name not in ("rank", "text")}}
    assert app.ask("PUT", path, {"rank": 1, "text": "mast", "points": 5})[0] == 200
    webhooks.answers["/beforeSave"] = {"success": {"points": 6}}
    assert app.ask("PUT", path, {"side": "port"})[0] == 200
    kept = app.ask("GET", path)[1]
    assert "rank" not in kept and (kept["text"], kept["points"], kept["side"]) == ("SAIL", 6, "port")
    webhooks.answers["/beforeDelete"] = {"error": "it stays"}
    assert app.ask("DELETE", path)[1] == {"code": 141, "error": "it stays"}
    webhooks.answers["/beforeDelete"] = {"success": True}
    assert app.ask("DELETE", path)[0] == 200
    assert webhooks.wait("/afterDelete")[0][1]["object"]["text"] == "SAIL"
    assert len(app.master("GET", "classes/Word")["results"]) == 0


@pytest.mark.parametrize("answer, codes, asked", [
    ({"success": True}, [None, 159], 1), ({"error": "not yet"}, [141, None], 2)], ids=["done", "refused"])
def test_a_repetition_waits_until_the_request_is_done_or_refused(app, webhooks, answer, codes, asked):
    hook = {"className": "Word", "triggerName": "beforeSave", "url": f"{webhooks.url}/beforeSave"}
    assert app.master("POST", "hooks/triggers", hook) == hook
    came, repetitions, early = threading.Event(), [], []

    def save():
        return app.client(**{"X-Parse-Request-Id": "a"}).code("POST", "classes/Word", {"text": "sail"})

    def held(_):
        if repetitions:
            came.set()
            return {"success": True}
        repetitions.append(pool.submit(save))
        early.append(came.wait(1))  # A repetition that does not wait is here at once.
        return answer

    webhooks.answers["/beforeSave"] = held
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert [save(), repetitions[0].result(30)] == codes
    assert early == [False] and len(webhooks.wait("/beforeSave", asked)) == asked
    assert len(app.master("GET", "classes/Word")["results"]) == 1


def test_webhooks_stay_after_a_restart_and_only_public_addresses_are_taken(app, webhooks):
    hook = {"functionName": "hello", "url": f"{webhooks.url}/hello"}
    app.master("POST", "hooks/functions", hook)
    for url in ("http://192.168.1.1/x", "ftp://example.org", "no address", 5):
        answer = app.ask("POST", "hooks/functions", {"functionName": "other", "url": url}, master=True)[1]
        assert answer["code"] == 143, (url, answer)
    app.hub.stop()
    app.hub.start()
    assert app.master("GET", "hooks/functions") == [hook]
    assert app.master("GET", "hooks/triggers") == []
    assert app.ask("POST", "functions/hello", {}) == (200, {"result": True})


def test_a_rule_of_a_class_refuses_what_is_no_word(app):
    schema = {"className": "Word", "fields": {
        "text": {"type": "String", "rules": {"minLength": 3, "dictionary": "german"}},
        "points": {"type": "Number", "rules": {"min": 0, "max": 100}}}}
    made = app.master("POST", "schemas/Word", schema)
    assert made["fields"]["text"]["rules"] == {"minLength": 3, "dictionary": "german"}
    assert app.ask("POST", "classes/Word", {"text": "Anker"})[0] == 201
    for wrong in ({"text": "Ankr"}, {"text": "Ei"}, {"points": -1}):
        assert app.ask("POST", "classes/Word", wrong)[1]["code"] == 142, wrong
    broken = {"className": "Other", "fields": {"n": {"type": "Number", "rules": {"dictionary": "german"}}}}
    assert app.ask("POST", "schemas/Other", broken, master=True)[1]["code"] == 255


def test_a_live_query_hears_of_what_is_saved_over_http(app):
    url = app.hub.socket_url.replace("/app/eightbells", "/parse")
    with connected(url) as socket:
        def said(message=None):
            if message:
                socket.send(json.dumps(message))
            return json.loads(socket.recv(30))

        connect = {"op": "connect", "applicationId": app.application_id, "restAPIKey": app.rest_key}
        assert said(connect)["op"] == "connected"
        subscribe = {"op": "subscribe", "requestId": 1, "query": {"className": "Word", "where": {"round": 1}}}
        assert said(subscribe)["op"] == "subscribed"
        app.ask("POST", "classes/Word", {"text": "other", "round": 2})
        name = f"{'0' * 32}_x.png"
        files = {"x": {"__type": "File", "name": name, "url": f"http://old.example/parse/files/before/{name}"},
                 "list": [{"__type": "File", "name": "a.png", "url": "http://elsewhere.example/a.png"}]}
        made = app.ask("POST", "classes/Word", {"text": "anchor", "round": 1} | files)[1]
        told = said()
        assert (told["op"], told["object"]["objectId"]) == ("create", made["objectId"])
        # Files are at the address that the hub has now; those of others stay where they are.
        today = files | {"x": files["x"] | {"url": f"{app.hub.url}/parse/files/{app.application_id}/{name}"}}
        for one in (told["object"], app.ask("GET", f"classes/Word/{made['objectId']}")[1]):
            assert {key: one[key] for key in files} == today
        app.ask("PUT", f"classes/Word/{made['objectId']}", {"round": 2})
        assert said()["op"] == "leave"
        # A message of more than 64 KB ends the connection.
        socket.send(json.dumps(subscribe | {"requestId": 2, "x": "x" * (64 << 10)}))
        with pytest.raises(Exception) as end:
            said()
        assert end.value.rcvd.code == 1009


def test_live_queries_and_channels_share_an_apps_limit_of_connections(app):
    app.set(connections=1)
    with connected(app.hub.socket_url.replace("/app/eightbells", "/parse")) as live:
        live.send(json.dumps({"op": "connect", "applicationId": app.application_id, "restAPIKey": app.rest_key}))
        assert json.loads(live.recv(30))["op"] == "connected"
        with connected(app.hub.socket_url.replace("eightbells", app.told["key"])) as channels:
            told = json.loads(channels.recv(30))
    assert (told["event"], told["data"]["code"]) == ("pusher:error", 4004), told


def test_what_a_webhook_was_to_hear_outlasts_a_restart_and_a_server_that_is_away(app, webhooks):
    hook = {"className": "Word", "triggerName": "afterSave", "url": f"{webhooks.url}/after"}
    app.master("POST", "hooks/triggers", hook)
    other = {"className": "Other", "triggerName": "afterSave", "url": f"{webhooks.url}/other"}
    app.master("POST", "hooks/triggers", other)
    webhooks.answers["/after"] = 503
    for number in range(3):
        assert app.ask("POST", "classes/Word", {"number": number})[0] == 201
    refused = webhooks.wait("/after")[0]
    # One that takes nothing keeps no other waiting.
    app.ask("POST", "classes/Other", {})
    webhooks.wait("/other")
    assert all(one[1]["object"]["number"] == 0 for one in webhooks.wait("/after"))
    app.hub.kill()
    before = len(webhooks.wait("/after"))
    webhooks.answers["/after"] = {"error": "heard, and not liked"}
    app.hub.start()
    told = webhooks.wait("/after", before + 3)[before:]
    assert [one[1]["object"]["number"] for one in told] == [0, 1, 2]
    assert told[0][2]["x-eightbells-call"] == refused[2]["x-eightbells-call"] != told[1][2]["x-eightbells-call"]


def test_a_photo_in_an_object_is_in_the_notification_that_it_rings(app):
    hub = app.hub
    ada = hub.sign_in("member", "Ada")
    made = hub.command("topic", "create", "photos", "--name", "Photos")
    assert made.returncode == 0, made.stderr
    assert hub.put("/api/v1/bells/topics/photos?for=me", ada)[0] == 204
    ring = {"on": "create", "topic": "photos", "template": {"title": "{{by}} has taken a photo"}, "picture": "photo"}
    fields = {"by": {"type": "String"}, "photo": {"type": "File"}}
    schema = {"className": "Photo", "fields": fields}
    wrong = app.ask("POST", "schemas/Photo", schema | {"rings": [ring | {"picture": "by"}]}, master=True)
    assert wrong[0] == 400 and "picture is by, which is no field of files" in wrong[1]["error"]
    app.master("POST", "schemas/Photo", schema | {"rings": [ring]})

    def take(by, name, kind, content):
        master = app.headers(master=True)
        file = hub.request("POST", f"/parse/files/{name}", master | {"Content-Type": kind}, content).json
        photo = {"__type": "File", "name": file["name"]}
        assert app.ask("POST", "classes/Photo", {"by": by, "photo": photo})[0] == 201
        return next(one["content"] for one in eventually(lambda: inbox(f"{by} has taken a photo")))

    def inbox(title):
        told = hub.get("/api/v1/bells", token=ada)[1]["items"]
        return [one for one in told if one["content"]["title"] == title]

    picture = png(64, 48)
    [attachment] = take("Ann", "cat.png", "image/png", picture)["attachments"]
    assert attachment["type"] == "image/png" and attachment["id"] == "picture"
    fetched = hub.request("GET", attachment["url"])
    assert (fetched.status, fetched.body) == (200, picture)
    assert fetched.headers["Content-Type"] == "image/png"
    assert "attachments" not in take("Bea", "note.txt", "text/plain", b"no picture"), "it rings with words alone"
    assert app.ask("POST", "classes/Photo", {"by": "Cem"})[0] == 201
    assert "attachments" not in eventually(lambda: inbox("Cem has taken a photo"))[0]["content"]
