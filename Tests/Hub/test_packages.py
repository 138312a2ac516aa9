"""The parts of bin/package, with small programs in place of the real ones; `bin/package --check` tries the whole."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

from hub import ROOT

PACKAGING = ROOT / "bin/packaging"
PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
  if (count > 1 && !strcmp(words[1], "--version")) return puts(NAME " 1.2.0-rc.1") < 0;
  if (count == 2) return puts("Keeps the watch.\\n\\n  " NAME " push send   Sends.\\n.dot 'quote' back\\\\slash") < 0;
  return puts("Sends, as --help says.") < 0;
}
"""


def compiled(path, *flags):
    path.parent.mkdir(parents=True, exist_ok=True)
    words = ["gcc", "-x", "c", f'-DNAME="{path.name}"', *flags, "-o", path, "-"]
    subprocess.run(words, input=PROGRAM.encode(), check=True)


def run(script, *words):
    return subprocess.run(
        [sys.executable, PACKAGING / script, *words], capture_output=True, text=True, timeout=120, check=False,
        env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "PYTHONDONTWRITEBYTECODE": "1"})


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    for name in ("eightbells", "eightbells-agent", "eightbells-pictures", "memorygraph"):
        compiled(folder / name)
    for name in ("libmemorygraph-shim.so", "libswiftRemoteMirror.so"):
        compiled(folder / name, "-shared", "-fPIC")
    return folder


@pytest.fixture(scope="module")
def out(programs, tmp_path_factory):
    """The folder with the packages and the image."""
    folder = tmp_path_factory.mktemp("out")
    for told in (run("deb.py", programs, folder), run("image.py", folder / "tree/eightbells", folder)):
        assert told.returncode == 0, told.stderr
    return folder


def tool(*words):
    return subprocess.run(words, capture_output=True, check=True, timeout=60).stdout


def package(out, name):
    file, = out.glob(f"{name}_*.deb")
    return file


def members(out, name):
    with tarfile.open(fileobj=io.BytesIO(tool("dpkg-deb", "--fsys-tarfile", package(out, name)))) as tar:
        return {member.name.removeprefix("./"): (member, tar.extractfile(member).read() if member.isfile() else b"")
                for member in tar}


@pytest.fixture(params=["eightbells", "eightbells-agent"])
def name(request):
    return request.param


def test_a_package_says_what_it_needs_and_its_versions_are_in_order(out, name):
    fields = dict(re.findall(r"^(\S+): (.*)$", tool("dpkg-deb", "--field", package(out, name)).decode(), re.MULTILINE))
    assert fields["Package"] == name and re.fullmatch(r"1\.2\.0~rc\.1\+[a-z]+[\d.]*", fields["Version"])
    assert {"ca-certificates", "tzdata"} < set(fields["Depends"].split(", ")) and "libc6 (>= " in fields["Depends"]
    assert re.fullmatch(r".+ <\S+@\S+>", fields["Maintainer"])
    for earlier, later in [("0.3.0+deb12", fields["Version"]), (fields["Version"], "1.2.0+deb12"),
                           ("1.2.0+deb12", "1.2.0+deb13"), ("1.2.0+deb13", "1.2.1+deb12")]:
        tool("dpkg", "--compare-versions", earlier, "lt", later)


def test_a_package_has_its_program_its_unit_and_nothing_in_places_of_others(out, name):
    inside = members(out, name)
    assert inside[f"lib/systemd/system/{name}.service"][1] == (ROOT / f"Docs/{name}.service").read_bytes()
    program = inside[f"usr/bin/{name}"][0]
    if program.issym():
        program = inside[os.path.normpath(f"usr/bin/{program.linkname}")][0]
    assert program.mode == 0o755
    places = ("lib/systemd/system", "usr/bin", "usr/lib/eightbells", "usr/lib/sysusers.d", f"usr/share/doc/{name}",
              "usr/share/man/man1", "usr/share/lintian/overrides", "etc")
    for path, (member, _) in inside.items():
        assert (member.uid, member.gid) == (0, 0) and not member.mode & 0o6022 or member.issym(), path
        assert not member.isfile() or str(pathlib.PurePosixPath(path).parent) in places, path
    assert f"u {name} - " in inside[f"usr/lib/sysusers.d/{name}.conf"][1].decode()


def test_the_program_for_pictures_is_a_package_beside_the_hub_without_a_service(out):
    inside = members(out, "eightbells-pictures")
    assert inside["usr/lib/eightbells/eightbells-pictures"][0].mode == 0o755
    assert not [path for path in inside if "systemd" in path or path.startswith("usr/bin/")]
    names = {name: dict(re.findall(r"^(\S+): (.*)$", tool("dpkg-deb", "--field", package(out, name)).decode(), re.M))
             for name in ("eightbells", "eightbells-pictures")}
    assert {"eightbells-pictures", "tzdata-legacy"} == set(names["eightbells"]["Recommends"].split(", "))
    assert "ffmpeg" in names["eightbells-pictures"]["Recommends"]


def test_the_memory_graph_comes_with_the_hub(out):
    folder = "usr/lib/eightbells"
    names = ("eightbells", "memorygraph", "libmemorygraph-shim.so", "libswiftRemoteMirror.so")
    assert {f"{folder}/{name}" for name in names} < set(members(out, "eightbells"))


def test_the_agents_settings_are_its_administrators_and_only_root_reads_them(out):
    member, content = members(out, "eightbells-agent")["etc/eightbells-agent.conf"]
    assert member.mode == 0o600
    assert not re.search(r"^[^#\n]", content.decode(), re.MULTILINE), "nothing is set"
    assert tool("dpkg-deb", "--info", package(out, "eightbells-agent"), "conffiles") == b"/etc/eightbells-agent.conf\n"
    assert "EnvironmentFile=/etc/eightbells-agent.conf" in (ROOT / "Docs/eightbells-agent.service").read_text()


def test_the_scripts_can_be_read_by_the_shell_and_remove_nothing(out, name):
    for script in ("postinst", "prerm", "postrm"):
        text = tool("dpkg-deb", "--info", package(out, name), script)
        subprocess.run(["sh", "-n"], input=text, check=True)
        assert f"{name}.service".encode() in text and b"@" not in text
        assert not re.search(rb"\b(rm|userdel|deluser)\b", text), "data and users stay"


def test_a_package_tells_of_a_program_for_pictures_that_it_does_not_fit(out, tmp_path):
    script = tool("dpkg-deb", "--info", package(out, "eightbells"), "postinst")
    for name in ("systemd-sysusers", "deb-systemd-helper", "deb-systemd-invoke", "systemctl"):
        (tmp_path / name).symlink_to("/bin/true")

    def told(versions):
        (tmp_path / "dpkg-query").write_text(f"#!/bin/sh\nprintf '{versions}'\n")
        (tmp_path / "dpkg-query").chmod(0o755)
        return subprocess.run(["sh", "-s", "configure", "1.1.0"], input=script, capture_output=True, check=True,
                              timeout=20, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}).stdout

    assert b"another version" in told("1.2.0\\n1.1.0\\n")
    for fitting in ("1.2.0\\n1.2.0\\n", "1.2.0\\n", "1.2.0\\n\\n"):
        assert b"another version" not in told(fitting)


def test_a_package_names_sudo_where_there_is_one(out, tmp_path):
    script = tool("dpkg-deb", "--info", package(out, "eightbells"), "postinst").replace(b"/run/systemd/system", b"/tmp")
    for name in ("systemd-sysusers", "deb-systemd-helper", "deb-systemd-invoke", "systemctl", "dpkg-query"):
        (tmp_path / name).symlink_to("/bin/true")
    for name in ("sh", "grep", "sort", "wc"):
        (tmp_path / name).symlink_to(shutil.which(name))

    def told():
        return subprocess.run(["sh", "-s", "configure", ""], input=script, capture_output=True, check=True, timeout=20,
                              env={"PATH": str(tmp_path)}).stdout

    assert b"\n  eightbells link --data" in told() and b"sudo" not in told()
    (tmp_path / "sudo").symlink_to("/bin/true")
    assert b"\n  sudo -u eightbells eightbells link --data" in told()


def test_what_is_missing_is_fetched_through_the_proxy_of_the_environment(tmp_path):
    """sudo takes it away."""
    programs = {
        "swift": "echo Swift version 6.3", "dpkg-query": "exit 1", "id": "echo 1000",
        "sudo": 'shift; exec /usr/bin/env -i PATH="$PATH" "$@"', "apt-get": 'echo "$1 $http_proxy" >> "${0%/*}/notes"',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    proxy = "http://proxy.example:3128"
    subprocess.run([ROOT / "bin/install", "package"], stdin=subprocess.DEVNULL, capture_output=True, check=True,
                   timeout=20, env={"PATH": f"{tmp_path}:/usr/bin:/bin", "http_proxy": proxy})
    assert (tmp_path / "notes").read_text() == f"update {proxy}\ninstall {proxy}\n"


def test_the_digests_of_a_package_are_those_of_its_files(out, name):
    inside = members(out, name)
    sums = dict(line.split("  ")[::-1] for line in tool(
        "dpkg-deb", "--info", package(out, name), "md5sums").decode().splitlines())
    files = {path: content for path, (member, content) in inside.items() if member.isfile()}
    assert sums == {path: hashlib.md5(content).hexdigest() for path, content in files.items()}


def test_the_manual_says_what_the_program_says(out, name):
    page = gzip.decompress(members(out, name)[f"usr/share/man/man1/{name}.1.gz"][1]).decode()
    assert f"{name} \\- keeps the watch" in page and ".SH PUSH SEND" in page
    assert "Sends, as \\-\\-help says." in page and "\\&.dot 'quote' back\\eslash" in page
    assert set(re.findall(r"^\.(\w*)", page, re.MULTILINE)) == {"TH", "SH", "nf", "fi"}


def test_a_program_with_an_executable_stack_is_not_packed(programs, tmp_path):
    for path in programs.iterdir():
        (tmp_path / path.name).hardlink_to(path)
    (tmp_path / "eightbells-agent").unlink()
    compiled(tmp_path / "eightbells-agent", "-z", "execstack")
    told = run("deb.py", tmp_path, tmp_path / "out")
    assert told.returncode != 0 and "RWE" in told.stderr and "RW is accepted" in told.stderr


def test_the_same_programs_give_the_same_bytes(out, programs, tmp_path):
    assert run("deb.py", programs, tmp_path).returncode == 0
    assert run("image.py", tmp_path / "tree/eightbells", tmp_path).returncode == 0
    made = sorted(path.name for path in out.iterdir() if path.is_file())
    assert len(made) == 4
    assert [name for name in made if (out / name).read_bytes() != (tmp_path / name).read_bytes()] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="anybody else would build everything")
def test_root_packs_nothing_for_whoever_has_called_sudo():
    told = subprocess.run([ROOT / "bin/package", "--check"], capture_output=True, text=True, timeout=20, check=False,
                          env=os.environ | {"SUDO_UID": "1000"})
    assert (told.returncode, told.stdout) == (1, "") and "Without sudo" in told.stderr
    # The script that runs under sudo needs no Swift, which is not on its path there.
    assert "bin/install" not in (PACKAGING / "check").read_text()


# The image

@pytest.fixture(scope="module")
def image(out):
    file, = out.glob("eightbells-1.2.0-rc.1.oci.tar")
    with tarfile.open(file) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def blob(image, descriptor):
    content = image["blobs/" + descriptor["digest"].replace(":", "/")]
    assert "sha256:" + hashlib.sha256(content).hexdigest() == descriptor["digest"]
    assert len(content) == descriptor["size"]
    return content


def test_the_image_is_whole_and_names_itself(image):
    assert json.loads(image["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    entry, = json.loads(image["index.json"])["manifests"]
    assert entry["annotations"]["org.opencontainers.image.ref.name"] == "localhost/eightbells:1.2.0-rc.1"
    manifest = json.loads(blob(image, entry))
    config, (layer,) = json.loads(blob(image, manifest["config"])), manifest["layers"]
    plain = gzip.decompress(blob(image, layer))
    assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(plain).hexdigest()]
    assert len(image) == 6


def test_docker_finds_what_the_image_has_in_its_own_list(image):
    entry, = json.loads(image["index.json"])["manifests"]
    manifest = json.loads(blob(image, entry))
    listed, = json.loads(image["manifest.json"])
    assert listed["RepoTags"] == ["localhost/eightbells:1.2.0-rc.1"]
    assert image[listed["Config"]] == blob(image, manifest["config"])
    assert [image[path] for path in listed["Layers"]] == [blob(image, layer) for layer in manifest["layers"]]


def test_the_image_has_a_user_a_health_check_and_what_the_program_needs(image):
    entry, = json.loads(image["index.json"])["manifests"]
    manifest = json.loads(blob(image, entry))
    config = json.loads(blob(image, manifest["config"]))["config"]
    assert config["User"] == "65532:65532" and config["Healthcheck"]["Test"] == ["CMD", "/usr/bin/eightbells", "health"]
    with tarfile.open(fileobj=io.BytesIO(blob(image, manifest["layers"][0]))) as tar:
        inside = {member.name: member for member in tar}
    assert inside["data"].uid == 65532 and inside["data"].mode == 0o700 and inside["tmp"].mode == 0o1777
    assert not [path for path, member in inside.items() if member.isfile() and member.mode & 0o6022]
    assert any(path.endswith("/libc.so.6") for path in inside) and "usr/share/zoneinfo/Europe/Berlin" in inside
    # OpenSSL looks for the certificates there; libcurl is told of them.
    assert inside["usr/lib/ssl/cert.pem"].linkname == "/etc/ssl/certs/ca-certificates.crt"
    for name in ("cert.pem", "certs", "openssl.cnf"):
        assert inside[f"usr/lib/ssl/{name}"].linkname.removeprefix("/") in inside
    assert {"usr/share/doc/libc6/copyright", "var/lib/dpkg/status.d/libc6"} < set(inside)
    assert not [path for path in inside if path.endswith(("/sh", "/bash"))], "there is no shell"
    missing = [path for path in inside if str(pathlib.PurePosixPath(path).parent) not in {".", *inside}]
    assert missing == []


def test_each_file_has_its_checksum(tmp_path):
    (tmp_path / "eightbells.deb").write_bytes(b"package")
    (tmp_path / "eightbells.oci.tar").write_bytes(b"image")
    (tmp_path / "older").mkdir()

    def sums(*words):
        return subprocess.run([PACKAGING / "sums", tmp_path, *words], capture_output=True, text=True, timeout=20,
                              check=False)

    assert sums().returncode == 0
    assert "bin/packaging/sums \"$out\"\n" in (ROOT / "bin/package").read_text()
    listed = (tmp_path / "SHA256SUMS").read_text()
    assert listed == "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in (
        ("eightbells.deb", b"package"), ("eightbells.oci.tar", b"image")))
    assert (sums("--check").returncode, sums("--check").stderr) == (0, "")
    (tmp_path / "other.deb").write_bytes(b"package")
    assert sums("--check").returncode == 1, "it has none"
    (tmp_path / "other.deb").unlink()
    (tmp_path / "eightbells.deb").write_bytes(b"packagE")
    assert "eightbells.deb: FAILED" in sums("--check").stdout
    (tmp_path / "eightbells.deb").unlink()
    assert sums("--check").returncode == 1, "it is not there"
