"""Portfolios of WebDAV servers: wsgidav, and servers that lie, run in circles and lead astray."""

import contextlib
import urllib.parse

import pytest
from hub import command
from portfolio import REACHABLE, add, galleries, numbers, photo, run, sync
from webdav_server import Liar, entry, serving


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "cloud"
    for number, name in enumerate(("Coast & sea/ä 1.jpg", "Coast & sea/deep/b.jpg", "Hills/c.png", "top.jpg")):
        photo(folder / name, number)
    (folder / "Hills/broken.jpg").write_text("no picture")
    return folder


def test_galleries_come_from_wsgidav_and_unchanged_ones_are_listed_and_no_more(hub, folder, ada):
    with serving(folder) as server:
        portfolio = add(hub.data, f"webdav:{server.url}", "--for", "Ada")
        report = sync(hub.data, portfolio)
        assert numbers(report) == {"photos": 4, "new": 4, "changed": 0, "gone": 0}
        assert [(one["title"], one["gallery"]) for one in report["failed"]] == [("broken", "Hills")]
        found = galleries(hub, portfolio, ada)
        assert {title: [one["title"] for one in all] for title, all in found.items()} == {
            "127.0.0.1:" + server.url.split(":")[2].strip("/"): ["top"], "Coast & sea": ["ä 1", "b"], "Hills": ["c"]}
        assert found["Hills"][0]["sizes"]["2048"]["bytes"] > 1_000

        (folder / "Hills/broken.jpg").unlink()
        sync(hub.data, portfolio)
        server.asked.clear()
        assert numbers(sync(hub.data, portfolio)) == {"photos": 4, "new": 0, "changed": 0, "gone": 0}
        assert [method for method, _ in server.asked] == ["PROPFIND"] * 4, "each folder once, and no file"

        photo(folder / "Hills/c.png", 50)
        photo(folder / "Hills/d.png", 51)
        (folder / "Coast & sea/deep/b.jpg").unlink()
        assert numbers(sync(hub.data, portfolio)) == {"photos": 4, "new": 1, "changed": 1, "gone": 1}


def test_a_password_comes_from_a_file_and_stands_nowhere(hub, folder, ada, tmp_path):
    (tmp_path / "secret").write_text("three dry oars\n")
    with serving(folder, password="three dry oars") as server:
        portfolio = add(hub.data, f"webdav:{server.url}", "--user", "ada", "--password-file", tmp_path / "secret")
        assert sync(hub.data, portfolio)["new"] == 4
        told = run(hub.data, "list", "--json")
        assert "oars" not in told.stdout and "oars" not in hub.log
        assert "oars" not in str(hub.get(f"/api/v1/portfolios/{portfolio}", token=ada))
        (tmp_path / "secret").write_text("another\n")
        wrong = add(hub.data, f"webdav:{server.url}", "--user", "ada", "--password-file", tmp_path / "secret")
        refused = run(hub.data, "sync", wrong)
        assert refused.returncode == 1 and "401" in refused.stderr
    # Without a terminal and a file nobody is asked.
    asked = command("portfolio", "add", "--source", f"webdav:{server.url}", "--user", "ada", "--data", hub.data,
                    env=REACHABLE)
    assert asked.returncode == 1 and "--password-file" in asked.stderr


def test_inside_is_out_of_reach_unless_the_owner_allows_it(hub, ada):
    with Liar() as server:
        server.answers["/"] = [entry("/", folder=True)]
        refused = run(hub.data, "add", "--source", f"webdav:{server.url}", env={})
        assert refused.returncode == 1 and "reachable_networks" in refused.stderr and not server.asked
        portfolio = add(hub.data, f"webdav:{server.url}")
        refused = command("portfolio", "sync", portfolio, "--data", hub.data, env={})
        assert refused.returncode == 1 and not server.asked


@pytest.fixture
def liar(tmp_path):
    """A server with two good pictures."""
    picture = photo(tmp_path / "a.jpg", 1).read_bytes()
    with Liar() as server:
        server.answers |= {
            "/": [entry("/", folder=True), entry("/Set/", folder=True)],
            "/Set/": [entry("/Set/", folder=True), entry("/Set/a.jpg", etag='"1"', contentlength=len(picture)),
                      entry("/Set/b.jpg", etag='"1"', contentlength=len(picture))],
            "/Set/a.jpg": (200, {"Content-Type": "image/jpeg"}, picture),
            "/Set/b.jpg": (200, {"Content-Type": "image/jpeg"}, picture),
        }
        yield server


FAULTS = {
    "a page instead of the file": ((200, {"Content-Type": "text/html"}, b"<html>Sign in</html>"), "a page instead"),
    "more promised than sent": ((200, {"Content-Length": "999999"}, b"abc"), "breaks off"),
    "fewer bytes than listed": ((200, {}, b"\xff\xd8\xff"), "were promised"),
    "a file that Nextcloud cannot open": ((503, {}, b""), "answered 503"),
    "not there": ((404, {}, b""), "not there any more"),
    "a redirect elsewhere": ((302, {"Location": "http://169.254.169.254/latest"}, b""), None),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_one_picture_leaves_the_others(hub, ada, liar, fault):
    good = liar.answers["/Set/b.jpg"]
    liar.answers["/Set/b.jpg"], words = FAULTS[fault]
    portfolio = add(hub.data, f"webdav:{liar.url}")
    if words is None:
        refused = run(hub.data, "sync", portfolio)
        assert refused.returncode == 1 and "another address" in refused.stderr
    else:
        report = sync(hub.data, portfolio)
        assert report["new"] == 1 and words in report["failed"][0]["why"], report
    liar.answers["/Set/b.jpg"] = good
    report = sync(hub.data, portfolio)
    assert report["photos"] == 2 and report["failed"] == []


def test_a_server_that_gives_a_large_file_byte_by_byte_is_asked_once(hub, ada, liar):
    liar.answers["/Set/"].append(entry("/Set/large.jpg", etag='"1"', contentlength=399_000_000))
    liar.answers["/Set/large.jpg"] = (206, {"Content-Type": "image/jpeg"}, b"\xff")
    report = sync(hub.data, add(hub.data, f"webdav:{liar.url}"))
    assert report["new"] == 2 and "were promised" in report["failed"][0]["why"], report
    assert [path for _, path, _ in liar.asked].count("/Set/large.jpg") == 1


LISTS = {
    "no answer of WebDAV": ((200, {}, b"<html>hello</html>"), "does not answer as WebDAV"),
    "an entity bomb": ((207, {}, b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'), "does not answer as WebDAV"),
    "another place": ([entry("/other/", folder=True)], "does not answer as WebDAV"),
    "no right any more": ((403, {}, b""), "answered 403"),
    "gone": ((404, {}, b""), "no such folder"),
    "sent on": ((301, {"Location": "http://example.com/"}, b""), "another address"),
}


@pytest.mark.parametrize("fault", LISTS)
def test_a_list_that_is_none_removes_nothing(hub, ada, liar, fault):
    portfolio = add(hub.data, f"webdav:{liar.url}", "--for", "Ada")
    assert sync(hub.data, portfolio)["new"] == 2
    liar.answers["/"], words = LISTS[fault]
    refused = run(hub.data, "sync", portfolio)
    assert refused.returncode == 1 and words in refused.stderr, refused.stderr
    assert hub.get(f"/api/v1/portfolios/{portfolio}", token=ada)[1]["pictures"] == 2


def test_a_folder_that_the_server_refuses_keeps_nothing_from_the_others(hub, ada, liar):
    liar.answers["/"].insert(1, entry("/Closed/", folder=True))
    liar.answers["/Closed/"] = (403, {}, b"")
    portfolio = add(hub.data, f"webdav:{liar.url}", "--for", "Ada")
    assert sync(hub.data, portfolio)["new"] == 2
    shown = hub.get(f"/api/v1/portfolios/{portfolio}", token=ada)[1]["galleries"]
    assert {one["title"]: one.get("notice", {}).get("values") for one in shown} == {
        "Set": None, "Closed": {"status": 403}}


def test_circles_and_names_that_lead_out_end(hub, ada, liar):
    liar.answers["/Set/"] += [
        entry("/", folder=True), entry("/Set/Set/", folder=True), entry("/Set/../up.jpg"), entry("/Set/x%2Fy.jpg"),
        "<D:response><D:href>/Set/%2e%2e/up.jpg</D:href></D:response>",
        "<D:response><D:href>http://example.com/Set/c.jpg</D:href></D:response>",
        "<D:response><D:href>//example.com/Set/c.jpg</D:href></D:response>"]
    # A storage box has small pictures and deleted ones beside the others.
    for name in ("/Set/@eaDir/", "/Set/#recycle/"):
        liar.answers["/Set/"].append(entry(name, folder=True))
        path = urllib.parse.quote(name)
        liar.answers[path] = [entry(name, folder=True), entry(f"{name}a.jpg", etag='"2"')]
        liar.answers[f"{path}a.jpg"] = liar.answers["/Set/a.jpg"]
    for depth in range(12):
        path = "/Set/" + "Set/" * depth
        liar.answers.setdefault(path, [entry(path, folder=True), entry(path + "Set/", folder=True)])
    portfolio = add(hub.data, f"webdav:{liar.url}", "--for", "Ada")
    report = sync(hub.data, portfolio)
    assert report["photos"] == 2, report
    assert len([1 for method, _, _ in liar.asked if method == "PROPFIND"]) <= 10


def test_a_share_of_nextcloud_is_asked_for_by_both_its_addresses(hub, ada, liar):
    with contextlib.suppress(KeyError):
        del liar.answers["/"]
    old = "/cloud/public.php/webdav/"
    liar.answers[old] = [entry(old, folder=True), entry(old + "a.jpg", etag='"1"')]
    liar.answers[old + "a.jpg"] = liar.answers["/Set/a.jpg"]
    portfolio = add(hub.data, f"webdav:{liar.url}cloud/index.php/s/T0ken", "--for", "Ada")
    assert sync(hub.data, portfolio)["new"] == 1
    paths = [path for _, path, _ in liar.asked]
    assert paths[:2] == ["/cloud/public.php/dav/files/T0ken/", old], "the newer one first"
    assert liar.asked[1][2] == "Basic VDBrZW46", "the share's token as the user"
