"""An evening of Docs/evenings.md with the real programs: its commands are run as they stand in the document, by a shell
that has no systemd and no apt, and a person presses and fills in what the document says. Both are counted."""

import os
import re
import stat
import subprocess

from agent import AGENT
from hub import BINARY, ROOT, clean_environment
from page import PICTURES

UNIT = (ROOT / "Docs/eightbells.service").read_text()
POSTINST = (ROOT / "bin/packaging/postinst").read_text()
# Stands for what only a machine of its own has. `bin/package --check` installs the real packages with the real systemd.
PROGRAMS = {
    "sudo": 'if [ "$1" = -u ]; then shift 2; fi\nexec "$@"',
    "apt": 'test "$1" = install && shift && echo "$@" >> "$NOTES/installed"',
    "systemctl": 'echo "$@" >> "$NOTES/services"',
    "eightbells": f'exec "{BINARY}" "$@"',
    "eightbells-agent": f'exec "{AGENT}" "$@"',
}
LARGEST = 60_000  # bytes of a picture: what it takes to read the document on a phone


class Evening:
    """One section of commands, one hub, and the people of the evening; `places` are folders of the document and where
    they are in the test."""

    def __init__(self, name, hub, folder, places=None):
        self.name, self.hub, self.folder = name, hub, folder
        self.text = (ROOT / f"Docs/evening-{name}.md").read_text()
        self.blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", self.text, re.M | re.S)
        self.places = {"/var/lib/eightbells": str(hub.data), "/etc/eightbells-agent.conf": str(folder / "agent.conf")}
        self.places |= places or {}
        self.presses = self.fields = self.pictures = 0
        self.commands = []
        (folder / "bin").mkdir()
        for program, text in PROGRAMS.items():
            path = folder / "bin" / program
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    # Commands

    def next(self):
        """Runs the document's next block of commands, line by line; returns what they printed."""
        assert self.blocks, "the document has no further commands"
        printed = ""
        for line in self.blocks.pop(0).replace("\\\n", "").splitlines():
            command = line.partition("    #")[0].strip()
            if command:
                printed += self._run(command)
                self.commands.append(command)
        return printed

    def tried(self):
        """What the document's next command prints now; it is not counted."""
        return self._run(self.blocks[0].partition("    #")[0].strip())

    def _run(self, command):
        for place, here in (self.places | {"http://127.0.0.1:8080": self.hub.url}).items():
            command = re.sub(re.escape(place) + r"(?![\w-])", here, command)
        env = clean_environment(NOTES=str(self.folder), EIGHTBELLS_HUB=self.hub.url)
        env["PATH"] = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-euc", command], cwd=self.folder, env=env, capture_output=True, text=True,
                              timeout=60, check=False)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        self._follow()
        return done.stdout

    def _follow(self):
        """Does what systemd does after an installation and when it is told to start a service again."""
        for package in self._notes("installed").split():
            name = re.fullmatch(r"\./(eightbells(?:-agent|-pictures)?)_\*\.deb", package)
            assert name, f"bin/package makes no {package}"
            if name[1] == "eightbells":
                assert "\nExecStart=eightbells serve --data /var/lib/eightbells\n" in UNIT
                # What apt says last is what the document says next.
                said = next(line for line in POSTINST.splitlines() if " link --data " in line).split('"')[1].strip()
                assert said.replace("${as_hub}", "sudo -u eightbells ") in self.text
                self.hub.start()
        for order in self._notes("services").splitlines():
            if order == "restart eightbells":
                self.hub.stop()
                self.hub.start()
            else:
                assert order == "restart eightbells-agent", order

    def _notes(self, name):
        path = self.folder / name
        text = path.read_text() if path.exists() else ""
        path.unlink(missing_ok=True)
        return text

    # People

    def press(self, page, selector, **options):
        self.presses += 1
        page.click(selector, **options)

    def fill(self, page, selector, text):
        self.fields += 1
        page.fill(selector, text)

    def keep(self, page, name, style=""):
        """A picture for the document, on which nothing is too wide; `style` is for the picture alone."""
        assert f"pictures/evening-{self.name}-{name}.png" in self.text, f"the document does not show {name}"
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name} is {wide} px too wide"
        page.evaluate("document.activeElement.blur()")
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"evening-{self.name}-{name}.png"
        # The page's policy refuses Playwright's own way of adding a style.
        page.evaluate("""async (text) => {
          const sheet = new CSSStyleSheet();
          await sheet.replace(text);
          document.adoptedStyleSheets = [sheet];
        }""", style)
        page.screenshot(path=path, animations="disabled")
        page.evaluate("document.adoptedStyleSheets = []")
        shrink(path)
        assert path.stat().st_size <= LARGEST, f"{name} has {path.stat().st_size} bytes"
        self.pictures += 1

    def begin(self, page, person, rooms, name, host="127.0.0.1"):
        """What every evening begins with: the package, the link, the rooms, the name of the place."""
        link = next(line for line in self.next().splitlines() if "/join#" in line)
        page.goto(link.replace("127.0.0.1", host))
        self.fill(page, "input[name=name]", person)
        self.press(page, "button:has-text('Make me the owner')")
        self.press(page, "a:has-text('Set the hub up')")
        page.wait_for_selector("h1:has-text('What shall I watch over?')")
        for offer in page.locator("label.offer").all():
            if not any(offer.inner_text().strip().startswith(room) for room in rooms):
                self.presses += 1
                offer.click()
        return lambda: self._open(page, name)

    def _open(self, page, name):
        self.press(page, "main form button.primary")
        self.fill(page, "#field-name", name)
        self.press(page, "main form button.primary")

    def end(self):
        """All that the document says was done, and it says how much that was."""
        assert self.blocks == [], "the test has not run these commands"
        assert self.pictures == len(re.findall(r"<img src=", self.text))
        told = f"{len(self.commands)} commands, {self.presses} presses, {self.fields} fields"
        assert told in self.text.replace("\n", " "), f"the document has to say: {told}"
        row = f"| {len(self.commands)} | {self.presses} | {self.fields} | {self.minutes} min |"
        table = (ROOT / "Docs/evenings.md").read_text()
        line = next(one for one in table.splitlines() if f"(evening-{self.name}.md)" in one)
        assert line.endswith(row), f"Docs/evenings.md has to say: {row}"
        assert self.minutes < 15

    @property
    def minutes(self):
        """The time of a person, reckoned as Docs/evenings.md says."""
        return round(2 + len(self.commands) / 2 + self.fields / 4 + self.presses / 6)


def shrink(path):
    """Makes a picture small: few colours are enough for a page."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(192, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
