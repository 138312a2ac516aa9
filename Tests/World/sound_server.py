"""A sound server with one sink that keeps time, a recording of what is heard there, and a second player whose clicks
say which sample of the recording belongs to which time of the wall clock."""

import array
import contextlib
import os
import subprocess
import threading
import time
import wave

from hub import eventually

RATE = 44_100
SINK = "sink"
# A sample that is louder is a sound, and not the rest of one; the largest has 32,767.
LOUD = 600


class SoundServer:
    """PulseAudio with a null sink, in a folder of its own."""

    def __init__(self, folder):
        self.socket = folder / "pulse.socket"
        (folder / "home").mkdir(parents=True, exist_ok=True)
        config = folder / "asound.conf"
        config.write_text("</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\nctl.!default { type pulse }\n")
        self.env = {
            "PULSE_SERVER": f"unix:{self.socket}", "PULSE_RUNTIME_PATH": str(folder), "HOME": str(folder / "home"),
            "XDG_RUNTIME_DIR": str(folder), "ALSA_CONFIG_PATH": str(config)}
        self.process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        words = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                 "-L", f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}",
                 "-L", f"module-null-sink sink_name={SINK} rate={RATE} channels=1"]
        self.process = subprocess.Popen(
            words, env=os.environ | self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: self._run("pactl", "info").returncode == 0, 20, what="pulseaudio")
        return self

    def stop(self):
        """Ends it, as a device that is taken away."""
        if self.process:
            self.process.kill()
            self.process.wait(10)
            self.process = None
            self.socket.unlink(missing_ok=True)

    def _run(self, *words):
        return subprocess.run(words, env=os.environ | self.env, capture_output=True, timeout=10, check=False)

    def streams(self):
        """How many programs have the sink open."""
        return len(self._run("pactl", "list", "short", "sink-inputs").stdout.splitlines())

    def open(self, *words):
        return subprocess.Popen(
            [*words, "--raw", "--format=s16le", f"--rate={RATE}", "--channels=1", "--latency-msec=5"],
            env=os.environ | self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            bufsize=0)

    @contextlib.contextmanager
    def recording(self):
        recording = Recording(self)
        try:
            yield recording
        finally:
            recording.close()


class Recording:
    """What was heard since it began, sample by sample."""

    def __init__(self, server):
        self.samples = array.array("h")
        self.clicks = []  # the times at which clicks were sent
        self._recorder = server.open("parec", "-d", f"{SINK}.monitor")
        self._clicker = server.open("pacat", "--playback", "-d", SINK, "--process-time-msec=1")
        threading.Thread(target=self._read, daemon=True).start()
        eventually(lambda: len(self.samples) > RATE // 10, 10, what="a recording")

    def _read(self):
        rest = b""
        while piece := self._recorder.stdout.read(4096):
            piece = rest + piece
            whole = len(piece) // 2 * 2
            rest = piece[whole:]
            self.samples.frombytes(piece[:whole])

    def click(self):
        """Sends 20 ms of sound, which the sink plays at once."""
        period = RATE // 2000
        sound = array.array("h", [20_000 if index % period < period // 2 else -20_000 for index in range(RATE // 50)])
        self.clicks.append(time.time())
        self._clicker.stdin.write(sound.tobytes())

    def click_at(self, moment):
        wait_until(moment)
        self.click()

    def close(self):
        for process in (self._recorder, self._clicker):
            process.kill()
            process.wait(10)

    def heard(self):
        """The times of the wall clock at which sounds began, without the clicks, each by the click that is nearest: on
        a busy machine the sink falls behind now and then, and what comes later is as late."""
        begins = onsets(self.samples)
        clicks = [(min(begins, key=lambda begin: abs(self._guess(begin) - sent)), sent) for sent in self.clicks]
        assert clicks, "no click was sent"
        taken = {begin for begin, _ in clicks}
        found = []
        for begin in begins:
            if begin not in taken:
                at, sent = min(clicks, key=lambda click: abs(click[0] - begin))
                found.append(sent + (begin - at) / RATE)
        return found

    def _guess(self, begin):
        """The time of a sample by what was recorded until now; right to a second."""
        return time.time() - (len(self.samples) - begin) / RATE


def onsets(samples):
    """The samples at which a sound begins after some silence, in seconds."""
    found, last, block = [], -RATE, 64
    for start in range(0, len(samples), block):
        piece = samples[start:start + block]
        if max(piece) <= LOUD and min(piece) >= -LOUD:
            continue
        first = next(start + index for index, one in enumerate(piece) if abs(one) > LOUD)
        if first - last > 0.15 * RATE:
            found.append(first)
        last = start + len(piece)
    return found


def first_sound(path):
    """Seconds from the beginning of a WAV file to the first sound in it."""
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
        samples = array.array("h", file.readframes(file.getnframes()))
    return onsets(samples)[0] / RATE


def wait_until(moment):
    """Waits for a time of the wall clock, which is what is measured."""
    time.sleep(max(0, moment - time.time()))
