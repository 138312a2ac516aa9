"""A double of Apple's push service that behaves as a test demands, by the h2 package."""

import dataclasses
import json
import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings
import hyperframe.frame

from certificates import make_certificate

TOO_LONG = 30


@dataclasses.dataclass
class Push:
    """A push as it came: on which connection and stream."""

    connection: int
    stream: int
    fields: dict
    payload: dict


class Reply:
    """The double's answer to a push."""

    def __init__(self, status=200, reason=None, **members):
        self.status, self.members = status, ({"reason": reason} if reason else {}) | members

    def __call__(self, talk, push):
        body = json.dumps(self.members).encode() if self.members else b""
        fields = [(":status", str(self.status)), ("apns-id", push.fields["apns-id"])]
        talk.h2.send_headers(push.stream, fields, end_stream=not body)
        if body:
            talk.h2.send_data(push.stream, body, end_stream=True)


OK = Reply()


def hang(_talk, _push):
    """Never answers."""


def reset(talk, push):
    """Refuses the stream, as not processed."""
    talk.h2.reset_stream(push.stream, h2.errors.ErrorCodes.REFUSED_STREAM)


def cut(talk, _push):
    """Closes the connection in the middle of it all."""
    talk.is_over = True


def farewell(last, reason, then=cut):
    """A GOAWAY that names the last stream that is processed, and a reason or none."""
    def act(talk, push):
        text = json.dumps({"reason": reason}).encode() if reason else b""
        talk.send()
        # By hand: h2 answers nothing more once it has said farewell.
        frame = hyperframe.frame.GoAwayFrame(0, last_stream_id=last, additional_data=text)
        talk.socket.sendall(frame.serialize())
        then(talk, push)
    return act


class Talk:
    """One connection."""

    def __init__(self, service, stream, number):
        self.service, self.socket, self.number = service, stream, number
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8", validate_outbound_headers=False))
        self.heads, self.bodies = {}, {}
        self.open, self.most_open, self.is_over = 0, 0, False

    def send(self):
        self.socket.sendall(self.h2.data_to_send())

    def run(self):
        limit = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS
        self.h2.local_settings = h2.settings.Settings(client=False, initial_values={limit: self.service.streams})
        self.h2.initiate_connection()
        self.send()
        while not self.is_over:
            data = self.socket.recv(65_536)
            if not data:
                return
            for event in self.h2.receive_data(data):
                self.take(event)
                if self.is_over:
                    break
            self.send()

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.heads[event.stream_id], self.bodies[event.stream_id] = dict(event.headers), b""
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        elif isinstance(event, h2.events.DataReceived):
            self.bodies[event.stream_id] += event.data
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            stream = event.stream_id
            push = Push(self.number, stream, self.heads.pop(stream), json.loads(self.bodies.pop(stream)))
            act = self.service.take(push)
            if act is not hang:
                self.open -= 1
            act(self, push)


class AppleService:
    """Serves until it leaves its `with` block. `plan` is what it does with one push after the other; after it, all are
    taken. `streams` is how many may be open at once."""

    def __init__(self, folder):
        self.certificate = make_certificate(folder, "apple")
        self.plan, self.pushes, self.talks, self.streams = [], [], [], 100
        self.lock = threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate.paths)
        context.set_alpn_protocols(["h2"])
        self.context = context
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"localhost:{self.listener.getsockname()[1]}"

    def take(self, push):
        with self.lock:
            self.pushes.append(push)
            return self.plan.pop(0) if self.plan else OK

    def _accept(self):
        while True:
            try:
                stream, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(stream,), daemon=True).start()

    def _serve(self, stream):
        stream.settimeout(TOO_LONG)
        try:
            with self.context.wrap_socket(stream, server_side=True) as secure:
                talk = Talk(self, secure, len(self.talks))
                self.talks.append(talk)
                talk.run()
        except OSError:
            pass

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
