"""What each room says of itself for the shell, in Sources/Apps/NAME/Web/room.js: taken apart, so that a page loads
the names of all rooms at first, and their words only when somebody reads them.

Each export of a room.js stands by itself: `export const NAME = {` up to the first line that is `};`.
"""
import re

_EXPORT = re.compile(r"^export const (\w+) = (\{.*?^\});$", re.M | re.S)
_WORDS = ("audit", "states", "duties", "removed", "errors", "reasons")


def compose(files):
    """Takes every room.js out of `files` (bytes by address) and adds the modules that are made of them. Answers the
    rooms in their order: {id, items, about, …} as far as the packer needs them."""
    rooms = []
    for address in sorted(name for name in files if re.fullmatch(r"/[\w-]+/room\.js", name)):
        exports = dict(_EXPORT.findall(files.pop(address).decode()))
        if "room" not in exports:
            raise SystemExit(f"{address}: the export `room` is missing.")
        if odd := set(exports) - {"room", "guide", *_WORDS}:
            raise SystemExit(f"{address}: nobody reads {', '.join(sorted(odd))}; known are room, guide, "
                             f"{', '.join(_WORDS)}.")
        found = {name: one.group(1) if (one := re.search(rf"^ +{name}: '?(.+?)'?,$", exports["room"], re.M)) else None
                 for name in ("id", "order", "items", "about")}
        if missing := [name for name in ("id", "order", "about") if not found[name]]:
            raise SystemExit(f"{address}: {', '.join(missing)} of `room` is missing.")
        rooms.append(found | {"order": int(found["order"]), "exports": exports})
    rooms.sort(key=lambda room: room["order"])

    def module(name, parts):
        return f"export const {name} = [{', '.join(parts)}];\n".encode()

    def words(exports):
        return "{ " + ", ".join(f"{name}: {exports[name]}" for name in _WORDS if name in exports) + " }"

    tells = [match.group(1) for room in rooms if (match := re.search(r"^  tells: '([^']+)',$", room["exports"]["room"], re.M))]
    files["/rooms-tell.js"] = "".join(f"import '{address}';\n" for address in tells).encode()
    files["/rooms-list.js"] = module("list", [room["exports"]["room"] for room in rooms])
    files["/rooms-parts.js"] = module("parts", [words(room["exports"]) for room in rooms])
    files["/styleguide/rooms.js"] = module("guides", [room["exports"].get("guide", "{}") for room in rooms])
    return rooms
