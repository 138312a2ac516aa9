"""The web app manifest: every address that it names answers with what it says, in both languages."""

import io
import json

import pytest
from PIL import Image
from png import png


SCREENSHOT_BYTES = 50_000  # of what is packed into the program


def manifest(hub, language="en-GB,en;q=0.9"):
    answer = hub.request("GET", "/manifest.webmanifest", {"Accept-Language": language})
    assert answer.status == 200 and answer.headers["Vary"] == "Accept-Language"
    assert answer.headers["Content-Type"] == "application/manifest+json"
    return answer.json


@pytest.mark.parametrize("language, names", [
    ("en", ["Space", "Programme", "Bells", "Talking clock", "Anchor watch", "Albums", "Portfolio"]),
    ("de-AT", ["Space", "Programm", "Glocken", "Sprechende Uhr", "Ankerwache", "Alben", "Portfolio"])])
def test_every_address_answers(hub, language, names):
    told = manifest(hub, language)
    assert (told["lang"], [one["name"] for one in told["shortcuts"]]) == (language[:2], names)
    pages = [told["start_url"], told["share_target"]["action"], *(one["url"] for one in told["shortcuts"])]
    for path in pages:
        answer = hub.request("GET", path)
        assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/html"), path
    pictures = [*told["icons"], *told["screenshots"], *(one for cut in told["shortcuts"] for one in cut["icons"])]
    for one in pictures:
        answer = hub.request("GET", one["src"])
        assert (answer.status, answer.headers["Content-Type"]) == (200, one["type"]), one
        if one["sizes"] != "any":
            assert "{}x{}".format(*Image.open(io.BytesIO(answer.body)).size) == one["sizes"], one
    # A link to a page of the hub opens in the window of the installed app, the one that is open first.
    assert told["handle_links"] == "preferred" and told["launch_handler"]["client_mode"][0] == "navigate-existing"
    assert {one["form_factor"] for one in told["screenshots"]} == {"narrow", "wide"}
    for one in told["screenshots"]:  # what Chromium wants of them
        short, long = sorted(map(int, one["sizes"].split("x")))
        assert 320 <= short and long <= 3840 and long <= 2.3 * short, one
    assert {one["label"] for one in told["screenshots"]} <= {one["description"] for one in told["shortcuts"]}
    assert all(one["src"].endswith(f"-{language[:2]}.webp") for one in told["screenshots"])


def test_the_shortcuts_are_the_rooms_that_are_shown_the_front_room_first(hub):
    choice = {"rooms": ["albums", "apps", "bells"], "front": "bells"}
    assert hub.put("/api/v1/rooms", hub.owner_token, choice)[0] == 200
    told = manifest(hub)
    assert [one["url"] for one in told["shortcuts"]] == ["/bells", "/albums"], "apps are for owners"
    assert [one["src"] for one in told["screenshots"]] == ["/albums/screenshots/narrow-en.webp"]
    assert told["share_target"]["action"] == "/albums/share"
    assert hub.put("/api/v1/rooms", hub.owner_token, {"rooms": ["bells"], "front": "bells"})[0] == 200
    told = json.loads(hub.request("GET", "/manifest.webmanifest").body)
    assert "share_target" not in told and told["screenshots"] == [], "pictures are of rooms that are shown"


@pytest.mark.parametrize("room", ["albums", "portfolio"])
def test_a_hub_of_pictures_alone_can_be_seen_before_it_is_installed(hub, room):
    assert hub.put("/api/v1/rooms", hub.owner_token, {"rooms": [room], "front": room})[0] == 200
    for language in ("en", "de"):
        (one,) = manifest(hub, language)["screenshots"]
        assert one["src"] == f"/{room}/screenshots/narrow-{language}.webp" and one["form_factor"] == "narrow"
        assert len(hub.request("GET", one["src"]).body) < SCREENSHOT_BYTES


def test_the_manifest_is_the_spaces_own(hub):
    assert manifest(hub)["name"] == "Eightbells"
    assert [icon["purpose"] for icon in manifest(hub)["icons"]] == ["any", "any", "any", "maskable"]
    hub.configure(name="Hackerspace Nord \"Licht\"", color="#4a3fa3")
    told = manifest(hub)
    assert (told["name"], told["theme_color"], told["color"]) == ('Hackerspace Nord "Licht"', "#4a3fa3", "#4a3fa3")
    fields = {"Authorization": f"Bearer {hub.owner_token}"}
    for size, expected in ((64, "/icon.svg"), (256, "/space/pictures/logo")):
        assert hub.request("PUT", "/api/v1/space/pictures/logo", fields, png(size, size)).status == 200
        assert manifest(hub)["icons"][0]["src"].startswith(expected)
    assert (manifest(hub)["icons"][0]["sizes"], len(manifest(hub)["icons"])) == ("256x256", 1)
    assert hub.request("PUT", "/api/v1/space/pictures/logo", fields, png(300, 256)).status == 200
    assert manifest(hub)["icons"][0]["src"] == "/icon.svg", "one that is not square would be cut off"


def test_the_home_screen_of_an_iphone_has_the_owners_logo(hub):
    fields = {"Authorization": f"Bearer {hub.owner_token}"}
    ours = hub.request("GET", "/apple-touch-icon.png")
    assert (ours.status, ours.headers["Content-Type"]) == (200, "image/png")
    hub.configure()
    for size, is_theirs in ((64, False), (256, True)):
        picture = png(size, size)
        assert hub.request("PUT", "/api/v1/space/pictures/logo", fields, picture).status == 200
        answer = hub.request("GET", "/apple-touch-icon.png")
        assert (answer.body == picture) == is_theirs and (answer.body == ours.body) != is_theirs
        assert answer.headers["Cache-Control"] == "no-cache"
        assert hub.request("GET", "/apple-touch-icon.png", {"If-None-Match": answer.headers["ETag"]}).status == 304
    assert hub.request("DELETE", "/api/v1/space/pictures/logo", fields).status == 204
    assert hub.request("GET", "/apple-touch-icon.png").body == ours.body


def test_the_pages_of_an_album_open_at_their_own_addresses_on_the_home_screen(hub):
    told = {path: b'rel="manifest"' in hub.request("GET", path).body
            for path in ("/", "/albums", "/album", "/album/host", "/album/wall", "/album/card")}
    assert [path for path, has in told.items() if has] == ["/", "/albums"], "with it the others would open /"


def test_an_unchanged_manifest_costs_a_few_bytes(hub):
    etag = hub.request("GET", "/manifest.webmanifest").headers["ETag"]
    assert hub.request("GET", "/manifest.webmanifest", {"If-None-Match": etag}).status == 304
