"""Runs every benchmark, or those that are named: python3 bench.py [NAME]…

Prints each figure beside its bar. Ratios against a peer decide; absolute figures are reported. At the end
.build/bench has all of them: figures.json, and a picture of those with a bar.
"""

import dataclasses
import functools
import json
import pathlib
import platform
import resource
import sys
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent
for folder in ("Tests/World", "Packages/MemoryGraph/Tests/World", "Packages/MemoryGraph/Benchmarks"):
    sys.path.insert(0, str(ROOT / folder))

import bench_agent
import bench_anchor_night
import bench_anchor_phones
import bench_anchor_rules
import bench_apns
import bench_apple
import bench_blobs
import bench_blobs_growth
import bench_calendar
import bench_channels
import bench_clock
import bench_clock_join
import bench_devices
import bench_due
import bench_durable
import bench_gateway
import bench_guests
import bench_http
import bench_http2
import bench_hubs
import bench_idle
import bench_live
import bench_memory
import bench_memory_view
import bench_notifications
import bench_ntfy
import bench_objects
import bench_one_file
import bench_page
import bench_pictures
import bench_portfolio_sync
import bench_portfolio_wall
import bench_programme_page
import bench_publishes
import bench_server
import bench_stacks
import bench_start
import bench_uploads
import bench_wall
import bench_webpush
import bench_websocket
import figures_plot
from hub import Hub

BENCHMARKS = {
    "http": bench_http.figures, "http2": bench_http2.figures, "websocket": bench_websocket.figures,
    "durable": bench_durable.figures, "server": bench_server.figures,
    "hubs": bench_hubs.figures,
    "blobs": bench_blobs.figures, "blobs_growth": bench_blobs_growth.figures,
    "uploads": bench_uploads.figures, "guests": bench_guests.figures,
    "calendar": bench_calendar.figures, "channels": bench_channels.figures,
    "objects": bench_objects.figures, "live": bench_live.figures,
    "page": bench_page.figures, "pictures": bench_pictures.figures, "programme_page": bench_programme_page.figures,
    "start": bench_start.figures, "idle": bench_idle.figures, "devices": bench_devices.figures,
    "agent": bench_agent.figures, "gateway": bench_gateway.figures,
    "memory": bench_memory.figures, "memory_view": bench_memory_view.figures, "stacks": bench_stacks.figures,
    "wall": bench_wall.figures, "portfolio_wall": bench_portfolio_wall.figures,
    "portfolio_sync": bench_portfolio_sync.figures, "one_file": bench_one_file.figures,
    "webpush": bench_webpush.figures, "notifications": bench_notifications.figures,
    "publishes": bench_publishes.figures, "due": bench_due.figures, "apns": bench_apns.figures,
    "apple": bench_apple.figures, "ntfy": bench_ntfy.figures,
    "anchor_night": bench_anchor_night.figures, "anchor_rules": bench_anchor_rules.figures,
    "anchor_phones": bench_anchor_phones.figures,
    "clock": bench_clock.figures, "clock_join": bench_clock_join.figures,
}


# All ten thousand pages of one benchmark come from one address, and one token turns the sign without end.
Hub.usual_options = ("--connections-per-address", "0", "--rate-limits", "off")


def main():
    names = sys.argv[1:] or list(BENCHMARKS)
    if names[0] == "anchor_night" and len(names) > 1:
        # A whole night, in real time: bin/bench anchor_night --hours 9
        sys.argv = names
        return bench_anchor_night.main()
    if names[0] == "guests" and len(names) > 1 and names[1].startswith("--"):
        # A shorter party: bin/bench guests --minutes 1 --each 5
        BENCHMARKS["guests"] = functools.partial(bench_guests.figures, names[1:])
        names = names[:1]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"Unknown benchmark {unknown[0]}; {', '.join(BENCHMARKS)} are accepted.")
    # Some have ten thousand sockets open.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    figures, failed = [], []
    for name in names:
        try:
            for figure in BENCHMARKS[name]():
                print(figure, flush=True)
                figures.append(figure)
        except Exception:  # the others are measured all the same
            traceback.print_exc()
            failed.append(name)
        keep(figures)  # after each, since a whole run takes an hour and may be ended
    missed = sum(figure.is_missed for figure in figures)
    print(f"{missed} bars missed" if missed else "no bar is missed" if failed else "every bar is met")
    if failed:
        print(f"failed: {', '.join(failed)}")
    sys.exit(1 if missed or failed else 0)


def keep(figures):
    folder = ROOT / ".build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.json").write_text(json.dumps([dataclasses.asdict(figure) for figure in figures], indent=1))
    (folder / "figures.svg").write_text(figures_plot.svg(
        "How much of its bar each figure uses", f"{time.strftime('%B %Y')}, {platform.machine()}; less is better",
        figures))


if __name__ == "__main__":
    main()
