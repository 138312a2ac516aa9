"""Packs the hub as an OCI image, by hand: a tar of the files, JSON documents, and a tar of them all. umoci and
buildah could do it as well, but one gives other bytes each time, and the other needs more rights than it should.

    python3 image.py TREE OUT [PICTURES]

TREE is what the hub's package packs, PICTURES what that of the program for albums' pictures does: with it the image has
another name, libvips and ffmpeg, and ten times the size. Of this machine's distribution come the libraries that the
programs need, the certificates of authorities, the time zones, and what says of them where they come from; there is no
shell. The same files give the same bytes.
"""

import datetime
import gzip
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile

from deb import PROGRAMS, architecture, moment, version_of

# Nobody on the machine around it (as in other images without root).
USER = 65532
# The kinds of files, by the specification (opencontainers/image-spec).
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
TEXTS = {
    "etc/passwd": f"root:x:0:0:root:/root:/nowhere\neightbells:x:{USER}:{USER}:Eightbells hub:/data:/nowhere\n",
    "etc/group": f"root:x:0:\neightbells:x:{USER}:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
FROM_MACHINE = ["etc/os-release", "etc/ssl/openssl.cnf", "etc/ssl/certs/ca-certificates.crt"]
# OpenSSL looks here. On Debian the package openssl brings these, with a program that the image does without.
LINKS = {
    "usr/lib/ssl/openssl.cnf": "/etc/ssl/openssl.cnf",
    "usr/lib/ssl/certs": "/etc/ssl/certs",
    "usr/lib/ssl/cert.pem": "/etc/ssl/certs/ca-certificates.crt",
}


class Layer:
    """A tar whose entries have the same order and times every time."""

    def __init__(self):
        self.entries = {}

    def add(self, path, content=None, mode=0o644, link=None, owner=0):
        entry = tarfile.TarInfo(path)
        entry.mode, entry.uid, entry.gid, entry.mtime = mode, owner, owner, moment()
        if link is not None:
            entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, str(link), 0o777
        elif content is None:
            entry.type = tarfile.DIRTYPE
        else:
            entry.size = len(content)
        self.entries[path] = entry, content
        parent = str(pathlib.PurePosixPath(path).parent)
        if parent != "." and parent not in self.entries:
            self.add(parent, mode=0o755)

    def add_tree(self, folder, leave=()):
        """A folder of this machine, with its links."""
        for path in sorted(pathlib.Path("/", folder).rglob("*")):
            if path.relative_to(f"/{folder}").parts[0] in leave:
                continue
            name = str(path.relative_to("/"))
            if path.is_symlink():
                self.add(name, link=path.readlink())
            elif path.is_file():
                self.add(name, path.read_bytes())

    def tar(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path in sorted(self.entries):
                entry, content = self.entries[path]
                tar.addfile(entry, io.BytesIO(content) if content else None)
        return out.getvalue()


def fill(layer, tree, pictures):
    folder, (program, *_) = PROGRAMS["eightbells"]
    layer.add(f"{folder}/{program}", (tree / folder / program).read_bytes(), 0o755)
    programs = [tree / folder / program]
    if pictures:
        program_of_pictures = pictures / folder / "eightbells-pictures"
        layer.add(f"{folder}/eightbells-pictures", program_of_pictures.read_bytes(), 0o755)
        tools = [pathlib.Path("/usr/bin", name) for name in ("ffmpeg", "ffprobe")]
        # Opened by name at run time; the other modules are for kinds that are not read.
        plugins = [path for place in ("vips-modules-*/vips-heif.so", "libheif/plugins/*.so")
                   for path in pathlib.Path("/usr/lib").glob(f"*-linux-gnu/{place}")]
        for path in tools + plugins:
            layer.add(str(path)[1:], path.read_bytes(), 0o755)
        programs += [program_of_pictures, *tools, *plugins]
    layer.add(f"usr/bin/{program}", link=(tree / "usr/bin" / program).readlink())
    layer.add("usr/share/doc/eightbells/copyright", (tree / "usr/share/doc/eightbells/copyright").read_bytes())
    for name in ("lib", "lib64"):
        layer.add(name, link=f"usr/{name}")
    packages = set()
    for path in sorted({path for one in programs for path in libraries(one)}):
        # Below /usr, to which /lib leads on every release that this is built on.
        layer.add("usr" + re.sub("^/usr", "", path), pathlib.Path(path).read_bytes(), 0o755)
        packages.add(owner(path))
    for package in sorted(packages | {"ca-certificates", "tzdata"}):
        told = subprocess.run(["dpkg-query", "--status", package], capture_output=True, check=True).stdout
        # Programs that look for known faults read here what an image without dpkg holds.
        layer.add(f"var/lib/dpkg/status.d/{package}", told)
        copyright = pathlib.Path("/usr/share/doc", package, "copyright")
        layer.add(str(copyright)[1:], copyright.read_bytes())
    layer.add_tree("usr/share/zoneinfo", leave=("posix", "right"))
    for path in FROM_MACHINE:
        layer.add(path, pathlib.Path("/", path).read_bytes())
    for path, target in LINKS.items():
        layer.add(path, link=target)
    for path, text in TEXTS.items():
        layer.add(path, text.encode())
    layer.add("tmp", mode=0o1777)
    layer.add("data", mode=0o700, owner=USER)


def libraries(program):
    """The libraries of a program, and those of theirs, with the loader."""
    told = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    if "not found" in told:
        raise SystemExit(f"Libraries are missing:\n{told}")
    return sorted(set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", told, re.MULTILINE)))


def owner(path):
    """The package that a library came with; dpkg knows it by the one name or the other."""
    real = pathlib.Path(path).resolve()
    for name in (real, re.sub("^/usr", "", str(real)), path, f"/usr{path}"):
        told = subprocess.run(["dpkg-query", "--search", str(name)], capture_output=True, text=True, check=False)
        if told.returncode == 0:
            return told.stdout.split(":")[0]
    raise SystemExit(f"{path} belongs to no package.")


def configuration(version, layer):
    created = datetime.datetime.fromtimestamp(moment(), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    platform = {"architecture": architecture(), "os": "linux"}
    program = "/usr/bin/eightbells"
    return platform, platform | {
        "created": created,
        "config": {
            "User": f"{USER}:{USER}", "WorkingDir": "/data", "Volumes": {"/data": {}},
            "Env": ["PATH=/usr/bin", "EIGHTBELLS_DATA=/data", "EIGHTBELLS_LISTEN=0.0.0.0:8080"],
            "ExposedPorts": {"8080/tcp": {}}, "StopSignal": "SIGTERM",
            "Entrypoint": [program], "Cmd": ["serve"],
            # Docker reads it. The specification has no such member, so Podman wants it said again (Docs/install.md).
            "Healthcheck": {"Test": ["CMD", program, "health"], "Interval": 30_000_000_000, "Timeout": 10_000_000_000,
                            "StartPeriod": 60_000_000_000, "Retries": 3},
            "Labels": {"org.opencontainers.image.title": "Eightbells", "org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "Apache-2.0"},
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
        "history": [{"created": created, "created_by": "bin/package"}],
    }


def digest(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


def file_of(digest):
    return "blobs/" + digest.replace(":", "/")


def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def image(layer, version, title):
    """The files of the image's folder, by their names."""
    files = {}

    def blob(media, content):
        files[file_of(digest(content))] = content
        return {"mediaType": media, "digest": digest(content), "size": len(content)}

    platform, config = configuration(version, layer)
    described, packed = blob(CONFIG, text(config)), blob(LAYER, gzip.compress(layer, 6, mtime=0))
    manifest = text({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": described, "layers": [packed]})
    name = f"localhost/{title}:{version}"
    entry = blob("application/vnd.oci.image.manifest.v1+json", manifest) | {
        "platform": platform,
        "annotations": {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": name}}
    files["index.json"] = text({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]})
    files["oci-layout"] = text({"imageLayoutVersion": "1.0.0"})
    # Docker, as tried up to 26.1, reads its own list alone, which may name the same files.
    files["manifest.json"] = text([{"Config": file_of(described["digest"]), "RepoTags": [name],
                                    "Layers": [file_of(packed["digest"])]}])
    return files


def main():
    tree, out, *pictures = map(pathlib.Path, sys.argv[1:])
    title = "eightbells-with-pictures" if pictures else "eightbells"
    folder, (program, *_) = PROGRAMS["eightbells"]
    version = version_of(tree / folder / program)
    layer, outer = Layer(), Layer()
    fill(layer, tree, *pictures or [None])
    for path, content in image(layer.tar(), version, title).items():
        outer.add(path, content)
    file = out / f"{title}-{version}.oci.tar"
    file.write_bytes(outer.tar())
    print(file)


if __name__ == "__main__":
    main()
