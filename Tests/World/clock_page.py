"""The talking clock's page in a browser: a microphone that hears a recording, a wall clock that is set, and a probe
that notes when the first sample of each sound leaves the page."""

import io
import json
import math
import struct
import wave

RATE = 44_100

# Three words with pauses between them, then silence: (seconds of silence before, seconds of sound).
WORDS = [(0.1, 0.2), (0.12, 0.25), (0.12, 0.2), (0.3, 0)]


def wav(samples, rate=RATE):
    """Samples from -1 to 1 as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(b"".join(struct.pack("<h", round(one * 32_767)) for one in samples))
    return file.getvalue()


def tone(seconds, hertz=220, loudness=0.3):
    return [loudness * math.sin(2 * math.pi * hertz * at / RATE) for at in range(round(seconds * RATE))]


def spoken():
    """The sound that the microphone hears again and again."""
    return wav([one for pause, word in WORDS for one in [0.0] * round(pause * RATE) + tone(word)])


# Runs before any script of the page: sets the clock so that the next quarter comes in some seconds.
_SET_CLOCK = """{
  const own = Date.now.bind(Date);
  const kept = Number(sessionStorage.getItem('set-clock'));
  const now = own();
  const by = kept || Math.ceil(now / 900000) * 900000 - now - SECONDS * 1000;
  sessionStorage.setItem('set-clock', String(by));
  const Real = Date;
  window.Date = class extends Real {
    constructor(...values) { if (values.length) super(...values); else super(own() + by); }
    static now() { return own() + by; }
  };
}"""

# Beside the page's own sound: tells the frame at which a sound begins after silence.
_LISTENER = """registerProcessor('listener', class extends AudioWorkletProcessor {
  #quiet = Infinity;
  process([[samples = []]]) {
    samples.forEach((one, index) => {
      if (Math.abs(one) < 1e-4) { this.#quiet += 1; return; }
      if (this.#quiet > sampleRate / 2) this.port.postMessage(currentFrame + index);
      this.#quiet = 0;
    });
    if (!samples.length) this.#quiet += 128;
    return true;
  }
});"""

# Notes in window.heard when each sound begins (the page's wall clock, seconds), and in window.lengths the frames that
# it was made of.
_PROBE = """{
  window.heard = [];
  window.lengths = [];
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode && !to.probed) {
      to.probed = true;
      const { context } = to;
      context.audioWorklet.addModule(LISTENER).then(() => {
        const listener = new AudioWorkletNode(context, 'listener', { numberOfOutputs: 0 });
        listener.port.onmessage = ({ data }) => {
          const { contextTime, performanceTime } = context.getOutputTimestamp();
          const wall = (Date.now() - performance.now() + performanceTime) / 1000;
          window.heard.push(wall + data / context.sampleRate - contextTime);
        };
        connect.call(this, listener);
      });
    }
    return connect.call(this, to, ...rest);
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) {
    window.lengths.push(this.buffer.length);
    return start.apply(this, when);
  };
}"""


def probe(seconds):
    """A script for before the page's own: the clock shows that many seconds before a quarter of an hour when it is
    loaded first, and each sound is noted. The page's policy must not be heeded: the listener is a script of ours."""
    listener = f"URL.createObjectURL(new Blob([{json.dumps(_LISTENER)}], {{ type: 'text/javascript' }}))"
    return _SET_CLOCK.replace("SECONDS", str(seconds)) + _PROBE.replace("LISTENER", listener)
