"""Whatever a POST creates or rings happens once, however often the request is repeated: every POST of the description
keeps its Idempotency-Key, or stands here with the reason why a repeat is harmless."""

import json
import re

import pytest

from asker import Asker, prepared

ALBUMS = "/api/v1/albums"
CALLERS = ["owner", "guest", "link", "device"]
TOO_LONG = {"Idempotency-Key": "x" * 256}
GPX = b'<gpx><trk><trkseg><trkpt lat="54.1" lon="10.2"><time>2026-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>'
# Requests that come as far as their key, where the description's example does not.
BODIES = {"/api/v1/anchor/tracks": ("application/gpx+xml", GPX),
          "/api/v1/bells/attachments": ("image/png", b"\x89PNG\r\n\x1a\n")}
HARMLESS = {
    "nothing is changed, or something that ends by itself within the hour":
        r"/albums/(look|\{id\}/known|\{id\}/me/cookie)|/links/look|(/albums/\{id\})?/realtime/auth|/anchor/replay|"
        r"/notifications/preview|/passkeys/(session/)?options|/portfolios/\{id\}/sent/\{sent\}/file|"
        r"/sent/\{sent\}/open|/apps/\{id\}/console|/portfolios/flickr/consents",
    "the same again is no news": r"/albums/\{id\}/pictures/\{picture\}/restore|/bells/(receipts|revoked-keys|seen)|"
        r"/bells/\{id\}/(media|response|woken)|/clock/reports|/sent/\{sent\}/(marks|opened)|/portfolios/\{id\}/sync|"
        r"/space/calendars/refresh",
    "positions are kept once for each time, also those of other people's programs":
        r"/anchor/(positions|overland|owntracks|traccar)",
    "uploads are known by their digest, and what was begun twice ends by itself (tus)":
        r"/(albums|portfolios)/\{id\}/uploads(/\{upload\})?",
    "an event on a channel is kept nowhere": r"/apps/\{id\}/events",
    "their key is kept at a host name, which this hub lacks: test_passkeys.py": r"/passkeys(/session)?"}
# Protocols of others, where a client has no such key, a phone's share sheet, of which the hub reads nothing, and links
# in mails.
OTHERS = (r"/parse/.*|/v1/account/token|/apps/(account/\{token\}|\{app\}/.*)|/users/.*|/bells/mail/\{token\}|"
          r"/albums/share")


@pytest.mark.timeout(120)
def test_every_post_that_creates_or_rings_keeps_its_key(make_hub):
    hub, who = prepared(lambda **options: make_hub(start=False, **options))
    asker = Asker(hub, who)
    hook, album = (json.loads(asker.answer("owner", f"POST {path}")[1]) for path in ("/api/v1/bells/hooks", ALBUMS))
    asker.parts.insert(0, ("/api/v1/hooks", {"secret": hook["url"].rpartition("/")[2]}))
    joining = json.dumps({"secret": album["join_url"].rpartition("#")[2], "name": "Mo"}).encode()
    bodies = BODIES | {f"{ALBUMS}/join": ("application/json", joining)}
    paths = [path for path, methods in asker.bodies.api["paths"].items() if "post" in methods]
    assert len(paths) > 90
    harmless = "|".join([OTHERS] + [f"/api/v1({one})" for one in HARMLESS.values()])
    wrong = []
    for path in paths:
        # The key is looked at after the caller and the body, and before anything is changed.
        keeps = any(b"Idempotency-Key: 256" in asker.answer(
            caller, f"POST {path}", TOO_LONG, bodies.get(path))[1] for caller in CALLERS)
        if keeps == bool(re.fullmatch(harmless, path)):
            wrong.append(f"{path} {'keeps its key, and is called harmless' if keeps else 'keeps no Idempotency-Key'}")
    assert not wrong, "\n".join(wrong)
