// WAV files with 16-bit samples of one channel, which the hub takes as recorded parts.

export const RATE = 44_100;
const HEADER = 44;

/** Samples from -1 to 1 as the bytes of a WAV file. */
export function wavOf(samples) {
  const view = new DataView(new ArrayBuffer(HEADER + samples.length * 2));
  const text = (at, letters) => [...letters].forEach((one, index) => view.setUint8(at + index, one.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, HEADER - 8 + samples.length * 2, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((one, index) =>
    view.setInt16(HEADER + index * 2, Math.round(Math.max(-1, Math.min(1, one)) * 32_767), true));
  return new Uint8Array(view.buffer);
}

/** Clips (Float32Array) one after the other, with `gap` silent samples between: exactly as long as all of them. */
export function joined(clips, gap = 0) {
  const length = clips.reduce((sum, one) => sum + one.length, 0) + gap * Math.max(0, clips.length - 1);
  const all = new Float32Array(length);
  let at = 0;
  for (const one of clips) {
    all.set(one, at);
    at += one.length + gap;
  }
  return all;
}
