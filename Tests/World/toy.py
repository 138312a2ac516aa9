"""A hub with one tiny room, the kettle (Tests/Fixtures/ToyRoom), and no real one: Core's tests use it."""

from hub import BINARY, Hub

KETTLE = "/api/v1/kettle"
# Takes bodies of up to 8 MB, after asking who sends them.
TEA = f"{KETTLE}/tea"
# Takes bodies of those who are nobody yet, as whoever opens a link is; without a link in them the answer is 400.
ASKED = "/api/v1/links/look"
CHANNEL = "kettle"
EVENT_STREAM = f"/events/{CHANNEL}"

# Files of the shell, which are there without any room.
PAGE, SCRIPT, STYLE, PICTURE = "/me", "/shell.js", "/shell.css", "/icon-512.png"


class ToyHub(Hub):
    """The program is built beside the hub's own: `bin/build ToyHub`."""

    program = BINARY.with_name("ToyHub")
    usual_options = ("--rooms", "kettle")

    def put_on(self):
        """Puts the kettle on; it must be cold."""
        status, answer = self.post(KETTLE, self.owner_token, {})
        assert status == 201, answer

    def choose(self, tea):
        """Chooses the tea, which can be done again and again."""
        status, answer = self.put(TEA, self.owner_token, {"tea": tea})
        assert status == 200, answer

    def kettle(self):
        status, answer = self.get(KETTLE)
        assert status == 200, answer
        return answer
