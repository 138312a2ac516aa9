"""Runs a service as systemd would with Type=notify and a watchdog: ready.py SOCKET COMMAND…

Passes SIGTERM on. Ends with 0 if the service has said that it is ready, gave signs of life, and said that it stops;
prints what it said.
"""

import os
import signal
import socket
import subprocess
import sys

path, *words = sys.argv[1:]
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
    notify.bind(path)
    os.chmod(path, 0o666)
    notify.settimeout(0.2)
    service = subprocess.Popen(words)
    signal.signal(signal.SIGTERM, lambda *_: service.terminate())
    said = []
    while True:
        try:
            said += notify.recv(4096).decode().split("\n")
        except TimeoutError:
            if service.poll() is not None:
                break
print(" ".join(dict.fromkeys(said)), f"{said.count('WATCHDOG=1')} signs of life, exit status {service.returncode}")
is_right = said[:1] == ["READY=1"] and said[-1:] == ["STOPPING=1"] and "WATCHDOG=1" in said
sys.exit(not is_right or service.returncode != 0)
