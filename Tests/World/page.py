"""What tests of pages share: the sizes they are looked at in, and what they wait for."""

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 640}

LIMIT = 15_000  # milliseconds for anything that has no bound of its own


def wait_live(page, limit=LIMIT):
    """Until the page listens to the hub."""
    page.wait_for_selector('.sign-line[data-line="live"]', timeout=limit)


def wait_until(page, condition, limit=LIMIT):
    """Until a condition in JavaScript holds. Playwright's own wait needs eval, which our policy gives to no page."""
    page.evaluate(f"""async () => {{
      const until = performance.now() + {limit};
      const condition = () => ({condition});
      while (!condition()) {{
        if (performance.now() > until) throw new Error('not within {limit} ms: ' + condition);
        await new Promise((resolve) => {{ setTimeout(resolve, 10); }}); // frames stand still in a tab behind
      }}
    }}""")


def wait_kept(page):
    """Until the service worker has everything and has taken this page over."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(page, "navigator.serviceWorker.controller !== null")
