"""Draws who imports whom, as the code really does: python3 bin/packing/imports.py > Docs/pictures/architecture.svg

Each folder of Sources is a box, that of a package too; an arrow leads down to what it imports, unless another arrow
leads there already. Tests/test_docs.py fails when the committed picture is another.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^(?:@\w+(?:\(\w+\))? )*(?:public |package |internal )?import (?:\w+ (?=\w+\.))?(\w+)", re.M)
# What a folder is, for whoever sees the picture first.
ABOUT = {
    "Commands": "the programs", "Apps": "the rooms", "Hub": "people, rights, pages",
    "Receiving": "files that people send", "Agent": "a device without a screen", "Push": "how notifications arrive",
    "Realtime": "channels that pages hear", "Core": "loop, HTTP, store, crypto",
    "Portable": "rules, also as WebAssembly",
    "System": "doors to C libraries", "MemoryGraph": "finds leaks; knows no hub", "Calendar": "iCalendar, recurrence",
    "Markup": "safe HTML", "Positions": "NMEA, gpsd, GPX", "Objects": "in Parse's manner",
    "Imaging": "small pictures",
    "Uploads": "tus", "Zip": "zip as it is sent", "Galleries": "places of pictures", "Flickr": "its sets",
    "Sound": "voices, announcements", "Playback": "sound on time",
}
WIDE, HIGH, GAP, ROW, MOST, EDGE = 158, 44, 18, 104, 7, 24
STYLE = """
  svg { font: 13px system-ui, sans-serif; background: #fff; }
  rect { fill: #f6f8fa; stroke: #59636e; } text { fill: #1f2328; text-anchor: middle; } .quiet { fill: #59636e; }
  path { fill: none; stroke: #8c959f; stroke-width: 1.3; } marker path { fill: #8c959f; stroke: none; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } rect { fill: #151b23; stroke: #9198a1; } text { fill: #f0f6fc; }
    .quiet { fill: #9198a1; } path { stroke: #656c76; } marker path { fill: #656c76; }
  }
"""


def groups():
    """{group: the groups that its files import}."""
    group_of, files = {}, []
    for folder in (ROOT / "Sources", *sorted((ROOT / "Packages").glob("*/Sources"))):
        package = folder.parent.name
        for path in sorted(folder.rglob("*.swift")):
            first, *rest = path.relative_to(folder).parts
            group = "MemoryGraph" if package == "MemoryGraph" and first != "System" else first
            # A folder of modules, or a module by itself.
            module = rest[0] if len(rest) > 1 and first in ("Portable", "Core", "Push", "Apps", "Commands") else first
            group_of[module] = group
            files.append((group, path))
        for path in (folder / "System").glob("*"):
            group_of[path.name] = "System"
    found = {group: set() for group in group_of.values()}
    for group, path in files:
        found[group] |= {group_of[name] for name in IMPORT.findall(path.read_text()) if name in group_of} - {group}
    return found


def reduced(graph):
    """Without the arrows that others make up for."""
    def below(group):
        return graph[group].union(*map(below, graph[group])) if graph[group] else set()

    return {group: {one for one in to if not any(one in below(other) for other in to - {one})}
            for group, to in graph.items()}


def rows(graph):
    """The groups in rows, the one that nobody imports first."""
    def height(group):
        return 1 + max(map(height, graph[group]), default=-1)

    heights = {group: height(group) for group in graph}
    return [sorted(group for group, high in heights.items() if high == level)
            for level in range(max(heights.values()), -1, -1)]


def svg():
    graph = reduced(groups())
    lines = [row[start:start + MOST] for row in rows(graph) for start in range(0, len(row), MOST)]
    width = 2 * EDGE + MOST * WIDE + (MOST - 1) * GAP
    places = {}
    for number, row in enumerate(lines):
        left = (width - len(row) * WIDE - (len(row) - 1) * GAP) / 2
        for place, group in enumerate(row):
            places[group] = (left + place * (WIDE + GAP), EDGE + number * ROW)
    height = 2 * EDGE + (len(lines) - 1) * ROW + HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t">',
        '<title id="t">Who imports whom</title>', f"<style>{STYLE}</style>",
        '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker></defs>']
    for group, to in sorted(graph.items()):
        x, y = places[group][0] + WIDE / 2, places[group][1] + HIGH
        for one in sorted(to):
            to_x, to_y = places[one][0] + WIDE / 2, places[one][1]
            bend = max(30, (to_y - y) / 2)
            parts.append(f'<path marker-end="url(#a)" d="M{x:.0f} {y}C{x:.0f} {y + bend:.0f} {to_x:.0f} '
                         f'{to_y - bend:.0f} {to_x:.0f} {to_y}"/>')
    for group, (x, y) in sorted(places.items()):
        middle = x + WIDE / 2
        parts += [
            f'<rect x="{x:.0f}" y="{y}" width="{WIDE}" height="{HIGH}" rx="8"/>',
            f'<text x="{middle:.0f}" y="{y + 18}" font-weight="600">{group}</text>',
            f'<text class="quiet" x="{middle:.0f}" y="{y + 35}" font-size="10">{ABOUT[group]}</text>']
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    print(svg(), end="")
