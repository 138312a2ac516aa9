"""The rooms' data for the shell, in Sources/Apps/NAME/Web/room.js: taken apart, so that a page loads the names of all
rooms at first, and their words only when they are needed.

Each export of a room.js stands by itself: `export const NAME = {` up to the first line that is `};`.

A room never imports a room: a page that shows parts of several is composed here. `parts` of a room.js lists what it
provides: its modules in order of loading (`first`, `main`, `later`, `last`; see /page.js), its style sheets (`style`,
and `lastStyle` for what its last modules show), the hub's answers that its first modules need (`asks`), its state on
others' pages (`tells`; see /room-states.js), the alarms that it shows on the hub's own pages (`rings`), its sections of
the owner's form (`settings` with the style `settingsStyle`; see /settings/place/settings.js), and the elements that it
puts on other rooms' pages, by the name of the place there (`watch`: read first; `course`: further content; `strangers`:
what it offers to those who have not signed in, behind what they came for), and its script for the service worker
(`worker`). What it finds for the search of all rooms comes from `search`. On the screen in the room it shows the
`element` that its module `screen` names, with the style `screenStyle`. Its module that changes notifications before
they are shown (`extension`) is for the `categories` that it lists; '*' are those that no other room has. `share` is its
page for pictures that a phone's share sheet hands over, which its `worker` receives. `checklist` names the module with
its steps for the owner's checklist. `apart` is the folder of a page that has nothing of the shell (packing/apart.py). A
page is composed if it has an include of `parts` in its head, and one for each place where it wants those of others;
"@parts" in it is replaced by the rooms that it shows. The shell's own elements of a front room stand at the beginning
and at the end of its .course, unless the page places them itself. Lines of another room are marked with `data-of`: the
hub removes them if that room is switched off, and the page those of its body if the owner hides it (/room-choice.js).
"""
import re

_EXPORT = re.compile(r"^export const (\w+) = (\{.*?^\});$", re.M | re.S)
_INCLUDE = re.compile(r"^( *)<!-- parts(?: (\w+))? -->\n", re.M)
_MOMENTS = ("first", "later", "last")
_OWN = (*_MOMENTS, "main", "style", "lastStyle", "asks", "tells", "rings", "search", "screen", "screenStyle",
        "checklist", "settings", "settingsStyle", "worker", "share", "extension", "categories", "apart")
_BEFORE = ("<hub-hints></hub-hints>",)
_BEHIND = ('<hub-watch data-shown="@parts"></hub-watch>', "<hub-checklist></hub-checklist>")
_COURSE = re.compile(r'^( *)<div class="course">\n(.*?)^\1</div>\n', re.M | re.S)
_WORDS = ("audit", "states", "duties", "belongings", "removed", "errors", "reasons")


def id_of(app):
    """The id of the room in a folder of Sources/Apps: what its addresses begin with."""
    room = app / "Web/room.js"
    found = re.search(r"^ +id: '([\w-]+)',$", room.read_text(), re.M) if room.is_file() else None
    return found.group(1) if found else app.name.lower()


def compose(files):
    """Removes every room.js from `files` (bytes by address) and adds the modules made of them. Returns the rooms in
    their order: {id, items, about, …}, as far as the packer needs them."""
    rooms = []
    for address in sorted(name for name in files if re.fullmatch(r"/[\w-]+/room\.js", name)):
        exports = dict(_EXPORT.findall(files.pop(address).decode()))
        if "room" not in exports:
            raise SystemExit(f"{address}: the export `room` is missing.")
        if odd := set(exports) - {"room", "parts", "guide", *_WORDS}:
            raise SystemExit(f"{address}: nobody reads {', '.join(sorted(odd))}; known are room, parts, guide, "
                             f"{', '.join(_WORDS)}.")
        found = {name: one.group(1) if (one := re.search(rf"^ +{name}: '?(.+?)'?,$", exports["room"], re.M)) else None
                 for name in ("id", "order", "items", "settings", "guests", "about")}
        if missing := [name for name in ("id", "order", "about") if not found[name]]:
            raise SystemExit(f"{address}: {', '.join(missing)} of `room` is missing.")
        parts = _parts(exports.get("parts", ""))
        _check_settings(address, found, parts, files)
        both = {name: re.findall(rf"\b{name}: '([^']+)'", exports["room"]) for name in ("name", "about")}
        if any(len(one) != 2 for one in both.values()):
            raise SystemExit(f"{address}: `name` and `about` stand in `en` and in `de`.")
        few = bool(re.search(r"^  right: ", exports["room"], re.M))
        rooms.append(found | {"both": both, "few": few, "order": int(found["order"]), "exports": exports,
                              "parts": parts})
    rooms.sort(key=lambda room: room["order"])

    def module(name, parts):
        return f"export const {name} = [{', '.join(parts)}];\n".encode()

    def words(exports):
        return "{ " + ", ".join(f"{name}: {exports[name]}" for name in _WORDS if name in exports) + " }"

    settings = [(room["id"], room["id"].replace("-", "_"), room["parts"]["settings"]) for room in rooms
                if "settings" in room["parts"]]
    files["/settings-parts.js"] = (
        "".join(f"import {{ settings as {name} }} from '{address}';\n" for _, name, address in settings)
        + f"export const parts = {{ {', '.join(f'{one!r}: {name}' for one, name, _ in settings)} }};\n").encode()
    files["/settings-parts.css"] = "".join(
        f'@import "{room["parts"]["settingsStyle"]}";\n' for room in rooms if "settingsStyle" in room["parts"]).encode()
    for part, address in (("tells", "/rooms-tell.js"), ("rings", "/rooms-ring.js"),
                          ("checklist", "/rooms-checklist.js")):
        files[address] = "".join(f"import '{room['parts'][part]}';\n" for room in rooms
                                 if part in room["parts"]).encode()
    screen = [(room["id"], room["id"].replace("-", "_"), room["parts"]) for room in rooms if "screen" in room["parts"]]
    files["/rooms-screen.js"] = (
        "".join(f"import {{ element as {name} }} from '{parts['screen']}';\n" for _, name, parts in screen)
        + f"export const elements = {{ {', '.join(f'{one!r}: {name}' for one, name, _ in screen)} }};\n").encode()
    files["/rooms-screen.css"] = "".join(f'@import "{parts["screenStyle"]}";\n' for _, _, parts in screen).encode()
    search = [(room["id"], room["id"].replace("-", "_"), room["parts"]["search"]) for room in rooms
              if "search" in room["parts"]]
    files["/rooms-search.js"] = (
        "".join(f"import {{ find as {name} }} from '{address}';\n" for _, name, address in search)
        + f"export const finders = {{ {', '.join(f'{one!r}: {name}' for one, name, _ in search)} }};\n").encode()
    files["/extensions.js"] = _extensions(rooms)
    # Every page has this list. The sentence about a room stands in the head of its page, which the hub writes; the
    # words by which an owner chooses it are for two pages.
    files["/rooms-list.js"] = module(
        "list", [re.sub(r"^ +(about|choice|isAside): .*\n", "", room["exports"]["room"], flags=re.M) for room in rooms])
    files["/rooms-offers.js"] = module("offers", [_offer(room) for room in rooms])
    files["/rooms-parts.js"] = module("parts", [words(room["exports"]) for room in rooms])
    files["/styleguide/rooms.js"] = module("guides", [room["exports"].get("guide", "{}") for room in rooms])
    return rooms


def _offer(room):
    """The words by which an owner chooses a room, in English and in German."""
    lines = re.findall(r"^ +(choice: '.+', offer: '.+'),$", room["exports"]["room"], re.M)
    if len(lines) not in (0, 2):
        raise SystemExit(f"/{room['id']}/room.js: `choice` and `offer` stand in one line, for `en` and for `de`.")
    english, german = lines or ("", "")
    aside = ", isAside: true" if re.search(r"^ +isAside: true,$", room["exports"]["room"], re.M) else ""
    return f"{{ id: '{room['id']}', en: {{ {english} }}, de: {{ {german} }}{aside} }}"


def _extensions(rooms):
    """The rooms' extensions of notifications, as one module for the service worker."""
    heads, rows, taken = [], [], {}
    for room in rooms:
        address, categories = room["parts"].get("extension"), room["parts"].get("categories", [])
        if bool(address) != bool(categories):
            raise SystemExit(f"/{room['id']}/room.js: `extension` and `categories` belong together.")
        for category in categories:
            if category in taken:
                raise SystemExit(f"/{room['id']}/room.js: the category '{category}' has an extension of "
                                 f"{taken[category]}; a category has one.")
            taken[category] = room["id"]
        if address:
            name = room["id"].replace("-", "_")
            heads.append(f"import {{ extend as {name} }} from '{address}';\n")
            rows.append(f"{{ room: '{room['id']}', categories: {categories!r}, extend: {name} }}")
    return f"{''.join(heads)}export const extensions = [{', '.join(rows)}];\n".encode()


def _check_settings(address, room, parts, files):
    """The hub serves a room's part of the owner's form at an address of its own."""
    mine = f"/settings/{room['id']}"
    if "settings" in parts and room["settings"] != mine:
        raise SystemExit(f"{address}: `settings` is {room['settings']}; {mine} is served for a room with a part of the "
                         "settings.")
    if "settings" in parts and f"{mine}/index.html" in files:
        raise SystemExit(f"{address}: {mine} is a page of the hub; another id is needed.")


def _parts(text):
    """The parts that a room offers to pages: addresses, and lists of them or of elements."""
    one = dict(re.findall(r"^  (\w+): '([^']+)',$", text, re.M))
    several = {name: re.findall(r"'([^']+)'", inner)
               for name, inner in re.findall(r"^  (\w+): \[(.*?)\],$", text, re.M | re.S)}
    return one | several


def compose_pages(files, rooms):
    """Puts the parts of rooms into the pages that have an include for them. A page's scripts and style sheet are
    named after the rooms that it shows, so that pages with the same parts have the same files. Returns the composed
    modules."""
    made = set()
    for page in [name for name in files if name.endswith(".html") and b"<!-- parts -->" in files[name]]:
        text = files[page].decode()
        places = {place for _, place in _INCLUDE.findall(text) if place}
        shown = [room for room in rooms
                 if page.startswith(f"/{room['id']}/") or places & (set(room["parts"]) - set(_OWN))]
        name = "/pages/" + "-".join(room["id"] for room in shown)
        made |= _join(files, name, shown)

        def included(match):
            indent, place = match.groups()
            lines = _elements(shown, page, place) if place else _head(shown, page, name)
            return "".join(f"{indent}{line}\n" for line in lines)

        text = _COURSE.sub(lambda match: _front(text, *match.groups()), text)
        text = text.replace('"@parts"', f'"{" ".join(room["id"] for room in shown)}"')
        files[page] = _INCLUDE.sub(included, text).encode()
    return made


def _front(page, indent, course):
    """The place for what follows, with the shell's own elements of a front room."""
    def missing(elements):
        return "".join(f"{indent}  {one}\n" for one in elements if re.match(r"<[\w-]+", one).group() not in page)

    return f'{indent}<div class="course">\n{missing(_BEFORE)}{course}{missing(_BEHIND)}{indent}</div>\n'


def _belonging(room, page):
    return "" if page.startswith(f"/{room['id']}/") else f' data-of="{room["id"]}"'


def _head(shown, page, name):
    asks = [(address, _belonging(room, page)) for room in shown for address in room["parts"].get("asks", [])]
    # The main content of the page's own room is read first; that of others is loaded with the later parts.
    mine = [_main(name, room) for room in shown if "main" in room["parts"] and page.startswith(f"/{room['id']}/")]
    return [*(f'<link rel="preload" href="{address}" as="fetch" crossorigin{of}>' for address, of in asks),
            *(f'<link rel="modulepreload" href="{address}">' for address in mine),
            f'<link rel="stylesheet" href="{name}.css">', f'<script type="module" src="{name}.js"></script>']


def _main(name, room):
    """The address of a room's main content on pages of this name."""
    return f"{name}-{room['id']}.js"


def _elements(shown, page, place):
    for room in shown:
        if page.startswith(f"/{room['id']}/"):
            continue
        for element in room["parts"].get(place, []):
            tag, *classes = element.split(".")
            kind = f' class="{" ".join(classes)}"' if classes else ""
            yield f"<{tag}{kind}{_belonging(room, page)}></{tag}>"


def _join(files, name, shown):
    """The modules and the style sheet of pages with these rooms' parts."""
    parts = [(room["id"].replace("-", "_"), room["parts"]) for room in shown]
    first = [(one, part["first"]) for one, part in parts if "first" in part]
    begins = [(room["id"], room["id"].replace("-", "_")) for room in shown if "first" in room["parts"]]
    modules = {f"{name}-{moment}.js": "".join(f"import '{part[moment]}';\n" for _, part in parts if moment in part)
               for moment in _MOMENTS[1:]}
    modules[f"{name}-last.js"] = "import '/front.js';\n" + modules[f"{name}-last.js"]
    mains = [(room["id"], _main(name, room)) for room in shown if "main" in room["parts"]]
    modules |= {_main(name, room): f"import '{room['parts']['main']}';\n" for room in shown if "main" in room["parts"]}
    modules[f"{name}.js"] = (
        "import '/shell.js';\nimport { open } from '/page.js';\n"
        + "".join(f"import {{ part as {one} }} from '{address}';\n" for one, address in first)
        + f"await open({{ {', '.join(f'{room!r}: {one}' for room, one in begins)} }}, {{\n"
        + f"  main: {{ {', '.join(f'{room!r}: () => import({at!r})' for room, at in mains)} }},\n"
        + f"  laterAt: {[*(at for _, at in mains), f'{name}-later.js']}, later: () => import('{name}-later.js'),\n"
        + f"  styleAt: '{name}-last.css', last: () => import('{name}-last.js'),\n}});\n")
    files |= {address: text.encode() for address, text in modules.items()}
    for address, own, kind in ((f"{name}.css", "/page.css", "style"), (f"{name}-last.css", "/watch.css", "lastStyle")):
        styles = [own, *(part[kind] for _, part in parts if kind in part)]
        files[address] = "".join(f'@import "{one}";\n' for one in styles).encode()
    return set(modules)
