"""What a page loads until it can be read, by the browser's own clock: what comes later counts no more."""

# What each front room is read by: there, and with words in it.
READABLE = {
    "space": ":is([data-kind=open], [data-kind=closed], [data-kind=unknown]) .sign-word",
    "programme": "a.event-row",
}

# Notes the first frame in which it is there. Runs before any script of the page.
_WATCH = """
const look = () => {
  if (document.querySelector('READABLE')?.textContent) window.readAt = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def first_view(context, url, room="space"):
    """Opens the page in a fresh context: (bytes over the wire until it can be read, files, milliseconds)."""
    page = context.new_page()
    page.add_init_script(_WATCH.replace("READABLE", READABLE[room]))
    session = context.new_cdp_session(page)
    loaded = []
    session.on("Network.loadingFinished", lambda event: loaded.append((event["timestamp"], event["encodedDataLength"])))
    session.send("Network.enable")
    session.send("Performance.enable")
    page.goto(url, wait_until="commit")
    page.wait_for_selector(READABLE[room], timeout=15_000)
    milliseconds = page.evaluate("() => window.readAt")
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    page.close()
    read_at = metrics["NavigationStart"] + milliseconds / 1000
    before = [size for timestamp, size in loaded if timestamp <= read_at]
    return sum(before), len(before), milliseconds
