"""Pages apart from the shell: a room's folder that room.js names as `apart` has a page, a script and a style sheet of
its own, and no part of the hub's pages: whoever opens it has no account, and it goes on without the hub.

Its player.js becomes one script with all that it imports. worker.js learns which files there are (__PLAYER__), and
one-file.html gets script and style into itself, with a policy that lets nothing else run and nothing be fetched; its
other tokens become separators (the byte 0x1D), between which the hub writes what it exports.
"""
import base64
import hashlib
import json

SEPARATOR = b"\x1d"
_TOKENS = (b"__TITLE__", b"__INDEX__", b"__FIRST__", b"__REST__")


def pack(files, folder, script):
    """The packed files of a folder; `script` is its joined player.js, the style sheets in `files` are packed."""
    style = files["/photoswipe.css"] + files[f"{folder}/player.css"]
    found = {f"{folder}/player.js": script.encode(), f"{folder}/player.css": style}
    kept = {**found, f"{folder}/index.html": files[f"{folder}/index.html"]}
    digest = hashlib.sha256(b"".join(name.encode() + b"\0" + kept[name] for name in sorted(kept)))
    about = {"version": digest.hexdigest()[:16], "files": sorted(found)}
    found[f"{folder}/worker.js"] = _replaced(
        files[f"{folder}/worker.js"], {b"__PLAYER__": json.dumps(about).encode()})
    found[f"{folder}/one-file.html"] = _one_file(files[f"{folder}/one-file.html"], script, style)
    return found


def _one_file(page, script, style):
    # Within a script element these would begin or end something else.
    inner = script.replace("<!--", "<\\!--").replace("</script", "<\\/script").encode()
    if SEPARATOR in inner + style + page or b"</style" in style:
        raise SystemExit("The player's script or style cannot stand in a page.")
    digest = base64.b64encode(hashlib.sha256(inner).digest()).decode()
    policy = (f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src blob: data:; "
              "media-src blob:; base-uri 'none'; form-action 'none'")
    page = _replaced(page, dict.fromkeys(_TOKENS, SEPARATOR))
    return _replaced(page, {b"__POLICY__": policy.encode(), b"__STYLE__": style, b"__SCRIPT__": inner})


def _replaced(text, tokens):
    for token, value in tokens.items():
        if text.count(token) != 1:
            raise SystemExit(f"The token {token.decode()} is missing or stands twice.")
        before, _, behind = text.partition(token)
        text = before + value + behind
    return text
