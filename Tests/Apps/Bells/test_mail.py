"""Mail: a fallback that a person chooses. The mail server is aiosmtpd, from PyPI."""

import contextlib
import http.client
import json
import socket
import ssl
import threading

import pytest
from aiosmtpd.smtp import AuthResult

from certificates import make_certificate
from hub import command, eventually
from mailroom import Mailroom, hub_with_mail, link

MAIL = "/api/v1/bells/mail"
SEND = "/api/v1/notifications"


@pytest.fixture
def mailroom():
    with Mailroom() as room:
        yield room


def confirmed(hub, room, name="Ada", minutes=1):
    """Somebody whose address is confirmed."""
    who = hub.sign_in("member", name)
    before = len(room.mails)
    status, answer = hub.put(MAIL, who, {"address": "ada@example.org", "after_minutes": minutes})
    assert (status, answer) == (200, {
        "possible": True, "address": "ada@example.org", "after_minutes": minutes, "confirmed": False, "wanted": None})
    path = link(room.wait(before + 1)[-1], hub)
    assert hub.request("POST", path).status == 200
    assert hub.get(MAIL, headers=who)[1]["confirmed"]
    person = hub.get("/api/v1/session", headers=who)[1]["person"]["id"]
    return who, person


def send(hub, person, content, **others):
    status, answer = hub.post(SEND, hub.owner_token, {"to": {"person": person}, "content": content} | others)
    assert status == 202, answer
    return answer["id"]


def events(hub, one):
    devices = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"]
    return [" ".join(filter(None, (event["what"], event.get("code"), event.get("detail"))))
            for device in devices if device["channel"] == "mail" for event in device["events"]]


def test_an_address_is_used_when_it_is_confirmed_and_not_before(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    ada = hub.sign_in("member", "Ada")
    assert hub.get(MAIL, headers=ada)[1] == {
        "possible": True, "address": None, "after_minutes": None, "confirmed": False, "wanted": None}
    assert hub.put(MAIL, ada, {"address": "ada@example.org", "after_minutes": 0})[0] == 200
    asked = mailroom.wait(1)[0]
    assert asked["To"] == "ada@example.org" and asked["From"].endswith("<bells@hub.example>")
    assert mailroom.envelopes[0].rcpt_tos == ["ada@example.org"]
    path = link(asked, hub)
    person = hub.get("/api/v1/session", headers=ada)[1]["person"]["id"]
    assert events(hub, send(hub, person, {"title": "Early"})) == []
    # Programs that look at links press nothing.
    for method in ("GET", "HEAD"):
        answer = hub.request(method, path)
        assert answer.status == 200 and "no-store" in answer.headers["Cache-Control"]
    assert b'<form method="post">' in hub.request("GET", path).body
    assert not hub.get(MAIL, headers=ada)[1]["confirmed"]
    assert hub.request("POST", path).status == 200 and hub.get(MAIL, headers=ada)[1]["confirmed"]
    one = send(hub, person, {"title": "Löffel\r\nBcc: eve@example.org", "body": "<b>Tea</b>", "url": "/bells"})
    mail = mailroom.wait(2)[1]
    assert mail["Subject"] == "Löffel Bcc: eve@example.org" and mail["Bcc"] is None
    plain, html = (mail.get_body((kind,)).get_content() for kind in ("plain", "html"))
    assert "<b>Tea</b>" in plain and f"Show on the page: {hub.url}/bells" in plain
    assert "&lt;b&gt;Tea&lt;/b&gt;" in html and "<b>" not in html
    eventually(lambda: events(hub, one) == ["queued", "sent"])
    # Another address is used when it is confirmed, too, and the old link is void.
    answer = hub.put(MAIL, ada, {"address": "eve@example.org", "after_minutes": 0})[1]
    assert (answer["address"], answer["confirmed"], answer["wanted"]) == ("ada@example.org", True, "eve@example.org")
    assert hub.request("POST", path).status == 410
    send(hub, person, {"title": "Meanwhile"})
    assert mailroom.wait(4)[3]["To"] == "ada@example.org"
    assert hub.request("POST", link(mailroom.mails[2], hub)).status == 200
    answer = hub.get(MAIL, headers=ada)[1]
    assert (answer["address"], answer["confirmed"], answer["wanted"]) == ("eve@example.org", True, None)
    send(hub, person, {"title": "From then on"})
    assert mailroom.wait(5)[4]["To"] == "eve@example.org"
    assert hub.delete(MAIL, ada)[0] == 204
    assert hub.get(MAIL, headers=ada)[1]["address"] is None
    assert hub.get("/api/v1/bells/devices", headers=ada)[1] == []


def test_mails_are_in_the_language_of_who_gets_them(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    grete = hub.sign_in("member", "Grete") | {"Accept-Language": "de-DE,de;q=0.9"}
    assert hub.put(MAIL, grete, {"address": "grete@example.org", "after_minutes": 0})[0] == 200
    assert hub.request("POST", link(mailroom.wait(1)[0], hub)).status == 200
    person = hub.get("/api/v1/session", headers=grete)[1]["person"]["id"]
    action = {"id": "opening", "title": "I am opening"}
    send(hub, person, {"title": "Closed", "body": "by Ada", "url": "/space", "actions": [action], "localized": {
        "de": {"title": "Geschlossen", "actions": [action | {"title": "Ich schließe auf"}]}}})
    mail = mailroom.wait(2)[1]
    plain = mail.get_body(("plain",)).get_content()
    assert mail["Subject"] == "Geschlossen" and plain.startswith("Geschlossen\nby Ada\nIch schließe auf: http")
    assert f"Auf der Seite zeigen: {hub.url}/space" in plain
    assert '<html lang="de">' in mail.get_body(("html",)).get_content()
    page = hub.request("GET", link(mail, hub), {"Accept-Language": "de-DE,de"}).body.decode()
    assert "Geschlossen" in page and "<button>Ich schließe auf</button>" in page and "Closed" not in page


def test_a_change_of_the_address_that_fails_leaves_the_confirmed_one_in_use(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    ada, person = confirmed(hub, mailroom)
    one = send(hub, person, {"title": "Waits for its minute"})
    mailroom.refusal = "550 no such user"
    answers = [hub.put(MAIL, ada, {"address": f"ada{n}@example.org", "after_minutes": 1})[0] for n in range(3)]
    assert answers == [503, 503, 429]
    kept = hub.get(MAIL, headers=ada)[1]
    assert (kept["address"], kept["confirmed"], kept["wanted"]) == ("ada@example.org", True, "ada1@example.org")
    # To type the old address again needs no mail.
    kept = hub.put(MAIL, ada, {"address": "ada@example.org", "after_minutes": 1})[1]
    assert kept["confirmed"] and kept["wanted"] is None
    assert events(hub, one) == ["queued"]


def test_an_action_in_a_mail_asks_before_it_acts_and_works_once(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    ada, person = confirmed(hub, mailroom, minutes=0)
    one = send(hub, person, {"title": "Who opens?", "body": "Tonight", "actions": [
        {"id": "me", "title": "I do"}, {"id": "text", "title": "Say", "text_input": {"button": "Send"}},
        {"id": "safe", "title": "Delete", "options": ["authentication_required"]}]})
    mail = mailroom.wait(2)[1]
    plain = mail.get_body(("plain",)).get_content()
    assert plain.count("/bells/mail/") == 1 and "I do: " in plain
    path = link(mail, hub)
    page = hub.request("GET", path).body.decode()
    assert "Who opens?" in page and "<button>I do</button>" in page
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    assert trace["state"] == "active" and "acted" not in trace
    assert hub.request("GET", path, {"Accept-Language": "de-DE,de"}).body.count(b'lang="de"') == 1
    eventually(lambda: events(hub, one)[-1] == "sent")
    assert hub.request("POST", path).status == 200
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    assert trace["state"] == "acted" and trace["acted"]["action"] == "me" and trace["acted"]["person"] == person
    # Whoever presses twice is not told that somebody else was faster.
    for method in ("POST", "GET"):
        again = hub.request(method, path)
        assert again.status == 200 and b"<h1>Done.</h1>" in again.body and b"<form" not in again.body
    other = send(hub, person, {"title": "Who closes?", "actions": [{"id": "me", "title": "I do"}]})
    path = link(mailroom.wait(3)[2], hub)
    assert hub.post(f"/api/v1/bells/{other}/response", ada, {"action": "me"})[0] == 200
    assert hub.request("POST", path).status == 409 and b"<form" not in hub.request("GET", path).body
    for wrong in (path[:-1] + ("A" if path[-1] != "A" else "B"), "/bells/mail/x", "/bells/mail/" + "A" * 48):
        assert hub.request("GET", wrong).status == 404 and hub.request("POST", wrong).status == 404


def test_one_thread_is_one_mail(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    _, person = confirmed(hub, mailroom, minutes=0)
    mailroom.busy = True
    first = send(hub, person, {"title": "one", "thread": "boat"})
    # The first is on its way; the others are due together by then.
    eventually(lambda: mailroom.waiting)
    others = [send(hub, person, {"title": title, "thread": "boat"}) for title in ("two", "three")]
    other = send(hub, person, {"title": "four", "thread": "door"})
    mailroom.busy = False
    for one in (first, *others, other):
        eventually(lambda one=one: events(hub, one) == ["queued", "sent"])
    mails = {mail["Subject"]: mail for mail in mailroom.mails[1:]}
    assert set(mails) == {"one", "three (+1)", "four"} and len(mailroom.mails) == 4
    both = mails["three (+1)"].get_body(("plain",)).get_content()
    assert both.index("two") < both.index("three")
    assert mails["one"]["References"] == mails["three (+1)"]["References"] != mails["four"]["References"]
    assert hub.patch(f"{SEND}/{others[0]}", hub.owner_token, {"content": {"body": "new"}})[0] == 200
    eventually(lambda: events(hub, others[0])[-1] == "suppressed mailed_before")


@pytest.mark.waits
def test_a_mail_that_the_server_takes_in_silence_is_tried_again_later(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    _, person = confirmed(hub, mailroom, minutes=0)
    mailroom.busy = True
    one = send(hub, person, {"title": "Tea"})
    found = eventually(lambda: (all_of := events(hub, one))[1:] and all_of, seconds=60)
    assert found[1].startswith("failed mail_server"), found
    assert hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["state"] == "active"
    mailroom.busy = False


def test_what_the_mail_server_says_stands_in_the_trace(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port)
    _, person = confirmed(hub, mailroom, minutes=0)
    mailroom.refusal = "552 too large"
    one = send(hub, person, {"title": "Tea"})
    eventually(lambda: events(hub, one) == ["queued", "failed mail_server 552"])


@pytest.mark.parametrize(("command", "status", "told"), [
    ("sender", "5.7.1", "the mail server took no mail; it is tried again"),
    ("recipient", "5.1.1", "the mail server refused a mail; it is not tried again")])
def test_a_server_that_refuses_the_sender_may_take_the_mail_later(make_hub, mailroom, command, status, told):
    hub = hub_with_mail(make_hub, mailroom.port)
    _, person = confirmed(hub, mailroom, minutes=0)
    setattr(mailroom, f"{command}_refusal", f"550 {status} rejected")
    one = send(hub, person, {"title": "Tea"})
    eventually(lambda: events(hub, one) == ["queued", "failed mail_server 550"])
    assert hub.log.count("the mail server") == 1 and told in hub.log


def talk(script):
    """A mail server that follows a script: (beginning of what it waits for, what it answers, or None to close)."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                peer = listener.accept()[0]
            except OSError:
                return
            with peer, peer.makefile("rb") as lines:
                peer.settimeout(60)
                peer.sendall(b"220 ready\r\n")
                for line in lines:
                    answer = next((answer for begin, answer in script if line.upper().startswith(begin)), b"")
                    if answer is None:
                        break
                    peer.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return listener


USUAL = [(b"EHLO", b"250 me\r\n"), (b"MAIL", b"250 ok\r\n"), (b"RCPT", b"250 ok\r\n"), (b"QUIT", b"221 bye\r\n")]


@pytest.mark.parametrize("script", [
    [(b"DATA", b"354 go\r\n"), (b"SUBJECT", None), *USUAL],
    [(b"EHLO", b"554 go away\r\n"), (b"HELO", b"554 go away\r\n"), *USUAL]], ids=["takes half", "refuses"])
def test_a_mail_server_that_does_not_do_its_work(make_hub, script):
    with talk(script) as listener:
        hub = hub_with_mail(make_hub, listener.getsockname()[1])
        ada = hub.sign_in("member", "Ada")
        status, answer = hub.put(MAIL, ada, {"address": "ada@example.org"})
        assert (status, answer["code"]) == (503, 50310), answer
        assert hub.get(MAIL, headers=ada)[1]["confirmed"] is False


@pytest.mark.waits
def test_a_mail_server_that_hangs_holds_nobody_up(make_hub):
    with talk([(b"EHLO", b"")]) as listener:
        hub = hub_with_mail(make_hub, listener.getsockname()[1])
        ada = hub.sign_in("member", "Ada")
        ended = []

        def ask():
            # The test's own patience ends before the hub's.
            with contextlib.suppress(OSError, http.client.HTTPException):
                hub.put(MAIL, ada, {"address": "ada@example.org"})
            ended.append(True)

        threading.Thread(target=ask, daemon=True).start()
        for _ in range(20):
            assert hub.get("/healthz")[0] == 200
        assert not ended


def test_a_password_goes_to_this_machine_alone_in_the_clear(make_hub, tmp_path):
    file = tmp_path / "password"
    file.write_text("s3cret\nand more\n")
    seen = []

    def authenticate(server, session, envelope, mechanism, data):
        seen.append((data.login, data.password))
        return AuthResult(success=data.password == b"s3cret")

    with Mailroom(authenticator=authenticate, auth_required=True, auth_require_tls=False) as room:
        hub = make_hub(options=[
            "--smtp", f"smtp://ada@127.0.0.1:{room.port}", "--smtp-password-file", file,
            "--mail-from", "b@hub.example"])
        confirmed(hub, room, minutes=0)
        assert seen[0] == (b"ada", b"s3cret")
        assert "s3cret" not in hub.log


def test_the_hub_greets_with_its_own_name(make_hub, mailroom):
    hub = hub_with_mail(make_hub, mailroom.port, "--public-url", "https://hub.example:8443")
    assert hub.put(MAIL, hub.sign_in("member", "Ada"), {"address": "ada@example.org"})[0] == 200
    assert mailroom.greeted == {"hub.example"}


def test_a_server_that_knows_kerberos_too_is_given_the_password(make_hub, tmp_path):
    file = tmp_path / "password"
    file.write_text("s3cret\n")
    script = [
        (b"EHLO", b"250-me\r\n250 AUTH GSSAPI PLAIN\r\n"), (b"AUTH GSSAPI", b"334 \r\n"), (b"AUTH PLAIN", b"334 \r\n"),
        (b"AGFKYUBJB3JW", b"235 welcome\r\n"), (b"DATA", b"354 go\r\n"), (b".\r\n", b"250 taken\r\n"), *USUAL]
    with talk(script) as listener:
        hub = make_hub(options=[
            "--smtp", f"smtp://ada@corp.example@127.0.0.1:{listener.getsockname()[1]}", "--smtp-password-file", file,
            "--mail-from", "b@hub.example"])
        assert hub.put(MAIL, hub.sign_in("member", "Ada"), {"address": "ada@example.org"})[0] == 200


def test_an_owner_is_told_when_the_mail_server_lets_the_hub_in_no_more(make_hub, tmp_path):
    file = tmp_path / "password"
    file.write_text("s3cret\n")

    def authenticate(server, session, envelope, mechanism, data):
        return AuthResult(success=data.password == b"s3cret", handled=False)  # the server answers

    with Mailroom(authenticator=authenticate, auth_required=True, auth_require_tls=False) as room:
        options = ["--smtp", f"smtp://ada@127.0.0.1:{room.port}", "--smtp-password-file", file,
                   "--mail-from", "b@hub.example"]
        hub = make_hub(options=options)

        def examined(password=file):
            told = command("doctor", "--data", hub.data, *options[:3], password, "--json").stdout
            (found,) = [one for one in json.loads(told) if one["subject"] == "mail"]
            return found["verdict"], f"{found['text']} {found['remedy']}"

        _, person = confirmed(hub, room, minutes=0)
        sent = len(room.mails)
        assert examined()[0] == "ok" and len(room.mails) == sent
        room.sender_refusal = "550 5.7.1 Sender address rejected"
        verdict, told = examined()
        assert verdict == "problem" and "550" in told and "mail_from" in told
        room.sender_refusal = None
        file.write_text("changed\n")
        verdict, told = examined()
        assert verdict == "problem" and "535" in told and "Docs/mail.md" in told
        verdict, told = examined(tmp_path / "none")
        assert verdict == "problem" and str(tmp_path / "none") in told
        eventually(lambda one=send(hub, person, {"title": "Tea"}): events(hub, one) == ["queued", "sent"])
        room.refusal = "451 later"
        one = send(hub, person, {"title": "More"})
        eventually(lambda: events(hub, one) == ["queued", "failed mail_server 451"])
    assert hub.log.count("the mail server took no mail") == 1
    counted = hub.get("/metrics", token=hub.owner_token)[1]
    assert "bells_mail_sent_total 1" in counted and "bells_mail_failed_total 1" in counted


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_server_on_this_machine_encrypts_whatever_its_certificate_is_for(make_hub, tmp_path, scheme):
    certificate = make_certificate(tmp_path, hosts=("mail.example",), addresses=())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate.paths)
    options = {"ssl_context": context} if scheme == "smtps" else {"tls_context": context, "require_starttls": True}
    with Mailroom(**options) as room:
        hub = make_hub(options=["--smtp", f"{scheme}://127.0.0.1:{room.port}", "--mail-from", "b@hub.example"])
        confirmed(hub, room, minutes=0)


def test_a_server_elsewhere_needs_no_good_certificate_where_a_mail_might_go_in_the_clear(make_hub, tmp_path):
    certificate = make_certificate(tmp_path, hosts=("mail.example",), addresses=())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate.paths)
    with Mailroom(tls_context=context, require_starttls=True) as room:
        # libcurl knows this name without any name server, and to the hub it is another machine's.
        server = f"smtp://mail.localhost:{room.port}"
        hub = make_hub(options=["--smtp", server, "--mail-from", "b@hub.example"])
        confirmed(hub, room, minutes=0)
        named = ["--smtp", server.replace("//", "//ada@"), "--mail-from", "b@hub.example"]
        told = json.loads(command("doctor", "--data", hub.data, *named, "--json").stdout)
        (found,) = [one for one in told if one["subject"] == "mail"]
        assert found["verdict"] == "problem" and "secure" in found["text"]


# Limits on how often somebody may ask count at each hub.
@pytest.mark.one_hub
def test_without_a_mail_server_and_with_wrong_words(make_hub, mailroom):
    hub = make_hub()
    ada = hub.sign_in("member", "Ada")
    assert hub.get(MAIL, headers=ada)[1]["possible"] is False
    assert hub.put(MAIL, ada, {"address": "ada@example.org"})[1]["code"] == 40917
    assert hub.request("GET", "/bells/mail/x").status == 404
    for wrong in ({}, {"address": "ada"}, {"address": "ada@example.org\r\nRCPT TO:<eve@example.org>"},
                  {"address": "ada@example.org", "after_minutes": 2000}, {"address": 7}, {"more": 1}):
        assert hub.put(MAIL, ada, wrong)[0] == 400, wrong
    assert hub.put(MAIL, None, {"address": "ada@example.org"})[0] == 401
    assert hub.put(MAIL, hub.owner_token, {"address": "ada@example.org"})[0] == 403
    for option in (["--smtp", "mail.example"], ["--mail-from", "nobody"]):
        refused = command("serve", "--data", hub.data.parent / "other", *option)
        assert refused.returncode != 0 and option[0].removeprefix("--").replace("-", "_") in refused.stderr
    mailed = hub_with_mail(make_hub, mailroom.port, name="mailed")
    ben = mailed.sign_in("member", "Ben")
    answers = [mailed.put(MAIL, ben, {"address": "ada@example.org"})[0] for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]
