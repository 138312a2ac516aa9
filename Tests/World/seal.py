"""Private messages as Docs/private-messages.md describes them, by an implementation of its own. Run as a program, it
writes Tests/Fixtures/sealed/vectors.json, which the hub's and the pages' implementations have to agree with."""

import hashlib
import json
import os
import pathlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from base64url import decoded, encoded

PRIVATE = ("title", "subtitle", "body", "url", "user_info", "localized", "attachments", "speech", "parts")
PURPOSE = b"eightbells sealed content 1"
FILES = "/api/v1/bells/attachments/"
FILE_START = b"eightbells sealed file 1\n"
FALLBACK = {"title": "A private message", "localized": {"de": {"title": "Eine private Mitteilung"}}}
VECTORS = pathlib.Path(__file__).parents[1] / "Fixtures/sealed/vectors.json"


def derived(key, salt, purpose):
    return HKDF(hashes.SHA256(), 32, salt, purpose).derive(key)


def proof(key):
    return derived(key, b"", b"eightbells key revocation 1")


def key_id(key):
    return hashlib.sha256(b"eightbells key id 1" + proof(key)).hexdigest()[:16]


def written(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def seal(content, key, fallback=None, salt=None, nonce=None):
    """The content with its private members in a box."""
    salt, nonce = salt or os.urandom(16), nonce or os.urandom(12)
    hidden = written({name: value for name, value in content.items() if name in PRIVATE})
    hidden += b" " * (max(256, -(-len(hidden) // 256) * 256) - len(hidden))
    clear = {name: value for name, value in content.items() if name not in PRIVATE}
    if not content.get("silent"):
        clear |= {"title": fallback} if fallback else FALLBACK
    files = [{"id": one["id"], "url": one["url"]} for one in content.get("attachments", [])
             if one.get("url", "").startswith("/api/")]
    if files:
        clear["attachments"] = files
    sealed = AESGCM(derived(key, salt, PURPOSE)).encrypt(nonce, hidden, PURPOSE + key_id(key).encode())
    return clear | {"sealed": {"key": key_id(key), "box": encoded(b"\x01" + salt + nonce + sealed)}}


def unseal(content, key):
    box = decoded(content["sealed"]["box"])
    assert box[0] == 1 and content["sealed"]["key"] == key_id(key)
    hidden = AESGCM(derived(key, box[1:17], PURPOSE)).decrypt(box[17:29], box[29:], PURPOSE + key_id(key).encode())
    clear = {name: value for name, value in content.items() if name not in (*PRIVATE, "sealed")}
    return clear | json.loads(hidden)


def seal_file(data, key, nonce=None):
    nonce = nonce or os.urandom(12)
    padded = data + bytes(max(16384, -(-len(data) // 16384) * 16384) - len(data))
    return FILE_START + nonce + AESGCM(key).encrypt(nonce, padded, FILE_START)


def changed(content, **members):
    return content | {"sealed": content["sealed"] | members}


def vectors():
    keys = [bytes(range(32)), bytes(range(100, 132)), b"\xff" * 32]
    salt, nonce = bytes(range(16)), bytes(range(50, 62))
    contents = [
        ("a title", {"title": "Open"}, None),
        ("all that is private", {
            "title": "Ärger an der Tür", "subtitle": "Keller", "body": "Komm „sofort“ 🔔\n/\\", "url": "/space",
            "user_info": {"a": [1, True, None]}, "localized": {"en": {"title": "Trouble"}},
            "speech": "Ärger an der Tür", "parts": ["12", "30"],
            "attachments": [{"id": "file-1", "url": FILES + "ab" * 16, "type": "image/png", "key": encoded(bytes(32)),
                             "size": 5}, {"id": "map", "url": "https://example.org/map.png"}]}, None),
        ("what is not private stays", {
            "category": "door", "title": "Open", "thread": "t", "interruption_level": "time-sensitive",
            "actions": [{"id": "yes", "title": "Yes"}]}, "Something new"),
        ("nothing private", {"badge": 3}, None),
        ("silent", {"silent": True, "user_info": {"go": 1}}, None),
        ("one step", {"body": "x" * 245}, None),
        ("one byte more than a step", {"body": "x" * 246}, None),
        ("the longest", {"body": "x" * 8000, "title": "y" * 680}, None),
    ]
    told = []
    for index, (name, content, fallback) in enumerate(contents):
        key = keys[index % 2]
        sealed = seal(content, key, fallback, salt, nonce)
        told.append({"name": name, "key": encoded(key), "content": content, "fallback": fallback, "sealed": sealed,
                     "opened": unseal(sealed, key)})
    good = seal({"title": "Open"}, keys[0], None, salt, nonce)
    box = decoded(good["sealed"]["box"])
    other = seal({"title": "Open"}, keys[1], None, salt, nonce)
    bad = [
        ("another key", changed(good, key=key_id(keys[1]))), ("an unknown key", changed(good, key="0" * 16)),
        ("another id for the same key", changed(other, key=key_id(keys[0]))),
        ("a changed salt", changed(good, box=encoded(box[:1] + b"\x09" + box[2:]))),
        ("a changed nonce", changed(good, box=encoded(box[:17] + b"\x09" + box[18:]))),
        ("a changed byte", changed(good, box=encoded(box[:40] + bytes([box[40] ^ 1]) + box[41:]))),
        ("a changed end", changed(good, box=encoded(box[:-1] + bytes([box[-1] ^ 1])))),
        ("cut", changed(good, box=encoded(box[:-1]))), ("only a head", changed(good, box=encoded(box[:45]))),
        ("empty", changed(good, box="")), ("no base64", changed(good, box="a b")),
        ("a later version", changed(good, box=encoded(b"\x02" + box[1:]))),
        ("no box", {**good, "sealed": {"key": key_id(keys[0])}}), ("nothing", {**good, "sealed": {}}),
        ("no object", {**good, "sealed": "x"}),
        ("no object in the box", changed(good, box=encoded(box[:29] + AESGCM(
            derived(keys[0], salt, PURPOSE)).encrypt(nonce, b"[1]", PURPOSE + key_id(keys[0]).encode())))),
    ]
    files = []
    for size in (0, 1, 16383, 16384, 16385):
        data = bytes(number % 251 for number in range(size))
        files.append({"size": size, "key": encoded(keys[2]), "nonce": encoded(nonce),
                      "sha256": hashlib.sha256(seal_file(data, keys[2], nonce)).hexdigest()})
    return {
        "salt": encoded(salt), "nonce": encoded(nonce),
        "keys": [{"key": encoded(key), "id": key_id(key), "proof": encoded(proof(key)),
                  "link": f"https://hub.example/bells#key={encoded(key)}"} for key in keys],
        "contents": told, "not_opened": [{"name": name, "sealed": content} for name, content in bad],
        "files": files,
    }


def text():
    """The vectors, one a line."""
    lines = []
    for name, value in vectors().items():
        whole = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else (
            "[\n    " + ",\n    ".join(json.dumps(one, ensure_ascii=False) for one in value) + "\n  ]")
        lines.append(f'  "{name}": {whole}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    VECTORS.write_text(text())
