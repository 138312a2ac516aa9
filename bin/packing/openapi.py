"""Joins the description of the API: Sources/Hub/openapi.yaml has the head and everything shared by rooms, and a room
has an openapi.yaml in its folder of Sources/Apps. The hub's comes first, then the rooms' by their names.

They are joined as text, so that building needs no YAML parser; for that their layout is strict. The document's keys are
not indented. Indented by two spaces are `- name: X` of tags, the paths, and the kinds of components; by four the
components. A room's file has `info`, `tags`, `paths` and `components`, those it needs. Its `info` is a `description: |`
of rows for the tables of the hub's description, each below the heading of its table.
"""
import re

HUB = "Sources/Hub/openapi.yaml"
NOTE = f"# Joined by bin/pack-web --openapi from {HUB} and the openapi.yaml of each room.\n"

_ROOM = {"info", "tags", "paths", "components"}
# The beginning of a part, after its indentation, and its form for error messages.
_KEY, _TAG = (r"([a-z]+):.*", "key:"), (r"- name: (.+)", "- name: TAG")
_PATH, _NAME = (r"(/\S*):", "/path:"), (r"(\w+):", "Name:")
_REFERENCE = re.compile(r"\$ref: '#/components/(\w+)/(\w+)'")
_OPERATION = re.compile(r"operationId: *(\w+)")
_PARAMETER = re.compile(r"\{\w+\}")
_CODE = re.compile(r"^    \| ([0-9]{5}) \|", re.M)
_TABLES = re.compile(r"|    ## .+|    \|.+\|")
_ROWS = re.compile(r"^    ## (.+)\n((?:(?!    ##).*\n)*?)((?:    \|.*\n)+)", re.M)


def joined(root):
    """The joined description of the files below a folder."""
    files = [root / HUB, *sorted((root / "Sources/Apps").glob("*/openapi.yaml"))]
    return join({file.relative_to(root).as_posix(): file.read_text() for file in files})


def join(texts):
    """The joined description of files, given as texts by address, the hub's first."""
    hub, *rooms = files = [File(address, text) for address, text in texts.items()]
    for room in rooms:
        if odd := set(room.sections) - _ROOM:
            room.refuse(f"{', '.join(sorted(odd))} is for the hub to say; a room has {', '.join(sorted(_ROOM))}")
    places = {}
    for file in files:
        for name in file.names:
            if name in places:
                file.refuse(f"{name} is in {places[name].address} already")
            places[name] = file
    for file in files:
        for name in file.references:
            if name not in places or (file is hub and places[name] is not hub):
                file.refuse(f"it refers to {name}, which {'the hub' if file is hub else 'nobody'} has")
    sections = dict(hub.sections)
    sections["info"] = with_rows(hub, rooms)
    for name, gap in (("tags", ""), ("paths", "\n")):
        sections[name] = f"{name}:\n" + gap.join(file.body(name) for file in files if name in file.sections)
    kinds = dict.fromkeys(kind for file in files for kind in file.components)
    sections["components"] = "components:\n" + "\n".join(
        f"  {kind}:\n" + "\n".join(file.components[kind] for file in files if kind in file.components)
        for kind in kinds)
    return NOTE + "\n".join(sections.values())


class File:
    """One file, split into its parts."""

    def __init__(self, address, text):
        self.address = address
        self.sections = self.parts(text, "", _KEY)
        self.components = {}
        self.names = []
        if "tags" in self.sections:
            self.names += [f"the tag {name}" for name in self.parts(self.body("tags"), "  ", _TAG)]
        if "paths" in self.sections:
            # Paths that differ only in a placeholder's name are the same.
            self.names += [_PARAMETER.sub("{}", path) for path in self.parts(self.body("paths"), "  ", _PATH)]
            self.names += [f"the operationId {name}" for name in _OPERATION.findall(text)]
        for kind, part in self.parts(self.body("components"), "  ", _NAME).items():
            self.components[kind] = part.partition("\n")[2]
            self.names += [f"{kind}/{name}" for name in self.parts(self.components[kind], "    ", _NAME)]
        self.names += [f"the code {code}" for code in _CODE.findall(text)]
        self.references = [f"{kind}/{name}" for kind, name in _REFERENCE.findall(text)]
        if text.count("$ref") != len(self.references):
            self.refuse("a reference is written as $ref: '#/components/KIND/NAME'")

    def refuse(self, why):
        raise SystemExit(f"{self.address}: {why}.")

    def body(self, section):
        """The text below a key of the document."""
        line, _, body = self.sections.get(section, f"{section}:").partition("\n")
        if line != f"{section}:":
            self.refuse(f"{line!r} cannot be joined; {section} has its entries on lines of their own")
        return body

    def parts(self, text, indent, beginning):
        """The parts that begin with a line of exactly this indentation, by the name in it."""
        found, (pattern, example) = {}, beginning
        before, *rest = re.split(rf"^(?={indent}[^\s#])", text, flags=re.M)
        if odd := re.search(r"^ *[^\s#].*", before, re.M):
            self.refuse(f"{odd.group(0)!r} cannot be joined; an entry begins behind {len(indent)} spaces")
        for part in rest:
            line = part.partition("\n")[0]
            match = re.fullmatch(indent + pattern, line)
            if not match:
                self.refuse(f"{line!r} cannot be joined; {indent + example!r} can be")
            if match.group(1) in found:
                self.refuse(f"{match.group(1)} is there twice")
            found[match.group(1)] = part.rstrip() + "\n"
        return found

    @property
    def rows(self):
        """The rows of the tables, by the tables' headings."""
        return {heading: rows for heading, _, rows in _ROWS.findall(self.sections.get("info", ""))}


def with_rows(hub, rooms):
    """The hub's info with the rooms' rows in its tables. Errors are ordered by code."""
    for room in rooms:
        lines = room.body("info").splitlines()
        if lines and (lines[0] != "  description: |" or not all(map(_TABLES.fullmatch, lines[1:]))):
            room.refuse("its info is a description: | of rows, below the headings of the hub's tables")
        if odd := set(room.rows) - set(hub.rows):
            room.refuse(f"{', '.join(sorted(odd))} is no table of {hub.address}, which has {', '.join(hub.rows)}")

    def table(match):
        heading, text, rows = match.groups()
        head, lines = rows.splitlines()[:2], rows.splitlines()[2:]
        lines += [line for room in rooms for line in room.rows.get(heading, "").splitlines()]
        return f"    ## {heading}\n{text}" + "\n".join(head + (sorted(lines) if _CODE.search(rows) else lines)) + "\n"

    return _ROWS.sub(table, hub.sections["info"])
