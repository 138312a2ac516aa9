"""The loads of a page until its sign can be read, by the browser's own clock."""

READABLE = ":is([data-kind=open], [data-kind=closed], [data-kind=unknown]) .sign-word"

# Records the first frame with the sign. Runs before any script of the page.
_WATCH = f"""
const look = () => {{
  if (document.querySelector('{READABLE}')?.textContent) window.signReadAt = performance.now();
  else requestAnimationFrame(look);
}};
requestAnimationFrame(look);
"""


def first_view(context, url):
    """Opens the page in a fresh context: (bytes over the wire until the sign can be read, files, milliseconds)."""
    page = context.new_page()
    page.add_init_script(_WATCH)
    session = context.new_cdp_session(page)
    loaded = []
    session.on("Network.loadingFinished", lambda event: loaded.append((event["timestamp"], event["encodedDataLength"])))
    session.send("Network.enable")
    session.send("Performance.enable")
    page.goto(url, wait_until="commit")
    page.wait_for_selector(READABLE, timeout=15_000)
    milliseconds = page.evaluate("() => window.signReadAt")
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    page.close()
    read_at = metrics["NavigationStart"] + milliseconds / 1000
    before = [size for timestamp, size in loaded if timestamp <= read_at]
    return sum(before), len(before), milliseconds
