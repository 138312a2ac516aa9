"""Makes the small data folder of a version for the upgrade tests of later ones: python3 upgrade.py BINARY VERSION.

It has an example of everything that people would miss. `Tests/Fixtures/upgrade/VERSION` then has the folder as that
version left it, and `told.json`: credentials, and the hub's answers. Days are far in the future or long past, so that
answers stay the same. The state of an agent beside it is upgrade_agent.py's.
"""

import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import time

FOLDERS = pathlib.Path(__file__).resolve().parents[1] / "Fixtures/upgrade"
DATABASE = "eightbells.sqlite"
# The largest data folder, since all later versions carry it along.
MOST_BYTES = 300_000
# In a year when the events of the calendar below are in the future.
DAYS = "from=2040-01-01&to=2041-01-01"
# Of all versions with a folder, the oldest first: 0.9.0 comes before 0.12.0.
VERSIONS = sorted((path.name for path in FOLDERS.iterdir()), key=lambda name: [*map(int, name.split("."))])
SPACE, BELLS, CLOCK, ANCHOR = "/api/v1/space", "/api/v1/bells", "/api/v1/clock", "/api/v1/anchor"


def unpack(version, folder):
    """Copies a version's folder to where a hub can use it; whoever is signed in there visited it just now, since a
    session ends a year after its last visit. Returns the contents of its told.json."""
    shutil.copytree(FOLDERS / version, folder, ignore=shutil.ignore_patterns("agent.tar.gz"))
    packed = folder / f"{DATABASE}.gz"
    (folder / DATABASE).write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database, database:
        database.execute("UPDATE devices SET last_seen = ?", (time.time(),))
    return json.loads((folder / "told.json").read_text())


def fill(hub):
    """Uses the hub as people do. Returns the secrets with which they come back."""
    from hub import command
    from ics import calendar, event
    from png import png
    from upgrade_rooms import use_every_room

    owner, token = hub.sign_in("owner", "Ada"), hub.token("owner", "door phone")
    keykeeper, member = hub.sign_in("keykeeper", "Kim"), hub.sign_in("member", "Mira")
    file = calendar(event("evening", "20400601T180000Z", title="Evening"),
                    event("weekly", "20400301T190000Z", "RRULE:FREQ=WEEKLY;COUNT=4", title="Every week"))
    must(hub.request("PUT", f"{SPACE}/calendars/club", {"Authorization": f"Bearer {token}"}, file).status == 200)
    hub.__dict__["owner_token"] = token
    hub.configure(calendars=[{"kind": "upload", "id": "club", "name": "Our club", "color": "#aa3311"},
                             {"kind": "upload", "id": "days", "name": "These days"}],
                  contact={"email": "hello@space.example", "keymasters": [{"name": "Ada", "email": "a@space.example"}]},
                  legal_notice="https://space.example/legal", privacy="https://space.example/privacy")
    must(hub.put("/api/v1/rooms", token, {"rooms": ["programme", "space"], "front": "programme"})[0] == 200)
    logo = hub.request("PUT", f"{SPACE}/pictures/logo", {"Authorization": f"Bearer {token}"}, png(40, 30))
    must(logo.status == 200, logo.body)
    for open, words in ((True, {"message": "Come in", "by": "Kim"}), (False, {"message": "Gone home"})):
        must(hub.post(f"{SPACE}/state", keykeeper, {"open": open} | words)[0] == 200)
    sensor = {"value": 21.5, "unit": "°C", "location": "Kitchen"}
    must(hub.put(f"{SPACE}/sensors/temperature/main", token, sensor)[0] == 200)
    events = hub.get(f"{SPACE}/events?{DAYS}")[1]["events"]
    must(len(events) == 5, events)
    seen = {name: events[0][name] for name in ("title", "start", "end", "location", "status")}
    chosen = [{"event": events[0]["id"], "kept": True, "at": "2026-01-01T12:00:00.000Z", "seen": seen},
              {"event": events[1]["id"], "kept": True, "at": "2026-01-01T12:00:01.000Z", "seen": None}]
    must(hub.post(f"{SPACE}/favourites", member, {"favourites": chosen})[0] == 200)
    must(hub.put(f"{SPACE}/openers/{events[0]['id']}", member, {"wanted": True})[0] == 200)
    must(hub.post(f"{SPACE}/openers/{events[1]['id']}/me", keykeeper)[0] == 200)
    for one, wish in ((events[-1], {"mode": "open"}), (events[2], {"mode": "family", "every_time": True})):
        must(hub.put(f"{SPACE}/events/{one['id']}/album", member, wish)[0] == 200)
    for words in (["topic", "create", "coffee", "--name", "Coffee"],
                  ["device", "create", "--name", "Bell in the kitchen", "--topic", "coffee"],
                  ["push", "send", "--to", "topic:coffee", "--title", "First coffee", "--at", "07:30", "--every",
                   "FREQ=DAILY"]):
        made = command(*words, "--data", hub.data)
        must(made.returncode == 0, made.stderr)
    must(hub.put(f"{BELLS}/topics/coffee?for=me", member)[0] == 204)
    must(hub.put(f"{BELLS}/settings", member, {"quiet": {"from": "23:00", "to": "07:00"}})[0] == 200)
    must(hub.patch(CLOCK, member, {"settings": {"every": 30}})[0] == 200)
    must(hub.post(f"{ANCHOR}/drop", member, {"lat": 54.1, "lon": 10.2})[0] == 200)
    must(hub.patch(ANCHOR, member, {"zone": {"shape": "circle", "radius_m": 55}})[0] == 200)
    must(hub.post(f"{ANCHOR}/phones", member, {"name": "Mira's phone", "app": "owntracks"})[0] == 201)
    made = command("app", "create", "--name", "Word game", "--data", hub.data)
    must(made.returncode == 0, made.stderr)
    app = json.loads(made.stdout)
    unique = {"fields": {"word": {"type": "String"}, "round": {"type": "Number"}}, "unique": [["word", "round"]]}
    must(parse(hub, app, "POST", "schemas/Word", unique)[0] == 200)
    must(parse(hub, app, "POST", "users", {"username": "ada", "password": "a long one"})[0] == 201)
    must(parse(hub, app, "POST", "classes/Word", {"word": "Anker", "round": 1, "at": {
        "__type": "GeoPoint", "latitude": 54.1, "longitude": 10.2}})[0] == 201)
    must(parse(hub, app, "PUT", "config", {"params": {"seconds": 60}})[0] == 200)
    album, portfolio = fill_album(hub), fill_portfolio(hub, owner)
    rooms = use_every_room(hub, {"owner": owner, "keykeeper": keykeeper, "member": member})
    address = must(hub.post(f"{SPACE}/favourites/subscription", member)[1])["url"]
    return {"token": token, "owner": owner["Cookie"], "member": member["Cookie"],
            "feed": address.partition("/space/")[2], "app": only(app, "application_id", "master_key"),
            "album": album, "portfolio": portfolio, "rooms": rooms}


def fill_album(hub):
    """An album with a guest's two pictures, of which a host has hidden one, and a third of which a part has come."""
    from png import png
    from uploads import Guest, join, make_album

    album = make_album(hub, "Summer party")
    guest = Guest(hub, album, join(hub, album, "Ada"))
    shown, hidden = guest.send(png(60, 40), filename="quay.png"), guest.send(png(40, 60), filename="thumb.png")
    host = Guest(hub, album, album["host_token"])
    must(hub.put(f"{host.path}/pictures/{shown}/heart", token=host.token)[0] < 300)
    must(hub.patch(f"{host.path}/pictures/{hidden}", token=host.token, json={"state": "hidden"})[0] < 300)
    begun = guest.begin(200, filename="moor.png")
    must(guest.add(begun, 0, png(60, 40)[:100]).status == 204)
    return {"id": album["id"], "host": album["host_token"], "guest": guest.token}


def fill_portfolio(hub, owner):
    """A portfolio with a favourite, a link to it with a PIN, at which a client has marked a picture, and a page of one
    picture; and a portfolio of uploads."""
    from png import png
    from portfolio import PORTFOLIOS, add, galleries, sync
    from uploads import PART, metadata

    with tempfile.TemporaryDirectory() as folder:
        for name, size in (("quay", (60, 40)), ("thumb", (40, 60))):
            (pathlib.Path(folder) / "Coast").mkdir(exist_ok=True)
            (pathlib.Path(folder) / f"Coast/{name}.png").write_bytes(png(*size))
        id = add(hub.data, f"folder:{folder}", "--for", "Ada", "--name", "Work")
        sync(hub.data, id)
    path = f"{PORTFOLIOS}/{id}"
    first = galleries(hub, id, owner)["Coast"][0]["id"]
    must(hub.request("PUT", f"{path}/favourites/{first}", owner).status == 204)
    wish = {"title": "For you", "pictures": [first], "pin": "2468"}
    sent = must(hub.post(f"{path}/sent", owner, wish)[1])["id"]
    client = {"client": "x7Qk2m9sVb41nWz8Lc0dTa", "name": "Ms Okafor"}
    opened = hub.post(f"/api/v1/sent/{sent}/open", json={"pin": "2468"})[1]["token"]
    mark = {"id": "the-only-mark", "picture": first, "kind": "remark", "text": "Lovely", "at": 1_795_000_000}
    must(hub.post(f"/api/v1/sent/{sent}/marks", {"Sent-Token": opened}, client | {"marks": [mark]})[0] == 200)
    share = must(hub.post(f"{path}/shares", owner, {"picture": first})[1])["id"]
    own = f"{PORTFOLIOS}/{must(hub.post(PORTFOLIOS, owner, {'source': 'uploads:', 'name': 'Own'})[1])['id']}"
    harbour = must(hub.post(f"{own}/galleries", owner, {"title": "Harbour"})[1])["id"]
    tus, picture = owner | {"Tus-Resumable": "1.0.0"}, png(50, 50)
    named = {"Upload-Length": str(len(picture)), "Upload-Metadata": metadata(gallery=harbour, filename="moor.png")}
    begun = hub.request("POST", f"{own}/uploads", tus | named).headers["Location"]
    done = hub.request("PATCH", begun, tus | {"Upload-Offset": "0", "Content-Type": PART}, picture)
    must(done.status == 204, done.body)
    return {"id": id, "owner": owner["Cookie"], "sent": sent, "share": share, "own": own.rpartition("/")[2]}


def parse(hub, app, method, path, body=None):
    """Asks for an app's objects, with its master key."""
    keys = {"X-Parse-Application-Id": app["application_id"], "X-Parse-Master-Key": app["master_key"]}
    answer = hub.request(method, f"/parse/{path}", keys, body and json.dumps(body).encode())
    return answer.status, json.loads(answer.body)


def told(hub, who):
    """The hub's answers about all this, without the parts that change by themselves."""
    from upgrade_rooms import told_of_rooms

    def get(path, token=None):
        status, answer = hub.get(path, token=token)
        must(status == 200, (path, answer))
        return answer

    token, member = who["token"], {"Cookie": who["member"]}
    # What waits for a place is over in four weeks.
    scheduled = [one for one in get("/api/v1/notifications?scheduled=1", token)["items"] if one["topic"]]
    anchor = get(ANCHOR, member)
    logo = hub.request("GET", "/space/pictures/logo")
    return {
        "settings": get(f"{SPACE}/settings", token),
        "logo": [logo.status, hashlib.sha256(logo.body).hexdigest()],
        "events": [only(event, "id", "title", "start", "end") for event in get(f"{SPACE}/events?{DAYS}")["events"]],
        "openers": get(f"{SPACE}/openers?{DAYS}")["openers"],
        "favourites": get(f"{SPACE}/favourites", member)["favourites"],
        "feed": get(f"/space/{who['feed']}").count("BEGIN:VEVENT"),
        "sensors": [only(one, "kind", "name", "value", "unit") for one in rows(get(f"{SPACE}/sensors"))],
        "history": rows(get(f"{SPACE}/history?from=2026-01-01&to=2030-01-01", token)),
        "people": [only(one, "name", "role") for one in rows(get("/api/v1/people", token))],
        "tokens": [only(one, "name", "role") for one in rows(get("/api/v1/tokens", token))],
        "audit": [only(one, "what", "about") for one in rows(get("/api/v1/audit", token))],
        "rooms": get("/api/v1/rooms"),
        "topics": {one["id"]: only(one, "name", "subscribed") for one in get(f"{BELLS}/topics", member)},
        "quiet": get(f"{BELLS}/settings", member)["quiet"],
        "devices": [only(one, "name", "kind") for one in get(f"{BELLS}/devices?all=1", token)],
        "scheduled": [only(one, "topic", "content", "state") for one in scheduled],
        "clock": get(CLOCK, member)["settings"],
        # With a boat that is silent, the state of an armed watch changes by itself.
        "anchor": only(anchor, "settings", "armed" if anchor["armed"] else "state"),
        "phones": [only(one, "name", "app") for one in rows(get(f"{ANCHOR}/phones", member))],
        "apps": [only(one, "app_id", "key", "name") for one in rows(get("/api/v1/apps", token))],
        "objects": objects(hub, who["app"]) if "app" in who else None,
        "album": album(hub, who["album"]) if "album" in who else None,
        "portfolio": portfolio(hub, who["portfolio"]) if "portfolio" in who else None,
        "of rooms": told_of_rooms(hub, who) if "rooms" in who else None,
        "me": get("/api/v1/session", {"Cookie": who["owner"]})["person"]["name"],
    }


def album(hub, who):
    """Its pictures as host and guest have them, and a digest of each original."""
    from uploads import Guest

    seen = {}
    for name in ("host", "guest"):
        one = Guest(hub, who, who[name])
        seen[name] = [only(picture, "id", "kind", "by", "mine", "hearts", "state") for picture in one.pictures()]
        seen[f"{name}'s originals"] = [
            hashlib.sha256(one.original(picture["id"]).body).hexdigest() for picture in seen[name]]
    return seen


def portfolio(hub, who):
    """Its galleries with a digest of each file, the link that still asks for its PIN, and the page of one picture."""
    from portfolio import galleries

    owner = {"Cookie": who["owner"]}
    seen = {title: [[one["title"], *(hashlib.sha256(hub.request("GET", size["url"], owner).body).hexdigest()
                                     for size in one["sizes"].values())] for one in pictures]
            for title, pictures in galleries(hub, who["id"], owner).items()}
    sent = f"/api/v1/sent/{who['sent']}"
    opened = hub.post(f"{sent}/open", json={"pin": "2468"})[1]
    link = hub.get(sent, {"Sent-Token": opened["token"]})[1]
    return {"galleries": seen, "refused": hub.get(sent)[1]["code"], "title": link["title"],
            "sent": [one["title"] for one in link["galleries"][0]["pictures"]],
            "marks": hub.get(f"/api/v1/portfolios/{who['id']}/sent/{who['sent']}/marks", owner)[1]["marks"],
            "own": galleries(hub, who["own"], owner) if "own" in who else None,
            "shared": hub.request("GET", f"/portfolio/shared/{who['share']}").status}


def objects(hub, app):
    """An app's objects and users; a password that still signs in; and a rule that still refuses."""
    return {
        "words": parse(hub, app, "GET", "classes/Word")[1]["results"],
        "users": [only(one, "objectId", "username") for one in parse(hub, app, "GET", "users")[1]["results"]],
        "login": parse(hub, app, "POST", "login", {"username": "ada", "password": "a long one"})[1].get("username"),
        "twice": parse(hub, app, "POST", "classes/Word", {"word": "Anker", "round": 1})[1].get("code"),
        "config": parse(hub, app, "GET", "config")[1]["params"],
    }


def rows(answer):
    """The list that an answer is, or contains."""
    return answer if isinstance(answer, list) else next(value for value in answer.values() if isinstance(value, list))


def only(one, *names):
    return {name: one[name] for name in names if name in one}


def must(value, what=None):
    if not value:
        raise SystemExit(f"The folder could not be filled: {what}")
    return value


def main(binary, version):
    os.environ["EIGHTBELLS_BINARY"] = binary
    from hub import Hub
    with tempfile.TemporaryDirectory() as temporary:
        hub = Hub(pathlib.Path(temporary) / "data").start()
        who = fill(hub)
        hub.stop()
        # The answers are those of a restarted hub, as a later one will be.
        hub.start()
        answers = told(hub, who)
        hub.stop()
        target = FOLDERS / version
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        with sqlite3.connect(hub.data / DATABASE) as database:
            database.execute("VACUUM INTO ?", [f"{temporary}/vacuumed"])
        plain = pathlib.Path(temporary, "vacuumed").read_bytes()
        (target / f"{DATABASE}.gz").write_bytes(gzip.compress(plain, 9, mtime=0))
        for path in hub.data.iterdir():
            if path.is_dir():
                shutil.copytree(path, target / path.name)
        kept = json.dumps({"who": who, "told": answers}, indent=1, ensure_ascii=False)
        (target / "told.json").write_text(kept + "\n")
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    must(size <= MOST_BYTES, f"it has {size} bytes; {MOST_BYTES} are accepted")
    print(f"{target}: {size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
