"""People, their devices, links and tokens, and the audit."""

import concurrent.futures
import datetime
import re
import threading
import zoneinfo

import pytest

from hub import LOGO_UPLOAD, SESSION, SETTINGS, SPACE, STATE, command
from people import AUDIT, DEVICES, LINKS, LOOK, PEOPLE, TOKENS, person, use, what
from png import png
from qr import read_svg, read_terminal


@pytest.fixture
def owner(hub):
    return hub.sign_in("owner", "Olga")


def test_an_invitation_carries_name_and_role(hub, owner):
    status, made = hub.post(LINKS, owner, {"role": "keykeeper", "name": "Kim"})
    assert status == 200 and made["url"].startswith(f"{hub.url}/join#") and len(made["code"]) == 9
    secret = made["url"].partition("#")[2]
    for _ in range(3):
        status, seen = hub.post(LOOK, json={"link": secret})
        assert status == 200 and (seen["kind"], seen["role"], seen["name"]) == ("invitation", "keykeeper", "Kim")
    assert hub.post(LOOK, json={"code": made["code"]})[1] == seen
    fields, answer = use(hub, link=secret)
    assert (answer["person"]["name"], answer["person"]["role"]) == ("Kim", "keykeeper")
    assert hub.post(STATE, fields, {"open": True})[0] == 200
    assert what(hub, owner)[:5] == [
        ("Kim", "sign.turned", "open"), ("Kim", "device.added", "Device"), ("Kim", "person.joined", "keykeeper"),
        ("Olga", "person.invited", "Kim: keykeeper"), ("Olga", "device.added", "test")]


def test_an_invitation_without_a_name_asks_for_one(hub, owner):
    secret = hub.post(LINKS, owner, {"role": "member"})[1]["url"].partition("#")[2]
    assert hub.post(LOOK, json={"link": secret})[1]["name"] is None
    assert use(hub, link=secret, name="  Mo  ")[1]["person"]["name"] == "Mo"


def test_an_invitation_may_be_good_for_a_week_but_its_code_is_not(hub, owner):
    made = hub.post(LINKS, owner, {"role": "member", "valid_s": 7 * 86400})[1]
    assert made["expires_at"] > made["code_expires_at"]
    for value in (59, 7 * 86400 + 1, "600", 1.5):
        status, answer = hub.post(LINKS, owner, {"role": "member", "valid_s": value})
        assert status == 400 and "valid_s" in answer["error"]


def test_another_device_of_mine(hub):
    phone = hub.sign_in("member", "Mo", device="phone")
    status, made = hub.post(LINKS, phone, {"for": "me"})
    assert status == 200 and (made["kind"], made["role"], made["name"]) == ("device", "member", "Mo")
    laptop, answer = use(hub, code=made["code"])
    assert answer["person"]["name"] == "Mo"
    devices = hub.get(DEVICES, phone)[1]
    assert [(one["name"], one["current"]) for one in devices] == [("Device", False), ("phone", True)]
    status, _ = hub.patch(f"{DEVICES}/{devices[0]['id']}", phone, {"name": "laptop"})
    assert status == 204
    assert hub.get(SESSION, laptop)[1]["device"]["name"] == "laptop"
    assert hub.delete(f"{DEVICES}/{devices[0]['id']}", phone)[0] == 204
    assert hub.get(SESSION, laptop)[1]["person"] is None
    assert hub.get(DEVICES, laptop)[0] == 401


def test_a_device_of_somebody_else_is_none_of_mine_but_an_owners(hub, owner):
    mo, kim = hub.sign_in("member", "Mo"), hub.sign_in("keykeeper", "Kim")
    theirs = hub.get(DEVICES, mo)[1][0]["id"]
    assert hub.delete(f"{DEVICES}/{theirs}", kim)[0] == 404
    assert hub.patch(f"{DEVICES}/{theirs}", kim, {"name": "mine"})[0] == 404
    assert hub.get(f"{PEOPLE}/{person(hub, owner, 'Mo')['id']}/devices", kim)[0] == 403
    assert hub.get(f"{PEOPLE}/{person(hub, owner, 'Mo')['id']}/devices", owner)[1][0]["id"] == theirs
    assert hub.delete(f"{DEVICES}/{theirs}", owner)[0] == 204
    assert hub.get(SESSION, mo)[1]["person"] is None


def test_whoever_lost_their_devices_gets_a_new_one_from_an_owner(hub, owner):
    hub.sign_in("keykeeper", "Kim")
    made = hub.post(LINKS, owner, {"person": person(hub, owner, "Kim")["id"]})[1]
    assert use(hub, code=made["code"])[1]["person"] == person_of(hub, owner, "Kim")
    assert hub.post(LINKS, owner, {"person": "4711"})[0] == 404


def person_of(hub, owner, name):
    found = person(hub, owner, name)
    return {key: found[key] for key in ("id", "name", "role")}


def test_open_links_are_listed_and_can_be_taken_back(hub, owner):
    mo = hub.sign_in("member", "Mo")
    made = hub.post(LINKS, owner, {"role": "owner", "name": "Eve"})[1]
    mine = hub.post(LINKS, mo, {"for": "me"})[1]
    assert [one["id"] for one in hub.get(LINKS, owner)[1]] == [mine["id"], made["id"]]
    assert [(one["id"], one["made_by"]) for one in hub.get(LINKS, mo)[1]] == [(mine["id"], "Mo")]
    assert "code" not in hub.get(LINKS, owner)[1][0]
    assert hub.delete(f"{LINKS}/{made['id']}", mo)[0] == 404
    assert hub.delete(f"{LINKS}/{made['id']}", owner)[0] == 204
    assert hub.post(SESSION, json={"code": made["code"]})[0] == 404
    assert hub.post(SESSION, json={"link": made["url"].partition("#")[2]})[0] == 404


def test_roles_change_at_once_and_an_owner_always_stays(hub, owner):
    mo = hub.sign_in("member", "Mo")
    status, answer = hub.patch(f"{PEOPLE}/{person(hub, owner, 'Mo')['id']}", owner, {"role": "keykeeper"})
    assert status == 200 and answer["role"] == "keykeeper"
    assert hub.post(STATE, mo, {"open": True})[0] == 200
    own = person(hub, owner, "Olga")["id"]
    for method, body in (("patch", {"role": "member"}), ("delete", None)):
        call = getattr(hub, method)
        status, answer = call(f"{PEOPLE}/{own}", owner, body) if body else call(f"{PEOPLE}/{own}", owner)
        assert status == 409 and answer["code"] == 40920 and "Olga" in answer["error"]
    hub.patch(f"{PEOPLE}/{person(hub, owner, 'Mo')['id']}", owner, {"role": "owner"})
    assert hub.patch(f"{PEOPLE}/{own}", owner, {"role": "member"})[0] == 200
    assert hub.get(PEOPLE, owner)[0] == 403


def test_an_invitation_ends_with_its_makers_right_to_give_it(hub, owner):
    olaf = hub.sign_in("owner", "Olaf")
    made = hub.post(LINKS, olaf, {"role": "owner", "name": "Eve"})[1]
    hub.patch(f"{PEOPLE}/{person(hub, owner, 'Olaf')['id']}", owner, {"role": "member"})
    assert hub.post(SESSION, json={"code": made["code"]})[0] == 404
    olga = hub.post(LINKS, owner, {"role": "member"})[1]
    hub.delete(f"{PEOPLE}/{person(hub, owner, 'Olaf')['id']}", owner)
    assert hub.post(LOOK, json={"code": olga["code"]})[0] == 200


def test_an_owner_who_is_demoted_at_this_moment_leaves_nothing_behind(hub, owner):
    with concurrent.futures.ThreadPoolExecutor(11) as pool:
        for turn in range(12):
            name = f"Olaf {turn}"
            olaf = hub.sign_in("owner", name)
            who = person(hub, owner, name)["id"]
            begin = threading.Barrier(11)

            def demote():
                begin.wait()
                return hub.patch(f"{PEOPLE}/{who}", owner, {"role": "member"})[0]

            def invite():
                begin.wait()
                return hub.post(LINKS, olaf, {"role": "owner"})[0]

            calls = [pool.submit(demote), *(pool.submit(invite) for _ in range(10))]
            assert [call.result() for call in calls][0] == 200
            assert [link for link in hub.get(LINKS, owner)[1] if link["made_by"] == name] == []


def test_a_person_who_is_removed_is_out_everywhere(hub, owner):
    phone, laptop = hub.sign_in("keykeeper", "Kim"), hub.sign_in("keykeeper", "Kim")
    link = hub.post(LINKS, phone, {"for": "me"})[1]
    assert hub.delete(f"{PEOPLE}/{person(hub, owner, 'Kim')['id']}", owner)[0] == 204
    for device in (phone, laptop):
        assert hub.get(SESSION, device)[1]["person"] is None
        assert hub.post(STATE, device, {"open": True})[0] == 401
    assert hub.post(SESSION, json={"code": link["code"]})[0] == 404
    assert what(hub, owner)[0] == ("Olga", "person.removed", "Kim")


def test_everybody_may_leave_but_the_last_owner(hub, owner):
    mo = hub.sign_in("member", "Mo")
    me, other = (person(hub, owner, name)["id"] for name in ("Mo", "Olga"))
    assert hub.delete(f"{PEOPLE}/{other}", mo)[0] == 403
    assert hub.delete(f"{PEOPLE}/{me}", mo)[0] == 204
    assert hub.get(SESSION, mo)[1]["person"] is None
    assert what(hub, owner)[0] == ("Mo", "person.removed", None)
    assert hub.delete(f"{PEOPLE}/{other}", owner)[0] == 409


def test_nobody_has_the_number_of_somebody_who_is_gone(hub, owner):
    hub.sign_in("owner", "Kim")
    kim = person(hub, owner, "Kim")["id"]
    assert hub.delete(f"{PEOPLE}/{kim}", owner)[0] == 204
    hub.sign_in("member", "Mo")
    assert person(hub, owner, "Mo")["id"] != kim
    ids = set()
    for name in ("door", "lamp", "bell"):
        made = hub.post(TOKENS, owner, {"name": name, "role": "reader"})[1]["id"]
        assert hub.delete(f"{TOKENS}/{made}", owner)[0] == 204
        ids.add(made)
    assert len(ids) == 3


def test_everybody_may_change_their_own_name_and_no_more(hub, owner):
    mo = hub.sign_in("member", "Mo")
    own, olga = person(hub, owner, "Mo")["id"], person(hub, owner, "Olga")["id"]
    assert hub.patch(f"{PEOPLE}/{own}", mo, {"name": "Maurice"})[1]["name"] == "Maurice"
    assert hub.patch(f"{PEOPLE}/{own}", mo, {"role": "owner"})[0] == 403
    assert hub.patch(f"{PEOPLE}/{own}", mo, {"name": "Mo", "role": "member"})[0] == 403
    assert hub.patch(f"{PEOPLE}/{olga}", mo, {"name": "Mo"})[0] == 403


# Tokens

def test_tokens_are_made_listed_and_revoked(hub, owner):
    status, made = hub.post(TOKENS, owner, {"name": "door contact", "role": "keykeeper"})
    assert status == 200 and made["token"].startswith("eb_") and made["made_by"] == "Olga"
    listed = hub.get(TOKENS, owner)[1]
    assert [(one["name"], one["role"], one["last_used"]) for one in listed] == [("door contact", "keykeeper", None)]
    assert "token" not in listed[0]
    assert hub.post(STATE, made["token"], {"open": True})[0] == 200
    hub.stop()  # last uses are written at the end
    hub.start()
    assert hub.get(TOKENS, owner)[1][0]["last_used"] is not None
    assert hub.delete(f"{TOKENS}/{made['id']}", owner)[0] == 204
    assert hub.post(STATE, made["token"], {"open": False})[0] == 401
    assert hub.delete(f"{TOKENS}/{made['id']}", owner)[0] == 404


def test_an_owners_token_manages_people_but_is_none(hub):
    token = hub.owner_token
    made = hub.post(LINKS, token, {"role": "member", "name": "Mo"})[1]
    assert made["kind"] == "invitation"
    status, answer = hub.post(LINKS, token, {"for": "me"})
    assert status == 403 and answer["code"] == 40321
    assert hub.delete(SESSION, token)[1]["code"] == 40321
    assert hub.get(DEVICES, token=token)[1]["code"] == 40321


# The audit

def test_the_audit_is_read_in_pieces_from_the_newest_on(hub, owner):
    for number in range(120):
        hub.patch(f"{PEOPLE}/{1}", owner, {"name": f"Olga {number}"})
    first = hub.get(AUDIT, owner)[1]["entries"]
    second = hub.get(f"{AUDIT}?before={first[-1]['id']}", owner)[1]["entries"]
    ids = [int(entry["id"]) for entry in first + second]
    assert len(first) == 100 and len(ids) > 120 and ids == sorted(set(ids), reverse=True)
    for wrong in ("x", "0", "-1", "", "9007199254740992"):
        assert hub.get(f"{AUDIT}?before={wrong}", owner)[0] == 400
    assert hub.get(AUDIT, hub.sign_in("keykeeper"))[0] == 403


def test_the_audit_tells_people_programs_and_commands_apart_whatever_they_are_called(hub, owner):
    hub.post(LINKS, hub.token("owner", "Olga"), {"role": "member"})
    mo = hub.sign_in("member", "Mo")
    hub.patch(f"{PEOPLE}/{person(hub, owner, 'Mo')['id']}", mo, {"name": "command line"})
    hub.patch(f"{PEOPLE}/{person(hub, owner, 'command line')['id']}", mo, {"name": "Mo"})
    entries = hub.get(AUDIT, owner)[1]["entries"]
    assert [(one["by"], one["who"], one["what"]) for one in entries] == [
        ("person", "command line", "person.renamed"), ("person", "Mo", "person.renamed"),
        ("person", "Mo", "device.added"), ("person", "Mo", "person.joined"),
        ("command", "command line", "person.invited"), ("token", "Olga", "person.invited"),
        ("command", "command line", "token.made"), ("person", "Olga", "device.added"),
        ("person", "Olga", "person.joined"), ("command", "command line", "person.invited")]
    assert entries[6]["about"] == "Olga: owner", "a command's token has its role here as one from the page has"


# QR codes

def test_a_qr_code_holds_the_link(hub, owner):
    made = hub.post(LINKS, owner, {"role": "member"})[1]
    assert read_svg(made["qr"]) == made["url"]
    assert "style" not in made["qr"] and "script" not in made["qr"]


def test_the_command_shows_link_code_and_qr_code(hub):
    told = command("link", "--data", hub.data, "--role", "member", "--hub", "https://hub.example/")
    url, code = told.stdout.splitlines()[:2]
    assert url.startswith("https://hub.example/join#") and len(code.removeprefix("Code: ")) == 9
    assert read_terminal(told.stdout) == url


def test_links_lead_to_where_the_owner_says_the_hub_is(make_hub):
    hub = make_hub(env={"EIGHTBELLS_PUBLIC_URL": "https://hub.example/"})
    assert hub.setup_link().startswith("https://hub.example/join#")
    made = hub.post(LINKS, hub.owner_token, {"role": "member"})[1]
    assert made["url"].startswith("https://hub.example/join#")
    told = command("link", "--data", hub.data, "--role", "member")
    assert told.stdout.startswith("https://hub.example/join#")


@pytest.mark.parametrize("value", [
    "hub.example", "ftp://hub.example", "https://", "https://hub.example/path", "https://a b",
    "https://hub.example:70000", "https://hub.example:"])
def test_an_address_that_is_none_is_refused(tmp_path, value):
    told = command("serve", "--data", tmp_path / "data", "--public-url", value)
    assert told.returncode == 2 and "public_url" in told.stderr


# The command

@pytest.mark.parametrize("words, said", [
    ([], "--role is missing"), (["--role", "reader"], "owner, keykeeper, member"),
    (["--role", "member", "--name", "x" * 101], "1 to 100"), (["now", "--role", "member"], "Usage")])
def test_a_wrong_call_makes_no_link(hub, words, said):
    told = command("link", "--data", hub.data, *words)
    assert told.returncode == 2 and said in told.stderr and told.stdout == ""


def test_where_there_are_several_owners_the_command_asks_whom_it_is_for(hub, owner):
    hub.sign_in("owner", "Olaf")
    told = command("link", "--data", hub.data, "--role", "owner")
    assert told.returncode == 2 and "Olga" in told.stderr and "Olaf" in told.stderr
    told = command("link", "--data", hub.data, "--role", "owner", "--name", "Olaf")
    answer = use(hub, link=told.stdout.splitlines()[0].partition("#")[2])[1]
    assert answer["person"] == person_of(hub, owner, "Olaf")


def test_the_command_makes_an_owner_of_somebody_who_is_there(hub):
    hub.sign_in("member", "Mo")
    answer = use(hub, link=hub.link("owner", "Mo")[0])[1]
    assert (answer["person"]["name"], answer["person"]["role"]) == ("Mo", "owner")


def test_the_command_says_whom_it_makes_an_owner(hub, owner):
    """A member may have taken the name of an expected person."""
    eve = hub.sign_in("member", "Eve")
    hub.patch(f"{PEOPLE}/{person(hub, owner, 'Eve')['id']}", eve, {"name": "Bob"})
    told = command("link", "--data", hub.data, "--role", "owner", "--name", "Bob")
    assert told.returncode == 0 and "Bob is here already, as a member" in told.stdout
    assert "here already, as" not in command("link", "--data", hub.data, "--role", "owner", "--name", "Olga").stdout
    assert "here already" not in command("link", "--data", hub.data, "--role", "owner", "--name", "Olivia").stdout


def test_nobody_locks_an_owner_out_by_taking_their_name(hub, owner):
    hub.sign_in("owner", "Olaf")
    eve = hub.sign_in("member", "Eve")
    olga = person(hub, owner, "Olga")["id"]
    hub.patch(f"{PEOPLE}/{person(hub, owner, 'Eve')['id']}", eve, {"name": "Olga"})
    told = command("link", "--data", hub.data, "--role", "owner", "--name", "Olga")
    assert told.returncode == 0, told.stderr
    assert use(hub, link=told.stdout.splitlines()[0].partition("#")[2])[1]["person"]["id"] == olga


def test_the_command_says_for_whom_its_link_is_and_until_when(hub):
    def told(*words):
        done = command("link", "--data", hub.data, *words, env={"TZ": "Europe/Berlin"})
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[2:4]

    whom, until = told("--role", "keykeeper", "--name", "Ada")
    assert whom == "For Ada, who is new here, as a keykeeper."
    said = re.fullmatch(r"Good until (\d\d:\d\d) CES?T, and once\. The code can be typed at (\S+)", until)
    assert said and said[2] == f"{hub.url}/join"
    ends = next(link for link in hub.get(LINKS, token=hub.owner_token)[1])["expires_at"]
    there = datetime.datetime.fromisoformat(ends).astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    assert said[1] == there.strftime("%H:%M")
    assert told("--role", "member")[0] == "For somebody new, as a member."
    entries = lambda: hub.get(AUDIT, token=hub.owner_token)[1]["entries"]
    audited = lambda: [(one["what"], one["about"]) for one in entries() if one["by"] == "command"]
    assert audited()[0] == ("person.invited", "member") and ("person.invited", "Ada: keykeeper") in audited()
    hub.sign_in("owner", "Olga")
    assert told("--role", "owner")[0] == "For Olga, who is here already: another device of an owner."
    assert audited()[0] == ("link.made", "Olga")


def test_the_command_works_where_no_hub_runs(make_hub):
    hub = make_hub()
    hub.stop()
    told = command("link", "--data", hub.data, "--role", "owner", "--name", "Ada")
    assert told.returncode == 0
    hub.start()
    assert use(hub, link=told.stdout.splitlines()[0].partition("#")[2])[1]["person"]["role"] == "owner"
    hub.stop()
    told = command("link", "--data", hub.data, "--role", "owner")
    hub.start()
    assert use(hub, link=told.stdout.splitlines()[0].partition("#")[2])[1]["person"]["name"] == "Ada"


def test_what_an_owner_changes_of_the_space_is_written_down(hub_with_space):
    owner = hub_with_space.sign_in("owner", "Olga")
    assert hub_with_space.put(SETTINGS, owner, SPACE)[0] == 200
    fields = owner | {"Content-Type": "image/png"}
    assert hub_with_space.request("PUT", LOGO_UPLOAD, fields, png(1, 1)).status == 200
    assert hub_with_space.delete(LOGO_UPLOAD, owner)[0] == 204
    assert what(hub_with_space, owner)[:3] == [
        ("Olga", "picture.removed", "logo"), ("Olga", "picture.saved", "logo"), ("Olga", "settings.changed", None)]


def test_links_that_were_used_in_a_loop_are_not_remembered_for_ever(hub, owner):
    mo = hub.sign_in("member", "Mo")
    secrets = []
    for _ in range(103):
        secrets.append(hub.post(LINKS, mo, {"for": "me"})[1]["url"].partition("#")[2])
        assert hub.delete(SESSION, use(hub, link=secrets[-1])[0])[0] == 200
    # The next one made removes all but a hundred.
    assert hub.post(LINKS, mo, {"for": "me"})[0] == 200
    assert [hub.post(LOOK, json={"link": secret})[0] for secret in secrets] == [404] * 3 + [410] * 100


def test_nobody_has_more_than_a_hundred_open_links_and_fills_no_others(hub, owner):
    mo = hub.sign_in("member", "Mo")
    statuses = [hub.post(LINKS, mo, {"for": "me"})[0] for _ in range(101)]
    assert statuses == [200] * 100 + [409]
    assert hub.post(LINKS, owner, {"for": "me"})[0] == 200
