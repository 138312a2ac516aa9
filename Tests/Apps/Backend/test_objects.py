"""Objects of an app over REST, as Parse's libraries send it, with the real program."""

import http.client
import json
import urllib.parse

import pytest

from hub import eventually
from parse_client import pointer


def test_an_object_is_made_read_changed_found_and_removed(client):
    made = client.ask("POST", "classes/GameScore", {"score": 1337, "player": "Ada", "tags": ["a"], "on": True})
    assert sorted(made) == ["createdAt", "objectId"] and len(made["objectId"]) == 10
    assert client.fields["Location"].endswith(f"/parse/classes/GameScore/{made['objectId']}")
    id = made["objectId"]
    assert client.get("GameScore", id) == {
        "objectId": id, "createdAt": made["createdAt"], "updatedAt": made["createdAt"], "score": 1337, "player": "Ada",
        "tags": ["a"], "on": True}
    changed = client.update("GameScore", id, score={"__op": "Increment", "amount": 2},
                            tags={"__op": "AddUnique", "objects": ["a", "b"]}, player={"__op": "Delete"})
    assert changed.pop("updatedAt") >= made["createdAt"] and changed == {"score": 1339, "tags": ["a", "b"]}
    assert "player" not in client.get("GameScore", id)
    other = client.create("GameScore", score=5)
    assert [one["objectId"] for one in client.find("GameScore", where={"score": {"$gt": 100}})] == [id]
    assert [one["objectId"] for one in client.find("GameScore", order="score")] == [other, id]
    assert client.ask("GET", "classes/GameScore/", limit=0, count=1) == {"results": [], "count": 2}
    assert client.delete("GameScore", id) == {}
    assert client.code("GET", f"classes/GameScore/{id}") == 101
    assert client.find("Nothing") == []


def test_pages_send_their_keys_in_the_body(hub, app):
    line = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=30)

    def post(path, body):
        keys = {"_ApplicationId": app.application_id, "_JavaScriptKey": app.rest_key, "_ClientVersion": "js6.1.1"}
        line.request("POST", f"/parse/{path}", json.dumps(body | keys), {"Content-Type": "text/plain"})
        answer = line.getresponse()
        return answer.status, json.loads(answer.read()), answer.headers

    status, made, headers = post("classes/Note", {"text": "Ahoy"})
    assert status == 201 and headers["Access-Control-Allow-Origin"] == "*"
    status, found, _ = post("classes/Note", {
        "_method": "GET", "where": {"objectId": made["objectId"]}, "limit": 1})
    assert status == 200 and [one["text"] for one in found["results"]] == ["Ahoy"]
    assert post(f"classes/Note/{made['objectId']}", {"_method": "PUT", "text": "Bye"})[0] == 200
    assert post(f"classes/Note/{made['objectId']}", {"_method": "DELETE"})[:2] == (200, {})
    line.request("OPTIONS", "/parse/classes/Note")
    answer = line.getresponse()
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert answer.status == 200 and {"X-Parse-Session-Token", "X-Parse-Windows-Key"} <= set(allowed)
    answer.read()


def test_whoever_has_no_key_is_refused_before_a_body_is_read(hub, app):
    for headers in ({}, {"X-Parse-Application-Id": "other"}, {"X-Parse-REST-API-Key": "wrong"},
                    {"X-Parse-Master-Key": app.told["secret"]}):
        line = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=30)
        named = {"X-Parse-Application-Id": app.application_id} | headers
        line.putrequest("POST", "/parse/classes/Note")
        for name, value in (named | {"Content-Length": "100000", "Content-Type": "application/json"}).items():
            line.putheader(name, value)
        line.endheaders()
        answer = line.getresponse()
        assert (answer.status, json.loads(answer.read())) == (403, {"error": "unauthorized"})


def test_an_access_list_hides_and_protects(client, master):
    hidden = master.create("Note", text="hidden", ACL={})
    shown = master.create("Note", text="shown", ACL={"*": {"read": True}})
    assert [one["objectId"] for one in client.find("Note")] == [shown]
    assert client.ask("GET", "classes/Note", limit=0, count=1)["count"] == 1
    assert [client.code("GET", f"classes/Note/{hidden}"), client.code("PUT", f"classes/Note/{shown}", {"text": ""}),
            client.code("DELETE", f"classes/Note/{shown}")] == [101, 101, 101]
    assert len(master.find("Note")) == 2
    assert client.code("POST", "classes/Note", {"ACL": {"*": {"own": True}}}) == 123


def test_pointers_are_included_and_relations_followed(client):
    author = client.create("Author", name="Ada")
    book = client.create("Book", title="Notes", author=pointer("Author", author),
                         readers={"__op": "AddRelation", "objects": [pointer("Author", author)]})
    client.create("Book", title="Other")
    found = client.find("Book", include="author", where={"title": "Notes"})[0]
    assert found["author"]["name"] == "Ada" and found["author"]["__type"] == "Object"
    assert found["readers"] == {"__type": "Relation", "className": "Author"}
    related = {"$relatedTo": {"object": pointer("Book", book), "key": "readers"}}
    assert [one["objectId"] for one in client.find("Author", where=related)] == [author]
    inner = {"author": {"$inQuery": {"className": "Author", "where": {"name": "Ada"}}}}
    assert [one["title"] for one in client.find("Book", where=inner)] == ["Notes"]
    readers = {"className": "Author", "where": {"name": "Ada"}}
    for operator, title in (("$inQuery", "Notes"), ("$notInQuery", "Other")):
        assert [one["title"] for one in client.find("Book", where={"readers": {operator: readers}})] == [title]
    assert client.code("GET", "classes/Book", where={"readers": {"$exists": True}}) == 102
    for order in ("-title,objectId", ["-title", "objectId"]):
        answer = client.ask("POST", "classes/Book", {"_method": "GET", "order": order})
        assert [one["title"] for one in answer["results"]] == ["Other", "Notes"]
    assert [sorted(one) for one in client.find("Book", keys="title", limit=1)] == [
        ["createdAt", "objectId", "title", "updatedAt"]]
    client.delete("Author", author)
    assert "author" not in client.get("Book", book, include="author")


def test_what_comes_along_is_bounded_by_its_places_and_its_bytes(client):
    node = client.create("Node", name="n")
    client.update("Node", node, p=[pointer("Node", node)] * 30)
    one = client.get("Node", node, include="p")
    assert len(one["p"]) == 30 and one["p"][0]["name"] == "n" and one["p"][0]["p"][0]["__type"] == "Pointer"
    assert len(client.get("Node", node, include="p.p")["p"][29]["p"]) == 30
    assert client.code("GET", f"classes/Node/{node}", include=".".join("p" * 10)) == 116
    page = client.create("Page", text="x" * 1_000_000)
    shelf = client.create("Shelf", pages=[pointer("Page", page)] * 20)
    assert client.code("GET", f"classes/Shelf/{shelf}", include="pages") == 116
    assert len(client.get("Shelf", shelf)["pages"]) == 20


def test_a_sorted_answer_is_bounded_by_what_it_has(client):
    for number in range(18):
        client.create("Page", text="x" * 1_000_000, number=number)
    assert [one["number"] for one in client.find("Page", order="-number", limit=3)] == [17, 16, 15]
    assert client.code("GET", "classes/Page", order="-number") == 116


def test_a_batch_is_one_commit_and_a_transaction_is_all_or_nothing(client):
    def request(**body):
        return {"method": "POST", "path": "/parse/classes/Note", "body": body}

    answers = client.ask("POST", "batch", {"requests": [
        request(number=1), request(number="two"), request(number=3),
        {"method": "GET", "path": "/parse/classes/Note?limit=1"}]})
    assert ["success" in one for one in answers] == [True, False, True, True]
    assert answers[1]["error"]["code"] == 111 and len(answers[3]["success"]["results"]) == 1
    answers = client.ask("POST", "batch", {"requests": [request(number=4), request(number="five"), request(number=6)]})
    assert [one.get("error", {}).get("code") for one in answers] == [None, 111, None]
    whole = {"requests": [request(number=7), request(number="eight")], "transaction": True}
    assert client.code("POST", "batch", whole) == 111
    assert [one["number"] for one in client.find("Note", order="number")] == [1, 3, 4, 6]


def test_the_names_with_a_dot_of_a_batch_are_bounded_together(client):
    def batch(count):
        body = {f"o.a{number}": 1 for number in range(100)}
        return {"requests": [{"method": "POST", "path": "/parse/classes/Note", "body": body}] * count}

    assert client.code("POST", "batch", batch(11)) == 116
    assert client.find("Note") == []
    assert all("success" in one for one in client.ask("POST", "batch", batch(10)))


def test_relations_are_bounded_and_counted_and_go_with_their_object(app, client, master):
    def change(count, first=0, kind="AddRelation"):
        notes = [pointer("Note", f"n{number}") for number in range(first, first + count)]
        return {"r": {"__op": kind, "objects": notes}}

    def kept():
        return app.kept()["object_bytes"]

    def batch(*requests):
        answers = client.ask("POST", "batch", {"requests": [
            {"method": method, "path": f"/parse/classes/Rel/{id}", "body": body} for method, id, body in requests]})
        return [one.get("error", {}).get("code") for one in answers]

    one, other = client.create("Rel"), client.create("Rel")
    empty = kept()
    assert client.code("PUT", f"classes/Rel/{one}", change(1_001)) == 116
    assert batch(("PUT", one, change(999)), ("PUT", other, change(2)), ("PUT", other, change(1))) == [None, 116, None]
    client.update("Rel", other, **change(1, kind="RemoveRelation"))
    full = kept()
    assert full - empty == sum(64 + len(f"rn{number}") for number in range(999))
    client.update("Rel", one, **change(999))
    assert kept() == full, "what is there already counts once"
    for first in range(1_000, 4_000, 1_000):
        client.update("Rel", one, **change(1_000, first))
    assert batch(("DELETE", one, {}), ("DELETE", other, {})) == [116, None]
    client.delete("Rel", one)
    assert client.find("Rel") == [] and kept() == 0
    third = client.create("Rel", **change(10))
    master.ask("PUT", "schemas/Rel", {"fields": {"r": {"__op": "Delete"}}})
    assert "r" not in client.get("Rel", third) and kept() == 2
    session = client.ask("POST", "users", {"username": "Ada", "password": "a"})["sessionToken"]
    assert app.client(session=session).code("PUT", "sessions/me", change(1)) == 111


def test_a_repeated_request_is_done_once(app, client):
    twice = app.client(**{"X-Parse-Request-Id": "abc"})
    twice.create("Note", number=1)
    assert twice.code("POST", "classes/Note", {"number": 1}) == 159
    assert len(client.find("Note")) == 1


@pytest.mark.parametrize("version", ["i6.1.1", "osx6.1.1", "apple-tv6.1.1"])
def test_an_id_that_an_sdk_sends_with_all_its_requests_repeats_none(app, client, version):
    apple = app.client(**{"X-Parse-Request-Id": "run", "X-Parse-Client-Version": version})
    apple.create("Note", number=1)
    apple.create("Note", number=2)
    assert len(client.find("Note")) == 2


def test_what_else_is_repeated_is_done_once_too(hub, app, master):
    """What is no object of a class: after a lost answer it is told that it was done, and not that it is there."""
    ids = iter(range(100))

    def ask(method, path, body=None):
        once = app.client(master=True, **{"X-Parse-Request-Id": f"once-{next(ids)}"})
        answer = once.ask(method, path, body)
        assert once.code(method, path, body) == 159, (method, path)
        return answer

    ask("POST", "schemas/Word", {"fields": {"text": {"type": "String"}}})
    ask("PUT", "schemas/Word", {"fields": {"points": {"type": "Number"}}})
    master.create("Word", text="sail")
    ask("DELETE", "purge/Word")
    assert master.find("Word") == []
    ask("DELETE", "schemas/Word")
    ask("POST", "hooks/functions", {"functionName": "hello", "url": "https://hook.example/"})
    ask("PUT", "hooks/functions/hello", {"url": "https://hook.example/other"})
    ask("PUT", "hooks/functions/hello", {"__op": "Delete"})
    ask("DELETE", "classes/_GlobalConfig/1")
    user = master.ask("POST", "users", {"username": "ada", "password": "anchor!"})["objectId"]
    ask("POST", "login", {"username": "ada", "password": "anchor!"})
    ask("POST", "loginAs", {"userId": user})
    assert len(master.find("_Session")) == 3
    kept = hub.request("POST", "/parse/files/a.txt", master.headers | {"Content-Type": "text/plain"}, b"Ahoy").json
    ask("DELETE", f"files/{kept['name']}")
    # One that was refused may come again.
    other = app.client(master=True, **{"X-Parse-Request-Id": "refused"})
    assert [other.code("DELETE", f"files/{kept['name']}") for _ in range(2)] == [153, 153]
    hook = {"url": "https://hook.example/"}
    assert [other.code("PUT", "hooks/functions/hello", hook) for _ in range(2)] == [143, 143]


def test_an_owner_may_close_the_classes(app, client, master):
    client.create("Note", text="Ahoy")
    app.set(client_classes=False)
    assert client.code("POST", "classes/Other", {"text": ""}) == 119
    assert client.code("POST", "classes/Note", {"more": 1}) == 119
    client.create("Note", text="Bye")
    master.create("Other", text="Ahoy")


def test_schemas_hold_types_permissions_and_what_is_required(client, master):
    made = master.ask("POST", "schemas/Photo", {
        "fields": {"title": {"type": "String", "required": True}, "likes": {"type": "Number", "defaultValue": 0},
                   "by": {"type": "Pointer", "targetClass": "_User"}},
        "classLevelPermissions": {"find": {"*": True}, "get": {"*": True}, "create": {"*": True}, "update": {}}})
    assert made["fields"]["likes"] == {"type": "Number", "defaultValue": 0}
    assert made["fields"]["ACL"] == {"type": "ACL"}
    assert client.code("POST", "classes/Photo", {}) == 142
    answer = client.ask("POST", "classes/Photo", {"title": "Sea"})
    assert answer["likes"] == 0
    id = answer["objectId"]
    assert client.code("PUT", f"classes/Photo/{id}", {"title": "Sky"}) == 119
    assert client.code("POST", "classes/Photo", {"title": 1}) == 111
    assert client.code("POST", "classes/Photo", {"title": "Sky", "new": 1}) == 119
    assert client.code("GET", "schemas") == 403
    assert master.code("DELETE", "schemas/Photo") == 255
    changed = master.ask("PUT", "schemas/Photo", {
        "fields": {"likes": {"__op": "Delete"}, "place": {"type": "GeoPoint"}}})
    assert "likes" not in changed["fields"] and changed["fields"]["place"] == {"type": "GeoPoint"}
    assert "likes" not in client.get("Photo", id)
    assert master.ask("DELETE", "purge/Photo") == {} and master.ask("DELETE", "schemas/Photo/") == {}
    assert master.code("GET", "schemas/Photo") == 103


def test_what_lacks_a_field_that_is_needed_since_then_can_be_changed(client, master):
    old = client.create("Photo", likes=1)
    master.ask("PUT", "schemas/Photo", {"fields": {"title": {"type": "String", "required": True}}})
    client.update("Photo", old, likes=2)
    assert client.get("Photo", old)["likes"] == 2
    client.update("Photo", old, title="Sea")
    for nothing in (None, "", {"__op": "Delete"}):
        assert client.code("PUT", f"classes/Photo/{old}", {"title": nothing}) == 142
    assert client.code("POST", "classes/Photo", {"title": ""}) == 142
    assert client.code("POST", "classes/Photo", {"likes": 1}) == 142


@pytest.mark.parametrize("fields, code", [
    ({"a.b.": 1}, 105), ({"a..b": 1}, 105), ({"$x": 1}, 105), ({"1st": 1}, 105), ({"__proto__": 1}, 105),
    ({"o": {"$gt": 1}}, 121), ({"o": {"a.b": 1}}, 121), ({"o": {"constructor": 1}}, 105),
    ({"when": {"__type": "Date", "iso": "yesterday"}}, 111),
    ({"at": {"__type": "GeoPoint", "latitude": 91, "longitude": 0}}, 111), ({"x": {"__op": "Launch"}}, 108),
    ({"n": {"__op": "Increment", "amount": "1"}}, 107), ({"objectId": "abcdefghij"}, 105),
    ({"text": "x" * (1 << 20)}, 116)], ids=lambda value: str(value)[:40])
def test_what_cannot_be_kept_is_refused_with_parses_number(client, fields, code):
    assert client.code("POST", "classes/Note", fields) == code


def test_wrong_addresses_and_bodies(client):
    for name in ("_Nothing", "1st", "W%C3%B6rter", "Word;DROP", "__proto__"):
        assert client.code("POST", f"classes/{name}", {}) == 103
    assert client.code("GET", "classes/Note", nonsense=1) == 102
    client.create("Note", when={"__type": "Date", "iso": "0000-01-01T00:00:00.000Z"}, big=9007199254740993)
    assert client.find("Note", where={"big": 9007199254740993})[0]["when"]["iso"] == "0000-01-01T00:00:00.000Z"
    assert client.find("Note", where={"big": 9007199254740992}) == []


def test_a_body_is_json_whatever_its_type_says(hub, client):
    """As curl sends it, which calls everything a form."""
    for content, told in ((b'{"text": "Ahoy"}', 201), (b"text=Ahoy", 400), (b'["Ahoy"]', 400)):
        line = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=30)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        line.request("POST", "/parse/classes/Note", content, client.headers | form)
        answer = line.getresponse()
        assert (answer.status, json.loads(answer.read()).get("code", 107)) == (told, 107)
    assert [note["text"] for note in client.find("Note")] == ["Ahoy"]


def test_a_long_question_comes_as_a_form(hub, client):
    """As Parse's library for Ruby (parse-stack) sends one of more than 2,000 characters."""
    client.create("Note", text="Ahoy + bye")
    client.create("Note", text="other")
    where = json.dumps({"text": {"$in": ["Ahoy + bye", *(f"no {number}" for number in range(200))]}})
    form = urllib.parse.urlencode({"_method": "GET", "where": where, "limit": 1, "count": 1})
    line = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=30)
    kind = {"Content-Type": "application/x-www-form-urlencoded", "X-Http-Method-Override": "GET"}
    line.request("POST", "/parse/classes/Note", form, client.headers | kind)
    told = json.loads(line.getresponse().read())
    assert told["count"] == 1 and [note["text"] for note in told["results"]] == ["Ahoy + bye"]
    line.request("POST", "/parse/classes/Note", "_method=POST&count=1", client.headers | kind)
    assert line.getresponse().status == 400, "its numbers would be texts"


def test_a_field_that_is_often_asked_for_gets_an_index(client, master):
    for first in range(0, 2_400, 200):
        client.ask("POST", "batch", {"requests": [
            {"method": "POST", "path": "/parse/classes/Score", "body": {
                "points": number % 50, "name": f"n{number}", "at": number}} for number in range(first, first + 200)]})
    client.update("Score", client.find("Score", where={"at": 60})[0]["objectId"], points={"__op": "Delete"})

    def asked():
        return [
            [one["at"] for one in client.find("Score", **parameters)] for parameters in (
                {"where": {"points": 10}, "limit": 1000}, {"where": {"points": {"$in": [3, 4]}}, "limit": 7},
                {"where": {"points": {"$gte": 48}}, "order": "-points,-at", "limit": 3},
                {"where": {"points": {"$gt": 48}}, "skip": 2, "limit": 3}, {"order": "points", "limit": 3},
                {"order": "-points", "skip": 1, "limit": 2}, {"where": {"points": None}})]

    before = asked()
    assert len(before[0]) == 47 and before[-1] == [60]
    eventually(lambda: asked() and "points_1" in master.ask("GET", "schemas/Score")["indexes"], 30)
    assert asked() == before
    id = client.create("Score", points=10, at=-1)
    assert [one["at"] for one in client.find("Score", where={"points": 10}, limit=1000)] == before[0] + [-1]
    client.update("Score", id, points=11)
    assert [one["at"] for one in client.find("Score", where={"points": 10}, limit=1000)] == before[0]
    client.delete("Score", id)
    assert -1 not in [one["at"] for one in client.find("Score", where={"points": 11}, limit=1000)]
    assert client.ask("GET", "classes/Score", where={"points": {"$lt": 2}}, limit=0, count=1)["count"] == 96
