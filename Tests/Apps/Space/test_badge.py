"""The sign on other people's pages: the picture and the frame."""

import datetime
import re
import xml.dom.minidom

import pytest

from hub import eventually

BADGE = "/space/badge.svg"
EMBED = "/space/embed"
HOSTILE = '"><script>alert(1)</script>&<img src=x onerror=alert(1)>\x07'


def badge(hub, query="", **headers):
    answer = hub.request("GET", BADGE + query, headers)
    assert answer.status == 200
    return xml.dom.minidom.parseString(answer.body).documentElement


@pytest.mark.parametrize("turned, english, german", [
    (None, "unknown", "unbekannt"), (True, "open", "offen"), (False, "closed", "geschlossen")])
def test_the_badge_says_what_the_sign_says(hub_with_space, turned, english, german):
    if turned is not None:
        hub_with_space.turn(turned)
    assert badge(hub_with_space).getAttribute("aria-label") == f"Test space: {english}"
    assert badge(hub_with_space, "?lang=de").getAttribute("aria-label") == f"Test space: {german}"
    assert german in badge(hub_with_space, **{"Accept-Language": "de-AT, en;q=0.5"}).toxml()
    assert english in badge(hub_with_space, "?lang=xx", **{"Accept-Language": "fr"}).toxml()


def test_the_badge_is_small_and_always_fresh(hub_with_space):
    hub = hub_with_space
    first = hub.request("GET", BADGE)
    assert first.headers["Content-Type"] == "image/svg+xml" and len(first.body) < 2000
    assert "no-cache" in first.headers["Cache-Control"] and "max-age=0" in first.headers["Cache-Control"]
    tag = first.headers["ETag"]
    assert hub.request("GET", BADGE, {"If-None-Match": tag}).status == 304
    hub.turn(True)
    second = hub.request("GET", BADGE, {"If-None-Match": tag})
    assert second.status == 200 and second.headers["ETag"] != tag


def test_nothing_that_people_wrote_runs_in_the_badge_or_the_frame(hub):
    hub.configure(name=HOSTILE.replace("\x07", "")[:100])
    hub.turn(True, message=HOSTILE, by=HOSTILE)
    shown = badge(hub)
    assert not shown.getElementsByTagName("script") and not shown.getElementsByTagName("img")
    answer = hub.request("GET", EMBED)
    text = answer.body.decode()
    assert text.count("<script") == 1 and "<img" not in text and "onerror=alert(1)&gt;" in text
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "unsafe" not in policy


def test_the_frame_has_each_field_once(hub):
    fields = hub.request("GET", EMBED).headers
    assert len(fields) == len(set(map(str.lower, fields))) and fields["Referrer-Policy"] == "no-referrer"


def test_only_the_frame_may_be_framed(hub_with_space):
    policy = hub_with_space.request("GET", EMBED).headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert hub_with_space.request("GET", EMBED).headers.get("X-Frame-Options") is None
    for path in ("/", "/settings/place"):
        answer = hub_with_space.request("GET", path)
        assert "frame-ancestors *" not in answer.headers.get("Content-Security-Policy", "")


def test_the_frame_is_complete_without_a_script(hub_with_space):
    hub_with_space.turn(True, message="Soup", until="2999-01-01T20:00:00Z")
    for query, words in (("?lang=en", ["open", "since ", "until 1 January 2999, 21:00", "Soup"]),
                         ("?lang=de", ["offen", "seit ", " Uhr", "Soup"])):
        text = hub_with_space.request("GET", EMBED + query).body.decode()
        assert [word for word in words if word not in text] == []


def test_the_frame_says_when_its_words_are_out_of_date(hub_with_space):
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=3)
    hub_with_space.turn(True, until=until.strftime("%Y-%m-%dT%H:%M:%SZ"))

    def frame():
        return hub_with_space.request("GET", EMBED + "?lang=en").body.decode()
    assert int(re.search(r'data-fresh-for="(\d+)"', frame())[1]) <= 3
    text = eventually(lambda: "which has passed" in frame() and frame())
    assert "was meant to last until " in text
    assert 3 < int(re.search(r'data-fresh-for="(\d+)"', text)[1]) <= 25 * 3600


def test_a_page_that_isolates_itself_may_show_the_frame(hub_with_space):
    assert hub_with_space.request("GET", EMBED).headers["Cross-Origin-Embedder-Policy"] == "require-corp"


def test_a_host_that_is_no_host_does_no_harm(hub_with_space):
    answer = hub_with_space.request("GET", EMBED, {"Host": 'a"onclick="x'})
    assert b'"onclick="' not in answer.body


def test_the_badge_is_there_before_the_settings(hub):
    assert "Eightbells: unknown" in badge(hub).toxml()


def test_the_badge_forgets_a_silent_contact(hub_with_space):
    token = hub_with_space.token("sensor")
    hub_with_space.put("/api/v1/space/switch", token, {"open": True, "heartbeat_s": 1})
    assert "open" in badge(hub_with_space).getAttribute("aria-label")
    eventually(lambda: "unknown" in badge(hub_with_space).getAttribute("aria-label"))
