"""The client's address: the connection's peer, or as named by a trusted proxy. The log of unknown tokens shows it."""

import re

import pytest

from hub import SETTINGS, command


def who_asked(hub, **fields):
    """The address that the hub logs for a request with an unknown token."""
    headers = {"Authorization": "Bearer eb_nobody"} | {f"X-Forwarded-{name}": value for name, value in fields.items()}
    assert hub.request("GET", SETTINGS, headers).status == 401
    return re.findall(r"an unknown token was used from=(\S+)", hub.log)[-1]


@pytest.mark.parametrize("trusted, forwarded, who", [
    ("", "203.0.113.7", "127.0.0.1"),
    ("10.0.0.0/8", "203.0.113.7", "127.0.0.1"),
    ("127.0.0.0/8", "203.0.113.7", "203.0.113.7"),
    ("127.0.0.0/8", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ("127.0.0.0/8,203.0.113.7", "198.51.100.1, 203.0.113.7", "198.51.100.1"),
    ("127.0.0.0/8", "2001:db8::7", "2001:db8::7"),
    ("127.0.0.0/8", "nonsense", "127.0.0.1"),
    ("127.0.0.0/8", "203.0.113.7\tx=1", "127.0.0.1"),
])
def test_only_a_listed_proxy_says_who_asks(make_hub, trusted, forwarded, who):
    hub = make_hub(env={"EIGHTBELLS_TRUSTED_PROXIES": trusted})
    assert who_asked(hub, For=forwarded) == who


def test_a_list_that_cannot_be_read_is_refused_at_the_start(tmp_path):
    told = command("serve", "--data", tmp_path / "data", "--trusted-proxies", "10.0.0.1/8")
    assert told.returncode == 2
    assert "10.0.0.1/8" in told.stderr and "trusted_proxies" in told.stderr
