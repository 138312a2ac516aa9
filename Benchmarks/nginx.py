"""nginx as the peer of the benchmarks: one worker, on one core, with a configuration of its own."""

import contextlib
import os
import pathlib
import socket
import subprocess

from hub import eventually
from measure import ON_SERVER_CORE, free_port, needed

MODULES = pathlib.Path("/usr/lib/nginx/modules")

FRAME = """
{head}
worker_processes 1;
worker_rlimit_nofile 20000;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 12000; use epoll; multi_accept on; }}
http {{
  access_log off;
  # Without it nginx would close each connection after 1,000 requests; the hub does not.
  keepalive_requests 1000000000;
  keepalive_timeout 600;
  tcp_nodelay on;
  sendfile on;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {http}
  server {{
    listen 127.0.0.1:{port} {listen} backlog=4096;
    {server}
  }}
}}
"""

# Fields that nginx writes itself, or that depend on the connection.
ITS_OWN = {"date", "server", "content-length", "content-type", "connection"}


def quoted(text):
    """A quoted word of nginx's configuration."""
    assert "$" not in text, "nginx would read it as a variable"
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def returning(path, answer):
    """A location that answers like the hub, from memory: the same body and the same fields."""
    fields = [f"add_header {name} {quoted(value)};" for name, value in answer.headers.items()
              if name.lower() not in ITS_OWN]
    content_type = quoted(answer.headers["Content-Type"])
    return "\n".join([
        f"location = {path} {{", f"default_type {content_type};", *fields,
        f"return 200 {quoted(answer.body.decode())};", "}"])


@contextlib.contextmanager
def nginx(folder, server, listen="", http="", head=""):
    """Runs nginx with these parts of a configuration; yields its port and its process."""
    needed("nginx", "taskset")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    (folder / "nginx.conf").write_text(FRAME.format(
        folder=folder, port=port, server=server, listen=listen, http=http, head=head))
    # As root, nginx would change to another user, who may not read the folder.
    user = ["-g", "user root;"] if os.geteuid() == 0 else []
    process = subprocess.Popen(
        [*ON_SERVER_CORE, "nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log", *user])
    try:
        eventually(lambda: can_connect(port), what=f"nginx to listen; see {folder}/error.log")
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(10)


def can_connect(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
