"""Docs/notifications-api.md: its commands work as they stand."""

import re
import subprocess

from hub import BINARY, ROOT, clean_environment


def test_every_command_of_the_documentation_works(hub):
    text = (ROOT / "Docs/notifications-api.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) > 5
    newest = 'ID=$(eightbells push list --data data | head -1 | cut -d" " -f1)\n'
    script = f"""set -e -o pipefail
curl() {{ command curl -s --fail-with-body --max-time 20 "$@"; echo; }}
eightbells() {{ '{BINARY}' "$@"; }}
"""
    script += newest.join(blocks).replace("HUB=http://127.0.0.1:8080", f"HUB={hub.url}")
    folder = hub.data.parent / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(hub.data)
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=60,
        check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    items = hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"]
    assert len(items) == 4 and {item["topic"] for item in items} == {"coffee"}, items
    assert "queued" not in done.stderr and "Taken back" in done.stdout
