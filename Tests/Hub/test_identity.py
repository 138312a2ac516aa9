"""People and their devices: signing in by a one-time link, signing out, and a cookie's rights."""

import json

from hub import SESSION, SETTINGS, SPACE, STATE, command
from people import LOOK


def test_a_new_hub_shows_a_terminal_a_link_whose_holder_becomes_the_owner(make_hub):
    hub = make_hub(terminal=True)
    line = hub.line("Set it up: ")
    assert line.startswith(f"Set it up: {hub.url}/join#")
    secret = line.partition("#")[2]
    status, answer = hub.post(LOOK, json={"link": secret})
    assert status == 200 and (answer["kind"], answer["role"], answer["name"]) == ("setup", "owner", None)
    answer = hub.request("POST", SESSION, {"Origin": hub.url}, f'{{"link": "{secret}", "name": "Ada"}}')
    assert answer.status == 200 and answer.json["person"]["name"] == "Ada" and answer.json["person"]["role"] == "owner"
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("eightbells=") and cookie.endswith("; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax")
    ada = {"Cookie": cookie.partition(";")[0], "Origin": hub.url}
    assert hub.put(SETTINGS, ada, SPACE)[0] == 200
    # The link is used up: nobody else becomes an owner by it, and it is not printed again.
    status, answer = hub.post(SESSION, json={"link": secret})
    assert status == 410 and answer["code"] == 41020
    hub.stop()
    hub.start()
    assert hub.get(SESSION, ada)[1]["person"]["name"] == "Ada"
    assert hub.line("Set it up: ") is None


def test_where_nobody_looks_a_new_hub_names_the_command_and_tells_no_secret(hub):
    """Without a terminal, the output is a journal or a file, which others read."""
    assert hub.line("Set it up: ") is None and "#" not in hub.greeting and "#" not in hub.log
    words = hub.greeting.splitlines()[-1].split()
    assert words[1:] == ["link", "--data", str(hub.data), "--role", "owner"]
    url, _, whom = command(*words[1:]).stdout.splitlines()[:3]
    assert url.startswith(f"{hub.url}/join#") and whom == "For somebody new, as an owner."
    secret = url.partition("#")[2]
    assert hub.post(LOOK, json={"link": secret})[1]["kind"] == "setup"
    hub.stop()
    hub.start()
    assert hub.post(LOOK, json={"link": secret})[1]["kind"] == "setup", "a start does not end it"
    assert hub.post(SESSION, json={"link": secret, "name": "Ada"})[1]["person"]["role"] == "owner"
    hub.stop()
    hub.start()
    assert len(hub.greeting.splitlines()) == 1, "there is an owner now"


def test_without_a_cookie_nobody_is_signed_in(hub):
    answer = hub.request("GET", SESSION)
    nobody = {"person": None, "device": None, "rights": [], "address": hub.url}
    assert answer.status == 200 and answer.json == nobody
    assert "Set-Cookie" not in answer.headers and answer.headers["Cache-Control"] == "no-store"
    answer = hub.request("GET", SESSION, {"Cookie": "eightbells=unknown"})
    assert answer.json == nobody
    assert "Set-Cookie" not in answer.headers, "a browser may have a newer one by now"
    assert "Clear-Site-Data" not in answer.headers
    answer = hub.request("GET", f"{SESSION}?ended=1")
    assert answer.json == nobody and answer.headers["Clear-Site-Data"] == '"cache"'
    answer = hub.request("GET", f"{SESSION}?ended=1", {"Sec-Fetch-Site": "cross-site"})
    assert "Clear-Site-Data" not in answer.headers, "another site does not make pages slow"


def test_an_answer_that_is_under_way_while_a_device_signs_in_anew_does_not_touch_its_new_cookie(hub_with_space):
    """Browsers keep the cookie of the answer that comes last, which may be the one to the older request."""
    hub = hub_with_space
    old = hub.sign_in("member", "Ben")
    answer = hub.request("GET", SESSION, old)
    assert answer.json["person"]["name"] == "Ben" and "Set-Cookie" not in answer.headers
    link = hub.link("member", "Cleo")[0]
    answer = hub.request("POST", SESSION, old, json.dumps({"link": link}))
    assert answer.status == 200 and answer.headers["Set-Cookie"].startswith("eightbells=")
    answer = hub.request("GET", SESSION, old)
    assert answer.json["person"] is None and "Set-Cookie" not in answer.headers


def test_the_session_tells_the_rights(hub_with_space, make_hub):
    def rights(hub, who):
        return set(hub.get(SESSION, who)[1]["rights"])

    keeping = {"albums.make", "albums.visit", "anchor.watch", "hub.enter", "hub.listen", "hub.keep",
               "portfolio.keep", "programme.want-opener", "space.follow"}
    opening = keeping | {"programme.open-for", "space.report", "space.turn"}
    who = {role: hub_with_space.sign_in(role) for role in ("owner", "keykeeper", "member")}
    assert {role: rights(hub_with_space, one) for role, one in who.items()} == {
        "owner": opening | {"albums.manage", "anchor.be-woken", "apps.manage", "bells.hooks", "bells.send",
                            "bells.views", "hub.manage", "portfolio.keep-common"},
        "keykeeper": opening, "member": keeping}
    mo = hub_with_space.get(SESSION, who["member"])[1]["person"]["id"]
    assert hub_with_space.request("PATCH", f"/api/v1/people/{mo}", who["owner"], '{"role": "keykeeper"}').status == 200
    assert rights(hub_with_space, who["member"]) == opening
    # A room that is switched off gives nobody rights.
    hub_with_space.stop()
    hub = make_hub(options=["--rooms", "programme"])
    others = ("albums.", "anchor.", "portfolio.", "space.")
    assert rights(hub, who["keykeeper"]) == {one for one in opening if not one.startswith(others)}


def test_a_password_for_a_web_server_in_front_stands_beside_the_cookie(hub_with_space):
    hub = hub_with_space
    password = {"Authorization": "Basic dXNlcjpwYXNz"}
    assert hub.post(STATE, hub.sign_in("keykeeper", "Ada") | password, {"open": True})[0] == 200
    assert hub.request("GET", SETTINGS, password).json["code"] == 40101


def test_a_device_may_what_its_person_may(hub_with_space):
    hub = hub_with_space
    for role in "owner", "keykeeper", "member":
        signed_in = hub.sign_in(role, f"Ada the {role}")
        status, answer = hub.get(SESSION, signed_in)
        assert status == 200 and answer["person"]["name"] == f"Ada the {role}" and answer["person"]["role"] == role
        assert answer["device"]["name"] == "test"
        status, answer = hub.post(STATE, signed_in, {"open": True})
        assert status == (403 if role == "member" else 200), answer
        assert hub.get(SETTINGS, token=signed_in)[0] == (200 if role == "owner" else 403)


def test_signing_out_ends_this_device_alone(hub_with_space):
    hub = hub_with_space
    phone, laptop = hub.sign_in("keykeeper", "Ada"), hub.sign_in("keykeeper", "Ada")
    answer = hub.request("DELETE", SESSION, phone)
    assert answer.status == 200 and answer.headers["Set-Cookie"].startswith("eightbells=; Max-Age=0;")
    assert hub.post(STATE, phone, {"open": True})[0] == 401
    assert hub.get(SESSION, phone)[1]["person"] is None
    assert hub.post(STATE, laptop, {"open": True})[0] == 200


def test_a_write_by_cookie_counts_only_from_a_page_of_ours(hub_with_space):
    hub = hub_with_space
    cookie = {"Cookie": hub.sign_in("keykeeper")["Cookie"]}
    for fields in (
            {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}, {}, {"Origin": "http://127.0.0.1:1"}):
        status, answer = hub.post(STATE, cookie | fields, {"open": True})
        assert status == 403 and answer["code"] == 40320, fields
        assert hub.state()["open"] is None, fields
        assert hub.get(SESSION, cookie | fields)[1]["person"] is not None, "reading is not held up"
    assert hub.post(STATE, cookie | {"Sec-Fetch-Site": "same-origin"}, {"open": True})[0] == 200


def test_the_first_link_ends_when_somebody_else_has_become_the_owner(hub):
    secret = hub.setup_link().partition("#")[2]
    hub.sign_in("owner", "Ada")
    assert hub.post(SESSION, json={"link": secret})[0] == 404


def test_the_command_lets_the_owner_there_is_back_in(hub):
    hub.sign_in("owner", "Ada")
    made = command("link", "--data", hub.data, "--role", "owner")
    secret = made.stdout.splitlines()[0].partition("#")[2]
    status, answer = hub.post(SESSION, json={"link": secret})
    assert status == 200 and answer["person"]["name"] == "Ada"


def test_a_code_is_typed_in_any_case_and_with_or_without_its_dash(hub):
    for spelt in (str, str.lower, lambda code: code.replace("-", " "), lambda code: code.replace("-", "")):
        code = hub.link("member", "Ada")[1]
        status, answer = hub.post(SESSION, json={"code": spelt(code)})
        assert status == 200 and answer["person"]["name"] == "Ada"
        assert hub.post(SESSION, json={"code": spelt(code)})[0] == 404, "it is used up"
