"""All data of an app leaves as NDJSON with its files, and comes back, on another hub too."""

import json
import urllib.request

from parse_app import ParseApp
from parse_client import pointer

PHOTO = b"\x89PNG\r\n" + bytes(range(256)) * 400


def exported(app, folder):
    done = app.hub.command("app", "export", app.told["app_id"], "--to", folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in (folder / "app.ndjson").read_text().splitlines()]


def imported(hub, folder):
    done = hub.command("app", "import", folder)
    assert done.returncode == 0, done.stderr
    return ParseApp(hub, told=json.loads(done.stdout))


def fetched(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        return answer.read()


def uploaded(client, name, content):
    request = urllib.request.Request(
        f"http://127.0.0.1:{client.port}/parse/files/{name}", content, client.headers | {"Content-Type": "image/png"})
    return json.loads(fetched(request))


def clients(app):
    """Somebody with the master key, and a stranger."""
    return app.client(master=True), app.client()


def test_an_app_comes_back_on_another_hub_as_it_was(app, make_hub, tmp_path):
    master, stranger = clients(app)
    photo = uploaded(master, "photo.png", PHOTO)
    ada = stranger.ask("POST", "users", {"username": "ada", "password": "anchor!"})["objectId"]
    master.ask("POST", "roles", {
        "name": "crew", "ACL": {"*": {"read": True}},
        "users": {"__op": "AddRelation", "objects": [pointer("_User", ada)]}})
    master.create(
        "Thing", text="Ä \"quoted\"\nline", number=1.5, yes=True, list=[1, {"a": None}], object={"a": {"b": []}},
        date={"__type": "Date", "iso": "2026-11-22T18:00:00.000Z"},
        place={"__type": "GeoPoint", "latitude": 54.3, "longitude": 10.1},
        bytes={"__type": "Bytes", "base64": "AAEC"}, photo={"__type": "File"} | photo,
        ACL={ada: {"read": True, "write": True}})
    # More than one commit of the import takes.
    requests = [{"method": "POST", "path": "/parse/classes/Many", "body": {"number": number}} for number in range(150)]
    for _ in range(4):
        master.ask("POST", "batch", {"requests": requests})
    permissions = master.ask("GET", "schemas/Many")["classLevelPermissions"] | {"create": {"role:crew": True}}
    master.ask("PUT", "schemas/Many", {"className": "Many", "classLevelPermissions": permissions})
    master.ask("PUT", "config", {"params": {"welcome": "Ahoy"}})
    app.set(client_classes=False)

    lines = exported(app, tmp_path / "out")
    assert len([line for line in lines if line.get("class") == "Many"]) == 600
    assert "anchor!" not in json.dumps(lines) and app.told["rest_key"] not in json.dumps(lines)
    other = imported(make_hub("other"), tmp_path / "out")
    assert other.told["rest_key"] != app.told["rest_key"]
    owner, guest = clients(other)
    for name in ("Many", "_Role"):
        all_of = [client.find(name, order="objectId", limit=1000) for client in (master, owner)]
        assert all_of[0] == all_of[1]
    (before,), (after,) = master.find("Thing"), owner.find("Thing")
    assert after["photo"]["url"] == f"{other.hub.url}/parse/files/{other.told['application_id']}/{photo['name']}"
    assert fetched(after["photo"]["url"]) == PHOTO
    for one in (before, after):
        del one["photo"]["url"]
    assert after == before
    assert owner.ask("GET", "schemas/Many")["classLevelPermissions"] == permissions
    assert guest.ask("GET", "config") == {"params": {"welcome": "Ahoy"}}
    token = guest.ask("POST", "login", {"username": "ada", "password": "anchor!"})["sessionToken"]
    session = other.client(session=token)
    assert session.get("Thing", after["objectId"])["text"] == after["text"]
    session.create("Many", number=1)
    assert guest.code("POST", "classes/Many", {"number": 1}) == 119
    assert session.code("POST", "classes/Other", {}) == 119
    # A copy of the folder that was cut off is noticed.
    (file,) = (tmp_path / "out/files").iterdir()
    file.write_bytes(PHOTO[:-1])
    done = other.hub.command("app", "import", tmp_path / "out")
    assert done.returncode == 1 and f"{file.name} has {len(PHOTO) - 1} bytes" in done.stderr, done.stderr


def test_a_long_relation_and_a_wide_object_come_back(app, make_hub, tmp_path):
    master, _ = clients(app)
    thing = master.create("Thing", **{f"f{number}": number for number in range(999)})
    for start in range(0, 21_000, 1_000):
        pointers = [pointer("Note", f"note{number:05d}") for number in range(start, start + 1_000)]
        master.ask("PUT", f"classes/Thing/{thing}", {"notes": {"__op": "AddRelation", "objects": pointers}})
    lines = exported(app, tmp_path / "out")
    assert [len(line["relation"]["targets"]) for line in lines if "relation" in line] == [10_000, 1_000]
    other = imported(make_hub("other"), tmp_path / "out")
    again = exported(other, tmp_path / "again")
    assert len(again[-3]["object"]) == len(lines[-3]["object"]) > 1_000
    assert [line.get("relation", line.get("object", {}).get("notes")) for line in again[-3:]] == [
        line.get("relation", line.get("object", {}).get("notes")) for line in lines[-3:]]


def test_several_long_relations_of_one_object_come_back(app, make_hub, tmp_path):
    master, _ = clients(app)
    target, thing = "N" * 128, master.create("Thing")
    # Names and ids as long as they may be: together they would be more than a line of an import may have.
    for name in "abcd":
        for start in range(0, 9_000, 1_000):
            pointers = [pointer(target, f"{number:064d}") for number in range(start, start + 1_000)]
            master.ask("PUT", f"classes/Thing/{thing}", {name: {"__op": "AddRelation", "objects": pointers}})
    lines = exported(app, tmp_path / "out")
    assert [len(line["relation"]["targets"]) for line in lines if "relation" in line] == [8_000, 9_000, 9_000]
    again = exported(imported(make_hub("other"), tmp_path / "out"), tmp_path / "again")
    before, after = ([line for line in all_of if line.get("class") == "Thing"] for all_of in (lines, again))
    assert after == before


def test_half_an_emoji_and_a_huge_number_are_taken_as_browsers_write_them(app):
    master, _ = clients(app)
    text = '{"text": "cut \\ud83d", "number": 9223372036854775808}'
    answer = app.hub.request("POST", "/parse/classes/Thing", master.headers, text)
    assert answer.status == 201, answer.json
    thing = master.get("Thing", answer.json["objectId"])
    assert (thing["text"], thing["number"]) == ("cut \N{REPLACEMENT CHARACTER}", 2.0 ** 63)


def test_a_line_that_does_not_fit_is_named_and_nothing_is_left(app, tmp_path):
    clients(app)[0].create("Thing", number=1)
    lines = exported(app, tmp_path / "out")
    good = lines[-1]["object"]
    count = len(json.loads(app.hub.command("app", "list", "--json").stdout))
    wrong = [
        "{", json.dumps({"class": "Thing", "object": good | {"number": "one", "objectId": "x"}}),
        json.dumps({"class": "Nothing", "object": good}), json.dumps({"class": "Thing", "object": {"number": 1}}),
        json.dumps({"class": "Thing", "object": good | {"$where": 1, "objectId": "x"}}), json.dumps(lines[-1])]
    for number, line in enumerate(wrong):
        folder = tmp_path / f"bad{number}"
        folder.mkdir()
        text = "\n".join([*map(json.dumps, lines), line])
        (folder / "app.ndjson").write_text(text)
        done = app.hub.command("app", "import", folder)
        assert done.returncode == 1 and f"line {len(lines) + 1}:" in done.stderr, (line, done.stderr)
    done = app.hub.command("app", "import", tmp_path)
    assert done.returncode == 1 and "app.ndjson" in done.stderr
    assert len(json.loads(app.hub.command("app", "list", "--json").stdout)) == count
    again = app.hub.command("app", "export", app.told["app_id"], "--to", tmp_path / "out")
    assert again.returncode == 1 and "not empty" in again.stderr
