"""Browsers that are rung while no page is open: subscriptions, what reaches the push service, and receipts."""

import json

import pytest
from bell_device import make_device
from hub import command, eventually
from people import own_id
from push_browser import Browser
from traces import happened

WEBPUSH = "/api/v1/bells/webpush"
SEND = "/api/v1/notifications"
RECEIPTS = "/api/v1/bells/receipts"


@pytest.fixture
def browser():
    browser = Browser()
    yield browser
    browser.server.close()


@pytest.fixture
def ada(hub):
    return hub.sign_in("member", "Ada")


def send(hub, to, **content):
    status, answer = hub.post(SEND, hub.owner_token, {"to": to, "content": {"title": "Open"} | content})
    assert status == 202, answer
    return answer["id"]


def test_a_browser_that_is_signed_in_is_rung_and_answers(hub, ada, browser):
    assert len(hub.get(WEBPUSH)[1]["key"]) == 87
    status, answer = hub.put(WEBPUSH, ada, {"subscription": browser.subscription, "zone": "Europe/Berlin"})
    assert status == 200 and "secret" not in answer
    devices = hub.get("/api/v1/bells/devices", token=ada)[1]
    assert [(one["id"], one["kind"], one["channels"], one["this"]) for one in devices] == [
        (answer["device"], "browser", ["webpush"], True)]
    one = send(hub, {"person": own_id(hub, ada)}, body="Ada", actions=[{"id": "me", "title": "I"}])
    fields, push = browser.next()
    assert fields["Content-Encoding"] == "aes128gcm" and fields["Authorization"].startswith("vapid t=")
    assert (push["id"], push["version"], push["content"]["title"]) == (one, 1, "Open")
    receipt = {"id": one, "version": 1, "receipt": push["receipt"]}
    assert hub.post(RECEIPTS, json=receipt | {"what": "shown"})[0] == 200
    eventually(lambda: happened(hub, one) == ["queued", "sent", "shown"], what="the receipt is in the trace")
    status, taken = hub.post(RECEIPTS, json=receipt | {"what": "acted", "action": "me"})
    assert (status, taken) == (200, {"id": one, "action": "me", "over": False})
    assert hub.get("/api/v1/bells", token=ada)[1]["items"][0]["acted"]["by"] == "Ada"
    forged = receipt | {"receipt": "A" * 22, "what": "shown"}
    assert hub.post(RECEIPTS, json=forged)[0] == 404
    assert hub.post(RECEIPTS, json=receipt | {"what": "eaten"})[0] == 400
    other = send(hub, {"person": own_id(hub, ada)})
    assert hub.post(RECEIPTS, json=receipt | {"id": other, "what": "shown"})[0] == 404, "of another notification"


def test_the_doctor_says_that_push_services_are_told_no_address(hub, ada, browser):
    doctor = ("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}")
    assert "push services" not in command(*doctor).stdout
    assert hub.put(WEBPUSH, ada, {"subscription": browser.subscription})[0] == 200
    assert "they are told no address of the hub" in command(*doctor).stdout
    for known in ({"EIGHTBELLS_PUBLIC_URL": "https://hub.example"}, {"EIGHTBELLS_MAIL_FROM": "bells@hub.example"}):
        assert "they are told no address of the hub" not in command(*doctor, env=known).stdout


def test_a_browser_asks_whether_it_is_still_wanted(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    one = send(hub, {"person": own_id(hub, ada)}, actions=[{"id": "me", "title": "I"}])
    push = browser.next()[1]

    def told(what):
        status, answer = hub.post(RECEIPTS, json={"id": one, "version": 1, "receipt": push["receipt"], "what": what})
        assert status == 200
        return answer["over"]

    assert (told("delivered"), told("shown")) == (False, False)
    eventually(lambda: "sent" in happened(hub, one))
    assert hub.post(f"/api/v1/bells/{one}/response", ada, {"action": "me"})[1]["action"] == "me"
    assert (told("delivered"), told("shown"), told("withdrawn")) == (True, True, True)
    assert browser.next()[1]["withdraw"] is True
    assert "withdrawn" in happened(hub, one)


def test_a_device_is_called_what_its_person_calls_it(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    one = send(hub, {"person": own_id(hub, ada)})
    browser.next()
    own = hub.get("/api/v1/session", token=ada)[1]["device"]["id"]
    assert hub.patch(f"/api/v1/devices/{own}", ada, {"name": "The kitchen's"})[0] == 204
    assert [device["name"] for device in hub.get("/api/v1/bells/devices", token=ada)[1]] == ["The kitchen's"]
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    assert [device["name"] for device in trace["devices"]] == ["The kitchen's"]


def test_whoever_signs_in_on_a_browser_is_rung_there_and_nobody_of_before(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    was = hub.get("/api/v1/bells/devices", token=ada)[1][0]["id"]
    content = json.dumps({"link": hub.link("member", "Ben")[0], "device": "tablet"})
    answer = hub.request("POST", "/api/v1/session", ada | {"Content-Type": "application/json"}, content)
    assert answer.status == 200, answer.body
    ben = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0], "Origin": hub.url}
    other = hub.sign_in("member", "Ada")
    assert hub.get("/api/v1/bells/devices", token=other)[1] == []
    device = hub.put(WEBPUSH, ben, {"subscription": browser.subscription})[1]["device"]
    assert device != was
    assert [(one["id"], one["this"]) for one in hub.get("/api/v1/bells/devices", token=ben)[1]] == [(device, True)]
    send(hub, {"person": own_id(hub, other)}, body="Ada's")
    send(hub, {"person": own_id(hub, ben)}, body="Ben's")
    assert browser.next()[1]["content"]["body"] == "Ben's"


def test_a_browser_that_was_signed_out_while_the_room_was_off_is_rung_no_more(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    usual, hub.options = hub.options, ["--rooms", "space"]
    hub.stop()
    hub.start()
    assert hub.delete("/api/v1/session", ada)[0] == 200
    hub.stop()
    hub.options = usual
    hub.start()
    again = hub.sign_in("member", "Ada")
    eventually(lambda: hub.get("/api/v1/bells/devices", token=again)[1] == [])


def test_the_push_says_how_many_were_missed(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    me = own_id(hub, ada)
    for count in (1, 2):
        one = send(hub, {"person": me})
        assert browser.next()[1]["unread"] == count
    eventually(lambda: "sent" in happened(hub, one))
    assert hub.post("/api/v1/bells/seen", ada, {"all": True})[0] == 200
    assert hub.delete(f"{SEND}/{one}", hub.owner_token)[0] == 204
    push = browser.next()[1]
    assert (push["withdraw"], push["unread"]) == (True, 0)


def test_a_strangers_push_counts_nothing(hub, browser):
    hub.put(WEBPUSH, json={"subscription": browser.subscription, "topics": ["space"]})
    send(hub, {"topic": "space"})
    assert "unread" not in browser.next()[1]


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.mark.parametrize("agent, locked, sound, vibration, car", [
    (IPHONE, "yes", "no", "no", "maybe"), (PHONE, "yes", "maybe", "maybe", "maybe"),
    (LAPTOP, "running", "maybe", "no", "no")])
def test_what_a_browser_can_do_depends_on_its_system(hub, ada, browser, agent, locked, sound, vibration, car):
    def can():
        return hub.get("/api/v1/bells/devices", token=ada)[1][0]["can"]

    status, _ = hub.put(WEBPUSH, ada | {"User-Agent": agent}, {"subscription": browser.subscription})
    assert status == 200
    assert can() == {"locked": locked, "offline": "no", "silent": "no", "sound": sound, "vibration": vibration,
                     "car": car}
    assert hub.delete(WEBPUSH, ada)[0] == 204
    assert set(can().values()) == {"no"}, "it is not rung at all"


def test_the_metrics_count_what_became_of_pushes(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    for status in (201, 403, 410):
        browser.status = status
        send(hub, {"person": own_id(hub, ada)})
        browser.next()

    def counts():
        lines = hub.get("/metrics", token=hub.owner_token)[1].splitlines()
        return {line.split()[0].removeprefix("eightbells_bells_webpush_"): float(line.split()[1]) for line in lines
                if line.startswith("eightbells_bells_webpush_")}

    eventually(lambda: counts() == {"sent_total": 1, "failed_total": 1, "gone_total": 1})


def test_it_is_rung_no_more_when_it_says_so_or_signs_out(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    assert hub.delete(WEBPUSH, ada)[0] == 204
    send(hub, {"person": own_id(hub, ada)})
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    one = send(hub, {"person": own_id(hub, ada)})
    assert browser.next()[1]["id"] == one, "nothing came while it was off"
    me = own_id(hub, ada)
    assert hub.delete("/api/v1/session", ada)[0] == 200
    assert hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1] == []
    send(hub, {"person": me})
    assert not browser.pushes


def test_a_service_that_says_gone_ends_the_subscription(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    browser.status = 410
    one = send(hub, {"person": own_id(hub, ada)})
    eventually(lambda: happened(hub, one)[-1] == "gone")
    assert all(device["channels"] == [] for device in hub.get("/api/v1/bells/devices", token=ada)[1])
    # Nothing else would ring: the list says so, and a mail would.
    newest = eventually(lambda: (items := hub.get("/api/v1/bells", token=ada)[1]["items"])[1:] and items[0])
    assert newest["content"]["title"] == "None of your devices rings any more"


def test_who_has_another_device_is_not_told_that_none_rings(hub, ada, browser):
    make_device(hub, "Ada's bell", "space", person="Ada")
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    browser.status = 410
    one = send(hub, {"person": own_id(hub, ada)})
    eventually(lambda: [] in [device["channels"] for device in hub.get("/api/v1/bells/devices", token=ada)[1]])
    two = send(hub, {"person": own_id(hub, ada)})
    assert [item["id"] for item in hub.get("/api/v1/bells", token=ada)[1]["items"]] == [two, one]


def test_a_stranger_subscribes_to_public_topics_alone(hub, browser):
    body = {"subscription": browser.subscription, "topics": ["space"]}
    status, made = hub.put(WEBPUSH, json=body)
    assert status == 200 and made["secret"]
    one = send(hub, {"topic": "space"})
    assert browser.next()[1]["id"] == one
    status, again = hub.put(WEBPUSH, json=body | {"secret": made["secret"], "topics": []})
    assert (status, again) == (200, made), "the same device"
    send(hub, {"topic": "space"})
    hub.put(WEBPUSH, json=body | {"secret": made["secret"]})
    two = send(hub, {"topic": "space"})
    assert browser.next()[1]["id"] == two
    assert hub.put(WEBPUSH, json=body | {"topics": ["nix"]})[0] == 404
    assert hub.delete(WEBPUSH)[0] == 204, "of nobody is nothing to end"
    fields = {"Content-Type": "application/json"}
    for wrong in ({"secrets": made["secret"]}, {"secret": 5}, []):
        assert hub.request("DELETE", WEBPUSH, fields, json.dumps(wrong)).status == 400, "nothing is ended by it"
    # The page's reader may have signed in meanwhile, in another tab.
    answer = hub.request("DELETE", WEBPUSH, fields | hub.sign_in("member", "Ada"), json.dumps(made))
    assert answer.status == 204
    assert hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1] == []


def test_a_stranger_takes_nothing_from_others(hub, ada, browser):
    hub.put(WEBPUSH, json={"subscription": browser.subscription, "topics": ["space"]})
    assert hub.put("/api/v1/bells/topics/space?for=me", ada)[0] == 204
    one = send(hub, {"topic": "space"}, actions=[{"id": "me", "title": "I"}])
    receipt = {"id": one, "version": 1, "receipt": browser.next()[1]["receipt"], "what": "acted"}
    for action in ("me", "x"):
        status, taken = hub.post(RECEIPTS, json=receipt | {"action": action})
        assert (status, taken["action"], taken["over"]) == (200, "default", False)
    assert hub.get("/api/v1/bells", token=ada)[1]["items"][0]["state"] == "new"
    assert hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["state"] == "active"
    status, taken = hub.post(f"/api/v1/bells/{one}/response", ada, {"action": "x"})
    assert (status, taken["action"]) == (200, "default"), "what was not offered is a tap"
    assert hub.post(f"/api/v1/bells/{one}/response", ada, {"action": "me"})[1]["action"] == "me"


def test_an_answer_to_what_is_over_is_refused_and_traced(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    one = send(hub, {"person": own_id(hub, ada)}, actions=[{"id": "me", "title": "I"}])
    receipt = {"id": one, "version": 1, "receipt": browser.next()[1]["receipt"], "what": "acted", "action": "me"}
    assert hub.delete(f"{SEND}/{one}", hub.owner_token)[0] == 204
    status, answer = hub.post(RECEIPTS, json=receipt)
    assert (status, answer["code"]) == (409, 40912)
    assert "acted" in happened(hub, one)


def test_a_stranger_who_has_forgotten_the_secret_is_the_same_device(hub, browser):
    body = {"subscription": browser.subscription, "topics": ["space"]}
    made = hub.put(WEBPUSH, json=body)[1]
    again = [hub.put(WEBPUSH, json=body)[1] for _ in range(25)]
    assert {one["device"] for one in again} == {made["device"]}, "no rows are left behind"
    assert made["secret"] not in {one["secret"] for one in again}
    hub.put(WEBPUSH, json=body | {"secret": again[-1]["secret"], "topics": []})
    late = hub.put(WEBPUSH, json=body | {"secret": "ebs_wrong"})
    assert late[0] == 200 and late[1]["device"] == made["device"]


def test_strangers_who_come_and_go_are_bounded(hub, browser):
    for number in range(21):
        body = {"subscription": browser.subscription | {"endpoint": f"http://127.0.0.1:1/{number}"}}
        status, made = hub.put(WEBPUSH, json=body | {"topics": ["space"]})
        assert (status, made.get("code")) == ((200, None) if number < 20 else (409, 40910)), number
        if status == 200:
            hub.request("DELETE", WEBPUSH, {"Content-Type": "application/json"}, json.dumps(made))


def test_what_is_no_subscription_is_refused(hub, browser):
    good = browser.subscription
    for wrong in (None, {}, good | {"endpoint": "ftp://a/b"}, good | {"endpoint": "https://a/" + "x" * 2050},
                  good | {"keys": {"p256dh": "x", "auth": good["keys"]["auth"]}}, good | {"keys": {}},
                  good | {"endpoint": "http://10.0.0.1/x"}, good | {"endpoint": "https://192.168.0.1/x"}):
        status, answer = hub.put(WEBPUSH, json={"subscription": wrong, "topics": ["space"]})
        assert (status, answer["code"]) == (400, 40003) and "subscription" in answer["fields"], wrong


def test_nobody_has_the_hub_post_into_a_network_that_is_allowed_for_calendars(make_hub, browser):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.0/8", "EIGHTBELLS_PUSH_NETWORKS": ""})
    ada = hub.sign_in("owner", "Ada")
    for endpoint in (browser.subscription["endpoint"], "https://127.0.0.1/x"):
        body = {"subscription": browser.subscription | {"endpoint": endpoint}}
        for status, answer in (hub.put(WEBPUSH, json=body | {"topics": ["space"]}), hub.put(WEBPUSH, ada, body)):
            assert (status, answer["code"]) == (400, 40003) and "not listed" in answer["fields"]["subscription"]
    # One that is kept from before, or a name that leads there, is not connected to.
    hub.stop()
    hub.env |= {"EIGHTBELLS_PUSH_NETWORKS": "127.0.0.0/8"}
    hub.start()
    assert hub.put(WEBPUSH, ada, {"subscription": browser.subscription})[0] == 200
    hub.stop()
    hub.env |= {"EIGHTBELLS_PUSH_NETWORKS": ""}
    hub.start()
    one = send(hub, {"person": own_id(hub, ada)})
    eventually(lambda: len(happened(hub, one)) > 1, what="the attempt is in the trace")
    assert browser.pushes == []


def test_the_key_outlives_a_restart(hub):
    key = hub.get(WEBPUSH)[1]["key"]
    hub.kill()
    hub.start()
    assert hub.get(WEBPUSH)[1]["key"] == key
