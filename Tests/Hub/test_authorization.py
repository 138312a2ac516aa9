"""Who may call what: every route, asked by every kind of caller, is answered as authorization.txt says. That each route
stands there is tested beside it, in RouteTableTests."""

import pytest

from accepted_world import accepting
from asker import Bodies
from authorization import CALLERS, matrix, rows

# Whoever asks these brings a secret in the request, so that another site's page can do nothing with the cookie: a link,
# a browser's endpoint, a passkey.
WITH_A_SECRET = {
    "POST /api/v1/albums/join", "POST /api/v1/albums/look", "POST /api/v1/bells/receipts",
    "DELETE /api/v1/bells/webpush", "PUT /api/v1/bells/webpush", "POST /api/v1/hooks/{secret}",
    "POST /api/v1/links/look", "POST /api/v1/passkeys/session/options", "POST /api/v1/sent/{sent}/open",
    "POST /apps/account/{token}", "POST /bells/mail/{token}"}
# Whoever has a secret of one thing alone is a stranger everywhere else.
ONLY = {"guest": "/api/v1/albums/", "host": "/api/v1/albums/", "link": "/api/v1/sent/", "user": "/parse/",
        "master": "/parse/", "server": ("/apps/{app}/", "/users/{user}/"), "phone": "/api/v1/anchor/"}
SIGNS_IN = {"POST /api/v1/session", "POST /api/v1/passkeys/session"}
READS = {"GET", "HEAD", "OPTIONS"}
# The callers of the matrix that each security scheme of the description lets in.
CREDENTIALS = {"token": ("sensor", "reader", "topic"), "cookie": ("member", "keeper", "owner"), "device": ("device",),
               "album": ("guest", "host")}
# Parse's libraries ask by POST, and phones share by it; nothing is changed.
ASKED_BY_POST = {"POST /parse/health", "POST /albums/share"}


@pytest.mark.timeout(300)
def test_every_route_answers_every_kind_of_caller_as_the_table_says(make_hub):
    table = rows()
    assert len(table) > 300
    with accepting(lambda **options: make_hub(start=False, **options)) as asker:
        found = matrix(asker, table)
    wrong = [f"{route} for {caller}: {now}, not {then}" for route, statuses in table.items()
             for caller, then, now in zip(CALLERS, statuses, found[route], strict=True) if then != now]
    assert not wrong, "\n".join(wrong)


def test_each_route_lets_somebody_in():
    """Otherwise the table would not show a right that is looked at only once the request is found to be good."""
    assert not [route for route, statuses in rows().items() if not any(map(is_good, statuses))]


def is_good(status):
    return status[0] in "123"


def test_the_table_lets_nobody_in_who_must_not_be():
    for route, statuses in rows().items():
        answered = dict(zip(CALLERS, map(int, statuses), strict=True))
        method, _, path = route.partition(" ")
        if method not in READS and route not in WITH_A_SECRET | ASKED_BY_POST:
            refused = answered["stranger"] in (400, 401, 403) or route in SIGNS_IN
            assert refused, f"{route}: a stranger may change something"
            assert answered["site"] in (401, 403), f"{route}: another site's page may change something"
        # A page of another site cannot read an answer, but it can read a WebSocket.
        assert answered["site"] != 101 or answered["stranger"] == 101, f"{route}: another site's page may listen"
        for name, own in ONLY.items():
            if answered["stranger"] >= 300 and not path.startswith(own):
                assert answered[name] >= 300, f"{route}: {name} is a stranger there"
        if path.startswith(("/api/v1/people", "/api/v1/tokens", "/api/v1/audit", "/metrics", "/api/v1/apps")):
            others = [name for name in CALLERS if name not in ("owner", "site") and answered[name] < 400]
            assert not others, f"{route}: {others}"


def test_the_description_tells_with_what_one_may_ask():
    paths, wrong = Bodies().api["paths"], []
    for route, statuses in rows().items():
        answered = dict(zip(CALLERS, statuses, strict=True))
        method, _, path = route.partition(" ")
        operation = paths.get(path, {}).get(method.lower())
        if operation is None or is_good(answered["stranger"]):
            continue
        told = {name for one in operation.get("security", []) for name in one}
        wrong += [f"{route} takes a {name}" for name, callers in CREDENTIALS.items()
                  if name not in told and any(is_good(answered[one]) for one in callers)]
    assert not wrong, "\n".join(wrong)
