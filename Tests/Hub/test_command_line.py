"""The command line: eightbells serve, token and space, and its messages for wrong input."""

import json
import socket
import subprocess
import urllib.request

import pytest

from hub import BINARY, STATE, clean_environment, command, eventually
from local_server import LocalServer, QuietHandler
from measure import free_port

ROLES = ["owner", "keykeeper", "member", "reader", "sensor"]


@pytest.mark.parametrize("words", [["--help"], ["help"], ["-h"]])
def test_the_help_names_every_command(words):
    told = command(*words)
    assert told.returncode == 0 and told.stderr == ""
    for name in ("serve", "token create", "space status", "space open", "space close"):
        assert f"eightbells {name}" in told.stdout
    # The hub's own commands, a group for each room, and one line for developers.
    groups = told.stdout.split("\n\n")
    assert groups[1].startswith("  eightbells serve") and groups[2].startswith("Space: ")
    assert "memory" not in "".join(groups[:-2]) and groups[-2].startswith("For developers: eightbells memory")


@pytest.mark.parametrize("name, options", [
    ("serve", ["--data DIR", "--listen HOST:PORT", "--calendar-folders DIR:DIR", "--demo"]),
    ("token", ["--data DIR", "--name NAME", "--role ROLE"]),
    ("space", ["--hub URL", "--token TOKEN", "--message TEXT", "--until TIME", "--by NAME"]),
])
def test_each_command_explains_its_options(name, options):
    told = command(name, "--help")
    assert told.returncode == 0 and told.stderr == ""
    assert [option for option in options if option not in told.stdout] == []


def test_the_version_is_one_line():
    told = command("--version")
    assert told.returncode == 0
    name, version = told.stdout.split()
    assert name == "eightbells" and version.count(".") == 2
    for word in ("--version", "version"):
        assert json.loads(command(word, "--json").stdout) == {"version": version}


@pytest.mark.parametrize("words, said", [
    ([], ["eightbells serve"]),
    (["sevre"], ["Unknown command sevre", "Did you mean serve?"]),
    (["xylophone"], ["Unknown command xylophone", "--help"]),
    (["serve", "--dat", "x"], ["Unknown option --dat", "Did you mean --data?"]),
    (["serve", "--data"], ["--data needs a value", "--data DIR"]),
    (["serve", "--demo=yes"], ["--demo takes no value"]),
    (["serve", "--listen", "nowhere"], ["nowhere"]),
    (["serve", "--listen", "127.0.0.1:70000"], ["70000"]),
    (["serve", "--listen", "127.0.0.1:x"], ["127.0.0.1:x"]),
    (["token"], ["What to do is missing: create and list are accepted.", "Usage: eightbells token create"]),
    (["token", "destroy"], ["Unknown word \"destroy\": create and list are", "Usage: eightbells token create"]),
    (["token", "create", "--name", "a", "--role", "owner"], ["--data is missing: the hub's data folder."]),
    (["backup", "-", "--data", "x"], ["does not go to standard output"]),
    (["backup", "/dev/stdin", "--data", "x"], ["/dev/stdin is a link, a pipe or a device"]),
    (["backup", "/tmp", "--data", "x"], ["/tmp names a folder", "such as /tmp/eightbells.tar"]),
    (["backup", "usb/", "--data", "x"], ["usb/ names a folder", "such as usb/eightbells.tar"]),
    (["restore", "file"], ["--data is missing: a folder that is new or empty."]),
    (["token", "create", "--data", "x", "--role", "owner"], ["--name is missing"]),
    (["token", "create", "--data", "x", "--name", "n" * 101, "--role", "owner"], ["1 to 100"]),
    (["token", "create", "--data", "x", "--name", "a", "--role", "king"], ["king", *ROLES]),
    (["token", "create", "--data", "x", "--name", "a"], ["--role is missing", *ROLES]),
    (["space"], ["What to do is missing: status, open and close are accepted.", "Usage: eightbells space status"]),
    (["space", "ajar"], ["Unknown word \"ajar\"", "eightbells space close [--hub URL]"]),
    (["space", "opne"], ["Did you mean open?"]),
    (["space", "status", "--by", "Ada"], ["Unknown option --by", "Usage: eightbells space status"]),
    (["space", "status", "--token", "x"],
     ["Unknown option --token", "Usage: eightbells space status [--hub URL] [--json]\n"]),
    (["space", "close", "--by", "--token", "x"], ["--by needs a value", "Usage: eightbells space close"]),
    (["store", "verify", "--check", "--data", "x"], ["Unknown option --check", "Usage: eightbells store verify"]),
    (["space", "open"], ["--token is missing"]),
    (["space", "open", "--mesage", "x", "--token", "x"], ["--mesage", "Did you mean --message?"]),
])
def test_a_wrong_call_ends_with_2_and_says_what_is_accepted(words, said, tmp_path):
    told = command(*words, cwd=tmp_path)
    assert told.returncode == 2
    assert told.stdout == ""
    assert [part for part in said if part not in told.stderr] == []
    assert list(tmp_path.rglob("*.sqlite")) == [], "a refused call makes no store"


VERBS = {
    "serve": "--listen", "doctor": "--listen", "link": "--name", "token create": "--role", "token list": "--data",
    "people list": "--data", "space status": "--hub",
    "space open": "--until", "space close": "--by", "health": "--hub", "store verify": "--data",
    "store migrate": "--data", "store move": "--from",
    "backup FILE": "--data", "restore FILE": "--data", "agent": "--hub",
    "--version": None, "version": None, "--help": None}


@pytest.mark.parametrize("verb, option", VERBS.items(), ids=VERBS.keys())
def test_every_verb_meets_what_is_typed_wrongly_in_the_same_way(verb, option, tmp_path):
    usage = f"\nUsage: eightbells {verb}"
    wrong = {("extra",): "Unexpected argument \"extra\"."}
    if option:
        wrong |= {(option,): f"{option} needs a value: {option} ", (f"{option}x", "y"): f"Unknown option {option}x."}
    for words, said in wrong.items():
        told = command(*verb.split(), *words, cwd=tmp_path)
        assert told.returncode == 2 and told.stdout == "", (words, told)
        assert told.stderr.startswith(f"eightbells: {said}") and usage in told.stderr, (words, told.stderr)
        assert "Usage" not in told.stderr.replace(usage, "", 1), "the usage of that verb alone"
        assert max(map(len, told.stderr.splitlines()[1:])) <= 80
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [
    ["serve"], ["doctor"], ["health"], ["link"], ["token"], ["token", "create"], ["token", "list"], ["people"],
    ["people", "list"], ["space"], ["space", "status"],
    ["space", "open"],
    ["store"], ["store", "migrate"], ["backup"], ["restore"], ["agent"], ["version"], ["--version"],
    ["help"], []], ids=" ".join)
def test_every_help_fits_a_terminal(words):
    told = command(*words, "--help")
    assert told.returncode == 0 and told.stderr == "" and told.stdout.strip() + "\n" == told.stdout
    if words and words != ["--version"]:
        assert command("help", *words).stdout == told.stdout, "help with a command is the command's help"
    assert [line for line in told.stdout.splitlines() if len(line) > 80] == []
    assert not words or f"Usage: eightbells {' '.join(words)}" in told.stdout


@pytest.mark.parametrize("words, said", [
    (["serv"], "Unknown command serv. Did you mean serve?"), (["--all"], "Unknown option --all"),
])
def test_help_for_what_is_no_command_ends_with_2(words, said):
    told = command("help", *words)
    assert told.returncode == 2 and told.stdout == "" and said in told.stderr


@pytest.mark.parametrize("words", [
    ["link", "--role", "owner"], ["token", "create", "--name", "a", "--role", "owner"], ["store", "verify"],
    ["store", "migrate"], ["backup", "file"]], ids=" ".join)
def test_only_serve_makes_a_hub(words, tmp_path):
    """A typing mistake in --data must not create a folder."""
    for folder, reason in ((tmp_path / "dta", "there is no such folder"), (tmp_path, "there is no eightbells.sqlite")):
        told = command(*words, "--data", folder, cwd=tmp_path)
        assert told.returncode == 1 and told.stdout == ""
        assert told.stderr == (
            f"eightbells: No hub in {folder}: {reason}"
            f"{' in it' if folder == tmp_path else ''}; start one with eightbells serve --data {folder}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_token_made_beside_the_running_hub_counts_at_once_with_its_role(hub):
    hub.get(STATE)
    for role in ROLES:
        told = command("token", "create", "--data", hub.data, "--name", "door phone", "--role", role)
        assert told.returncode == 0 and told.stderr == ""
        token = told.stdout.removesuffix("\n")
        assert token.split() == [token] and len(token) >= 32, "only the token is printed"
        status, answer = hub.post(STATE, token, {"open": True})
        if role in ("owner", "keykeeper"):
            assert status == 200
        else:
            assert status == 403 and role in answer["error"]


def test_tokens_differ_and_are_kept_only_as_digests(make_hub):
    hub = make_hub()
    tokens = {hub.token("reader", "same name") for _ in range(3)}
    assert len(tokens) == 3
    hub.stop()
    kept = b"".join(path.read_bytes() for path in hub.data.iterdir() if path.is_file())
    assert [token for token in tokens if token.encode() in kept] == []


def test_a_token_can_be_made_while_no_hub_runs(hub):
    hub.stop()
    token = hub.token("keykeeper")
    hub.start()
    assert hub.post(STATE, token, {"open": False})[0] == 200


def test_nobody_else_may_look_into_the_data_folder(hub):
    assert hub.data.stat().st_mode & 0o077 == 0


def test_a_second_hub_on_the_same_folder_is_refused(hub):
    told = command("serve", "--data", hub.data, "--listen", "127.0.0.1:0")
    assert told.returncode == 1
    assert f"Another hub is running on {hub.data}" in told.stderr
    assert hub.get(STATE)[0] == 200


def test_a_taken_port_is_named(hub, tmp_path):
    told = command("serve", "--data", tmp_path / "other", "--listen", f"127.0.0.1:{hub.port}")
    assert told.returncode == 1
    assert f"127.0.0.1:{hub.port}" in told.stderr and "choose another port" in told.stderr


@pytest.mark.parametrize("path", ["/proc/data", "/dev/null"])
def test_an_unusable_data_folder_ends_with_1(path):
    told = command("serve", "--data", path, "--listen", "127.0.0.1:0")
    assert told.returncode == 1 and path in told.stderr


def test_a_damaged_database_is_refused_and_left_alone(make_hub):
    hub = make_hub(start=False)
    hub.data.mkdir()
    database = hub.data / "eightbells.sqlite"
    damaged = b"this is no database, whatever its name says\n" * 200
    database.write_bytes(damaged)
    told = command("serve", "--data", hub.data, "--listen", "127.0.0.1:0")
    assert told.returncode == 1 and "eightbells.sqlite" in told.stderr
    assert database.read_bytes() == damaged


def test_the_demo_refuses_a_folder_with_a_real_space(hub_with_space):
    hub_with_space.stop()
    told = command("serve", "--data", hub_with_space.data, "--demo", "--listen", "127.0.0.1:0")
    assert told.returncode == 1 and "real space" in told.stderr


# Variables and the configuration file


@pytest.mark.parametrize("name, near", [
    ("EIGHTBELLS_LISTN", "Did you mean EIGHTBELLS_LISTEN?"), ("EIGHTBELLS_FLUX", "EIGHTBELLS_FLUX")])
def test_an_unknown_variable_is_refused(tmp_path, name, near):
    told = command("serve", "--data", tmp_path / "data", env={name: "127.0.0.1:0"})
    assert told.returncode == 2 and near in told.stderr


@pytest.mark.parametrize("text, said", [
    ("listn = 127.0.0.1:0\n", ["line 1", "listn", "Did you mean listen?"]),
    ("# a comment\n\nlisten\n", ["line 3", "NAME = VALUE"]),
    ("listen = nowhere\n", ["nowhere"]),
])
def test_a_wrong_line_of_the_configuration_is_named(tmp_path, text, said):
    (tmp_path / "eightbells.conf").write_text(text)
    told = command("serve", "--data", tmp_path)
    assert told.returncode == 2
    assert [part for part in said if part not in told.stderr] == []


def greeting(*words, env=None):
    """The address at which a hub started with these arguments listens."""
    process = subprocess.Popen(
        [BINARY, "serve", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=clean_environment(**(env or {})))
    try:
        return process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def test_the_option_counts_before_the_variable_and_the_variable_before_the_file(tmp_path):
    by_file, by_variable, by_option = (f"127.0.0.1:{free_port()}" for _ in range(3))
    (tmp_path / "eightbells.conf").write_text(f"# where\nlisten = {by_file}\n")
    variable = {"EIGHTBELLS_LISTEN": by_variable}
    assert greeting("--data", tmp_path) == f"http://{by_file}"
    assert greeting("--data", tmp_path, env=variable) == f"http://{by_variable}"
    assert greeting("--data", tmp_path, "--listen", by_option, env=variable) == f"http://{by_option}"


def has_ipv6():
    with socket.socket(socket.AF_INET6) as here:
        try:
            here.bind(("::1", 0))
        except OSError:
            return False
        return True


def test_a_hub_that_listens_everywhere_says_where_devices_find_it(tmp_path):
    port = free_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("198.51.100.1", 9))
        except OSError:
            pytest.skip("this machine is in no network")
        own = f"http://{way.getsockname()[0]}:{port}"
    public = "https://hub.example"
    for at, words, found in (("*", [], own), ("0.0.0.0", ["--public-url", public], public)):
        process = subprocess.Popen(
            [BINARY, "serve", "--data", tmp_path, "--listen", f"{at}:{port}", *words], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=clean_environment())
        try:
            told = [process.stdout.readline(), process.stdout.readline()]
            assert told[0] == f"Eightbells listens on http://localhost:{port}\n"
            assert (told[1] == f"Devices in your network find it at {own}\n") == (words == [])
            eventually(lambda: command("link", "--data", tmp_path, "--role", "owner").stdout.startswith(
                f"{found}/join#"), what=f"a link to {found}")
            by_6 = ["[::1]"] if at == "*" and has_ipv6() else []
            for host in ("localhost", "127.0.0.1", *by_6):  # a page that is open there makes codes for phones
                with urllib.request.urlopen(f"http://{host}:{port}/api/v1/session", timeout=10) as answer:
                    assert json.load(answer)["address"] == found
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()


def test_the_data_folder_can_be_a_variable(tmp_path):
    folder = tmp_path / "by" / "variable"
    greeting("--listen", "127.0.0.1:0", env={"EIGHTBELLS_DATA": str(folder)})
    assert (folder / "eightbells.sqlite").exists()
    made = command("token", "create", "--name", "a", "--role", "owner", env={"EIGHTBELLS_DATA": str(folder)})
    assert made.returncode == 0 and made.stdout


# eightbells space


def space(hub, *words, token=None, **env):
    """Runs `eightbells space` against a hub, configured by variables."""
    env["EIGHTBELLS_HUB"] = hub.url
    if token:
        env["EIGHTBELLS_TOKEN"] = token
    return command("space", *words, env=env)


def test_the_sign_is_read_and_turned_from_the_command_line(hub_with_space):
    hub, token = hub_with_space, hub_with_space.keykeeper_token
    told = space(hub, "status")
    assert told.returncode == 0 and told.stdout.startswith("unknown")

    told = space(
        hub, "open", "--message", "Come in", "--until", "23:00", "--by", "Ada", token=token)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("open since ") and "23:00" in told.stdout
    assert told.stdout.rstrip().endswith(": Come in (Ada)")
    state = hub.state()
    assert (state["open"], state["message"], state["by"]) == (True, "Come in", "Ada")
    assert state["until"][11:16] == "23:00"

    # Address and token may be options too.
    told = command("space", "close", "--hub", hub.url + "/", "--token", token)
    assert told.returncode == 0 and told.stdout.startswith("closed since ")
    assert hub.state()["open"] is False
    assert space(hub, "status").stdout == told.stdout


def test_what_the_hub_refuses_is_told_and_ends_with_1(hub_with_space):
    for role, words, said in (
            ("member", ["open"], ["member"]), (None, ["open", "--token", "eb_unknown"], ["The token is unknown"]),
            ("keykeeper", ["open", "--until", "soon"], ["until", "soon", "23:00"])):
        told = space(hub_with_space, *words, token=role and hub_with_space.token(role))
        assert told.returncode == 1 and told.stdout == ""
        assert [part for part in said if part not in told.stderr] == []
    assert hub_with_space.state()["open"] is None


def test_a_hub_that_cannot_be_reached_is_named():
    told = command("space", "status", "--hub", f"http://127.0.0.1:{free_port()}")
    assert told.returncode == 1 and "Cannot reach the hub at http://127.0.0.1:" in told.stderr


def test_something_that_is_no_hub_is_told_apart(calendar_server):
    calendar_server.serve(STATE, "<html>Welcome</html>", content_type="text/html")
    told = command("space", "status", "--hub", calendar_server.url)
    assert told.returncode == 1 and "not like a hub" in told.stderr


def test_an_address_that_sends_on_turns_nothing_and_says_where_the_hub_is(hub_with_space):
    hub = hub_with_space

    class Elsewhere(QuietHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.reply(301, fields=[("Location", hub.url + self.path)])

        def do_GET(self):
            self.reply(301, fields=[("Location", hub.url + self.path)])

    with LocalServer(Elsewhere) as server:
        told = command("space", "open", "--hub", server.url, "--token", hub.keykeeper_token)
        assert told.returncode == 1 and told.stdout == ""
        assert f"sends on to {hub.url}: give" in told.stderr
        assert hub.state()["open"] is None
        assert command("space", "status", "--hub", server.url).stdout.startswith("unknown")


@pytest.mark.parametrize("location, said", [
    ("/hub{path}", "sends on to {url}/hub: give"),
    ("https://sso.example/login?rd=https://hub.example{path}", "which is no hub's address"),
    ("https://sso.example/login", "which is no hub's address"),
])
def test_an_address_that_sends_on_elsewhere_is_told_as_one_can_use_it(location, said):
    class Elsewhere(QuietHandler):
        def do_GET(self):
            self.reply(308, fields=[("Location", location.format(path=self.path))])

    with LocalServer(Elsewhere) as server:
        told = command("push", "list", "--hub", server.url, "--token", "eb_x")
        assert told.returncode == 1 and said.format(url=server.url) in told.stderr


def test_output_that_cannot_be_written_is_a_failure(hub):
    words = ["token", "create", "--data", hub.data, "--name", "lost", "--role", "reader"]
    with open("/dev/full", "w") as full:
        told = subprocess.run([BINARY, *words], stdout=full, stderr=subprocess.PIPE, text=True,
                              env=clean_environment(), timeout=20, check=False)
    assert told.returncode == 1 and "Standard output cannot be written: No space left" in told.stderr


# Ending


def test_a_hub_ends_with_0_when_it_is_told_to_stop(hub):
    process = hub.process
    assert hub.stop() == 0
    assert process.returncode == 0
    eventually(lambda: "the hub has stopped" in hub.log)


# Other people's text on a terminal

# Moves the cursor, changes colours and the window's title, reverses the writing direction, and begins a line.
UNRULY = "\x1b[2J\x1b]0;owned\x07red\x9b31m\u202egnirts\u2028next\nopen since 1999\r"
FORBIDDEN = [chr(code) for code in [*range(9), *range(11, 32), 127, *range(0x80, 0xa0), 0x202e, 0x2028]]


class Liar(QuietHandler):
    """A hub written by somebody else."""

    status, content = 200, {}

    def do_GET(self):
        self.reply(self.status, json.dumps(self.content).encode())


@pytest.fixture
def liar():
    with LocalServer(Liar) as server:
        yield server.url


@pytest.mark.parametrize("status, content", [
    (200, {"open": True, "since": "2026-11-20T18:40:00Z", "message": UNRULY, "by": UNRULY}),
    (200, {"open": True, "since": UNRULY, "until": UNRULY}),
    (200, {"open": None, "unknown_since": UNRULY}),
    (400, {"code": 40003, "error": UNRULY, "help": UNRULY}),
])
def test_what_others_write_does_nothing_to_the_terminal(liar, status, content):
    Liar.status, Liar.content = status, content
    told = command("space", "status", "--hub", liar)
    seen = told.stdout + told.stderr
    assert [repr(sign) for sign in FORBIDDEN if sign in seen] == []
    assert seen.count("\n") == 1 and "\ufffd" in seen


def test_a_name_or_a_path_does_nothing_to_the_terminal_either(hub, tmp_path):
    for words in (["serve", "--data", tmp_path / "a\x1b[2J" / "b", "--listen", UNRULY],
                  ["backup", "--data", f"{tmp_path}/\x1b[2J", "x"], [UNRULY]):
        told = command(*words)
        assert told.returncode != 0 and [repr(sign) for sign in FORBIDDEN if sign in told.stderr] == []
    hub.sign_in("owner", "Ada \U0001f468\u200d\U0001f469\u200d\U0001f467")
    told = command("link", "--data", hub.data, "--role", "owner")
    assert "Ada \U0001f468\u200d\U0001f469\u200d\U0001f467" in told.stdout, "joined signs are left alone"
