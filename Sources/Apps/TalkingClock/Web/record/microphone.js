// The microphone: samples as the device gives them, without a codec, and with nothing of them "improved".

import { joined, RATE } from '/clock/wav.js';

/** The longest recording, in seconds. */
const LONGEST = 8;
const WORKLET = '/clock/record/worklet.js';
const CONSTRAINTS = {
  audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false },
};

/** The obstacle to recording: 'insecure' (plain HTTP), 'unsupported', 'refused', 'none' (no device) or 'busy'. */
export function obstacleOf(error, scope = globalThis) {
  if (!scope.isSecureContext) return 'insecure';
  if (!scope.navigator?.mediaDevices?.getUserMedia || !scope.AudioWorkletNode) return 'unsupported';
  if (error?.name === 'NotAllowedError' || error?.name === 'SecurityError') return 'refused';
  if (error?.name === 'NotFoundError' || error?.name === 'OverconstrainedError') return 'none';
  return error ? 'busy' : null;
}

/** Samples with another rate, by the browser's own converter. */
async function resampled(samples, from) {
  if (from === RATE) return samples;
  const frames = Math.round((samples.length * RATE) / from);
  const context = new OfflineAudioContext(1, frames, RATE);
  const buffer = context.createBuffer(1, samples.length, from);
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}

/** The light of the microphone goes out. */
function end(stream, context) {
  stream?.getTracks().forEach((track) => track.stop());
  context?.close();
}

export class Microphone {
  #context;
  #stream;
  #node;
  #blocks = null;
  #closings = 0;

  /** `onlevel` gets the loudness (RMS) of each moment, `onfull` is called when a recording is as long as it may be. */
  constructor({ onlevel = () => {}, onfull = () => {} } = {}) {
    this.onlevel = onlevel;
    this.onfull = onfull;
  }

  /** Asks for it. Throws the browser's error, see obstacleOf, or an AbortError if it is closed meanwhile. */
  async open() {
    if (this.#stream?.active) return;
    const closings = this.#closings;
    const check = () => { if (closings !== this.#closings) throw new DOMException('Closed', 'AbortError'); };
    const stream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
    let context;
    try {
      check();
      // The device's own rate: Firefox connects a microphone to no context with another one.
      context = new AudioContext();
      await context.audioWorklet.addModule(WORKLET);
      await context.resume();
      check();
      this.#node = new AudioWorkletNode(context, 'clock-recorder', { numberOfOutputs: 0, channelCount: 1 });
      this.#node.port.onmessage = ({ data }) => this.#take(data);
      context.createMediaStreamSource(stream).connect(this.#node);
    } catch (error) {
      end(stream, context);
      throw error;
    }
    [this.#stream, this.#context] = [stream, context];
  }

  #take(samples) {
    this.onlevel(Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length));
    if (!this.#blocks) return;
    this.#blocks.push(samples);
    if (this.#blocks.length * samples.length >= LONGEST * this.#context.sampleRate) this.onfull();
  }

  start() { this.#blocks = []; }

  /** Ends a recording: its samples, with 44,100 a second. */
  async stop() {
    const all = joined(this.#blocks ?? []);
    this.#blocks = null;
    return all.length ? resampled(all, this.#context.sampleRate) : all;
  }

  close() {
    this.#closings += 1;
    end(this.#stream, this.#context);
    this.#stream = this.#context = undefined;
  }
}
