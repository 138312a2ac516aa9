"""The toolchain's language server: a large program of others."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

from victims import measured

# What a look with a page may cost: seconds of the processor, which other load does not change much, and megabytes.
SECONDS, MEGABYTES = 2, 200


@contextlib.contextmanager
def language_server():
    """Starts it, waits for its first answer and yields its process. It has 240 MB, most of them debug information."""
    server = pathlib.Path(shutil.which("swift")).resolve().with_name("sourcekit-lsp")
    with subprocess.Popen(
            [server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            for message in (
                {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
                {"method": "initialized", "params": {}},
            ):
                text = json.dumps({"jsonrpc": "2.0", **message}).encode()
                process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
            process.stdin.flush()
            assert process.stdout.readline().startswith(b"Content-Length")
            yield process
        finally:
            process.kill()


def drawn(process):
    """The cost of a look with a page, which names calls and types, and the page."""
    with tempfile.TemporaryFile() as page:
        cost = measured("graph", process.pid, "--html", "-", stdout=page)
        page.seek(0)
        return cost, page.read().decode()
