"""Large blobs in an S3-compatible object store: they outlive a hub, a store that is busy or lies does no harm, and what
nothing needs is removed after a day. The store is a fake (moto), and each signature is checked by botocore (s3.py)."""

import http.client
import json
import shutil
import threading
import urllib.parse
import zlib

import pytest

from documents import blocks, run
from hub import LOGO, LOGO_UPLOAD, ROOT, command, eventually
from png import png
from portfolio import PORTFOLIOS, photo
from s3 import KEY, REGION, SECRET, ObjectStore
from uploads import PART, Guest, join, make_album, metadata, some_bytes

# Their places of records and blobs are their own.
pytestmark = pytest.mark.file

CONTENT = some_bytes(300_000)
AWAY = 50303


@pytest.fixture(scope="module")
def objects():
    with ObjectStore() as store:
        yield store


@pytest.fixture
def bucket(objects, request):
    """The name of an empty bucket."""
    name = f"club-{zlib.crc32(request.node.name.encode()):08x}"
    objects.calm()
    objects.address = objects.bucket(name)
    yield name
    objects.calm()


@pytest.fixture
def keys(tmp_path):
    """A file with the keys to the bucket."""
    path = tmp_path / "keys"
    path.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    path.chmod(0o600)
    return path


@pytest.fixture
def address(objects, bucket, keys):
    return f"{objects.address}&credentials={keys}"


@pytest.fixture
def hub(make_hub, address):
    """A hub with its records in a file."""
    return make_hub(options=["--blobs", address])


@pytest.fixture
def hubs(make_hub, address, postgres, nats, tmp_path):
    """Two hubs with the same records."""
    options = ["--store", postgres.database(tmp_path), "--bus", nats.url, "--blobs", address]
    return [make_hub(name, options=options) for name in ("one", "other")]


@pytest.fixture
def store(hubs):
    """The address of their records."""
    return hubs[0].options[1]


def guests(one, *others):
    """The host of a new album and one guest, at a hub; then the host at others."""
    album = make_album(one)
    host, guest = Guest(one, album, album["host_token"]), Guest(one, album, join(one, album, "Ada"))
    return host, guest, *[Guest(other, album, album["host_token"]) for other in others]


def copies(hub):
    return [path for path in (hub.data / "blobs").glob("??/*")]


def test_what_one_hub_was_sent_the_other_has_when_the_first_is_lost(hubs, objects, bucket):
    one, other = hubs
    host, guest, there = guests(one, other)
    picture = guest.send(CONTENT)
    name, = objects.blobs(bucket)
    assert name.startswith("club/blobs/")
    one.kill()
    shutil.rmtree(one.data)
    assert copies(other) == []
    eventually(lambda: there.original(picture).status == 200, what="the other knows the picture")
    assert there.original(picture).body == CONTENT
    part = there.original(picture, Range="bytes=100-199")
    assert (part.status, part.body) == (206, CONTENT[100:200])
    # The copy is used from then on.
    asked = objects.asked.count(("GET", f"/{bucket}/{name}"))
    assert there.original(picture).body == CONTENT and len(copies(other)) == 1
    assert objects.asked.count(("GET", f"/{bucket}/{name}")) == asked == 1
    assert objects.refused == []


def test_many_who_want_one_blob_have_it_fetched_once(hubs, objects, bucket):
    one, other = hubs
    host, guest, there = guests(one, other)
    picture = guest.send(CONTENT)
    eventually(lambda: any(each["id"] == picture for each in there.pictures()), what="the other knows the picture")
    objects.delay, found = 0.3, []
    threads = [threading.Thread(target=lambda: found.append(there.original(picture).body)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [CONTENT] * 6
    assert objects.asked.count(("GET", f"/{bucket}/{objects.blobs(bucket)[0]}")) == 1


@pytest.mark.parametrize(("key", "secret", "words"), [
    (KEY, "another", "does not accept the secret key"), ("AKIDOTHER", SECRET, "does not know the access key"),
    (None, None, "AWS_ACCESS_KEY_ID")])
def test_wrong_keys_are_told_at_the_start(objects, bucket, tmp_path, key, secret, words):
    env = {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret} if key else {}
    told = command(
        "serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--blobs", objects.address, env=env)
    assert told.returncode == 1 and words in told.stderr, told.stderr
    assert "another" not in told.stderr and objects.objects(bucket) == []


@pytest.mark.parametrize(("address", "words"), [
    ("s3://KEY:hidden@bucket", "keys do not belong in an address"), ("s3://bucket?regio=x", "\"regio\" is unknown"),
    ("s3://b", "no bucket"), ("s3://bucket?endpoint=example.org", "https://HOST"), ("gs://bucket", "s3://")])
def test_an_address_that_cannot_be_used_is_told(tmp_path, address, words):
    told = command("serve", "--data", tmp_path / "data", "--blobs", address)
    assert told.returncode == 1 and words in told.stderr and "hidden" not in told.stderr, told.stderr
    assert not (tmp_path / "data").exists()


def test_a_bucket_that_is_missing_is_told(objects, bucket, keys, tmp_path):
    address = objects.address.replace(bucket, "no-such-bucket")
    told = command(
        "serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--blobs", f"{address}&credentials={keys}")
    assert told.returncode == 1 and "there is no such bucket" in told.stderr, told.stderr


def test_keys_may_be_variables(make_hub, objects, bucket, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    hub = make_hub(options=["--blobs", objects.address])
    guests(hub)[1].send(CONTENT)
    assert len(objects.blobs(bucket)) == 1
    assert SECRET not in (hub.data / "bucket").read_text()


def test_a_moment_of_503_is_not_noticed(hub, objects, bucket):
    host, guest = guests(hub)
    objects.busy, objects.busy_methods = 503, ("PUT", "GET")
    threading.Timer(0.5, objects.calm).start()
    picture = guest.send(CONTENT)
    assert host.original(picture).body == CONTENT and len(objects.blobs(bucket)) == 1


def test_while_it_answers_503_nothing_large_is_acknowledged_and_nothing_is_lost(hub, objects, bucket):
    host, guest = guests(hub)
    before = guest.send(CONTENT)
    objects.busy, objects.busy_methods = 503, ("PUT", "GET", "DELETE")
    other = some_bytes(200_000, seed=2)
    upload = guest.begin(len(other))
    answer = guest.add(upload, 0, other)
    assert (answer.status, answer.json["code"]) == (503, AWAY)
    assert [each["id"] for each in guest.pictures()] == [before]
    # What is small is not in the object store.
    small = guest.send(some_bytes(10_000, seed=3))
    assert host.original(small).status == 200
    # What was read of late is read from its copy.
    assert host.original(before).body == CONTENT
    objects.calm()
    answer = guest.add(upload, guest.offset(upload), other[guest.offset(upload):])
    assert answer.status == 204, answer.body
    assert host.original(answer.headers["Eightbells-Picture"]).body == other


def test_a_hub_starts_while_its_bucket_is_away(hub, objects, bucket):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    hub.stop()
    objects.busy, objects.busy_methods = 503, ("PUT", "GET", "DELETE")
    hub.start()
    assert host.original(picture).body == CONTENT


@pytest.mark.waits
def test_a_hub_starts_while_its_bucket_says_nothing_and_the_log_tells_it(hub, objects, bucket):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    hub.stop()
    # Longer than a start waits.
    objects.delay = 12
    hub.start()
    assert host.original(picture).body == CONTENT
    eventually(lambda: "the object store does not do what it should" in hub.log, 30)


def flipped(content):
    return content[:1000] + bytes([content[1000] ^ 1]) + content[1001:]


@pytest.mark.parametrize(("lie", "status"), [
    (flipped, 500), (lambda content: content[:-1], 500), (lambda content: content + b"x", 503)])
def test_a_lie_is_neither_served_nor_kept(hub, objects, lie, status):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    hub.stop()
    shutil.rmtree(hub.data / "blobs")
    hub.start()
    objects.lie = lie
    for _ in range(2):
        answer = host.original(picture)
        assert answer.status == status and len(answer.body) < 1000, answer.body[:200]
    assert copies(hub) == [] and list((hub.data / "blobs" / "incoming").iterdir()) == []
    objects.calm()
    assert host.original(picture).body == CONTENT


def test_an_answer_that_is_cut_off_is_asked_for_again(hub, objects):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    for copy in copies(hub):
        copy.unlink()
    objects.cuts = True
    threading.Timer(0.5, objects.calm).start()
    assert host.original(picture).body == CONTENT


def test_what_nothing_needs_is_removed_after_a_day(hubs, store, objects, bucket, postgres):
    one = hubs[0]
    one.configure()
    owner, logo = {"Authorization": f"Bearer {one.owner_token}"}, png(400, 400)
    assert one.request("PUT", LOGO_UPLOAD, owner, logo).status in (200, 201)
    first, = objects.blobs(bucket)
    assert one.request("DELETE", LOGO_UPLOAD, owner).status in (200, 204)
    # Until then the same bytes make another object, since nobody knows what becomes of the old one.
    assert one.request("PUT", LOGO_UPLOAD, owner, logo).status in (200, 201)
    assert len(objects.blobs(bucket)) == 2
    day = "SELECT count(*) FROM blob_objects WHERE due > extract(epoch FROM now()) + 80000"
    assert postgres.ask(day, store) == "1"
    postgres.ask("UPDATE blob_objects SET due = due - 90000 WHERE due IS NOT NULL", store)
    eventually(lambda: first not in objects.blobs(bucket), 30, "the old object is gone")
    eventually(lambda: postgres.ask("SELECT count(*) FROM blob_objects", store) == "1", 30, "and forgotten")
    assert len(objects.blobs(bucket)) == 1 and one.request("GET", LOGO).body == logo


def test_the_same_bytes_are_one_object(hub, objects, bucket):
    host, guest = guests(hub)
    guest.send(CONTENT)
    guest.send(CONTENT)
    assert len(objects.blobs(bucket)) == 1


def test_blobs_from_before_are_sent_and_there_is_no_way_back_without_a_backup(make_hub, objects, bucket, address):
    hub = make_hub()
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    hub.stop()
    hub.options = ["--blobs", address]
    hub.start()
    eventually(lambda: len(objects.blobs(bucket)) == 1, what="it is sent")
    eventually(lambda: "were sent to the object store" in hub.log, what="it is noted")
    hub.stop()
    for copy in copies(hub):
        copy.unlink()
    # Noted in the folder: no option is needed any more.
    hub.options = []
    hub.start()
    assert host.original(picture).body == CONTENT
    hub.stop()
    told = command("serve", "--data", hub.data, "--blobs", hub.data.parent)
    assert told.returncode == 1 and "A backup that is restored" in told.stderr
    (hub.data / "bucket").unlink()
    told = command("serve", "--data", hub.data, "--listen", "127.0.0.1:0")
    assert told.returncode == 1 and "--blobs s3://" in told.stderr, told.stderr


def test_another_bucket_gets_nothing(hub, objects, bucket, address):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    hub.stop()
    hub.options = ["--blobs", address.replace("/club?", "/other?")]
    hub.start()
    eventually(lambda: "another folder of it, or was emptied" in hub.log, what="the log tells it")
    other = some_bytes(200_000, seed=2)
    answer = guest.add(guest.begin(len(other)), 0, other)
    assert (answer.status, answer.json["code"]) == (503, AWAY)
    assert host.original(picture).body == CONTENT and len(objects.blobs(bucket)) == 1


@pytest.mark.parametrize("wrong", ["AWS_ACCESS_KEY_ID=AKIDOTHER\nAWS_SECRET_ACCESS_KEY=another\n", ""])
def test_a_hub_starts_while_its_keys_are_refused_and_goes_on_when_they_are_right(hub, keys, wrong):
    owner = hub.sign_in("owner", "Ada")
    host, guest = guests(hub)
    picture, right = guest.send(CONTENT), keys.read_text()
    hub.stop()
    shutil.rmtree(hub.data / "blobs")
    keys.write_text(wrong)
    hub.start()
    answer = host.original(picture)
    assert (answer.status, answer.json["code"]) == (503, AWAY)
    assert host.original(guest.send(some_bytes(10_000))).status == 200
    eventually(lambda: [item for item in hub.get("/api/v1/bells", token=owner)[1]["items"]
                        if item["content"]["title"] == "The object store does not do its work"], what="owners are told")
    assert "the object store does not do what it should" in hub.log
    keys.write_text(right)
    # Whoever asks while the picture is being fetched for its sizes gets what that gets, still with the keys of before.
    eventually(lambda: host.original(picture).status == 200, what="the picture, with the right keys")
    assert host.original(picture).body == CONTENT and guest.send(some_bytes(200_000))


def test_a_hub_with_another_bucket_than_the_rest_does_not_start(hubs, store, address, tmp_path):
    told = command(
        "serve", "--data", tmp_path / "third", "--listen", "127.0.0.1:0", "--store", store, "--blobs",
        tmp_path)
    assert told.returncode == 1 and "keeps large blobs elsewhere" in told.stderr, told.stderr


def test_a_backup_fetches_and_proves_and_is_restored_without_a_bucket(
        hub, make_hub, objects, bucket, address, tmp_path):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    for copy in copies(hub):
        copy.unlink()
    (hub.data / "eightbells.conf").write_text(f"blobs = {address}\n")
    made = json.loads(hub.command("backup", tmp_path / "all.tar", "--json").stdout)
    assert made["damage"] == [] and made["blobs"] >= 1
    objects.lie = flipped
    lied = hub.command("backup", tmp_path / "lied.tar", "--json")
    assert lied.returncode == 1 and "its bytes are others" in lied.stdout
    objects.calm()
    told = command("restore", tmp_path / "all.tar", "--data", tmp_path / "again")
    assert told.returncode == 0, told.stderr
    # Or it would leave all of them there a second time when it is thrown away.
    assert "the old hub's data: blobs" in told.stdout
    assert (tmp_path / "again/eightbells.conf").read_text() == f"# blobs = {address}\n"
    sent = objects.blobs(bucket)
    again = make_hub("again")
    assert Guest(again, {"id": host.path.rsplit("/", 1)[1]}, host.token).original(picture).body == CONTENT
    assert command("store", "verify", "--data", again.data).returncode == 0
    assert objects.blobs(bucket) == sent and not (again.data / "bucket").exists()


def test_verify_reads_what_the_bucket_has(hub, objects, bucket):
    guests(hub)[1].send(CONTENT)
    told = hub.command("store", "verify")
    assert told.returncode == 0 and "verified" in told.stdout, told.stdout
    objects.lie = flipped
    told = hub.command("store", "verify")
    assert told.returncode == 1 and "its bytes are others" in told.stdout
    objects.calm()
    objects.ask("DELETE", f"/{bucket}/{objects.blobs(bucket)[0]}")
    told = hub.command("store", "verify")
    assert told.returncode == 1 and "its file is missing" in told.stdout


def test_records_move_and_blobs_stay(hub, objects, postgres, tmp_path):
    host, guest = guests(hub)
    picture = guest.send(CONTENT)
    hub.stop()
    told = command("store", "move", "--from", hub.data, "--to", postgres.database(tmp_path / "moved"))
    assert told.returncode == 0 and "1 more blobs stay in the object store" in told.stdout, told.stdout + told.stderr
    hub.options = []
    hub.start()
    assert host.original(picture).body == CONTENT


def fetch(url, method="GET"):
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=15)
    connection.request(method, f"{parts.path}?{parts.query}")
    response = connection.getresponse()
    return response.status, response.headers, response.read()


def test_downloads_go_past_the_hub_where_the_owner_wants_it(make_hub, objects, address):
    hub = make_hub(options=["--blobs", address, "--blob-redirects", "on"])
    host, guest = guests(hub)
    picture = guest.send(CONTENT, filename="Käse.jpg")
    answer = host.original(picture)
    assert (answer.status, answer.body) == (307, b"") and "no-store" in answer.headers["Cache-Control"]
    place = answer.headers["Location"]
    assert place.startswith(objects.url) and SECRET not in place and "X-Amz-Expires=300&" in place
    status, fields, body = fetch(place)
    assert (status, body) == (200, CONTENT)
    assert fields["Content-Disposition"].startswith("attachment;")
    assert fetch(place.replace("X-Amz-Expires=300", "X-Amz-Expires=900"))[0] == 403
    # Only whose right was checked is sent there.
    stranger = Guest(hub, {"id": host.path.rsplit("/", 1)[1]}, "no-token")
    assert stranger.original(picture).status in (401, 403, 404)
    head = hub.request("HEAD", f"{host.path}/pictures/{picture}/original", {"Authorization": f"Bearer {host.token}"})
    assert head.status == 200
    # What is small is in the database.
    assert host.original(guest.send(some_bytes(9_000))).status == 200


def test_a_client_has_an_original_from_the_hub_since_their_page_may_ask_no_other(make_hub, address, tmp_path):
    hub = make_hub(options=["--blobs", address, "--blob-redirects", "on"])
    ada = hub.sign_in("member", "Ada")
    path = f"{PORTFOLIOS}/{hub.post(PORTFOLIOS, ada, {'source': 'uploads:', 'name': 'Mine'})[1]['id']}"
    gallery = hub.post(f"{path}/galleries", ada, {"title": "One"})[1]["id"]
    content = photo(tmp_path / "a.jpg").read_bytes() + CONTENT
    fields = {"Tus-Resumable": "1.0.0", "Upload-Length": str(len(content)), "Content-Type": PART,
              "Upload-Metadata": metadata(gallery=gallery, filename="a.jpg")}
    assert hub.request("POST", f"{path}/uploads", ada | fields, content).status == 201
    eventually(lambda: hub.get(path, token=ada)[1]["pictures"] == 1, 30)
    sent = hub.post(f"{path}/sent", ada, {"title": "One", "galleries": [gallery], "download": "original"})[1]["id"]
    picture = hub.get(f"/api/v1/sent/{sent}")[1]["galleries"][0]["pictures"][0]
    assert hub.request("GET", f"{path}/files/{picture['id']}/original", ada).status == 307
    answer = hub.request("GET", picture["sizes"]["original"]["url"])
    assert (answer.status, answer.body) == (200, content)


def test_the_doctor_looks_at_it(hub, objects, bucket, keys):
    def told(subject="objects"):
        return {one["subject"]: one for one in json.loads(hub.command("doctor", "--json").stdout)}[subject]

    assert told()["verdict"] == "ok"
    assert [name for name in objects.objects(bucket) if "probe" in name] == []
    guests(hub)[1].send(CONTENT)
    assert told("blobs")["text"] == "the object store has all 1 large blobs"
    objects.ask("DELETE", f"/{bucket}/{objects.blobs(bucket)[0]}")
    lost = told("blobs")
    assert lost["verdict"] == "problem" and "1 of 1 large blobs are missing in s3://" in lost["text"], lost
    assert "albums/" in lost["text"]
    keys.write_text(f"AWS_ACCESS_KEY_ID={KEY}\nAWS_SECRET_ACCESS_KEY=another\n")
    assert told()["verdict"] == "problem" and "secret key" in told()["text"]


def test_the_commands_of_the_document(objects, bucket, tmp_path):
    block, = [block for block in blocks(ROOT / "Docs/configuration.md") if block.startswith("cat > keys")]
    place = objects.address.partition("?")[0]
    for told, typed in {"=hub\n": f"={KEY}\n", "what-only-the-hub-knows": SECRET, "s3://club/hub": place,
                        "https://objects.example:9000": objects.url, "&path-style": f"&path-style&region={REGION}",
                        "serve --data data": "serve --listen 127.0.0.1:0 --data data"}.items():
        assert told in block, told
        block = block.replace(told, typed)
    # The doctor misses a data folder and an owner, which the hub makes then.
    block = block.replace('doctor --data data --blobs "$PLACE"', 'doctor --data data --blobs "$PLACE" || true')
    told = run(tmp_path, block.rstrip() + " > told & until_told grep -q 'listens on' told\ncat told", {})
    assert "takes an object" in told and "Eightbells listens on" in told
    assert objects.objects(bucket) == ["club/eightbells"] and objects.refused == []
