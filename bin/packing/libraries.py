"""Other people's libraries for pages, taken from the distribution's packages when the pages are packed; one of them,
which the distribution does not have, from a package of PyPI, which is kept in .build once it was fetched."""
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

QR_CODE = pathlib.Path("/usr/share/nodejs/qrcode-generator/qrcode.js")  # of the package node-qrcode-generator
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet")  # of the package libjs-leaflet

# Sigal, a program that makes galleries, brings PhotoSwipe along, packed by PhotoSwipe's author.
PHOTOSWIPE = "sigal==2.6.1"
PHOTOSWIPE_WHEEL = "sigal-2.6.1-py3-none-any.whl"
PHOTOSWIPE_DIGEST = "306db653e33f3607d111e2be3bc5c8bd0c5851676fc1c8c7c96930cff5a44578"  # SHA-256 of the package
PHOTOSWIPE_FILES = "sigal/themes/photoswipe/static/photoswipe"
FETCHING = 300  # seconds

# The licence wants to go along with every copy.
_LICENCE = """\
/*! qrcode-generator. Copyright (c) 2009 Kazuhiko Arase. The MIT licence: Permission is hereby granted, free of
charge, to any person obtaining a copy of this software and associated documentation files (the "Software"),
to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom
the Software is furnished to do so, subject to the following conditions: The above copyright notice and this
permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS
PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE. */
"""
_LEAFLET_LICENCE = """\
/*! Leaflet. Copyright (c) 2010-2019, Vladimir Agafonkin, (c) 2010-2011, CloudMade. All rights reserved. Redistribution
and use in source and binary forms, with or without modification, are permitted provided that the following conditions
are met: 1. Redistributions of source code must retain the above copyright notice, this list of conditions and the
following disclaimer. 2. Redistributions in binary form must reproduce the above copyright notice, this list of
conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF
THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE. */
"""
_MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and
this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED
"AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE."""


def qr_code():
    """The module that draws QR codes in the browser, where what is in them must not go to the hub."""
    if not QR_CODE.exists():
        raise SystemExit(f"{QR_CODE} is missing: bin/install build installs node-qrcode-generator.")
    text = QR_CODE.read_text()
    # It looks for the loaders of other module systems, and finds none; its pictures of its own are not needed.
    if not re.search(r"^var qrcode = function\(\) \{$", text, re.M):
        raise SystemExit(f"{QR_CODE} is another version than the one that is known here.")
    return f"{_LICENCE}{text}\nexport const drawQRCode = qrcode;\n".encode()


def leaflet():
    """The module that shows a chart of tiles, and its style sheet without the pictures of what is not used here."""
    if not LEAFLET.is_dir():
        raise SystemExit(f"{LEAFLET} is missing: bin/install build installs libjs-leaflet.")
    text = (LEAFLET / "leaflet.min.js").read_text()
    text = re.sub(r"^//# sourceMappingURL=.*$", "", text, flags=re.M)
    if "typeof exports" not in text and "typeof module" not in text:
        raise SystemExit(f"{LEAFLET} is another version than the one that is known here.")
    style = re.sub(r"[^{}]*\{[^{}]*url\(images/[^{}]*\}", "", (LEAFLET / "leaflet.css").read_text())
    module = ("const exports = {};\nconst module = { exports };\n"
              f"{_LEAFLET_LICENCE}(function () {{\n{text}\n}}).call(window);\nexport const leaflet = exports;\n")
    return module.encode(), style.encode()


def photoswipe(kept):
    """The module that shows a picture on the whole screen, and its style sheet. `kept` is the folder in which the
    package stays, so that only the first packing needs a network."""
    wheel = kept / PHOTOSWIPE_WHEEL
    if not _is_genuine(wheel):
        _fetch(kept)
    if not _is_genuine(wheel):
        raise SystemExit(f"{wheel} is not {PHOTOSWIPE} as it is known here: its SHA-256 is another.")
    with zipfile.ZipFile(wheel) as files:
        text = files.read(f"{PHOTOSWIPE_FILES}.esm.min.js").decode()
        style = files.read(f"{PHOTOSWIPE_FILES}.css").decode()
    text = re.sub(r"^//# sourceMappingURL=.*$", "", text, flags=re.M)
    text, found = re.subn(r"export\s*\{\s*(\w+) as default\s*\};?\s*$", r"return \1;", text)
    if found != 1:
        raise SystemExit(f"{wheel} has another PhotoSwipe than the one that is known here.")
    notice = "Copyright (c) 2014-2024 Dmytro Semenov, https://photoswipe.com. The MIT licence:"
    module = f"/*! PhotoSwipe. {notice} {_MIT} */\nexport const PhotoSwipe = (() => {{\n{text}\n}})();\n"
    return module.encode(), style.encode()


def _is_genuine(wheel):
    return wheel.is_file() and hashlib.sha256(wheel.read_bytes()).hexdigest() == PHOTOSWIPE_DIGEST


def _fetch(kept):
    kept.mkdir(parents=True, exist_ok=True)
    (kept / PHOTOSWIPE_WHEEL).unlink(missing_ok=True)  # half a file, as a full disk leaves it, would do for pip
    print(f"Fetching {PHOTOSWIPE} from PyPI, for PhotoSwipe; it stays in {kept}.", file=sys.stderr)
    fetched = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--only-binary", ":all:", "--dest", str(kept), PHOTOSWIPE], timeout=FETCHING)
    if fetched.returncode != 0:
        raise SystemExit(f"{PHOTOSWIPE} could not be fetched. Put {PHOTOSWIPE_WHEEL} into {kept}, then pack again; "
                         "bin/install build installs pip (python3-pip).")
