"""The loads of a front room's page until it can be read, by the browser's own clock."""

# What is read first in each room in front, on the demonstration; beside the first event the sign is small. Rooms behind
# the first two show it to whoever has signed in.
READABLE = {
    "space": ":is([data-kind=open], [data-kind=closed], [data-kind=unknown]) .sign-word",
    "programme": "space-programme a.event-row .event-title",
    "bells": ".bell-title",
    "clock": ".clock-wall .hour",
    "anchor": ".reading-far",
    "albums": ".album-row strong",
    "portfolio": ".gallery-name",
    "apps": ".app-row strong",
}

# Records the first frame in which it is shown. Runs before any script of the page.
_WATCH = """
const look = () => {
  const found = document.querySelector('READABLE');
  if (found?.textContent && found.checkVisibility({ visibilityProperty: true })) window.readAt = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def watch_first_view(page, room):
    """Lets the page record as window.readAt, in milliseconds, when the first of this room could be read."""
    page.add_init_script("{" + _WATCH.replace("READABLE", READABLE[room]) + "}")


def first_view(context, url, room="space"):
    """Opens the page in a fresh context: (bytes over the wire until it can be read, files, milliseconds)."""
    page = context.new_page()
    watch_first_view(page, room)
    session = context.new_cdp_session(page)
    loaded = []
    session.on("Network.loadingFinished", lambda event: loaded.append((event["timestamp"], event["encodedDataLength"])))
    session.send("Network.enable")
    session.send("Performance.enable")
    page.goto(url, wait_until="commit")
    page.wait_for_selector(READABLE[room], timeout=15_000)
    milliseconds = page.evaluate("""async () => {
      while (window.readAt === undefined) await new Promise((resolve) => { requestAnimationFrame(resolve); });
      return window.readAt;
    }""")
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    page.close()
    read_at = metrics["NavigationStart"] + milliseconds / 1000
    before = [size for timestamp, size in loaded if timestamp <= read_at]
    return sum(before), len(before), milliseconds
