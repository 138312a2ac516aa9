"""A real web server in front of hubs: Caddy or nginx, with a configuration of the documentation."""

import contextlib
import http.client
import os
import random
import shutil
import socket
import ssl
import subprocess

from certificates import make_certificate
from hub import ANSWER_SECONDS, eventually

HOST = "hub.example"


def replaced(text, *pairs):
    """Replaces a recipe's addresses and files by the test's; each must occur."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, str(new))
    return text


def free_ports(count):
    """Free ports below those that the system gives to others' connections in the meantime."""
    found = set()
    while len(found) < count:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("0.0.0.0", port))
            found.add(port)
    return sorted(found)


def caddy_words(folder, text, made, port, plain):
    site = replaced(text, (f"\n{HOST} {{\n", f"\n{HOST}:{port} {{\n\ttls {' '.join(made.paths)}\n"))
    test_only = f"{{\n\tadmin off\n\thttp_port {plain}\n\tstorage file_system {folder}\n}}\n"
    (folder / "Caddyfile").write_text(test_only + site)
    return ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


def nginx_words(folder, text, made, port, plain):
    site = replaced(
        text, ("listen 443 ", f"listen {port} "), ("listen 80;", f"listen {plain};"),
        (f"/etc/letsencrypt/live/{HOST}/fullchain.pem", made.certificate),
        (f"/etc/letsencrypt/live/{HOST}/privkey.pem", made.key))
    # Not every test machine has IPv6.
    site = "".join(line for line in site.splitlines(keepends=True) if "[::]" not in line)
    (folder / "site.conf").write_text(site)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}include {folder}/site.conf;\n}}\n")
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf"]


WORDS = {"caddy": caddy_words, "nginx": nginx_words}
# The name of each one's configuration.
FILES = {"caddy": "Caddyfile", "nginx": "nginx.conf"}


class Front:
    """A web server with a browser's connections to it. `hubs` has, for each address of a hub in the configuration, the
    port where one is."""

    def __init__(self, name, folder, recipe, hubs):
        self.name = name
        folder = folder / name
        folder.mkdir()
        made = make_certificate(folder / "tls", hosts=(HOST,))
        self.port, self.plain_port = free_ports(2)
        self.certificate = made.certificate
        self.context = ssl.create_default_context(cafile=made.certificate)
        path = os.environ["PATH"] + ":/usr/sbin"
        program = shutil.which(name, path=path)
        assert program, f"{name} is not installed: bin/install test"
        text = replaced(recipe.read_text(), *((address, f"127.0.0.1:{port}") for address, port in hubs.items()))
        words = WORDS[name](folder, text, made, self.port, self.plain_port)
        self._log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [program, *map(str, words[1:])], stdout=self._log, stderr=self._log, env=os.environ | {"HOME": str(folder)})
        try:
            eventually(self._listens, 20, f"{name} listens")
        except BaseException:
            self.stop()
            raise AssertionError((folder / "log").read_text()) from None

    def _listens(self):
        assert self.process.poll() is None
        with contextlib.suppress(OSError), self.socket():
            return True

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(20)
        self._log.close()

    def socket(self, *protocols):
        """A TLS connection to the public name."""
        context = ssl.create_default_context(cafile=self.certificate)
        if protocols:
            context.set_alpn_protocols(protocols)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=ANSWER_SECONDS)
        try:
            return context.wrap_socket(plain, server_hostname=HOST)
        except BaseException:
            plain.close()
            raise

    @contextlib.contextmanager
    def asked(self, method, path, body=None, headers=None):
        """The answer to a request, with its body unread."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=ANSWER_SECONDS)
        connection.sock = self.socket()
        try:
            host = {"Host": f"{HOST}:{self.port}"}
            connection.request(method, path, body=body, headers=host | (headers or {}))
            yield connection.getresponse()
        finally:
            connection.close()

    def request(self, *words, **more):
        with self.asked(*words, **more) as response:
            return response.status, response.headers, response.read()
