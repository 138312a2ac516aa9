"""Answers for a signed-in caller are not stored on their way: neither by a proxy nor by the browser, where somebody
else could read them after the caller has signed out."""

import re

import pytest

from api import LEFT_OUT, documented
from hub import SESSION, SETTINGS, Hub

# Every (method, path) of the API's description, with placeholders filled with unknown names.
OPERATIONS = sorted(
    (method.upper(), re.sub(r"\{\w+\}", "0", path)) for method, path in documented() if path not in LEFT_OUT)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A hub, and the header fields of its owner's device and of a token."""
    hub = Hub(tmp_path_factory.mktemp("hub") / "data").start()
    hub.configure()
    yield hub, hub.sign_in("owner", "Olga"), {"Authorization": f"Bearer {hub.owner_token}"}
    hub.kill()


def told(answer):
    """The answer without the parts that always differ."""
    return answer.status, re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+", b"", answer.body)


@pytest.mark.parametrize("method, path", [one for one in OPERATIONS if one[0] == "GET"])
def test_an_answer_for_somebody_is_not_stored(asked, method, path):
    hub, *known = asked
    stranger = hub.request(method, path)
    for fields in known:
        answer = hub.request(method, path, fields)
        if answer.status == 401 or told(answer) == told(stranger) and "no-store" not in answer.headers["Cache-Control"]:
            continue  # the same for everybody
        assert answer.headers["Cache-Control"] == "no-store", (answer.status, answer.body[:200])


@pytest.mark.parametrize("method, path", [one for one in OPERATIONS if one[0] != "GET"])
def test_neither_is_what_comes_of_a_write(asked, method, path):
    hub, *known = asked
    if (method, path) == ("DELETE", SESSION):
        pytest.skip("it would sign the device out; the next test does")
    for fields in known:
        answer = hub.request(method, path, fields | {"Content-Type": "application/json"}, "{}")
        # Routes for callers who are not identified, such as for signing in.
        stranger = hub.request(method, path, {"Content-Type": "application/json"}, "{}")
        if told(answer) != told(stranger):
            assert answer.headers["Cache-Control"] == "no-store", (answer.status, answer.body[:200])


def test_a_secret_address_is_gone_with_whoever_could_read_it(asked):
    hub, olga, _ = asked
    secret = "https://calendar.example/secret-4711.ics"
    calendars = {"calendars": [{"kind": "ics", "url": secret}]}
    assert hub.put(SETTINGS, olga, hub.get(SETTINGS, olga)[1] | calendars)[0] == 200
    for path in (SETTINGS, "/api/v1/space/calendars"):
        answer = hub.request("GET", path, olga)
        assert secret.encode() in answer.body and answer.headers["Cache-Control"] == "no-store", path
    device = hub.sign_in("owner", "Olga", device="another")
    assert hub.request("DELETE", SESSION, device).headers["Cache-Control"] == "no-store"


def test_public_answers_are_still_kept_and_compared(asked):
    hub, olga, _ = asked
    for path in ("/", "/api/v1/space", "/api/v1/space/events", "/spaceapi.json"):
        answer = hub.request("GET", path, olga)
        assert answer.headers["Cache-Control"] == "no-cache" and answer.headers["ETag"], path
        assert hub.request("GET", path, olga | {"If-None-Match": answer.headers["ETag"]}).status == 304
