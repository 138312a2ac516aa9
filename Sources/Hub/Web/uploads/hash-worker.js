// A worker that computes the SHA-256 (FIPS 180-4) of a file while it is read in pieces: WebCrypto needs HTTPS, and the
// whole file in memory. It stands alone, since a worker loads no joined files. A message has `id`, and `bytes`, an
// ArrayBuffer, or `isLast`: then the answer is {id, hex}.

const words = (root) => {
  const found = [];
  for (let candidate = 2; found.length < 64; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) isPrime = false;
    if (isPrime) {
      const part = candidate ** (1 / root);
      found.push(((part - Math.floor(part)) * 2 ** 32) | 0);
    }
  }
  return Int32Array.from(found);
};
const K = words(3);
const START = words(2).slice(0, 8);

class Sha256 {
  #state = START.slice();
  #block = new Uint8Array(64);
  #used = 0;
  #length = 0;
  #w = new Int32Array(64);

  add(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#used > 0) {
      at = Math.min(64 - this.#used, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#used);
      this.#used += at;
      if (this.#used < 64) return;
      this.#mix(this.#block, 0);
      this.#used = 0;
    }
    for (; at + 64 <= bytes.length; at += 64) this.#mix(bytes, at);
    this.#block.set(bytes.subarray(at), 0);
    this.#used = bytes.length - at;
  }

  #mix(bytes, at) {
    const w = this.#w;
    for (let n = 0; n < 16; n += 1) {
      const from = at + 4 * n;
      w[n] = (bytes[from] << 24) | (bytes[from + 1] << 16) | (bytes[from + 2] << 8) | bytes[from + 3];
    }
    for (let n = 16; n < 64; n += 1) {
      const a = w[n - 15];
      const b = w[n - 2];
      const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
      const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
      w[n] = (w[n - 16] + s0 + w[n - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let n = 0; n < 64; n += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[n] + w[n]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    const all = [a, b, c, d, e, f, g, h];
    for (let n = 0; n < 8; n += 1) this.#state[n] = (this.#state[n] + all[n]) | 0;
  }

  get hex() {
    const bits = this.#length * 8;
    const end = new Uint8Array((this.#used < 56 ? 64 : 128) - this.#used);
    end[0] = 0x80;
    new DataView(end.buffer).setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    new DataView(end.buffer).setUint32(end.length - 4, bits >>> 0);
    this.add(end);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

const running = new Map();

self.onmessage = ({ data: { id, bytes, isLast } }) => {
  if (!running.has(id)) running.set(id, new Sha256());
  if (bytes) running.get(id).add(new Uint8Array(bytes));
  if (isLast) {
    self.postMessage({ id, hex: running.get(id).hex });
    running.delete(id);
  } else {
    self.postMessage({ id });
  }
};
