"""Packs the programs as Debian packages, for the release of Debian or Ubuntu that this machine has.

    python3 deb.py PROGRAMS OUT [--version VERSION]

PROGRAMS is the folder of a release build. In OUT, NAME_VERSION_ARCHITECTURE.deb is the package, and `tree/NAME` what it
has packed. VERSION replaces the program's own, for trials of upgrades. The same programs give the same bytes: times are
those of the last commit (SOURCE_DATE_EPOCH).
"""

import argparse
import datetime
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import manual

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The files of each package, in their folders; the first one is the program that has the package's name.
PROGRAMS = {
    # `eightbells memory` looks for the others beside it.
    "eightbells": ("usr/lib/eightbells",
                   ["eightbells", "memorygraph", "libmemorygraph-shim.so", "libswiftRemoteMirror.so"]),
    "eightbells-agent": ("usr/bin", ["eightbells-agent"]),
    # A package of its own: libvips and ffmpeg bring two hundred others, and a hub without albums needs none of them.
    # The hub looks for it beside itself, and starts it.
    "eightbells-pictures": ("usr/lib/eightbells", ["eightbells-pictures"]),
}
MAINTAINER = os.environ.get("DEBEMAIL") or "The authors of Eightbells <eightbells@eightbells.invalid>"


def build(name, programs, out, version):
    """Packs one package; returns its file."""
    tree = out / "tree" / name
    shutil.rmtree(tree, ignore_errors=True)
    folder, files = PROGRAMS[name]
    packed = [add(programs / file, tree / folder / file, 0o644 if ".so" in file else 0o755) for file in files]
    for file in packed:
        # The linker's identifier and the modules' hashes depend on the folder of the build, and nobody reads them.
        depending = ["--remove-section=.note.gnu.build-id", "--remove-section=.swift_modhash"]
        subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", *depending, file], check=True)
        check(file)
    if is_service(name):
        if folder != "usr/bin":
            link(tree / "usr/bin" / name, os.path.relpath(f"{folder}/{name}", "usr/bin"))
        add(ROOT / f"Docs/{name}.service", tree / f"lib/systemd/system/{name}.service")
        add(HERE / f"{name}.sysusers", tree / f"usr/lib/sysusers.d/{name}.conf")
    if (HERE / f"{name}.conf").exists():
        # It will hold a secret.
        add(HERE / f"{name}.conf", tree / f"etc/{name}.conf", 0o600)
    if (HERE / f"{name}.lintian").exists():
        add(HERE / f"{name}.lintian", tree / "usr/share/lintian/overrides" / name)
    documents(name, programs, tree, version)
    control(name, tree, packed, version)
    file = out / f"{name}_{version}_{architecture()}.deb"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(moment())}
    # Ubuntu's default, zstd, is unknown to older tools.
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file],
                   check=True, env=environment, stdout=subprocess.DEVNULL)
    return file


def is_service(name):
    return (ROOT / f"Docs/{name}.service").exists()


def check(file):
    """Refuses a program whose stack is executable: nothing else would notice, and the unit forbids such memory."""
    segments = subprocess.run(["readelf", "-lW", file], capture_output=True, text=True, check=True).stdout
    flags = re.findall(r"GNU_STACK.*\s(R\S*)\s+0x", segments)
    if flags != ["RW"]:
        raise SystemExit(f"{file}: the flags of its stack are {flags}; RW is accepted (link with -z noexecstack).")


def documents(name, programs, tree, version):
    day = datetime.datetime.fromtimestamp(moment(), datetime.UTC)
    folder = tree / "usr/share/doc" / name
    add(HERE / "copyright", folder / "copyright")
    news = (f"{name} ({version}) stable; urgency=medium\n\n  * What has changed stands in changelog.md.gz.\n\n"
            f" -- {MAINTAINER}  {day:%a, %d %b %Y %H:%M:%S +0000}\n")
    packed(folder / "changelog.gz", news)
    packed(folder / "changelog.md.gz", (ROOT / "CHANGELOG.md").read_text())
    if is_service(name):
        page = manual.page(programs / name, name, version, f"{day:%Y-%m-%d}")
        packed(tree / f"usr/share/man/man1/{name}.1.gz", page)


def control(name, tree, binaries, version):
    """The folder DEBIAN: who the package is, what it needs, and what is done when it comes and goes."""
    folder = tree / "DEBIAN"
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    values = {"VERSION": version, "ARCHITECTURE": architecture(), "MAINTAINER": MAINTAINER,
              "SIZE": str(sum(path.stat().st_size for path in files) // 1024), "LIBRARIES": libraries(binaries)}
    write(folder / "control", filled((HERE / f"{name}.control").read_text(), values))
    write(folder / "md5sums", "".join(
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files))
    settings = [path for path in files if path.relative_to(tree).parts[0] == "etc"]
    if settings:
        write(folder / "conffiles", "".join(f"/{path.relative_to(tree)}\n" for path in settings))
    for script in ("postinst", "prerm", "postrm") if is_service(name) else ():
        write(folder / script, filled((HERE / script).read_text(), {"UNIT": name}), 0o755)


def libraries(binaries):
    """The packages of this release with the libraries that the programs are linked with."""
    with tempfile.TemporaryDirectory() as folder:
        # The tool belongs to source packages, and asks for one.
        write(pathlib.Path(folder, "debian/control"), "Source: eightbells\n\nPackage: eightbells\nArchitecture: any\n")
        told = subprocess.run(["dpkg-shlibdeps", "-O", *(f"-e{file.resolve()}" for file in binaries)],
                              cwd=folder, capture_output=True, text=True, check=False)
    if told.returncode:
        raise SystemExit(told.stderr)
    needed = re.search(r"^shlibs:Depends=(.*)$", told.stdout, re.MULTILINE)[1]
    # libheif opens its decoder of HEIC by name; from Debian 13 on it is a package, which libheif may only suggest.
    decoder = "libheif-plugin-libde265"
    return f"{needed}, {decoder}" if "libvips" in needed and is_installed(decoder) else needed


def is_installed(package):
    told = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True, check=False).stdout
    return told.startswith("install ok installed")


def version_of(hub):
    """The version of all programs, as the hub's says it."""
    told = subprocess.run([hub, "--version"], capture_output=True, text=True, check=True, timeout=60)
    return told.stdout.split()[1]


def debian_version(upstream):
    """1.2.0-rc.1 comes before 1.2.0, and a package for Debian 12 before the same for Debian 13."""
    release = dict(re.findall(r'^(ID|VERSION_ID)="?([^"\n]*)"?$', pathlib.Path("/etc/os-release").read_text(), re.M))
    system = {"debian": "deb"}.get(release.get("ID"), release.get("ID", "linux"))
    return upstream.replace("-", "~") + f"+{system}{release.get('VERSION_ID', '')}"


def architecture():
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def moment():
    """The time of the last commit."""
    told = os.environ.get("SOURCE_DATE_EPOCH") or subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return int(told or 0)


def filled(text, values):
    return re.sub(r"@([A-Z]+)@", lambda match: values[match[1]], text)


def add(source, target, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)
    return target


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def packed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    path.chmod(0o644)


def link(path, target):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--version")
    given = parser.parse_args()
    os.umask(0o022)
    version = given.version or debian_version(version_of(given.programs / "eightbells"))
    for name in PROGRAMS:
        print(build(name, given.programs, given.out, version))


if __name__ == "__main__":
    main()
