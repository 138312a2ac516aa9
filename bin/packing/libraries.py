"""Other people's libraries for pages, taken from the distribution's packages when the pages are packed."""
import pathlib
import re

QR_CODE = pathlib.Path("/usr/share/nodejs/qrcode-generator/qrcode.js")  # of the package node-qrcode-generator

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


def qr_code():
    """The module that draws QR codes in the browser, where what is in them must not go to the hub."""
    if not QR_CODE.exists():
        raise SystemExit(f"{QR_CODE} is missing: bin/install build installs node-qrcode-generator.")
    text = QR_CODE.read_text()
    # It looks for the loaders of other module systems, and finds none; its pictures of its own are not needed.
    if not re.search(r"^var qrcode = function\(\) \{$", text, re.M):
        raise SystemExit(f"{QR_CODE} is another version than the one that is known here.")
    return f"{_LICENCE}{text}\nexport const drawQRCode = qrcode;\n".encode()
