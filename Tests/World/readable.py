"""If a page can be read by everybody: what axe finds on it, and its width."""

import pathlib

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


def axe(page, **options):
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
    found = page.evaluate("(options) => axe.run(document, { resultTypes: ['violations'], ...options })", options)
    return [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found["violations"]
            if one["impact"] in ("serious", "critical")]


def across(page, size):
    page.set_viewport_size(size)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{wide} pixels too wide at {size['width']}"] if wide > 0 else []
