"""Our sender to Apple's push service, but for its store, against our own entry over one connection: with the entry's
commit, and up to the last rule before it; and nghttp2's h2load, to the same entry and to nginx, which only refuses: as
much as this machine gives over one connection.

Each of our pushes has an apns-id and an apns-collapse-id of its own, which HPACK has to send and both sides to put into
their tables; h2load's fields are the same in all of its requests, so that after the first one a byte stands for each.
So the figures of the sender are those of pushes that differ, and the ratio is that of pushes that are alike: both send
these ids, the same tokens in turn, and bodies of about the same length. What differs there: ours makes each push anew
from its message, with its id and the token of the hub."""

import json
import pathlib
import re
import statistics
import subprocess
import tempfile

from apns import APP, TEAM, Entry
from bench_apns import DEVICES, device
from certificates import make_certificate
from figure import Figure
from hub import Hub
from measure import ON_LOAD_CORE, ON_SERVER_CORE, in_turns, median_ratio, needed, spread
from nginx import nginx

OURS = pathlib.Path(__file__).resolve().parent.parent / ".build/release/appleload"
ROUNDS, STREAMS = 3, 128
PUSHES, REFUSED = 40_000, 200_000

REFUSING = """
ssl_certificate {certificate.certificate};
ssl_certificate_key {certificate.key};
ssl_protocols TLSv1.3;
http2_max_concurrent_streams 128;
location / {{ return 400; }}
"""


def figures():
    needed("h2load")
    with tempfile.TemporaryDirectory() as name:
        folder, hubs = pathlib.Path(name), []

        def make(**options):
            hubs.append(Hub(folder / "hub", under=ON_SERVER_CORE, **options))
            return hubs[-1].start()

        try:
            entry = Entry(make)
            tokens = [device(entry.hub, number) for number in range(DEVICES)]
            (folder / "tokens").write_text("\n".join(tokens))
            (folder / "body").write_text("{}" + " " * 180)
            taken = [ours(entry, folder, PUSHES, "200")[0] for _ in range(ROUNDS)]
            yield Figure("Apple sender, pushes a second, each committed", statistics.median(taken), "1/s",
                         notes=spread(taken, "{:,.0f}"))
            peer = REFUSING.format(certificate=make_certificate(folder / "certificate"))
            with nginx(folder / "nginx", peer, listen="ssl http2") as (port, _):
                runs = in_turns({
                    "ours": lambda: ours(entry, folder, REFUSED, "400", "empty"),
                    "alike": lambda: ours(entry, folder, REFUSED, "400", "empty", "alike"),
                    "h2load": lambda: by_h2load(entry, folder, entry.port),
                    "nginx": lambda: by_h2load(entry, folder, port)}, lambda run: run(), ROUNDS)
            rates, alike = ([rate for rate, _ in runs[name]] for name in ("ours", "alike"))
            yield Figure("Apple sender, pushes a second, without the commit", statistics.median(rates), "1/s",
                         notes=spread(rates, "{:,.0f}"))
            # The entry has a core of its own and is the slower side: this is what the sender itself could do.
            alone = statistics.median(rate for _, rate in runs["ours"])
            yield Figure("Apple sender, pushes a second of its processor time", alone, "1/s")
            yield Figure("Apple sender, without the commit, all pushes alike", statistics.median(alike), "1/s")
            yield Figure("h2load, without the commit", statistics.median(runs["h2load"]), "1/s")
            yield Figure("h2load : Apple sender, all pushes alike", median_ratio(runs["h2load"], alike), "×")
            yield Figure("h2load to nginx, which only refuses", statistics.median(runs["nginx"]), "1/s")
        finally:
            for hub in hubs:
                hub.stop()


def ours(entry, folder, count, status, *options):
    """One run: pushes a second, and in a second of the sender's processor time."""
    provider = entry.provider
    told = json.loads(subprocess.run(
        [*ON_LOAD_CORE, OURS, "localhost", str(entry.port), entry.authority, provider["p8"], provider["key_id"], TEAM,
         APP, folder / "tokens", str(count), str(STREAMS), *options],
        capture_output=True, timeout=120, check=True).stdout)
    assert told["answers"] == {status: count}, told
    return count / told["seconds"], count / told["cpu_seconds"]


def by_h2load(entry, folder, port):
    addresses = folder / f"addresses-{port}"
    if not addresses.exists():
        tokens = (folder / "tokens").read_text().splitlines()
        addresses.write_text("".join(f"https://127.0.0.1:{port}/3/device/{token}\n" for token in tokens))
    told = subprocess.run(
        [*ON_LOAD_CORE, "h2load", "-t1", "-c1", f"-m{STREAMS}", f"-n{REFUSED}", "-d", folder / "body", "-i",
         addresses, "-H", f"authorization: bearer {entry.token()}", "-H", f"apns-topic: {APP}", "-H",
         "apns-push-type: alert", "-H", "apns-priority: 10", "-H", "apns-expiration: 0", "-H", "apns-collapse-id: 7",
         "-H", "apns-id: ab2cb5fb-99b4-41ef-a476-b898dd12e49f"],
        capture_output=True, text=True, timeout=120, check=True).stdout
    assert f"{REFUSED} 4xx" in told, told
    return float(re.search(r"finished in [^,]+, ([\d.]+) req/s", told)[1])
