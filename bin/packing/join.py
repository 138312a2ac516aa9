"""Joins ES modules into few files, so that a page needs few requests. Sources stay small modules, and the joined file
behaves as they do.

Some modules are named as shared (bin/pack-web): each of them and its imports are one file for all pages, and so is
each module that one of these imports dynamically ("late"). Of everything else a page gets a file of its own, and one
for each of its own late imports.

A module becomes a function that keeps its names to itself and returns its exports; the file exports it by its address:
/door/sign.js as `$door_sign`. Modules may have named imports, and exports of const, function and class: anything else,
also a cycle, fails the build. So does a room that imports another room, and the hub if it imports any: pages are
composed of parts of several (packing/rooms.py).
"""
import re

_IMPORT = re.compile(r"^import (?:(\{[^}]*\}) from )?'([^']+)';\n", re.M)
_FORWARD = re.compile(r"^export (\{[^}]*\}) from '([^']+)';\n", re.M)
_EXPORT = re.compile(r"^export (?:(?:async )?function\*?|class|const) ([\w$]+|\{[^}:]*\})", re.M)
_LATE = re.compile(r"\bimport\('(/[^']+)'\)")
_WAITS = re.compile(r"^(?:const .* = )?await ", re.M)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:.|\n)*?\*/[ \t]*)\n", re.M)
_REMARK = re.compile(r"^((?:[^'\"`/\n]|'[^'\\\n]*')*[;{,]) +//.*$", re.M)  # behind code without a template or a pattern
_INDENT = re.compile(r"^[ \n]+", re.M)  # also in templates: HTML takes a line's end and spaces for one space


class Module:
    """One module, parsed."""

    def __init__(self, address, text):
        self.address = address
        self.name = "$" + re.sub(r"\W", "_", address.strip("/").removesuffix(".js"))
        text = _REMARK.sub(r"\1", _COMMENT.sub("", text))
        forwards = _FORWARD.findall(text)
        text = _FORWARD.sub("", text)
        self.imports = _IMPORT.findall(text) + forwards
        text = _IMPORT.sub("", text)
        self.exports = [one.split(" as ")[-1].strip() for names in [*(names for names, _ in forwards),
                                                                    *_EXPORT.findall(text)]
                        for one in names.strip("{ \n}").split(",")]
        self.late = list(dict.fromkeys(_LATE.findall(text)))
        self.body = _EXPORT.sub(lambda match: match.group(0).removeprefix("export "), text)
        if odd := re.search(r"^(?:import\b(?!\()|export\b).*", self.body, re.M):
            raise SystemExit(f"{address} cannot be joined: {odd.group(0)!r}; named imports, and exports of const, "
                             "function and class can be.")

    def wrapped(self, modules, chunk_of):
        """The module as a function that is called at once."""
        def late(match):
            target = modules[match.group(1)]
            return f"import('{chunk_of[target.address]}').then(({{ {target.name}: it }}) => it)"

        def own(names):
            return re.sub(r"\s+as\s+", ": ", re.sub(r"\s+", " ", names))

        heads = "".join(f"const {own(names)} = {modules[target].name};\n" for names, target in self.imports if names)
        body = heads + _LATE.sub(late, self.body)
        if not self.exports:
            return f"({'async ' if _WAITS.search(body) else ''}() => {{\n{body}}})();\n"
        return f"const {self.name} = (() => {{\n{body}return {{ {', '.join(self.exports)} }};\n}})();\n"


class Joiner:
    """The modules of all pages."""

    def __init__(self, files, rooms=(), composed=(), shared=("/shell.js",)):
        """`files` are bytes by address; `rooms` the first folders of rooms' addresses; `composed` the modules that may
        import all of them; `shared` those of which each is a file for all pages, as far as those before do not have it.
        """
        self.files, self.rooms, self.composed = files, rooms, composed
        self.modules = {}
        self.shared = {}  # the file of each shared module
        self.joined = {}  # the joined files, by address
        for one in shared:
            self._chunks(one, self.shared)

    def add(self, entry):
        """Adds a page's own files. `entry` is the module that its script tag names."""
        self._chunks(entry, dict(self.shared))

    def script(self, entry):
        """A module with all that it imports as one script without exports, for the service worker."""
        addresses = self._behind(entry, {})
        if late := [one for address in addresses for one in self.modules[address].late]:
            raise SystemExit(f"{entry} imports {late[0]} while it runs, which a service worker cannot.")
        return _INDENT.sub("", "".join(self.modules[one].wrapped(self.modules, {}) for one in addresses))

    def _chunks(self, entry, chunk_of):
        chunks, waiting = {}, [entry]
        while waiting:
            chunk = waiting.pop(0)
            if chunk in chunk_of:
                continue
            chunks[chunk] = self._behind(chunk, chunk_of)
            chunk_of |= dict.fromkeys(chunks[chunk], chunk)
            waiting += [late for one in chunks[chunk] for late in self._module(one).late]
        for chunk, addresses in chunks.items():
            text = self._file(chunk, addresses, chunk_of).encode()
            if self.joined.setdefault(chunk, text) != text:
                raise SystemExit(f"{chunk} is imported late by two pages that differ in what they have already.")

    def _module(self, address):
        if address not in self.modules:
            if address not in self.files:
                raise SystemExit(f"{address} is imported, and is not there.")
            module = self.modules[address] = Module(address, self.files[address].decode())
            for target in [*(target for _, target in module.imports), *module.late]:
                if self._room(target) not in (None, self._room(address)) and address not in self.composed:
                    raise SystemExit(f"{address} imports {target}, of another room; a room imports its own modules and "
                                     "the hub's.")
        return self.modules[address]

    def _room(self, address):
        first = address.split("/")[1]
        return first if first in self.rooms else None

    def _behind(self, address, without, path=()):
        """A module after all that it imports, except for modules in other files."""
        if address in path:
            raise SystemExit(f"Modules import each other in a circle: {' '.join([*path, address])}")
        found = [one for _, target in self._module(address).imports if target not in without
                 for one in self._behind(target, without, (*path, address))]
        return list(dict.fromkeys([*found, address]))

    def _file(self, chunk, addresses, chunk_of):
        taken = {}
        for one in addresses:
            for _, target in self.modules[one].imports:
                if chunk_of[target] != chunk:
                    module = self.modules[target]
                    taken.setdefault(chunk_of[target], set()).update([module.name] if module.exports else [])
        heads = "".join(f"import {{ {', '.join(sorted(names))} }} from '{source}';\n"
                        for source, names in taken.items())
        body = "".join(self.modules[one].wrapped(self.modules, chunk_of) for one in addresses)
        names = [self.modules[one].name for one in addresses if self.modules[one].exports]
        return _INDENT.sub("", f"{heads}{body}export {{ {', '.join(names)} }};\n")
