"""What becomes of a device that was lost or given away, and of what was made on it."""

import pytest

from hub import SESSION
from people import DEVICES, LINKS, PEOPLE, TOKENS, person, use, what


@pytest.fixture
def owner(hub):
    return hub.sign_in("owner", "Olga")


def test_a_lost_device_that_is_signed_out_has_no_way_back_in(hub):
    mine, lost = hub.sign_in("member", "Mo"), hub.sign_in("member", "Mo", device="lost")
    link = hub.post(LINKS, lost, {"for": "me"})[1]
    device = next(one for one in hub.get(DEVICES, mine)[1] if one["name"] == "lost")
    assert hub.delete(f"{DEVICES}/{device['id']}", mine)[0] == 204
    for key in ({"link": link["url"].partition("#")[2]}, {"code": link["code"]}):
        assert hub.post(SESSION, json=key)[0] == 404
    assert hub.get(SESSION, mine)[1]["person"]["name"] == "Mo"


def lost_device(hub, mine):
    """The device of that name in somebody's list."""
    return next(one for one in hub.get(DEVICES, mine)[1] if one["name"] == "lost")


def is_known(hub, token):
    return hub.get(DEVICES, token=token)[1]["code"] == 40321  # "for people only"


NOTHING = {"passkeys": [], "tokens": [], "links": [], "devices": [], "addresses": []}


def test_what_was_made_on_a_lost_device_is_told_and_ends_with_it(hub, owner):
    lost = hub.sign_in("owner", "Olga", device="lost")
    kept = hub.post(TOKENS, owner, {"name": "kept", "role": "reader"})[1]["token"]
    door = hub.post(TOKENS, lost, {"name": "door", "role": "reader"})[1]["token"]
    kim = hub.post(LINKS, lost, {"role": "keykeeper", "name": "Kim", "valid_s": 86400})[1]
    hub.post(LINKS, lost, {"role": "member", "valid_s": 86400})
    use(hub, link=hub.post(LINKS, lost, {"for": "me"})[1]["url"].partition("#")[2])
    eve, _ = use(hub, name="Eve", link=hub.post(LINKS, lost, {"role": "member"})[1]["url"].partition("#")[2])
    made = lost_device(hub, owner)["made"]
    assert made == {
        "passkeys": [], "tokens": ["door"], "devices": ["Device", "Eve: Device"], "addresses": [],
        "links": [{"name": "Kim", "role": "keykeeper"}, {"name": None, "role": "member"}]}
    assert [one["made"] for one in hub.get(DEVICES, owner)[1] if one["current"]] == [NOTHING | {"tokens": ["kept"]}]

    assert hub.delete(f"{DEVICES}/{lost_device(hub, owner)['id']}", owner)[0] == 204
    assert is_known(hub, kept) and not is_known(hub, door)
    assert hub.post(SESSION, json={"code": kim["code"]})[0] == 404
    assert hub.get(LINKS, owner)[1] == []
    assert what(hub, owner)[:4] == [
        ("Olga", "device.removed", "lost"), ("Olga", "link.removed", None), ("Olga", "link.removed", "Kim"),
        ("Olga", "token.revoked", "door")]
    # Whoever signed in with it may be the right person, and may be the device that removes the lost one.
    assert hub.get(SESSION, eve)[1]["person"]["name"] == "Eve"
    assert sorted(one["name"] for one in hub.get(DEVICES, owner)[1]) == ["Device", "test"]


def test_what_rings_or_is_rung_without_a_lost_device_ends_with_it(hub, owner):
    def agent(maker, name):
        return hub.post("/api/v1/bells/devices", maker, {"name": name})[1]

    def agents():
        return sorted(one["name"] for one in hub.get("/api/v1/bells/devices", owner)[1] if one["kind"] == "agent")

    lost = hub.sign_in("owner", "Olga", device="lost")
    for maker, name in ((owner, "boat"), (owner, "house"), (lost, "spy")):
        made = agent(maker, name)
    assert hub.put(f"/api/v1/bells/devices/{made['id']}/secret", owner, {})[0] == 200, "only Olga knows it now"
    taken = next(one for one in hub.get("/api/v1/bells/devices", owner)[1] if one["name"] == "house")
    assert hub.put(f"/api/v1/bells/devices/{taken['id']}/secret", lost, {})[0] == 200
    template = {"title": "{{text}}"}
    hook = hub.post("/api/v1/bells/hooks", lost, {"name": "chat", "to": {"role": "owner"}, "template": template})[1]
    webhook = {"name": "screen", "url": "http://127.0.0.1:9/", "topics": ["space"]}
    assert hub.post("/api/v1/bells/webhooks", lost, webhook)[0] == 201
    assert lost_device(hub, owner)["made"] == NOTHING | {"addresses": ["agents", "webhooks", "hooks"]}
    assert hub.delete(f"{DEVICES}/{lost_device(hub, owner)['id']}", owner)[0] == 204
    assert agents() == ["boat", "spy"]
    assert hub.get("/api/v1/bells/webhooks", owner)[1] == hub.get("/api/v1/bells/hooks", owner)[1] == []
    assert hub.post(hook["url"].removeprefix(hub.url), json={"text": "hello"})[0] == 404
    assert {("Olga", "bell.device-removed", "house"), ("Olga", "bell.webhook-removed", "screen"),
            ("Olga", "bell.hook-removed", "chat")} <= set(what(hub, owner))


@pytest.mark.parametrize("goes", [True, False], ids=["removed", "demoted"])
def test_webhooks_and_hooks_of_a_former_owner_end_as_tokens_do(hub, owner, goes):
    def make(maker, name):
        webhook = {"name": name, "url": "http://127.0.0.1:9/", "topics": ["space"]}
        assert hub.post("/api/v1/bells/webhooks", maker, webhook)[0] == 201
        hook = {"name": name, "to": {"role": "owner"}, "template": {"title": "{{text}}"}}
        return hub.post("/api/v1/bells/hooks", maker, hook)[1]["url"].removeprefix(hub.url)

    def names(kind):
        return [one["name"] for one in hub.get(f"/api/v1/bells/{kind}", owner)[1]]

    kept, ended = make(owner, "kept"), make(hub.sign_in("owner", "Otto"), "Otto's")
    old = hub.sign_in("owner", "Otto", device="old")
    make(old, "made on a device that is signed out")
    assert hub.delete(SESSION, old)[0] == 200
    otto = f"{PEOPLE}/{person(hub, owner, 'Otto')['id']}"
    assert (hub.delete(otto, owner) if goes else hub.patch(otto, owner, {"role": "member"}))[0] in (200, 204)
    assert names("webhooks") == names("hooks") == ["kept"]
    assert hub.post(ended, json={"text": "hello"})[0] == 404
    assert hub.post(kept, json={"text": "hello"})[0] == 202


def test_webhooks_and_hooks_end_with_the_token_that_made_them(hub, owner):
    ended, kept = (hub.post(TOKENS, owner, {"name": name, "role": "owner"})[1] for name in ("ended", "kept"))
    hooks = {}
    for token in (ended, kept):
        webhook = {"name": token["name"], "url": "http://127.0.0.1:9/", "topics": ["space"]}
        assert hub.post("/api/v1/bells/webhooks", token["token"], webhook)[0] == 201
        hook = {"name": token["name"], "to": {"role": "owner"}, "template": {"title": "{{text}}"}}
        made = hub.post("/api/v1/bells/hooks", token["token"], hook)
        hooks[token["name"]] = made[1]["url"].removeprefix(hub.url)
    assert [one["to"] for one in hub.get("/api/v1/bells/hooks", owner)[1]] == [{"role": "owner"}] * 2
    assert hub.delete(f"{TOKENS}/{ended['id']}", owner)[0] == 204
    for kind in ("webhooks", "hooks"):
        assert [one["name"] for one in hub.get(f"/api/v1/bells/{kind}", owner)[1]] == ["kept"]
    assert hub.post(hooks["ended"], json={"text": "hello"})[0] == 404
    assert hub.post(hooks["kept"], json={"text": "hello"})[0] == 202
    assert {("Olga", "bell.webhook-removed", "ended"), ("Olga", "bell.hook-removed", "ended")} <= set(what(hub, owner))


def test_a_device_that_is_only_given_away_leaves_what_was_made_on_it(hub, owner):
    old = hub.sign_in("owner", "Olga", device="lost")
    door = hub.post(TOKENS, old, {"name": "door", "role": "reader"})[1]["token"]
    address = f"{DEVICES}/{lost_device(hub, owner)['id']}"
    status, answer = hub.delete(f"{address}?made=perhaps", owner)
    assert status == 400 and "revoke or keep" in answer["error"]
    assert hub.delete(f"{address}?made=keep", owner)[0] == 204
    assert is_known(hub, door) and hub.get(SESSION, old)[1]["person"] is None


def test_a_device_that_signs_in_anew_stays_the_device_that_made_it(hub, owner):
    lost = hub.sign_in("owner", "Olga", device="lost")
    door = hub.post(TOKENS, lost, {"name": "door", "role": "reader"})[1]["token"]
    number = lost_device(hub, owner)["id"]
    anew, _ = use(hub, fields=lost | {"Content-Type": "application/json"}, link=hub.link("owner", "Olga")[0])
    assert hub.get(SESSION, lost)[1]["person"] is None, "the old secret is good no more"
    (same,) = [one for one in hub.get(DEVICES, anew)[1] if one["current"]]
    assert same["id"] == number and same["made"]["tokens"] == ["door"]
    assert hub.delete(f"{DEVICES}/{number}", owner)[0] == 204
    assert not is_known(hub, door)


def test_a_device_is_let_in_by_the_one_by_which_it_came_in_last(hub, owner):
    def let_in():
        return {one["name"]: one["made"]["devices"] for one in hub.get(DEVICES, owner)[1]}

    def link(maker):
        return hub.post(LINKS, maker, {"for": "me"})[1]["url"].partition("#")[2]

    lost = hub.sign_in("owner", "Olga", device="lost")
    phone, _ = use(hub, link=link(lost), device="phone")
    assert let_in() == {"lost": ["phone"], "test": [], "phone": []}
    phone, _ = use(hub, fields=phone, link=link(owner), device="phone")
    assert let_in() == {"lost": [], "test": ["phone"], "phone": []}
    use(hub, fields=phone, link=link(phone), device="phone")
    assert let_in() == {"lost": [], "test": [], "phone": []}


def test_a_device_that_signs_itself_out_takes_nothing_along(hub, owner):
    away = hub.sign_in("owner", "Olga", device="lost")
    door = hub.post(TOKENS, away, {"name": "door", "role": "reader"})[1]["token"]
    assert hub.delete(SESSION, away)[0] == 200
    assert is_known(hub, door)
