"""Users of apps, their sessions, roles and files, in Parse's manner, with the real program."""

import base64
import contextlib
import hashlib
import json
import re
import sqlite3
import urllib.parse

import pytest

from base64url import encoded
from hub import RECORDS
from live import opened
from mailroom import Mailroom, hub_with_mail
from parse_app import ParseApp, enter, sign_up

NAME, PASSWORD = {"username": "Ada"}, {"password": "correct horse"}


def code(answer):
    return answer[0], answer[1].get("code")


def test_somebody_signs_up_in_and_out(app):
    status, made = app.ask("POST", "users", NAME | PASSWORD | {"age": 36})
    assert status == 201 and re.fullmatch(r"r:[0-9a-f]{32}", made["sessionToken"])
    assert set(made) == {"objectId", "createdAt", "sessionToken"}
    me = app.ask("GET", "users/me", session=made["sessionToken"])[1]
    assert (me["username"], me["age"], me["sessionToken"]) == ("Ada", 36, made["sessionToken"])
    assert me["ACL"] == {me["objectId"]: {"read": True, "write": True}} and "password" not in me
    # Small letters or not, by POST or GET, it is the same user.
    for answer in (app.ask("POST", "login", {"username": "ada"} | PASSWORD),
                   app.ask("GET", "login?username=Ada&password=correct%20horse")):
        assert answer[0] == 200 and answer[1]["objectId"] == made["objectId"]
        assert answer[1]["sessionToken"] != made["sessionToken"] and "password" not in answer[1]
    assert app.ask("GET", "verifyPassword?username=Ada&password=correct%20horse")[1].get("sessionToken") is None
    for wrong in (NAME | {"password": "wrong"}, {"username": "Bob"} | PASSWORD, NAME | {"password": {"$ne": ""}}):
        assert code(app.ask("POST", "login", wrong)) == (404, 101)
    # Names and addresses that nobody can have are not remembered, so trying them again and again is never too often.
    for way, refused, number in (("login", {"username": "A" * 501} | PASSWORD, 101),
                                 ("requestPasswordReset", {"email": "a" * 255}, 125)):
        assert {app.ask("POST", way, refused)[1]["code"] for _ in range(25)} == {number}
    assert code(app.ask("POST", "login", PASSWORD)) == (400, 200)
    assert code(app.ask("POST", "login", NAME)) == (400, 201)
    assert app.ask("POST", "logout", {}, session=made["sessionToken"]) == (200, {})
    for path in ("users/me", "sessions/me", "classes/Note"):
        assert code(app.ask("GET", path, session=made["sessionToken"])) == (400, 209)
    assert code(app.ask("GET", "users/me")) == (400, 209)
    # A stranger sees no users, and finds no passwords.
    assert app.ask("GET", "users")[1] == {"results": []}
    where = urllib.parse.quote('{"password":{"$exists":true}}')
    assert app.ask("GET", f"users?where={where}", master=True)[1] == {"results": []}
    assert PASSWORD["password"] not in app.hub.log


def test_an_empty_session_is_none(app):
    assert app.ask("POST", "classes/Note", {}, **{"X-Parse-Session-Token": ""})[0] == 201


def test_a_session_that_comes_back_with_its_user_is_shown_to_nobody_else(app):
    everybody = {"*": {"read": True}}
    made = sign_up(app, "Ada", ACL=everybody, sessionToken="r:invented")
    path, session = f"users/{made['objectId']}", made["sessionToken"]
    me = app.ask("GET", "users/me", session=session)[1]
    assert (me["sessionToken"], me["ACL"]["*"]) == (session, {"read": True})
    assert app.ask("PUT", path, me | {"age": 36}, session=session)[0] == 200
    other = sign_up(app, "Bob")["sessionToken"]
    for who in ({}, {"session": other}, {"master": True}):
        user = app.ask("GET", path, **who)[1]
        assert user["age"] == 36 and "sessionToken" not in user
    # Clients take a user whom they fetch as he comes: without his session they would forget it.
    part = app.ask("POST", "batch", {"requests": [{"method": "GET", "path": f"/parse/{path}"}]}, session=session)[1]
    for mine in (app.ask("GET", path, session=session)[1], app.ask("GET", f"{path}?keys=age", session=session)[1],
                 part[0]["success"]):
        assert (mine["age"], mine["sessionToken"]) == (36, session)
    where = urllib.parse.quote(json.dumps({"sessionToken": {"$exists": True}}))
    assert code(app.ask("GET", f"users?where={where}")) == (400, 119)
    assert app.ask("GET", f"users?where={where}", master=True)[1] == {"results": []}
    fields = app.ask("GET", "schemas/_User", master=True)[1]["fields"]
    assert "age" in fields and "sessionToken" not in fields


def test_whoever_is_signed_out_hears_nothing_more_in_the_channels_of_users(app):
    app.set(user_channels=True)
    ada = sign_up(app, "Ada")
    first, user = ada["sessionToken"], f"users/{ada['objectId']}"
    assert app.ask("PUT", user, {"name": "Ada"}, session=first)[0] == 200
    second = app.ask("POST", "login", {"username": "Ada", "password": "Ada's"})[1]["sessionToken"]
    channels = {"private-room", "presence-table"}
    path = f"/app/{app.told['key']}"
    with opened(app.hub, path=path) as phone, opened(app.hub, path=path) as desk:
        sockets = [listener.expect("pusher:connection_established")["socket_id"] for listener in (phone, desk)]
        for listener, socket_id, session in zip((phone, desk), sockets, (first, second)):
            signed = [enter(app, listener, socket_id, channel, session) for channel in sorted(channels)]
            assert json.loads(signed[0]["channel_data"]) == {"user_id": ada["objectId"], "user_info": {"name": "Ada"}}
        phone.subscribe("lobby")

        def ended(listener):
            messages = [listener.next() for _ in channels]
            assert {(message["event"], message["data"]["status"]) for message in messages} == {
                ("pusher:subscription_error", 401)}
            return {message["channel"] for message in messages}

        unused = app.ask("POST", "channels/auth", {
            "socket_id": sockets[0], "channel_name": "private-hall"}, session=first)[1]
        assert app.ask("POST", "logout", {}, session=first) == (200, {})
        assert ended(phone) == channels
        # Nor does a signature help that was not used before.
        phone.send("pusher:subscribe", {"channel": "private-hall", **unused})
        phone.expect("pusher_internal:subscription_succeeded")
        assert phone.expect("pusher:subscription_error")["status"] == 401
        for channel in ("private-room", "private-hall", "lobby"):
            status, answer = app.hub.post(
                f"{app.path}/events", app.hub.owner_token, {"name": "word", "channel": channel, "data": 1})
            assert status == 202, answer
        assert phone.next()["channel"] == "lobby"
        assert desk.next()["channel"] == "private-room"
        # A new password signs out everywhere.
        assert app.ask("PUT", user, {"password": "new"}, session=second)[0] == 200
        assert ended(desk) == channels


@pytest.mark.file
def test_whoever_guesses_has_to_wait_and_nobody_else(make_hub):
    app = ParseApp(make_hub(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"}))
    sign_up(app, "Ada")
    # Kept with the least numbers: each guess would cost the machine a second.
    key = hashlib.scrypt(b"Ada's", salt=bytes(16), n=2, r=8, p=1, dklen=32)
    with contextlib.closing(sqlite3.connect(app.hub.data / RECORDS, timeout=30)) as records, records:
        records.execute("UPDATE apps_users SET password = ?", (f"scrypt$1$8$1${encoded(bytes(16))}${encoded(key)}",))

    def sign_in(address, password):
        body = {"username": "Ada", "password": password}
        return app.ask("POST", "login", body, **{"X-Forwarded-For": address})

    codes = [code(sign_in("203.0.113.1", "wrong"))[1] for _ in range(30)]
    assert codes[:20] == [101] * 20 and 155 in codes[20:]
    assert sign_in("203.0.113.2", "Ada's")[0] == 200


def test_names_and_addresses_are_taken_once(app):
    ada = sign_up(app, "Ada", email="ada@example.org")
    for fields, number in (
            ({"username": "ADA"}, 202), ({"username": "Bob", "email": "Ada@Example.org"}, 203),
            ({"username": "Bob", "email": "none"}, 125), ({}, 200), ({"username": ""}, 200),
            ({"username": "Bob", "emailVerified": True}, 119),
            ({"username": "Bob", "authData": {"facebook": {"id": "1"}}}, 252)):
        assert code(app.ask("POST", "users", fields | PASSWORD)) == (400, number), fields
    assert code(app.ask("POST", "users", {"username": "Bob"})) == (400, 201)
    bob = sign_up(app, "Bob")
    path = f"users/{bob['objectId']}"
    assert code(app.ask("PUT", path, NAME, session=bob["sessionToken"])) == (400, 202)
    assert code(app.ask("PUT", path, {"a": 1})) == (400, 206)
    assert code(app.ask("PUT", path, {"a": 1}, session=ada["sessionToken"])) == (400, 206)
    assert code(app.ask("DELETE", path, session=ada["sessionToken"])) == (400, 206)
    # By the address one signs in, too.
    assert app.ask("POST", "login", {"username": "ada@example.org", "password": "Ada's"})[0] == 200
    assert app.ask("POST", "login", {"email": "ADA@example.org", "password": "Ada's"})[0] == 200
    assert app.ask("DELETE", path, session=bob["sessionToken"]) == (200, {})
    assert code(app.ask("GET", "users/me", session=bob["sessionToken"])) == (400, 209)
    sign_up(app, "Bob")


def test_nobody_else_changes_a_user_whatever_the_access_list_says(app):
    vic = sign_up(app, "Vic")
    path, eve = f"users/{vic['objectId']}", sign_up(app, "Eve")["sessionToken"]
    for acl in ({"*": {"read": True, "write": True}}, None):
        assert app.ask("PUT", path, {"ACL": acl}, master=True)[0] == 200
        for who in ({}, {"session": eve}):
            for change in ({"password": "hacked"}, {"a": 2}):
                assert code(app.ask("PUT", path, change, **who)) == (400, 206)
            assert code(app.ask("DELETE", path, **who)) == (400, 206)
    assert app.ask("PUT", path, {"a": 3}, session=vic["sessionToken"])[0] == 200
    assert app.ask("DELETE", path, session=vic["sessionToken"]) == (200, {})


def test_no_name_with_a_dot_goes_past_the_rules_of_users_and_sessions(app):
    def anonymous(id):
        return {"authData": {"anonymous": {"id": id}}}

    ada = app.ask("POST", "users", anonymous("ada's"))[1]
    path, session = f"users/{ada['objectId']}", ada["sessionToken"]
    for fields in ({"authData.anonymous": {"__op": "Delete"}}, {"authData.facebook": {"id": "1"}},
                   {"authData.anonymous": {"id": "another"}}, {"authData.anonymous.id": "another"}):
        assert code(app.ask("PUT", path, fields, session=session)) == (400, 252), fields
    bob = {"username": "Bob", "authData.facebook": {"id": "1"}} | PASSWORD
    assert code(app.ask("POST", "users", bob)) == (400, 252)
    assert app.ask("POST", "users", anonymous("ada's"))[1]["objectId"] == ada["objectId"]
    assert code(app.ask("PUT", "sessions/me", {"createdWith.action": "login"}, session=session)) == (400, 105)
    assert app.ask("PUT", "sessions/me", {"place.name": "bridge"}, session=session)[0] == 200


def test_a_new_password_ends_all_sessions_but_the_new_one(app):
    ada = sign_up(app, "Ada")
    other = app.ask("POST", "login", {"username": "Ada", "password": "Ada's"})[1]["sessionToken"]
    status, changed = app.ask("PUT", f"users/{ada['objectId']}", {"password": "new"}, session=ada["sessionToken"])
    assert status == 200, changed
    for token in (ada["sessionToken"], other):
        assert code(app.ask("GET", "users/me", session=token)) == (400, 209)
    assert app.ask("GET", "users/me", session=changed["sessionToken"])[1]["username"] == "Ada"
    assert code(app.ask("POST", "login", {"username": "Ada", "password": "Ada's"})) == (404, 101)
    assert app.ask("POST", "login", {"username": "Ada", "password": "new"})[0] == 200
    status, session = app.ask("POST", "loginAs", {"userId": ada["objectId"]}, master=True)
    assert status == 200 and app.ask("GET", "users/me", session=session["sessionToken"])[0] == 200
    assert code(app.ask("POST", "loginAs", {"userId": ada["objectId"]})) == (400, 119)


def test_sessions_are_ones_own_and_keep_no_token(app):
    ada, bob = sign_up(app, "Ada"), sign_up(app, "Bob")
    mine = app.ask("GET", "sessions", session=ada["sessionToken"])[1]["results"]
    assert len(mine) == 1 and "sessionToken" not in mine[0]
    assert mine[0]["createdWith"] == {"action": "signup", "authProvider": "password"}
    current = app.ask("GET", "sessions/me", session=ada["sessionToken"])[1]
    assert (current["objectId"], current["sessionToken"]) == (mine[0]["objectId"], ada["sessionToken"])
    path = f"sessions/{current['objectId']}"
    assert code(app.ask("DELETE", path, session=bob["sessionToken"])) == (404, 101)
    assert code(app.ask("PUT", path, {"sessionToken": "r:" + 32 * "0"}, session=ada["sessionToken"]))[0] == 400
    assert app.ask("PUT", path, {"device": "phone"}, session=ada["sessionToken"])[0] == 200
    upgraded = app.ask("POST", "upgradeToRevocableSession", {}, session=ada["sessionToken"])[1]
    assert app.ask("GET", "users/me", session=upgraded["sessionToken"])[1]["username"] == "Ada"
    assert app.ask("DELETE", path, session=upgraded["sessionToken"]) == (200, {})
    assert code(app.ask("GET", "users/me", session=ada["sessionToken"])) == (400, 209)
    # An installation has one session.
    phone = {"X-Parse-Installation-Id": "phone"}
    tokens = [app.ask("POST", "login", {"username": "Bob", "password": "Bob's"}, **phone)[1]["sessionToken"]
              for _ in range(2)]
    assert [app.ask("GET", "users/me", session=token)[0] for token in tokens] == [400, 200]


def test_an_anonymous_user_becomes_one_with_a_name(app):
    identity = {"authData": {"anonymous": {"id": "0123-4567"}}}
    status, made = app.ask("POST", "users", identity)
    assert status == 201 and made["username"] and made["sessionToken"]
    status, again = app.ask("POST", "users", identity)
    assert status == 200 and again["objectId"] == made["objectId"]
    # Locked out, nobody comes back by the id alone, nor stays by an earlier session.
    path, acl = f"users/{made['objectId']}", again["ACL"]
    assert app.ask("GET", "users/me", session=made["sessionToken"])[0] == 200
    assert app.ask("PUT", path, {"ACL": {}}, master=True)[0] == 200
    assert code(app.ask("POST", "users", identity)) == (400, 208)
    for session in (made, again):
        assert code(app.ask("GET", "users/me", session=session["sessionToken"])) == (400, 209)
    assert app.ask("PUT", path, {"ACL": acl}, master=True)[0] == 200
    made = app.ask("POST", "users", identity)[1]
    status, changed = app.ask(
        "PUT", f"users/{made['objectId']}", NAME | PASSWORD | {"authData": {"anonymous": None}},
        session=made["sessionToken"])
    assert status == 200, changed
    users = app.ask("GET", "users", master=True)[1]["results"]
    assert [user["username"] for user in users] == ["Ada"] and "authData" not in users[0]
    assert app.ask("POST", "login", NAME | PASSWORD)[1]["objectId"] == made["objectId"]
    assert app.ask("POST", "users", identity)[0] == 201


def test_roles_give_rights_to_users_and_to_roles_within(app):
    ada, bob = sign_up(app, "Ada"), sign_up(app, "Bob")
    public = {"ACL": {"*": {"read": True, "write": True}}}

    def pointer(name, one):
        return {"__type": "Pointer", "className": name, "objectId": one["objectId"]}

    def relation(name, *all):
        return {"__op": "AddRelation", "objects": [pointer(name, one) for one in all]}

    humans = app.ask("POST", "roles", {"name": "humans", "users": relation("_User", ada)} | public)[1]
    eden = app.ask("POST", "roles", {"name": "eden", "roles": relation("_Role", humans)} | public)[1]
    for name, number in (("humans", 137), ("a/b", 139), ("", 139)):
        assert code(app.ask("POST", "roles", {"name": name} | public)) == (400, number)
    assert code(app.ask("POST", "roles", {"name": "alone"})) == (400, 111)
    assert code(app.ask("POST", "roles", public)) == (400, 111)
    garden = app.ask("POST", "classes/Thing", {"ACL": {"role:eden": {"read": True}}})[1]
    path = f"classes/Thing/{garden['objectId']}"
    assert app.ask("GET", path, session=ada["sessionToken"])[0] == 200
    assert code(app.ask("GET", path, session=bob["sessionToken"])) == (404, 101)
    assert code(app.ask("PUT", path, {"a": 1}, session=ada["sessionToken"])) == (404, 101)
    removed = {"roles": {"__op": "RemoveRelation", "objects": [pointer("_Role", humans)]}}
    assert app.ask("PUT", f"roles/{eden['objectId']}", removed)[0] == 200
    assert code(app.ask("GET", path, session=ada["sessionToken"])) == (404, 101)
    assert code(app.ask("PUT", f"roles/{eden['objectId']}", {"name": "garden"})) == (400, 139)


def test_installations_are_known_by_their_ids(app):
    phone = {"deviceType": "android", "deviceToken": "token", "installationId": "ONE"}
    assert code(app.ask("POST", "installations", {"deviceType": "android"})) == (400, 135)
    assert code(app.ask("POST", "installations", {"deviceToken": "token"})) == (400, 135)
    made = app.ask("POST", "installations", phone)[1]
    assert app.ask("POST", "installations", phone | {"badge": 1})[1]["objectId"] == made["objectId"]
    assert code(app.ask("GET", "installations")) == (400, 119)
    assert code(app.ask("DELETE", f"installations/{made['objectId']}")) == (400, 119)
    other = app.ask("POST", "installations", phone | {"installationId": "two"})[1]
    all = app.ask("GET", "installations", master=True)[1]["results"]
    assert [one["objectId"] for one in all] == [other["objectId"]], "a token moves with its device"
    assert code(app.ask("PUT", f"installations/{other['objectId']}", {"deviceType": "ios"})) == (400, 136)


def test_config_is_set_with_the_master_key_and_read_by_all(app):
    assert app.ask("GET", "config") == (200, {"params": {}})
    config = {"params": {"greeting": "Ahoy", "limit": 3, "secret": [1]}, "masterKeyOnly": {"secret": True}}
    assert code(app.ask("PUT", "config", config)) == (400, 119)
    assert app.ask("PUT", "config", config, master=True) == (200, {"result": True})
    assert app.ask("GET", "config") == (200, {"params": {"greeting": "Ahoy", "limit": 3}})
    assert app.ask("GET", "config", master=True)[1]["params"] == config["params"]
    more = {"params": {"limit": {"__op": "Increment", "amount": 1}}}
    assert code(app.ask("PUT", "config", more, master=True)) == (400, 107)
    assert app.ask("PUT", "config", {"params": {"limit": {"__op": "Delete"}}}, master=True)[0] == 200
    assert app.ask("GET", "config")[1] == {"params": {"greeting": "Ahoy"}}
    assert code(app.ask("PUT", "config", {"params": {"a b": 1}}, master=True)) == (400, 105)
    assert code(app.ask("PUT", "config", {"params": {"big": "x" * 70_000}}, master=True)) == (400, 116)


def test_files_are_sent_fetched_in_part_and_removed(app):
    picture, session = bytes(range(256)) * 1_000, sign_up(app, "Ada")["sessionToken"]
    user = app.headers(session=session)
    answer = app.hub.request("POST", "/parse/files/cat.png", user | {"Content-Type": "image/png"}, picture)
    assert answer.status == 201 and re.fullmatch(r"[0-9a-f]{32}_cat\.png", answer.json["name"])
    path = answer.json["url"].removeprefix(app.hub.url)
    assert path == f"/parse/files/{app.application_id}/{answer.json['name']}"
    fetched = app.hub.request("GET", path)
    assert (fetched.status, fetched.body, fetched.headers["Content-Type"]) == (200, picture, "image/png")
    assert "sandbox" in fetched.headers["Content-Security-Policy"]
    part = app.hub.request("GET", path, {"Range": "bytes=254-257"})
    assert (part.status, part.body) == (206, bytes([254, 255, 0, 1]))
    # As the JavaScript SDK sends it: keys and file in one text.
    envelope = {"_ApplicationId": app.application_id, "_JavaScriptKey": app.rest_key, "_SessionToken": session}
    text = {"base64": base64.b64encode(picture).decode(), "_ContentType": "text/plain"} | envelope
    status, sent = ask_as_page(app, "files/note.txt", text)
    assert status == 201
    again = app.hub.request("GET", sent["url"].removeprefix(app.hub.url))
    assert (again.body, again.headers["Content-Type"]) == (picture, "text/plain")
    assert ask_as_page(app, "files/a.txt", text | {"_JavaScriptKey": "wrong"})[0] == 403
    assert ask_as_page(app, "files/a.txt", text | {"base64": "!"}) == (400, {
        "code": 130, "error": "base64 is no base64; a text of it is accepted."})
    for name, number in (("page.html", 130), ("%2e%2e%2fa", 122), ("a%01", 122)):
        assert app.hub.request("POST", f"/parse/files/{name}", user, b"x").json["code"] == number
    assert app.hub.request("POST", "/parse/files/a.txt", {}, b"x").status == 403
    assert app.hub.request("POST", "/parse/files/a.txt", app.headers() | {"X-Parse-REST-API-Key": "no"}, b"x"
                           ).status == 403
    assert app.hub.request("DELETE", f"/parse/files/{sent['name']}", app.headers()).status == 403
    removal = envelope | {"_method": "DELETE", "_MasterKey": app.master_key}
    assert ask_as_page(app, f"files/{sent['name']}", removal) == (200, {})
    assert app.hub.request("GET", sent["url"].removeprefix(app.hub.url)).status == 404
    assert app.hub.request("DELETE", f"/parse/files/{answer.json['name']}", app.headers(master=True)).status == 200
    assert app.hub.request("GET", path).status == 404


def ask_as_page(app, path, content):
    answer = app.hub.request("POST", f"/parse/{path}", {"Content-Type": "text/plain"}, json.dumps(content))
    return answer.status, answer.json


def test_files_are_taken_from_users_and_from_others_by_an_option_alone(app):
    def sent(session=None):
        """The numbers with which a file, and one within JSON, are refused; None for one that is kept."""
        text = {"_ApplicationId": app.application_id, "_JavaScriptKey": app.rest_key, "base64": "QWhveQ=="}
        told = (app.hub.request("POST", "/parse/files/a.txt", app.headers(session=session), b"Ahoy").json,
                ask_as_page(app, "files/a.txt", text | ({"_SessionToken": session} if session else {}))[1])
        return [one.get("code") for one in told]

    assert sent() == [130, 130]
    assert sent(sign_up(app, "Ada")["sessionToken"]) == [None, None]
    app.set(public_files=True)
    assert sent() == [None, None]
    assert sent(f"r:{'0' * 32}") == [209, 209]
    assert code(app.ask("DELETE", f"files/{'0' * 32}_a.txt", session="r:bad")) == (400, 209)


def test_a_file_of_20_MB_is_taken_and_no_larger_one(app):
    size, user = 20 * 1_048_576, app.headers(session=sign_up(app, "Ada")["sessionToken"])
    for path, bytes_, status in (("a", size, 201), ("b", size + 1, 400)):
        answer = app.hub.request("POST", f"/parse/files/{path}", user, b"x" * bytes_)
        assert answer.status == status, answer.json
    assert answer.json["code"] == 129


def test_files_leave_room_on_the_disk_that_they_are_on(make_hub):
    app = ParseApp(make_hub())
    user, blobs = app.headers(session=sign_up(app, "Ada")["sessionToken"]), app.hub.data / "blobs"
    if blobs.exists():
        blobs.rename(app.hub.data / "away")
    # A file system without room.
    blobs.symlink_to("/proc")
    answer = app.hub.request("POST", "/parse/files/a.txt", user, b"Ahoy")
    assert (answer.status, answer.json["code"]) == (400, 130) and "no room" in answer.json["error"]


def test_mails_ask_for_addresses_and_lead_to_a_new_password(make_hub):
    with Mailroom() as room:
        hub = hub_with_mail(make_hub, room.port)
        app = ParseApp(hub)
        assert hub.patch(f"/api/v1/apps/{app.told['app_id']}", hub.owner_token, {"verify_emails": True})[0] == 200
        ada = sign_up(app, "Ada", email="ada@example.org")
        path = account_link(room.wait(1)[0], hub)
        assert "Word game" in room.mails[0]["Subject"] and room.mails[0]["To"] == "ada@example.org"
        assert "ada@example.org" in hub.request("GET", path, {"Accept-Language": "de"}).body.decode()

        def is_verified():
            return app.ask("GET", "users/me", session=ada["sessionToken"])[1]["emailVerified"]

        assert is_verified() is False
        assert hub.request("POST", path).status == 200 and is_verified() is True
        # Whoever presses twice, or opens the mail again, is told the same.
        for method in ("POST", "GET"):
            again = hub.request(method, path)
            assert again.status == 200 and b"knows it now" in again.body and b"<form" not in again.body
        assert code(app.ask("POST", "verificationEmailRequest", {"email": "ada@example.org"}))[0] == 400
        assert code(app.ask("POST", "verificationEmailRequest", {"email": "bob@example.org"})) == (400, 205)
        assert code(app.ask("POST", "requestPasswordReset", {})) == (400, 204)
        # Nobody learns whose address it is.
        for address in ("bob@example.org", "Ada@example.org"):
            assert app.ask("POST", "requestPasswordReset", {"email": address}) == (200, {})
        # One that is repeated after a lost answer sends no second mail, which would end the first one's link.
        once = "POST", "requestPasswordReset", {"email": "eve@example.org"}
        answers = [app.ask(*once, **{"X-Parse-Request-Id": "a"}) for _ in range(2)]
        assert answers[0] == (200, {}) and code(answers[1]) == (400, 159)
        path = account_link(room.wait(2)[1], hub)
        page = hub.request("GET", path, {"Accept-Language": "de-DE"}).body.decode()
        assert "Neues Passwort für Ada" in page
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert hub.request("POST", path, form, "password=").status == 400
        assert hub.request("POST", path, form, "password=new+one").status == 200
        assert hub.request("POST", path, form, "password=other").status == 410
        assert app.ask("POST", "login", {"username": "Ada", "password": "new one"})[0] == 200
        assert code(app.ask("GET", "users/me", session=ada["sessionToken"])) == (400, 209)
        assert len(room.mails) == 2
        assert hub.request("GET", "/apps/account/0123").status == 410


def account_link(mail, hub):
    found = re.search(r"http://\S+/apps/account/\w+", mail.get_body(("plain",)).get_content())
    assert found and found[0].startswith(hub.url), mail
    return urllib.parse.urlsplit(found[0]).path


def test_without_a_mail_server_nobody_waits_for_a_mail(app):
    status, answer = app.ask("POST", "requestPasswordReset", {"email": "ada@example.org"})
    assert status == 500 and answer["code"] == 1 and "smtp" in answer["error"]
