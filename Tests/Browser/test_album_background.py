"""Pictures that wait on a phone go on when its page is closed, where the browser wakes the service worker."""

import pytest
from album_page import Album, choose, jpeg, join
from hub import eventually
from page import WHOLE_CHROMIUM, launch, pages, wait_kept, wait_until


@pytest.fixture(scope="module")
def whole(browser):
    made = launch(browser.browser_type, program=WHOLE_CHROMIUM)
    yield made
    made.close()


def test_a_closed_page_sends_the_rest_when_the_network_is_back(hub, whole):
    album = Album(hub, "--open")
    with pages(whole) as open_page:
        page = join(open_page(), album)
        wait_kept(page)
        context = page.context
        context.set_offline(True)
        choose(page, [jpeg(number) for number in range(3)])
        page.wait_for_selector(".queue h2:has-text('3 pictures wait')")
        wait_until(page, "document.querySelectorAll('.queue-cells li[data-state=waits] .thumb img').length === 3")
        assert page.evaluate("navigator.serviceWorker.ready.then((one) => one.sync.getTags())") == ["albums-queue"]
        page.close()
        assert album.pictures() == []
        context.set_offline(False)
        other = open_page(context=context)
        other.goto(hub.url + "/offline")  # no page of the album
        session = context.new_cdp_session(other)
        told = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: told.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        wait_until(other, "navigator.serviceWorker.controller !== null")
        session.send("ServiceWorker.dispatchSyncEvent", {
            "origin": hub.url, "registrationId": told[0]["registrationId"], "tag": "albums-queue", "lastChance": False})
        eventually(lambda: len(album.pictures()) == 3, seconds=20)
        assert len(set(album.hashes())) == 3
        other.goto(album.url)
        other.wait_for_selector("album-gallery .cell")
        assert other.locator(".queue").count() == 0
