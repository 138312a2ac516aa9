"""A picture from a phone's share sheet lands in an album: posted through a real form, as browsers post a share."""

import hashlib

from album_page import jpeg
from hub import eventually
from page import pages, wait_kept, wait_until

# The form that the manifest describes.
FORM = """async () => {
  const { share_target: target } = await (await fetch('/manifest.webmanifest')).json();
  const form = document.createElement('form');
  Object.assign(form, { method: target.method, enctype: target.enctype, action: target.action });
  const field = Object.assign(document.createElement('input'), {
    type: 'file', multiple: true, name: target.params.files[0].name });
  form.append(field, Object.assign(document.createElement('button'), { id: 'share' }));
  document.body.append(form);
}"""


def share(page, *files):
    page.locator("form input[type=file][name=pictures]").set_input_files(files)
    page.evaluate("document.querySelector('#share').click()")


def test_a_shared_picture_lands_in_the_album_that_one_chooses(browser, hub_with_space):
    hub = hub_with_space
    with pages(browser) as open_page:
        page = open_page()
        member = hub.sign_in_browser(page.context, "member")
        made = [hub.post("/api/v1/albums", member, {"name": name})[1] for name in ("Lena and Tom", "The summer feast")]
        page.goto(hub.url + "/albums")
        wait_kept(page)
        wait_until(page, "document.querySelectorAll('.album-row').length === 2")
        shared = [jpeg(1), jpeg(2)]
        page.evaluate(FORM)
        page.context.set_offline(True)  # in a tunnel: nothing of it goes to the hub yet
        share(page, *shared)
        page.wait_for_url("**/albums/share")
        page.wait_for_selector("main h1:has-text('Which album?')")
        wait_until(page, "document.querySelectorAll('.shared-pictures img').length === 2")
        wait_until(page, "document.querySelectorAll('button.album-row').length === 2")
        page.goto(hub.url + "/albums")
        page.wait_for_selector(".note a:has-text('2 shared pictures wait')")
        page.context.set_offline(False)
        page.route("**/api/v1/albums", lambda route: None)  # a line on which nothing comes
        page.click(".note a[href='/albums/share']")
        page.click("button.album-row:has-text('The summer feast')", timeout=10_000)
        page.unroute("**/api/v1/albums")
        page.wait_for_url("**/album#*")
        path = f"/api/v1/albums/{made[1]['id']}/pictures"
        eventually(lambda: len(hub.get(path, token=member)[1]["pictures"]) == 2)
        found = hub.get(path, token=member)[1]["pictures"]
        hashes = {hashlib.sha256(hub.request("GET", one["original"], member).body).hexdigest() for one in found}
        assert hashes == {hashlib.sha256(one["buffer"]).hexdigest() for one in shared}
        page.goto(hub.url + "/albums/share")
        page.wait_for_selector(".albums-none strong:has-text('No picture waits here')")


def test_what_comes_to_the_hub_since_the_phone_has_thrown_the_pages_away_is_to_be_shared_once_more(
        open_page, demo_hub, tmp_path):
    # So large that a browser has not sent it when a refused connection ends.
    film = tmp_path / "film.mp4"
    film.write_bytes(bytes(40_000_000))
    page = open_page()
    demo_hub.sign_in_browser(page.context, "member")
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.goto(demo_hub.url + "/albums")
    page.evaluate(FORM)
    share(page, film)
    page.wait_for_url("**/albums/share#again")
    page.wait_for_selector(".note:has-text('Please share it once more')")
