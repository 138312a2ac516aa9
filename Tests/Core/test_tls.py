"""The hub's own TLS: versions, ALPN, plain text on its port, and renewing a certificate while it runs."""

import shutil
import signal
import socket
import ssl
import subprocess
import time

import pytest

from certificates import make_certificate
from hub import command, eventually
from toy import KETTLE

REQUEST = f"GET {KETTLE} HTTP/1.1\r\nHost: hub\r\n\r\n".encode()


@pytest.fixture
def tls_hub(make_hub, tmp_path):
    return make_hub(certificate=make_certificate(tmp_path / "certificates"))


def shake_hands(hub, certificate=None, **options):
    """A connection after its handshake."""
    context = (certificate or hub.certificate).trusted()
    for name, value in options.items():
        setattr(context, name, value)
    opened = socket.create_connection(("127.0.0.1", hub.port), timeout=10)
    return context.wrap_socket(opened, server_hostname="localhost")


def asks(connection):
    """True if the connection answers a request."""
    connection.sendall(REQUEST)
    return connection.recv(65_536).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_versions_1_2_and_1_3_are_spoken(tls_hub, version):
    with shake_hands(tls_hub, minimum_version=version, maximum_version=version) as connection:
        assert connection.version() == version.name.replace("_", ".")
        assert asks(connection)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_an_older_version_is_not_spoken(tls_hub):
    context = tls_hub.certificate.trusted()
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    with socket.create_connection(("127.0.0.1", tls_hub.port), timeout=10) as opened:
        with pytest.raises(ssl.SSLError):
            context.wrap_socket(opened, server_hostname="localhost")


@pytest.mark.parametrize("cipher, is_spoken", [
    ("ECDHE-RSA-AES128-GCM-SHA256", True), ("ECDHE-RSA-AES256-GCM-SHA384", True),
    ("ECDHE-RSA-CHACHA20-POLY1305", True),
    # Without forward secrecy, or without authenticated encryption.
    ("AES128-GCM-SHA256", False), ("AES256-SHA256", False), ("ECDHE-RSA-AES128-SHA256", False),
    ("ECDHE-RSA-AES256-SHA", False), ("DHE-RSA-AES128-SHA256", False),
])
def test_of_tls_1_2_only_forward_secret_authenticated_ciphers_are_spoken(tls_hub_with_rsa, cipher, is_spoken):
    context = tls_hub_with_rsa.certificate.trusted()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(cipher)
    with socket.create_connection(("127.0.0.1", tls_hub_with_rsa.port), timeout=10) as opened:
        if is_spoken:
            with context.wrap_socket(opened, server_hostname="localhost") as connection:
                assert connection.cipher()[0] == cipher and asks(connection)
        else:
            with pytest.raises(ssl.SSLError):
                context.wrap_socket(opened, server_hostname="localhost")


@pytest.fixture(scope="module")
def tls_hub_with_rsa(hub_class, tmp_path_factory):
    """With an RSA key a client could ask for the old key exchange; with an EC key it cannot."""
    folder = tmp_path_factory.mktemp("rsa")
    hub = hub_class(folder / "data", certificate=make_certificate(folder / "certificates", rsa=True)).start()
    yield hub
    assert hub.stop() == 0


@pytest.mark.parametrize("offered, chosen", [
    (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), (["spdy/1"], None), ([], None),
])
def test_http2_is_chosen_before_http11(tls_hub, offered, chosen):
    context = tls_hub.certificate.trusted(*offered)
    with socket.create_connection(("127.0.0.1", tls_hub.port), timeout=10) as opened:
        with context.wrap_socket(opened, server_hostname="localhost") as connection:
            assert connection.selected_alpn_protocol() == chosen
            if chosen != "h2":
                assert asks(connection)


@pytest.mark.parametrize("sent", [REQUEST, b"\x16\x03\x01\x00\x05nope!", b"\0" * 1000])
def test_what_is_no_tls_is_hung_up_on(tls_hub, sent):
    with socket.create_connection(("127.0.0.1", tls_hub.port), timeout=10) as opened:
        opened.sendall(sent)
        answer = b""
        try:
            while part := opened.recv(4096):
                answer += part
        except ConnectionResetError:
            pass
    assert b"HTTP/" not in answer
    with shake_hands(tls_hub) as connection:
        assert asks(connection)


def test_a_chain_that_the_socket_does_not_take_at_once_is_sent_to_its_end(make_hub, tmp_path):
    certificate = make_certificate(tmp_path / "certificates")
    # 70 KB of certificates; small segments make for a small buffer at the hub.
    certificate.certificate.write_text(certificate.certificate.read_text() * 200)
    hub = make_hub(certificate=certificate)
    for _ in range(20):
        opened = socket.socket()
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        opened.connect(("127.0.0.1", hub.port))
        opened.setblocking(False)
        with certificate.trusted().wrap_socket(
                opened, server_hostname="localhost", do_handshake_on_connect=False) as connection:
            try:
                connection.do_handshake()
                continue  # all was there each time that it looked
            except ssl.SSLWantReadError:
                pass
            # Nothing is read before the hub has written what it can, and served somebody else.
            with shake_hands(hub) as other:
                assert asks(other)
            connection.settimeout(5)
            connection.do_handshake()
            assert asks(connection)
            return
    pytest.fail("no handshake had to wait")


@pytest.mark.waits
def test_a_handshake_that_does_not_go_on_is_given_up(tls_hub):
    with socket.create_connection(("127.0.0.1", tls_hub.port), timeout=20) as opened:
        begun = time.monotonic()
        opened.sendall(b"\x16\x03\x01")
        assert opened.recv(1) == b""
        assert 8 < time.monotonic() - begun < 14


def trusts(hub, certificate):
    """A connection after its handshake; None if the hub shows another certificate."""
    try:
        return shake_hands(hub, certificate)
    except ssl.SSLCertVerificationError:
        return None


def shown(connection):
    return ssl.DER_cert_to_PEM_cert(connection.getpeercert(binary_form=True))


def test_a_renewed_certificate_counts_after_sighup_and_disturbs_nobody(tls_hub, tmp_path):
    hub = tls_hub
    old = hub.certificate
    with shake_hands(hub) as before:
        assert asks(before)
        new = make_certificate(tmp_path / "renewed")
        old.certificate.write_bytes(new.certificate.read_bytes())
        old.key.write_bytes(new.key.read_bytes())
        hub.process.send_signal(signal.SIGHUP)
        eventually(lambda: "the certificate was read again" in hub.log, what="the certificate to be read again")
        # Each of the hub's threads takes it up as soon as it gets to it.
        after = eventually(lambda: trusts(hub, new), what="a connection with the new certificate")
        with after:
            assert shown(after) == new.certificate.read_text() != shown(before)
            assert asks(after)
        assert asks(before), "who was there stays"


def test_a_certificate_that_cannot_be_used_changes_nothing(tls_hub):
    hub = tls_hub
    good = hub.certificate.key.read_bytes()
    hub.certificate.key.write_text("no key at all\n")
    hub.process.send_signal(signal.SIGHUP)
    eventually(lambda: "the old certificate stays" in hub.log, what="the complaint in the log")
    with shake_hands(hub) as connection:
        assert asks(connection)
    hub.certificate.key.write_bytes(good)


def test_sighup_without_a_certificate_ends_nothing(hub):
    hub.process.send_signal(signal.SIGHUP)
    eventually(lambda: "there is no certificate to read again" in hub.log, what="the word in the log")
    assert hub.get(KETTLE)[0] == 200


@pytest.mark.parametrize(("change", "said"), [
    (lambda made: made.key.unlink(), "key.pem: No such file or directory.\n"),
    (lambda made: shutil.copy(made.key, made.certificate), "hub.pem: no start line; PEM files are accepted"),
    (lambda made: subprocess.run(["openssl", "genrsa", "-out", made.key, "2048"], check=True, capture_output=True),
     "hub.pem.\n"),
    (lambda made: subprocess.run(
        ["openssl", "ec", "-in", made.key, "-aes256", "-passout", "pass:secret", "-out", made.key], check=True,
        capture_output=True), "PEM files without a passphrase are accepted")])
def test_a_certificate_that_cannot_be_used_is_refused_with_the_true_reason(tmp_path, change, said):
    made = make_certificate(tmp_path / "tls")
    change(made)
    certificate, key = made.paths
    refused = command("serve", "--data", tmp_path / "data", "--certificate", certificate, "--key", key)
    assert refused.returncode == 1 and said in refused.stderr, refused.stderr
    assert ("does not belong to" in refused.stderr) == (said == "hub.pem.\n")
