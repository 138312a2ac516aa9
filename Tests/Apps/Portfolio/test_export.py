"""Galleries as one file: what is in it, what is not, what locks it, and what it says of its size."""

import base64
import hashlib
import io
import json
import re
import sqlite3

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from PIL import Image
from portfolio import add, photo, run, sync

WORDS = "tide harbour lantern öl"
ITEM = re.compile(r'<script type="text/plain" id="file/(\w+)/(\d+)">([^<]*)</script>')


@pytest.fixture
def portfolio(hub, tmp_path, ada):
    for number, name in enumerate(("Coast/Low <tide>.jpg", "Coast/Slack.jpg", "Fog/Pass.jpg")):
        photo(tmp_path / "Work" / name, number)
    made = add(hub.data, f"folder:{tmp_path / 'Work'}", "--for", "Ada", "--name", "Ada & sea")
    sync(hub.data, made)
    return made


def read(path):
    """(the file's text, its head, its items by name)."""
    text = path.read_text()
    head = json.loads(re.search(r'<script type="application/json" id="one-file">(.*?)</script>', text, re.S).group(1))
    return text, head, {f"{id}/{size}": base64.b64decode(item) for id, size, item in ITEM.findall(text)}


def export(hub, portfolio, path, *words):
    done = run(hub.data, "export", portfolio, "--out", str(path), *words)
    assert done.returncode == 0, done.stderr
    return done


def test_a_file_has_the_galleries_that_were_asked_for_index_and_cover_first(hub, portfolio, ada, tmp_path):
    path = tmp_path / "out.html"
    done = export(hub, portfolio, path, "--gallery", "Coast", "--text", "Dear </script> all")
    assert "2 pictures in 1 gallery" in done.stdout and "iPhone" in done.stdout
    assert not (tmp_path / "out.html.part").exists()
    text, head, items = read(path)
    assert "<title>Ada &amp; sea</title>" in text
    index = head["index"]
    assert (index["title"], index["text"], index["from"]) == ("Ada & sea", "Dear </script> all", "Ada")
    assert [one["title"] for one in index["galleries"]] == ["Coast"]
    pictures = index["galleries"][0]["pictures"]
    assert [one["title"] for one in pictures] == ["Low <tide>", "Slack"]
    assert not {"taken", "place", "caption", "private"} & set(pictures[0]), "only what was chosen is shown"
    wanted = {f"{one['id']}/{size}": one["sizes"][size]["sha256"] for one in pictures_of(hub, portfolio, ada, "Coast")
              for size in ("320", "2048")}
    assert {name: hashlib.sha256(item).hexdigest() for name, item in items.items()} == wanted
    first = pictures[0]["id"]
    order = [text.index(one) for one in ('id="one-file"', f'id="file/{first}/2048"', "<script>",
                                         f'id="file/{first}/320"', f'id="file/{pictures[1]["id"]}/2048"')]
    assert order == sorted(order), "one sees something before all of it is read"
    script = re.search(r"<script>(.*?)</script>", text, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'" in text
    assert "connect-src" not in text.partition("</head>")[0], "nothing may be fetched"


def pictures_of(hub, portfolio, ada, title):
    _, told = hub.get(f"/api/v1/portfolios/{portfolio}", ada)
    gallery = next(one["id"] for one in told["galleries"] if one["title"] == title)
    return hub.get(f"/api/v1/portfolios/{portfolio}/galleries/{gallery}", ada)[1]["pictures"]


def test_a_locked_file_tells_nothing_without_its_passphrase(hub, portfolio, tmp_path):
    path, again = tmp_path / "locked.html", tmp_path / "again.html"
    assert "locked" in export(hub, portfolio, path, "--passphrase", WORDS).stdout
    secret = tmp_path / "words"
    secret.write_text(f"{WORDS}\n")
    export(hub, portfolio, again, "--passphrase-file", str(secret))
    text, head, items = read(path)
    # In random bytes as text, three letters stand side by side now and then.
    words = ITEM.sub("", text)
    assert "Ada" not in words and "Coast" not in words and "Slack" not in words
    assert head["lock"]["iterations"] == 600_000 and len(items) == 6

    def key(head):
        salt = base64.b64decode(head["lock"]["salt"])
        return AESGCM(hashlib.pbkdf2_hmac("sha256", WORDS.encode(), salt, head["lock"]["iterations"], 32))

    def opened(sealed, name, key):
        return key.decrypt(sealed[:12], sealed[12:], name.encode())

    mine = key(head)
    index = json.loads(opened(base64.b64decode(head["index"]), "index", mine))
    assert [one["title"] for one in index["galleries"]] == ["Coast", "Fog"]
    for name, item in items.items():
        assert opened(item, name, mine).startswith(b"\xff\xd8")
    names = list(items)
    with pytest.raises(InvalidTag):
        opened(items[names[0]], names[1], mine)
    _, other, more = read(again)
    assert opened(more[names[0]], names[0], key(other)).startswith(b"\xff\xd8")
    nonces = [item[:12] for item in [*items.values(), *more.values()]]
    assert len(set(nonces)) == len(nonces) and head["lock"]["salt"] != other["lock"]["salt"]


def test_a_short_passphrase_is_refused_with_what_guessing_costs(hub, portfolio, tmp_path):
    path = tmp_path / "out.html"
    for words, cost in (("1234", "14 minutes"), ("sunrise", "year"), ("Elf Zeichen", "million years")):
        done = run(hub.data, "export", portfolio, "--out", str(path), "--passphrase", words)
        assert done.returncode == 2 and f"not {len(words)}" in done.stderr and cost in done.stderr, done.stderr
        assert "nobody counts" in done.stderr and "PIN" in done.stderr
    assert not path.exists()


@pytest.mark.file
def test_private_pictures_and_hidden_galleries_stay_out(hub, portfolio, ada, tmp_path):
    hidden = pictures_of(hub, portfolio, ada, "Coast")[0]["id"]
    hub.stop()
    with sqlite3.connect(f"{hub.data}/eightbells.sqlite") as store:
        changed = store.execute("UPDATE portfolio_pictures SET is_private = 1 WHERE address = ?", (hidden,)).rowcount
        store.execute("UPDATE portfolio_galleries SET is_hidden = 1 WHERE title = 'Fog'")
    store.close()
    assert changed == 1
    hub.start()
    path = tmp_path / "out.html"
    assert "Left out: 1 private picture." in export(hub, portfolio, path).stdout
    text, head, items = read(path)
    assert [one["title"] for one in head["index"]["galleries"]] == ["Coast"] and hidden not in text and len(items) == 2
    assert len(read_after(hub, portfolio, path, "--gallery", "Fog")[2]) == 2, "who names it wants it"


def read_after(hub, portfolio, path, *words):
    export(hub, portfolio, path, *words)
    return read(path)


def test_smaller_pictures_make_a_smaller_file(hub, tmp_path, ada):
    photo(tmp_path / "Big/One/large.jpg", 3, size=(2400, 1600))
    portfolio = add(hub.data, f"folder:{tmp_path / 'Big'}", "--for", "Ada")
    sync(hub.data, portfolio)
    path = tmp_path / "out.html"
    whole = read_after(hub, portfolio, path)[2]
    small = read_after(hub, portfolio, path, "--size", "640")[2]
    large = next(name for name in whole if name.endswith("2048"))
    assert size_of(whole[large]) == (2048, 1365) and size_of(small[large])[0] == 640


def size_of(jpeg):
    return Image.open(io.BytesIO(jpeg)).size


def test_what_cannot_be_written_is_said(hub, portfolio, tmp_path):
    path = tmp_path / "out.html"
    path.write_text("an older one")
    for words, said in ((["--gallery", "Storm"], '"Coast", "Fog"'), (["--size", "9"], "640 to 2048"),
                        (["--shows", "camera"], "title,caption,place,taken")):
        done = run(hub.data, "export", portfolio, "--out", str(path), *words)
        assert done.returncode and said in done.stderr, done.stderr
    done = run(hub.data, "export", portfolio, "--out", str(tmp_path / "none/out.html"))
    assert done.returncode == 1 and "No such file" in done.stderr
    for folder in (str(tmp_path), f"{tmp_path}/none/"):
        done = run(hub.data, "export", portfolio, "--out", folder)
        assert done.returncode == 1 and "is a folder" in done.stderr, done.stderr
    assert run(hub.data, "export", "nobody", "--out", str(path)).returncode == 1
    assert path.read_text() == "an older one"


@pytest.mark.file
def test_a_large_file_is_warned_of_with_smaller_sizes(hub, portfolio, tmp_path):
    hub.stop()
    with sqlite3.connect(f"{hub.data}/eightbells.sqlite") as store:
        rows = store.execute("SELECT id, files FROM portfolio_pictures").fetchall()
        for key, files in rows:
            told = [one | {"bytes": 60_000_000} if one["name"] == "2048" else one for one in json.loads(files)]
            store.execute("UPDATE portfolio_pictures SET files = ? WHERE id = ?", (json.dumps(told), key))
    store.close()
    hub.start()
    path = tmp_path / "out.html"
    done = export(hub, portfolio, path)
    assert "about 240 MB" in done.stderr and "--size 1600 about" in done.stderr and "--size 1280 about" in done.stderr
    assert path.exists(), "a warning is no refusal"
