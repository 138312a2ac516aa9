"""A portfolio of generated pictures in a folder on the hub, and what a page keeps of it."""

from hub import eventually
from PIL import Image, ImageDraw

PORTFOLIOS = "/api/v1/portfolios"
ROOMS = "/api/v1/rooms"
SIZES = [(1500, 1000), (1000, 1500), (1200, 1200), (1600, 900)]

# The files in the page's own database, counted and hashed by the test itself, not by the page's code:
# [small, large, rows].
INSIDE = """async () => {
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const db = await done(indexedDB.open('eightbells-mine-portfolio'));
  const store = (name) => db.transaction(name).objectStore(name);
  const [keys, files] = [await done(store('files').getAllKeys()), await done(store('files').getAll())];
  const rows = await Promise.all(keys.map((key) => done(store('rows').get(key))));
  const count = await done(store('rows').count());
  db.close();
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (one) => one.toString(16).padStart(2, '0')).join('');
  const right = await Promise.all(files.map(async ({ bytes }, index) =>
    hex(await crypto.subtle.digest('SHA-256', bytes)) === rows[index]?.sha256));
  const whole = (size) => keys.filter((key, index) => key.endsWith(`/${size}`) && right[index]).length;
  return [whole(320), whole(2048), count];
}"""

# A browser loses a large file, and damages another one and a small one.
LOSE = """async () => {
  const db = await new Promise((resolve) => {
    const request = indexedDB.open('eightbells-mine-portfolio');
    request.onsuccess = () => resolve(request.result);
  });
  const files = db.transaction('files', 'readwrite').objectStore('files');
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const keys = await done(files.getAllKeys());
  const [large, other] = keys.filter((key) => key.endsWith('/2048'));
  const small = keys.find((key) => key.endsWith('/320'));
  await done(files.delete(large));
  for (const key of [other, small]) {
    const file = await done(files.get(key));
    new Uint8Array(file.bytes)[200] ^= 1;
    await done(files.put(file, key));
  }
  db.close();
}"""

# The new pages' service worker takes over, as it does by itself when nobody is in the middle of something.
UPDATE = """async () => {
  const own = await navigator.serviceWorker.getRegistration();
  const changed = new Promise((resolve, reject) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve);
    setTimeout(() => reject(new Error(`nothing took over: ${own.installing?.state}, ${own.waiting?.state}, `
      + own.active?.state)), 60_000);
  });
  await own.update();
  const until = performance.now() + 20_000;
  while (!own.waiting && performance.now() < until) await new Promise((resolve) => { setTimeout(resolve, 20); });
  own.waiting.postMessage('take over');
  await changed;
}"""

STATE = "document.querySelector('portfolio-page')?.keeper?.state.peek()"


def paint(path, number, size=None):
    """A picture of its own: hills, so that one sees which way is up."""
    width, height = size or SIZES[number % len(SIZES)]
    picture = Image.new("RGB", (width, height), (number * 53 % 160, 120, 255 - number * 31 % 160))
    draw = ImageDraw.Draw(picture)
    for hill in range(4):
        top = height * (0.45 + 0.12 * hill)
        peak = (width * (0.2 + 0.15 * (number % 4)), top - height * 0.1)
        draw.polygon([(0, top), peak, (width, top), (width, height), (0, height)],
                     fill=(40 + 30 * hill, number * 67 % 200, 90 - 15 * hill))
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, "JPEG", quality=85)


def paint_folder(folder, galleries):
    """Galleries of pictures: {name: count}."""
    number = 0
    for name, count in galleries.items():
        for index in range(count):
            number += 1
            paint(folder / name / f"{name.split()[0]} {index + 1:02}.jpg", number)
    return folder


def add_portfolio(hub, fields, folder):
    """The portfolio of a folder, when the hub has all of it."""
    status, made = hub.post(PORTFOLIOS, fields, {"source": f"folder:{folder}", "name": "Ada Lindqvist"})
    assert status == 201, made
    address = f"{PORTFOLIOS}/{made['id']}"

    def is_whole():
        found = hub.get(address, fields)[1]
        galleries = [hub.get(f"{address}/galleries/{one['id']}", fields)[1] for one in found["galleries"]]
        return found["sync"]["state"] == "idle" and galleries and all(
            set(one["sizes"]) >= {"320", "2048"} for gallery in galleries for one in gallery["pictures"])

    eventually(is_whole, seconds=40)
    return made


def switch_off(hub, room):
    """Starts the hub anew without a room. The pages are of another version then: their caches have other names."""
    rooms = hub.get(ROOMS)[1]["rooms"]
    hub.stop()
    hub.options = ["--rooms", ",".join(one for one in rooms if one != room)]
    hub.start()
