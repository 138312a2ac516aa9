"""Certificates, good and bad, made by openssl when a test needs them."""

import dataclasses
import datetime
import pathlib
import ssl
import subprocess


@dataclasses.dataclass
class Certificate:
    """The PEM files of a certificate and its private key."""

    certificate: pathlib.Path
    key: pathlib.Path

    @property
    def paths(self):
        return str(self.certificate), str(self.key)

    def trusted(self, *protocols):
        """A client's context that trusts only this certificate, and offers these protocols (ALPN)."""
        context = ssl.create_default_context(cafile=self.certificate)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


def make_certificate(folder, name="hub", hosts=("localhost",), days=90.0, addresses=("127.0.0.1",), began=-1.0,
                     rsa=False):
    """A self-signed certificate, valid from `began` to `days` from now; its key is on the curve P-256, or RSA."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = Certificate(folder / f"{name}.pem", folder / f"{name}-key.pem")
    names = ",".join([f"DNS:{host}" for host in hosts] + [f"IP:{address}" for address in addresses])

    def run(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)

    if rsa:
        run("genrsa", "-out", made.key, "2048")
    else:
        run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", made.key)
    request, extensions = folder / f"{name}.csr", folder / f"{name}.ext"
    run("req", "-new", "-key", made.key, "-subj", f"/CN={hosts[0] if hosts else 'hub'}", "-out", request)
    extensions.write_text(f"basicConstraints=CA:TRUE\nsubjectAltName={names}\n")
    # `openssl x509` accepts whole days from now only; `openssl ca` accepts dates, and needs a folder of records.
    records = folder / f"{name}-ca"
    records.mkdir()
    (records / "index.txt").touch()
    (records / "serial").write_text("01\n")
    (records / "ca.conf").write_text(
        f"[ca]\ndefault_ca=d\n[d]\ndir={records}\ndatabase={records}/index.txt\nserial={records}/serial\n"
        f"new_certs_dir={records}\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n")

    def date(offset):
        return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=offset)).strftime("%Y%m%d%H%M%SZ")

    run("ca", "-batch", "-config", records / "ca.conf", "-selfsign", "-keyfile", made.key, "-in", request,
        "-extfile", extensions, "-startdate", date(began), "-enddate", date(days), "-notext", "-out", made.certificate)
    made.key.chmod(0o600)
    return made
