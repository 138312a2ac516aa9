"""Apps' own views of notifications: who registers them, one for a category, and how they are served."""

import json

import pytest

from hub import ROOT, command

VIEWS = "/api/v1/bells/views"
HTML = "<p>Hello</p>"


def put(hub, name, categories=("like",), html=HTML, token=None):
    return hub.put(f"{VIEWS}/{name}", token or hub.owner_token, {"categories": list(categories), "html": html})


def run(hub, *words):
    return command("view", *words, "--data", hub.data)


def fetch(hub, path, token=None):
    return hub.request("GET", path, {"Authorization": f"Bearer {token}"} if token else {})


def test_a_category_has_one_view(hub, tmp_path):
    file = tmp_path / "view.html"
    file.write_text(HTML)
    assert put(hub, "star", ["like", "love"])[0] == 200
    status, answer = put(hub, "heart", ["care", "love"])
    assert (status, answer["code"]) == (409, 40918)
    assert answer["error"] == "A category has one view: \"love\" has the view star."
    made = run(hub, "add", "--name", "heart", "--category", "love", "--file", file)
    assert made.returncode != 0 and "\"love\" has the view star" in made.stderr
    assert put(hub, "heart", ["care"])[0] == 200
    # The same name is put in the place of the old one, with other categories.
    assert put(hub, "star", ["like"], "<p>Two</p>")[0] == 200
    assert put(hub, "heart", ["care", "love"])[0] == 200
    assert hub.get(VIEWS, token=hub.owner_token)[1] == [
        {"name": "heart", "categories": ["care", "love"], "room": None, "size": len(HTML)},
        {"name": "star", "categories": ["like"], "room": None, "size": 10}]
    assert json.loads(run(hub, "list").stdout) == hub.get(VIEWS, token=hub.owner_token)[1]
    assert run(hub, "delete", "heart").returncode == 0
    assert hub.delete(f"{VIEWS}/star", hub.owner_token)[0] == 204
    assert hub.get(VIEWS, token=hub.owner_token)[1] == []
    assert hub.delete(f"{VIEWS}/star", hub.owner_token)[1]["code"] == 40418
    assert "no view \"star\"" in run(hub, "delete", "star").stderr


def test_it_is_registered_over_the_network_too(hub):
    way = ["--hub", hub.url, "--token", hub.owner_token]
    star = ROOT / "Docs/examples/star.html"
    made = command("view", "add", "--name", "star", "--category", "like", "--file", star, *way)
    assert made.returncode == 0 and json.loads(made.stdout)["size"] == star.stat().st_size, made.stderr
    assert json.loads(command("view", "list", *way).stdout)[0]["name"] == "star"
    assert command("view", "delete", "star", *way).returncode == 0
    assert json.loads(command("view", "list", *way).stdout) == []


@pytest.mark.parametrize(("change", "field", "words"), [
    ({"categories": []}, "categories", "1 to 20 categories"), ({"categories": [1]}, "categories", "1 to 20 categories"),
    ({"categories": ["x" * 65]}, "categories", "1 to 20 categories"),
    ({"categories": [str(n) for n in range(21)]}, "categories", "a list of at most 20 categories"),
    ({"html": ""}, "html", "0 bytes; 1 to 262144"), ({"html": 5}, "html", "the text of an HTML document"),
    ({"html": "x" * 262_145}, "html", "262145 bytes; 1 to 262144"),
    ({"html": "<p><IFRAME srcdoc=x>"}, "html", "has <iframe; documents within the document"),
    ({"html": "<object data=x>"}, "html", "has <object"), ({"more": 1}, "more", "")])
def test_what_is_wrong_is_told_beside_its_field(shared_hub, change, field, words):
    status, answer = shared_hub.put(
        f"{VIEWS}/star", shared_hub.owner_token, {"categories": ["like"], "html": HTML} | change)
    assert status == 400, answer
    assert answer["error"].startswith(f"{field}: ") and words in answer["error"], answer
    assert shared_hub.get(VIEWS, token=shared_hub.owner_token)[1] == []


def test_the_largest_one_passes_and_names_are_short(hub):
    assert put(hub, "star", html="\n" * 262_144)[0] == 200, "each byte is two in JSON"
    assert put(hub, "-star", ["love"])[0] == 400
    assert put(hub, "a" * 65, ["love"])[0] == 400
    for number in range(49):
        assert put(hub, f"v{number}", [f"c{number}"])[0] == 200
    status, answer = put(hub, "more", ["more"])
    assert (status, answer["code"]) == (409, 40916)
    assert put(hub, "v1", ["other"])[0] == 200


def test_only_owners_register_and_members_look(hub):
    member, reader = hub.token("member"), hub.token("reader")
    for token in (member, reader):
        assert put(hub, "star", token=token)[0] == 403
        assert hub.get(VIEWS, token=token)[0] == 403
    assert put(hub, "star")[0] == 200
    answer = fetch(hub, f"{VIEWS}/star", member)
    assert answer.status == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none';") and "frame-ancestors 'self'" in policy
    body = answer.body.decode()
    assert body.startswith("<!doctype html><script>") and body.endswith(HTML)
    assert hub.get(f"{VIEWS}/star")[0] == 401
    assert hub.get(f"{VIEWS}/other", token=member)[0] == 404


def test_only_the_page_with_notifications_may_have_frames(hub_with_space):
    hub = hub_with_space
    for path, source in (("/bells", "'self'"), ("/bells/7", "'self'"), ("/", "'none'"), ("/me", "'none'"),
                         ("/settings/place", "'none'")):
        assert fetch(hub, path).headers["Content-Security-Policy"].endswith(f"; frame-src {source}"), path
