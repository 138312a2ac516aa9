"""Fixtures of the tests of Core, whose hubs have one tiny room (toy.py)."""

import os
import ssl

import pytest

from certificates import make_certificate
from http2 import HTTP2Target
from toy import ToyHub


@pytest.fixture(scope="session")
def hub_class():
    assert ToyHub.program.exists(), f"{ToyHub.program} is not there: bin/build ToyHub makes it"
    return ToyHub


@pytest.fixture(scope="module")
def lasting_hub(hub_class, tmp_path_factory):
    """One hub for all tests of a module: it must survive them in any order."""
    hub = hub_class(tmp_path_factory.mktemp("lasting") / "data").start()
    yield hub
    assert hub.stop() == 0
    # A path that tests hide in bodies and behind malformed requests.
    assert "smuggled" not in hub.log


@pytest.fixture(scope="module", params=["plain", "tls"])
def http2_target(request, hub_class, tmp_path_factory):
    """One hub for all cases of a module, which it must survive in any order.

    To check the cases themselves, HTTP2_TARGET can name another server: plain:PORT or tls:PORT.
    """
    folder = tmp_path_factory.mktemp("http2")
    certificate = make_certificate(folder) if request.param == "tls" else None
    context = certificate.trusted("h2") if certificate else None
    other = os.environ.get("HTTP2_TARGET")
    if other:
        kind, port = other.split(":")
        if kind != request.param:
            pytest.skip(f"the other server is at {other}")
        if context:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        yield HTTP2Target(int(port), context)
        return
    hub = hub_class(folder / "data", certificate=certificate).start()
    target = HTTP2Target(hub.port, context, hub.process.pid)
    yield target
    try:
        assert target.is_well()
    finally:
        code = hub.stop()
    assert code == 0
