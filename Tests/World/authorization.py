"""Every route of the hub, asked by every kind of caller: the table Tests/Hub/authorization.txt. After a change of
routes `python3 Tests/World/authorization.py` writes it anew, to be read line by line before it is kept."""

import pathlib
import sys
import tempfile

from accepted_world import accepting
from hub import ROOT, Hub

TABLE = ROOT / "Tests/Hub/authorization.txt"
# From the weakest. All of them ask for one route before the next one is asked for.
CALLERS = ["stranger", "site", "guest", "link", "user", "device", "phone", "sensor", "reader", "topic", "member",
           "keeper", "server", "host", "master", "owner"]
NAMES = """\
# Every route, and the status that each kind of caller is answered with; Tests/Hub/test_authorization.py asks a real
# hub, and RouteTableTests compares the routes with those that the hub serves. To write it anew after a change:
# .build/venv/bin/python Tests/World/authorization.py
# Each request is one that the hub accepts from whoever may make it (Tests/World/accepted.py).
#
# stranger  nobody                               site    another site's page in a signed-in owner's browser
# guest     of the album, not its host           link    somebody with the link to pictures of the portfolio
# user      of the app, with its public key      device  the secret of an agent
# phone     the secret with which an app reports positions
# sensor, reader   tokens of these roles         topic   an owner's token, limited to one topic of notifications
# member, keeper   signed in, owners of nothing that is asked about; a keeper opens the door
# server    of the app: it signs with the secret master  the app's master key
# host      of the album                         owner   signed in
#
# Pages and their files, which are the same for everybody, do not stand here; nor do Parse's paths with a slash behind.
"""
# What ends keys, changes the whole hub, or ends the caller's session, comes last.
LAST = ["POST /api/v1/apps/{id}/rotate", "DELETE /api/v1/apps/{id}", "PUT /api/v1/space/settings", "PUT /api/v1/rooms",
        "DELETE /api/v1/session"]


def rows():
    """The table: each route's statuses, by caller."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#") and not line.startswith(" "):
            method, path, *statuses = line.split()
            found[f"{method} {path}"] = statuses
    return found


def written(found):
    """The table as text."""
    width = max(len(route) for route in found)
    lines = [NAMES + " " * width + " " + " ".join(name[:3] for name in CALLERS)]
    lines += [f"{route:{width}} " + " ".join(found[route]) for route in sorted(found, key=by_path)]
    return "\n".join(lines) + "\n"


def by_path(route):
    return route.partition(" ")[::-1]


def in_order(routes):
    """The order of asking: what reads, what writes, what deletes, the deepest first."""
    kinds = {"GET": 0, "HEAD": 0, "OPTIONS": 0, "DELETE": 2}
    return sorted(routes, key=lambda route: (
        route in LAST and LAST.index(route) + 1, kinds.get(route.split()[0], 1), -route.count("/"), route))


def matrix(asker, routes):
    """The statuses of these routes, by caller."""
    return {route: [asker.status(caller, route) for caller in CALLERS] for route in in_order(routes)}


def main(served):
    """Writes the table for the routes that it has, and those of the file that is named."""
    routes = set(rows()) if TABLE.exists() else set()
    if served:
        routes = set(pathlib.Path(served[0]).read_text().splitlines())
    with tempfile.TemporaryDirectory() as folder:
        with accepting(lambda **options: Hub(pathlib.Path(folder) / "data", **options)) as asker:
            TABLE.write_text(written(matrix(asker, routes)))


if __name__ == "__main__":
    main(sys.argv[1:])
