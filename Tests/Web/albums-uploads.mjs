// A hub that takes uploads with tus 1.0, for tests in Node: it is cut, refuses, forgets, and loses answers when told
// to.

import { createHash } from 'node:crypto';

const decoded = (header) => Object.fromEntries((header || '').split(',').filter(Boolean).map((one) => {
  const [key, value = ''] = one.split(' ');
  return [key, Buffer.from(value, 'base64').toString()];
}));

export class UploadHub {
  uploads = new Map();
  pictures = [];
  patches = [];
  asked = 0; // requests that the portal has answered
  conflicts = 0;
  ended = 0;
  isDown = false; // no answer
  portal = null; // the status with which a network before the hub answers everything with a page of its own
  cutAfter = null; // bytes of the next PATCH after which the connection ends
  loseAnswer = false; // the next PATCH is done, and its answer lost
  shiftOnce = 0; // bytes that the hub has beyond what its HEAD said
  refuse = () => null; // [status, code] for an upload's metadata and size
  refuseEnd = () => null; // the same once all bytes have come, of which the last part is dropped
  hold = false; // PATCHes wait for release()
  takesAborted = null; // aborted PATCHes go on to their end; their answers are 'unheard', or 'heard' all the same
  busyEnds = 0; // DELETEs that are refused, since the last bytes are not done with
  #held = [];
  #count = 0;

  release() {
    this.hold = false;
    this.#held.splice(0).forEach((go) => go());
  }

  known(hashes) {
    return Object.fromEntries(hashes.map((one) => [one, this.pictures.find(({ sha256 }) => sha256 === one)?.id])
      .filter(([, id]) => id));
  }

  remove(id) { this.pictures = this.pictures.filter((one) => one.id !== id); }

  send = async ({ method, url, headers, body, onprogress = () => {}, signal }) => {
    await null;
    if (this.isDown) throw new TypeError('no network');
    if (signal?.aborted) throw new DOMException('', 'AbortError');
    if (this.portal) {
      this.asked += 1;
      return { status: this.portal, header: () => null, json: async () => undefined };
    }
    const answer = (status, fields = {}, json) => ({
      status, header: (name) => ({ 'Tus-Resumable': '1.0.0', ...fields })[name] ?? null, json: async () => json,
    });
    if (method === 'POST') return this.#create(headers, answer);
    const [, id, rest] = /^\/uploads\/(\w+)(\/preview)?$/.exec(url);
    const one = this.uploads.get(id);
    const none = answer(404, {}, { code: 40475, error: 'no such upload' });
    if (!one) return none;
    if (rest) {
      one.preview = Buffer.from(await new Blob([body]).arrayBuffer()).toString();
      return answer(204);
    }
    const told = () => ({ 'Upload-Offset': String(one.bytes.length), 'Eightbells-Picture': one.picture ?? null });
    if (method === 'HEAD') {
      const before = told();
      if (this.shiftOnce) {
        one.bytes = Buffer.concat([one.bytes, one.whole(this.shiftOnce)]);
        this.shiftOnce = 0;
      }
      return answer(200, before);
    }
    if (method === 'DELETE') {
      if (this.busyEnds > 0) {
        this.busyEnds -= 1;
        return answer(423, {}, { code: 42375, error: 'locked' });
      }
      if (one.picture) return answer(204, { 'Eightbells-Picture': one.picture });
      this.uploads.delete(id);
      this.ended += 1;
      return answer(204);
    }
    if (this.hold) await new Promise((go) => { this.#held.push(go); });
    if (!this.uploads.has(id)) return none;
    return this.#patch(one, { headers, body, onprogress, signal }, answer, told);
  };

  #create(headers, answer) {
    const meta = decoded(headers['Upload-Metadata']);
    const size = Number(headers['Upload-Length']);
    const refusal = this.refuse({ ...meta, name: meta.filename, size });
    if (refusal) return answer(refusal[0], {}, { code: refusal[1], error: 'refused' });
    this.#count += 1;
    const id = `u${this.#count}`;
    const seen = { whole: () => Buffer.alloc(0) };
    this.uploads.set(id, { id, meta, size, bytes: Buffer.alloc(0), ...seen });
    return answer(201, { Location: `/uploads/${id}` });
  }

  async #patch(one, { headers, body, onprogress, signal }, answer, told) {
    if (signal?.aborted && !this.takesAborted) throw new DOMException('', 'AbortError');
    const from = Number(headers['Upload-Offset']);
    const bytes = Buffer.from(await body.arrayBuffer());
    one.whole = (more) => bytes.subarray(one.bytes.length - from, one.bytes.length - from + more);
    if (from !== one.bytes.length) {
      this.conflicts += 1;
      return answer(409, { 'Upload-Offset': String(one.bytes.length) }, { code: 40975, error: 'another offset' });
    }
    this.patches.push({ from, size: bytes.length, name: one.meta.filename });
    const cut = this.cutAfter;
    this.cutAfter = null;
    const taken = cut === null ? bytes : bytes.subarray(0, cut);
    const acknowledged = one.bytes;
    one.bytes = Buffer.concat([one.bytes, taken]);
    onprogress(taken.length);
    if (cut !== null && cut < bytes.length) throw new TypeError('cut');
    if (one.bytes.length === one.size) {
      const refusal = this.refuseEnd({ ...one.meta, name: one.meta.filename });
      if (refusal) {
        one.bytes = acknowledged;
        return answer(refusal[0], {}, { code: refusal[1], error: 'refused' });
      }
      this.#finish(one);
    }
    if (signal?.aborted && this.takesAborted === 'unheard') throw new DOMException('', 'AbortError');
    if (this.loseAnswer) {
      this.loseAnswer = false;
      throw new TypeError('the answer is lost');
    }
    return answer(204, told());
  }

  #finish(one) {
    one.picture = `p${this.pictures.length + 1}-${one.id}`;
    const sha256 = createHash('sha256').update(one.bytes).digest('hex');
    this.pictures.push({
      id: one.picture, name: one.meta.filename, soundOf: one.meta.sound_of, size: one.size, preview: one.preview,
      sha256, isRight: sha256 === one.meta.sha256,
    });
  }
}
