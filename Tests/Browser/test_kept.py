"""Data kept on a device: older versions' data is migrated, a newer one's left alone, and members' data is removed at
sign-out."""

from hub import eventually
from page import wait_kept, wait_live, wait_room_kept, wait_until

MINE = """async (name) => {
  const { $keep } = await import('/shell.js');
  const db = await new Promise((resolve) => {
    const request = indexedDB.open('eightbells');
    request.onsuccess = () => resolve(request.result);
  });
  const keys = await new Promise((resolve) => {
    const request = db.transaction(name).objectStore(name).getAllKeys();
    request.onsuccess = () => resolve(request.result);
  });
  db.close();
  return keys;
}"""

SAID = MINE.replace("getAllKeys", "getAll").replace("return keys", "return JSON.stringify(keys)")

# As in the first version.
OLDER = """() => new Promise((resolve) => {
  const request = indexedDB.open('eightbells', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('answers');
  request.onsuccess = () => {
    const kept = request.result.transaction('answers', 'readwrite');
    const answers = kept.objectStore('answers');
    const at = Date.now() - 3600e3;
    answers.put({ body: { name: 'The space of before', timezone: 'Europe/Berlin', contact: {} }, at }, 'space');
    answers.put({ body: { open: true, lastchange: at / 1000 }, at }, 'sign');
    const person = { id: 1, name: 'The owner of before', role: 'owner' };
    answers.put({ body: { person, device: { id: 1, name: 'x' } }, at }, 'session');
    answers.put({ body: { device: { abc: { event: 'abc', kept: true, at } }, people: {} }, at }, 'favourites');
    kept.oncomplete = () => { request.result.close(); resolve(); };
  };
})"""


def test_what_an_older_version_kept_is_carried_over(open_page, demo_hub):
    page = open_page()
    page.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(demo_hub.url)
    page.evaluate(OLDER)
    page.evaluate("""async () => {
      const old = await caches.open('eightbells-pages-0123456789abcdef');
      await old.put('/manifest.webmanifest', new Response('{"name":"The space of before"}'));
      await old.put('/programme', new Response('old'));
      await caches.open('somebody-elses');
    }""")
    page.unroute("**/*")
    page.goto(demo_hub.url)
    wait_live(page)
    assert "The owner of before" not in page.evaluate(SAID, "answers"), "nobody is signed in"
    assert {"favourites", "sign"} <= set(page.evaluate(MINE, "answers"))
    assert page.evaluate("""async () => {
      const { $keep } = await import('/shell.js');
      return (await $keep.recall('favourites')).body.device.abc.kept;
    }""")
    wait_kept(page)
    wait_until(page, "window.names?.some((name) => name.startsWith('eightbells-room-programme')) "
                     "?? (caches.keys().then((all) => { window.names = all; }), false)")
    names = page.evaluate("caches.keys()")
    assert "eightbells-pages-0123456789abcdef" not in names and "somebody-elses" in names
    assert page.evaluate("caches.match('/manifest.webmanifest', { cacheName: 'eightbells-kept' }).then(Boolean)")


# As pages of a later version may leave it.
NEWER = """() => new Promise((resolve) => {
  const request = indexedDB.open('eightbells', 99);
  request.onupgradeneeded = () => {
    for (const name of ['answers', 'mine', 'later']) {
      request.result.createObjectStore(name).put({ body: { later: name }, at: Date.now() }, 'favourites');
    }
  };
  request.onsuccess = () => { request.result.close(); resolve(); };
})"""


def test_what_newer_pages_kept_is_left_alone_and_these_work_without_it(open_page, demo_hub):
    page = open_page()
    said = []
    page.on("console", lambda line: said.append(line.text))
    demo_hub.sign_in_browser(page.context, "member")
    page.goto(demo_hub.url + "/api/v1/place")
    page.evaluate(NEWER)
    page.goto(demo_hub.url)
    wait_live(page)
    page.wait_for_selector("a.event-row")
    assert "data of a newer Eightbells" in page.inner_text(".note.old")
    assert len([text for text in said if "newer than version" in text]) == 1, said
    assert "favourites" in page.evaluate(MINE, "later") and len(page.evaluate(MINE, "mine")) == 1
    # What only somebody signed in was told goes with them, whoever has stored it.
    page.goto(demo_hub.url + "/me")
    page.wait_for_selector("me-leave button")
    page.click("me-leave button")
    page.click("dialog .danger")
    page.wait_for_selector(".outside-head")
    wait_until(page, "localStorage.getItem('eightbells-inside') === null")
    eventually(lambda: page.evaluate(MINE, "mine") == [], what="it is cleared")
    assert page.evaluate(MINE, "answers") == page.evaluate(MINE, "later") == ["favourites"]


def test_what_members_see_goes_with_them(open_page, demo_hub):
    page = open_page()
    demo_hub.sign_in_browser(page.context, "member")
    page.goto(demo_hub.url)
    wait_live(page)
    page.wait_for_selector("a.event-row")
    wait_until(page, "localStorage.getItem('eightbells-inside') !== null")
    page.goto(demo_hub.url + "/me")
    page.wait_for_selector("me-leave button")
    eventually(lambda: {"bells", "session"} <= set(page.evaluate(MINE, "mine")))
    page.click("me-leave button")
    page.click("dialog .danger")
    page.wait_for_selector(".outside-head")
    wait_until(page, "localStorage.getItem('eightbells-inside') === null")
    page.wait_for_timeout(300)
    assert page.evaluate(MINE, "mine") == []
    # A page that is left confirms what it shows: their notifications are none of everybody's.
    page.goto(demo_hub.url)
    page.wait_for_load_state("networkidle")  # a module that comes while the test ends is told as an error of the page
    eventually(lambda: "sign" in page.evaluate(MINE, "answers"))
    assert "bells" not in page.evaluate(MINE, "answers")


def test_a_room_is_kept_from_its_first_visit_on(open_page, demo_hub):
    page = open_page()
    page.goto(demo_hub.url)
    wait_live(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")  # by itself, once the page has rested
    wait_kept(page)
    assert not any("room-programme" in name for name in page.evaluate("caches.keys()"))
    page.goto(demo_hub.url + "/programme")
    page.wait_for_selector("a.event-row")
    wait_room_kept(page, "programme")
    page.wait_for_timeout(500)
    demo_hub.kill()
    page.goto(demo_hub.url + "/programme")
    page.wait_for_selector("a.event-row")


# The session as it was kept before the hub told rights, in a database of the version of that time.
WITHOUT_RIGHTS = """async () => {
  const opened = (version, act = () => {}) => new Promise((resolve, reject) => {
    const request = indexedDB.open('eightbells', version);
    request.onupgradeneeded = () => act(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const db = await opened();
  const kept = [];
  for (const name of ['answers', 'mine']) {
    const store = () => db.transaction(name).objectStore(name);
    const [keys, values] = [await done(store().getAllKeys()), await done(store().getAll())];
    keys.forEach((key, index) => kept.push([name, key, values[index]]));
  }
  db.close();
  await done(indexedDB.deleteDatabase('eightbells'));
  const old = await opened(2, (made) => ['answers', 'mine'].forEach((name) => made.createObjectStore(name)));
  for (const [name, key, value] of kept) {
    if (key === 'session') delete value.body.rights;
    await done(old.transaction(name, 'readwrite').objectStore(name).put(value, key));
  }
  old.close();
  return kept.find(([, key]) => key === 'session')[2].body;
}"""


def test_who_starts_without_a_network_after_an_update_may_what_they_could(open_page, demo_hub):
    page = open_page()
    demo_hub.sign_in_browser(page.context, "keykeeper")
    page.goto(demo_hub.url)
    wait_live(page)
    page.wait_for_selector("space-switch button")
    wait_kept(page)
    # Nothing of a page of the hub runs here, which would open the database meanwhile.
    page.goto(demo_hub.url + "/api/v1/place")
    session = page.evaluate(WITHOUT_RIGHTS)
    assert session["person"]["role"] == "keykeeper" and "rights" not in session
    demo_hub.kill()
    page.goto(demo_hub.url)
    page.wait_for_selector("space-switch button")
    assert page.locator(".nav a[href='/settings']").count() == 0, "that is for owners"
    demo_hub.start()
    wait_live(page)
    page.reload()
    wait_live(page)
    wait_until(page, "document.querySelector('space-switch button')")
    assert "space.turn" in page.evaluate(SAID, "mine") and "rooms.*" not in page.evaluate(SAID, "mine")


def test_the_page_for_what_is_not_kept_goes_on_when_the_hub_is_back(open_page, demo_hub):
    page = open_page()
    demo_hub.sign_in_browser(page.context, "owner")
    page.goto(demo_hub.url)
    wait_kept(page)
    demo_hub.kill()
    page.goto(demo_hub.url + "/anchor")
    page.wait_for_selector("h1:visible:has-text('Not without the hub')")
    demo_hub.start()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector(".board")
