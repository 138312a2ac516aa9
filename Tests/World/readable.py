"""If a page can be read by everybody: what axe finds on it, and its width."""

import pathlib

import axe_playwright_python

from page import overflow

# In frames of other pages, which have a heading of their own.
FRAMED = ["/portfolio/embed/", "/space/embed"]
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


def axe(page, **options):
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
    # It would fetch all style sheets anew, for none of its usual rules.
    usual = "{ resultTypes: ['violations'], preload: { assets: ['media'] }, ...options }"
    found = page.evaluate(f"(options) => axe.run(document, {usual})", options)
    left_out = ["page-has-heading-one"] if any(one in page.url for one in FRAMED) else []
    return [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found["violations"]
            if one["id"] not in left_out]


def axe_in_both(page, **options):
    """The same in light, and in dark what depends on colours."""
    found = axe(page, **options)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")  # colours change at once
    found += axe(page, runOnly=["color-contrast"])
    page.emulate_media(color_scheme="light")
    return found


def across(page, size):
    page.set_viewport_size(size)
    wide = overflow(page)
    return [f"{wide} pixels too wide at {size['width']}"] if wide > 0 else []
