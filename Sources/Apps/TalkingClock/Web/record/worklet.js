// Runs beside the page, in the audio thread: hands it the microphone's samples as they come, about 20 times a second.

/* global AudioWorkletProcessor, registerProcessor */

const SIZE = 2048;

registerProcessor('clock-recorder', class extends AudioWorkletProcessor {
  #samples = new Float32Array(SIZE);

  #filled = 0;

  process([input]) {
    const [channel] = input;
    for (const one of channel ?? []) {
      this.#samples[this.#filled] = one;
      this.#filled += 1;
      if (this.#filled < SIZE) continue;
      this.port.postMessage(this.#samples);
      this.#samples = new Float32Array(SIZE);
      this.#filled = 0;
    }
    return true;
  }
});
