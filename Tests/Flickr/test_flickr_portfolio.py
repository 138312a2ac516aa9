"""A portfolio of Flickr: the real hub and its commands, against the Flickr of tests."""

import json
import subprocess
import urllib.parse

import pytest
import requests
from flickr import KEY, SECRET, Flickr
from hub import BINARY, clean_environment, eventually

PATH = "/api/v1/portfolios"
LISTS = ("flickr.photosets.getList", "flickr.photosets.getPhotos", "flickr.collections.getTree")


@pytest.fixture
def flickr():
    with Flickr() as double:
        yield double


@pytest.fixture
def options(flickr, tmp_path):
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    return ["--flickr-key", KEY, "--flickr-secret-file", str(tmp_path / "secret"), "--flickr-base", flickr.base]


@pytest.fixture
def hub(make_hub, options):
    return make_hub(options=options)


def add(hub, options, user, flickr=None):
    """`portfolio add`: with a Flickr, its visitor opens the address that is printed and types the code."""
    words = [BINARY, "portfolio", "add", "--data", hub.data, "--source", f"flickr:{user}", *options]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=clean_environment())
    code = ""
    if flickr:
        address = next(line for line in process.stderr if "oauth_token=" in line).strip()
        code = requests.get(address, timeout=10).text.partition("<b>")[2].partition("</b>")[0].replace("-", " ")
    output, errors = process.communicate(f"{code}\n", timeout=30)
    assert process.returncode == 0, errors
    return json.loads(output)


def sync(hub, options, id, fails=False):
    done = subprocess.run([BINARY, "portfolio", "sync", id, "--json", "--data", hub.data, *options], text=True,
                          capture_output=True, timeout=60, check=False, env=clean_environment())
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else json.loads(done.stdout)


def pictures(hub, owner, id):
    """The pictures of a portfolio by their galleries' titles, as the page has them."""
    status, portfolio = hub.get(f"{PATH}/{id}", token=owner)
    assert status == 200, portfolio
    found = {}
    for gallery in portfolio["galleries"]:
        status, answer = hub.get(f"{PATH}/{id}/galleries/{gallery['id']}", token=owner)
        found[gallery["title"]] = answer["pictures"]
    return portfolio, found


def test_a_portfolio_follows_its_sets_and_asks_for_little(hub, flickr, options):
    owner = hub.sign_in()
    ada = flickr.person("ada")
    sea, hills = flickr.set(ada, "Sea", 3), flickr.set(ada, "Hills", 2)
    both = flickr.photos[sea.photos[0]]
    hills.photos.append(both.id)
    flickr.photo(ada, public=False)
    ada.collections = [("Best", [hills.id])]
    made = add(hub, options, "ada")
    assert made["source"] == {"kind": "flickr", "of": ada.id} and made["name"] == "ada"
    assert sync(hub, options, made["id"]) == {
        "photos": 5, "new": 5, "changed": 0, "gone": 0, "missing": 0, "failed": []}
    portfolio, found = pictures(hub, owner, made["id"])
    assert [(one["title"], one.get("group")) for one in portfolio["galleries"]] == [("Hills", "Best"), ("Sea", None)]
    assert list(found) == ["Hills", "Sea"] and [len(each) for each in found.values()] == [3, 3]
    assert found["Sea"][0]["page"] == f"https://www.flickr.com/photos/ada/{both.id}/"
    assert "private" not in found["Sea"][0] and found["Sea"][0]["title"] == "Sea 1"
    # One call for each list of at most 500, and one for each file.
    assert flickr.calls["flickr.photosets.getPhotos"] == 2 and set(flickr.files.values()) == {1}
    assert not [name for name in flickr.calls if "photos.get" in name]

    flickr.calls.clear()
    flickr.files.clear()
    assert sync(hub, options, made["id"])["new"] == 0
    assert flickr.calls == dict.fromkeys(LISTS, 1) | {"flickr.photosets.getPhotos": 2} and not flickr.files

    both.replace()
    flickr.delete(flickr.photos[sea.photos[2]])
    flickr.photos[sea.photos[1]].title = "Waves"
    sea.photos.append(flickr.photo(ada, "New").id)
    flickr.photos[hills.photos[0]].public = False
    report = sync(hub, options, made["id"])
    assert report == {"photos": 4, "new": 1, "changed": 1, "gone": 2, "missing": 0, "failed": []}
    portfolio, found = pictures(hub, owner, made["id"])
    assert [each["title"] for each in found["Sea"]] == ["Sea 1", "Waves", "New"] and len(found["Hills"]) == 2


def test_private_pictures_come_with_a_code_and_stay_when_it_is_revoked(hub, flickr, options):
    owner = hub.sign_in()
    flickr.visitor = ada = flickr.person("ada")
    flickr.set(ada, "Secret", photos=[flickr.photo(ada, "Mine", public=False).id])
    made = add(hub, options, "me", flickr)
    assert sync(hub, options, made["id"])["photos"] == 1
    portfolio, found = pictures(hub, owner, made["id"])
    assert found["Secret"][0]["private"] is True
    # Others would not see it there, so they do not see it here.
    picture, shares = found["Secret"][0]["id"], f"{PATH}/{made['id']}/shares"
    status, refused = hub.post(shares, token=owner, json={"picture": picture})
    assert status == 409 and refused["code"] == 40994 and "others will not see it" in refused["error"]
    status, gallery = hub.post(shares, token=owner, json={"gallery": portfolio["galleries"][0]["id"]})
    assert status == 201
    frame = hub.request("GET", gallery["link"].removeprefix(hub.url)).body.decode()
    assert "<img" not in frame and picture not in frame and "Ada, Flickr." in frame
    secret = flickr.photos[flickr.sets[ada.sets[0]].photos[0]].secret
    assert secret not in json.dumps(found) and SECRET not in hub.log

    flickr.revoke(ada)
    assert "Allow it anew at Flickr" in sync(hub, options, made["id"], fails=True)
    portfolio, found = pictures(hub, owner, made["id"])
    assert portfolio["sync"]["state"] == "failed" and portfolio["sync"]["why"]["code"] == "flickr-denied"
    assert len(found["Secret"]) == 1 and portfolio["pictures"] == 1


def test_what_became_private_at_flickr_is_kept_for_its_owner_and_shown_to_nobody_else(hub, flickr, options):
    owner = hub.sign_in()
    sea = flickr.set(flickr.person("ada"), "Sea", 2)
    made = add(hub, options, "ada")
    path = f"{PATH}/{made['id']}"
    sync(hub, options, made["id"])
    gallery = pictures(hub, owner, made["id"])[0]["galleries"][0]["id"]
    frame = hub.post(f"{path}/shares", owner, {"gallery": gallery})[1]["link"].removeprefix(hub.url)
    sent = hub.post(f"{path}/sent", owner, {"title": "Sea", "galleries": [gallery]})[1]["id"]

    def seen():
        """The pictures in the frame, at the client's link, and on the owner's page."""
        galleries = hub.get(f"/api/v1/sent/{sent}")[1]["galleries"]
        return (hub.request("GET", frame).body.count(b"<img"), sum(len(one["pictures"]) for one in galleries),
                len(pictures(hub, owner, made["id"])[1]["Sea"]))

    assert seen() == (2, 2, 2)
    flickr.fail("1", method="flickr.photosets.getPhotos")
    sync(hub, options, made["id"])
    assert seen() == (0, 0, 2), "a set that Flickr does not show"
    sync(hub, options, made["id"])
    assert seen() == (2, 2, 2)
    for id in sea.photos:
        flickr.photos[id].public = False
    assert "until you say" in sync(hub, options, made["id"], fails=True)
    assert seen() == (0, 0, 2), "a set that Flickr does not list"


def test_one_bad_file_is_skipped_and_comes_later_without_further_questions(hub, flickr, options):
    ada = flickr.person("ada")
    one = flickr.set(ada, "One", 4)
    broken, half, gone, last = (flickr.photos[id] for id in one.photos)
    flickr.fail("500", times=9, file=broken.id)
    flickr.fail("half", times=9, file=half.id)
    flickr.fail("redirect:/pw/images/en-us/photo_unavailable.png", file=gone.id)
    flickr.fail("redirect:http://169.254.169.254/latest/meta-data", file=last.id)
    flickr.fail("500", method="flickr.photosets.getPhotos")
    made = add(hub, options, ada.id)
    report = sync(hub, options, made["id"])
    assert report["photos"] == 0 and len(report["failed"]) == 4
    assert {each["title"] for each in report["failed"]} == {"One 1", "One 2", "One 3", "One 4"}
    flickr._faults.clear()
    flickr.calls.clear()
    assert sync(hub, options, made["id"]) == {
        "photos": 4, "new": 4, "changed": 0, "gone": 0, "missing": 0, "failed": []}
    assert flickr.calls == dict.fromkeys(LISTS, 1)


def test_sizes_that_are_withheld_and_odd_answers(hub, flickr, options):
    owner = hub.sign_in()
    ada = flickr.person("ada")
    flickr.set(ada, "Free", photos=[flickr.photo(ada, "Free", withheld=("o", "k", "h")).id])
    flickr.odd = True
    made = add(hub, options, "https://www.flickr.com/photos/ada/")
    assert sync(hub, options, made["id"])["new"] == 1
    _, found = pictures(hub, owner, made["id"])
    assert (found["Free"][0]["width"], found["Free"][0]["height"]) == (1024, 683)


def test_the_page_asks_by_a_callback(hub, flickr):
    owner = hub.sign_in()
    flickr.visitor = ada = flickr.person("ada")
    flickr.set(ada, "Secret", photos=[flickr.photo(ada, public=False).id])
    status, begun = hub.post(f"{PATH}/flickr/consents", owner, {})
    assert status == 201, begun
    back = urllib.parse.urlsplit(requests.get(begun["address"], timeout=10, allow_redirects=False).headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{hub.url}/portfolio"
    query = dict(urllib.parse.parse_qsl(back.query))
    assert query["oauth_token"] == begun["token"]
    ending = f"{PATH}/flickr/consents/{begun['token']}"
    stranger = hub.sign_in("member", "Bob")
    assert hub.post(ending, stranger, {"verifier": query["oauth_verifier"]})[0] == 404
    # An answer may get lost on its way, although Flickr gives each permission once.
    (status, made), again = (hub._exchange(
        "POST", ending, owner, {"verifier": query["oauth_verifier"]}, {"Idempotency-Key": "a-1"}) for _ in range(2))
    assert status == 201 and made["source"]["of"] == ada.id and "not endorsed" in made["source"]["notice"]
    assert again == (status, made)
    assert hub.post(ending, owner, {"verifier": query["oauth_verifier"]})[0] == 404
    eventually(lambda: hub.get(f"{PATH}/{made['id']}", token=owner)[1]["pictures"] == 1, 30)
    begun = hub.post(f"{PATH}/flickr/consents", owner, {})[1]
    status, refused = hub.post(f"{PATH}/flickr/consents/{begun['token']}", owner, {"verifier": "123-456-789"})
    assert status == 400 and "the code is wrong or too old" in refused["error"]


def test_one_member_leaves_flickr_s_calls_to_others(hub, flickr):
    path = f"{PATH}/flickr/consents"
    ada = hub.sign_in("member", "Ada")
    answers = [hub.post(path, ada, {})[0] for _ in range(80)]
    assert set(answers) == {201, 429} and answers[:60] == [201] * 60
    assert hub.post(PATH, ada, {"source": "flickr:somebody"})[0] == 429
    assert hub.post(path, hub.sign_in("member", "Bob"), {})[0] == 201


def allow(hub, owner, portfolio=None):
    """What the page does: asks, lets the visitor agree at Flickr, and takes the permission."""
    begun = hub.post(f"{PATH}/flickr/consents", owner, {"portfolio": portfolio} if portfolio else {})[1]
    back = urllib.parse.urlsplit(requests.get(begun["address"], timeout=10, allow_redirects=False).headers["Location"])
    verifier = dict(urllib.parse.parse_qsl(back.query))["oauth_verifier"]
    return hub.post(f"{PATH}/flickr/consents/{begun['token']}", owner, {"verifier": verifier})


def test_contacts_become_portfolios_with_the_same_permission(hub, flickr):
    owner = hub.sign_in()
    flickr.visitor = ada = flickr.person("ada")
    ben, cleo = flickr.person("ben"), flickr.person("cleo")
    ada.contacts += [ben.id, cleo.id]
    flickr.set(ben, "Harbour", 2)
    status, made = allow(hub, owner)
    assert status == 201 and made["source"]["authorized"]
    status, told = hub.get(f"{PATH}/{made['id']}/contacts", token=owner)
    assert status == 200 and told["contacts"] == [{"id": ben.id, "name": "ben"}, {"id": cleo.id, "name": "cleo"}]
    assert flickr.calls["flickr.contacts.getList"] == 1

    stranger = hub.sign_in("member", "Bob")
    assert hub.get(f"{PATH}/{made['id']}/contacts", token=stranger)[1]["code"] == 40493
    wish = {"source": f"flickr:{ben.id}", "permission": made["id"]}
    assert hub.post(PATH, stranger, wish)[1]["code"] == 40493
    status, further = hub.post(PATH, owner, wish)
    assert status == 201 and further["name"] == "Ben" and further["source"]["authorized"]
    eventually(lambda: hub.get(f"{PATH}/{further['id']}", token=owner)[1]["pictures"] == 2, 30)
    # Without a permission it is what everybody may see; there are no contacts to be asked for.
    status, public = hub.post(PATH, owner, {"source": f"flickr:{cleo.id}"})
    assert status == 201 and public["source"]["authorized"] is False
    assert hub.get(f"{PATH}/{public['id']}/contacts", token=owner)[1]["code"] == 40493

    flickr.revoke(ada)
    status, renewed = allow(hub, owner, made["id"])
    assert status == 200 and renewed["id"] == made["id"]
    assert hub.get(f"{PATH}/{made['id']}/contacts", token=owner)[0] == 200


def test_without_a_key_it_is_said(make_hub, flickr):
    hub = make_hub()
    status, refused = hub.post(PATH, hub.sign_in(), {"source": "flickr:ada"})
    assert status == 400 and "flickr_secret_file" in refused["error"]
