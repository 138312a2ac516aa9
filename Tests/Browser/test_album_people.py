"""The people of an album on its hosts' page, with the real hub: letting in, making hosts, removing."""

from hosts_page import SHOWN, Album, jpeg
from hub import eventually
from page import PHONE, wait_until
from uploads import Guest, join


def test_a_host_lets_people_in_and_makes_them_hosts(open_page, hub):
    album = Album(hub, mode="family")
    ben, cleo = (join(hub, album.made, name) for name in ("Ben", "Cleo"))
    page = album.open(open_page(), "/host")  # at those who wait
    for name in ("Ben", "Cleo"):
        page.wait_for_selector(f"li:has-text('{name}') button:has-text('Let in {name}')")
    # One soon after the other: both count.
    page.locator("button:has-text('Let in')").evaluate_all("(all) => all.forEach((one) => one.click())")
    eventually(lambda: hub.get(album.path, token=cleo)[1]["me"]["state"] == "in")
    page.click("li:has-text('Ben') button:has-text('Make a host')")
    eventually(lambda: hub.get(album.path, token=ben)[1]["me"]["role"] == "host")


def test_a_host_finds_who_sent_a_picture_and_removes_them_with_all_of_theirs(open_page, hub):
    album = Album(hub)
    album.send_all(3)
    ben = Guest(hub, album.made, join(hub, album.made, "Ben"))
    kept = ben.send(jpeg(9))
    page = album.open(open_page(viewport=PHONE), "/host")
    page.locator(".cell.is-there").last.click()
    page.click(".viewer-name:has-text('Ada')")
    page.wait_for_selector("li:focus:has-text('Ada')")
    page.click("li:has-text('Ada') button:has-text('Show pictures')")
    wait_until(page, f"{SHOWN}.length === 3")
    page.wait_for_selector(".gallery-by:has-text('Ada, 3')")
    page.click(".host-views button:has-text('People')")
    page.click("li:has-text('Ada') button:has-text('Remove')")
    page.click("li:has-text('Ada') label:has-text('Take their 3 pictures out, too')")
    join(hub, album.made, "Cleo")  # the rows are drawn anew
    page.wait_for_selector(".host:has(.host-head:has-text('4 people')) li:has-text('Ada') input:checked")
    page.click("li:has-text('Ada') button:has-text('Remove them')")
    eventually(lambda: [one["id"] for one in album.pictures()] == [kept])
    assert len(album.pictures("removed")) == 3
    assert hub.delete(f"{album.path}/me", ben.token)[0] == 204
    page.wait_for_selector("li:has-text('Ben'):has-text('has left, 1 picture')")
    page.click("li:has-text('Ben') button:has-text('Take pictures out')")
    page.click("li:has-text('Ben') button:has-text('Yes, take them out')")
    eventually(lambda: album.pictures() == [])
    page.click(".host-views button:has-text('Hidden')")
    page.click("button:has-text('Restore all 3 by Ada')")
    eventually(lambda: len(album.pictures()) == 3)
