// The SHA-256 of a kept picture, by a worker, so that the page stays smooth. Where there is none, the picture is sent
// without: the hub then cannot say that it has it already.

const PIECE = 4 * 1024 * 1024; // bytes in memory at one time
const SILENT = 20_000; // milliseconds for one piece
const WORKER = '/uploads/hash-worker.js';

export class Hasher {
  #worker = null;
  #isBroken = false;
  #answers = new Map();
  #count = 0;
  #make;

  constructor(make = () => new Worker(WORKER)) { this.#make = make; }

  #start() {
    this.#worker ??= this.#make();
    this.#worker.onmessage = ({ data }) => this.#answers.get(data.id)?.resolve(data.hex);
    this.#worker.onerror = () => {
      this.#isBroken = true;
      for (const { reject } of this.#answers.values()) reject(new Error('the worker has failed'));
    };
  }

  #say(id, message, transfer = []) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the worker is silent')), SILENT);
      const ended = (end) => (value) => {
        clearTimeout(timer);
        this.#answers.delete(id);
        end(value);
      };
      this.#answers.set(id, { resolve: ended(resolve), reject: ended(reject) });
      this.#worker.postMessage({ id, ...message }, transfer);
    });
  }

  /** The hexadecimal hash of {size, slice(from, to)}; undefined if there is no worker. */
  async hash({ size, slice }) {
    if (this.#isBroken) return undefined;
    this.#count += 1;
    const id = this.#count;
    for (let from = 0; from < size; from += PIECE) {
      const bytes = await (await slice(from, Math.min(from + PIECE, size))).arrayBuffer();
      try {
        this.#start();
        await this.#say(id, { bytes }, [bytes]);
      } catch (error) {
        console.warn(error);
        this.#isBroken = true;
        return undefined;
      }
    }
    this.#start();
    return this.#say(id, { isLast: true }).catch(() => undefined);
  }
}
