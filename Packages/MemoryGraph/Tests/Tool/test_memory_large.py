"""Large programs of others: what a look at them costs."""

import json
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from victims import measured

SERVER = pathlib.Path(shutil.which("swift")).resolve().with_name("sourcekit-lsp")


@pytest.fixture(scope="module")
def server():
    """The toolchain's language server, which has 240 MB, most of them debug information."""
    with subprocess.Popen(
            [SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
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


def test_naming_frames_of_a_large_program_is_quick_and_small(server):
    """Reading all of its debug information took 10 s and 620 MB."""
    with tempfile.TemporaryFile() as page:
        cost = measured("graph", server.pid, "--html", "-", stdout=page)
        page.seek(0)
        shown = page.read().decode()
    assert cost.status in (0, 1)
    assert "static AsyncParsableCommand.main(_:)" in shown and "AsyncParsableCommand.swift" in shown
    # Of the processor, which other tests do not change.
    assert cost.busy < 4
    assert cost.megabytes < 200
