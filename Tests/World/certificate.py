"""A certificate for this machine, made when it is needed: ECDSA on P-256, as most of the web has."""

import dataclasses
import pathlib
import ssl
import subprocess


@dataclasses.dataclass
class Certificate:
    """The files of a certificate and its key."""

    file: pathlib.Path
    key: pathlib.Path

    def trusted(self, *protocols):
        """A client's context that believes this certificate and no other, and offers these protocols (ALPN)."""
        context = ssl.create_default_context(cafile=self.file)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


def make_certificate(folder, name="localhost"):
    """A new one for `localhost` and 127.0.0.1, which nobody but its holder believes."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", made.key,
         "-out", made.file],
        check=True, capture_output=True, timeout=30)
    return made
