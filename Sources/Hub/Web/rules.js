// Loads the hub's rules about days: the same Swift module, compiled to WebAssembly, that the hub itself runs.
// Works in a page, in a service worker and in Node.

/** A rule was called with an invalid value. The rules were restarted and can be called again. */
export class RuleError extends Error {
  constructor(name, values, cause) {
    super(`The rule ${name} does not accept ${values.join(', ')}`, { cause });
    this.name = 'RuleError';
  }
}

/** The imports of a module; each uses only some. `memory()` is the module's own. */
function surroundings(memory) {
  const bytes = () => new Uint8Array(memory().buffer); // new each time, since the memory may have grown
  return {
    random(start, count) {
      crypto.getRandomValues(bytes().subarray(start, start + count));
    },
    strtod(text, out) { // as in C: parses a double to `out`; returns the end of the number, or 0
      const all = bytes();
      const number = Number(new TextDecoder().decode(all.subarray(text, all.indexOf(0, text))) || NaN);
      if (Number.isNaN(number)) return 0;
      new DataView(memory().buffer).setFloat64(out, number, true);
      return all.indexOf(0, text);
    },
    sin: Math.sin,
    cos: Math.cos,
    asin: Math.asin,
    atan2: Math.atan2,
  };
}

/**
 * A new instance, made by `instantiate`: asynchronously at first, since some browsers require it, synchronously after a
 * trap.
 */
function begin(instantiate, more) {
  let exports;
  const started = (instance) => {
    ({ exports } = instance);
    exports._initialize?.();
    return exports;
  };
  const made = instantiate({ env: { ...surroundings(() => exports.memory), ...more } });
  return made instanceof Promise ? made.then(started) : started(made);
}

/** The results of `relativeDay`. */
export const DAY = { today: 0, tomorrow: 1, yesterday: -1, nextDays: 2, later: 3, lastDays: -2, earlier: -3 };

/**
 * A module of rules from its bytes. `call(name, values, work)` hands the module's exports to `work`; after a trap the
 * module is started again, and a RuleError says which rule does not accept which values. `more` are imports of this
 * module alone.
 */
export async function moduleFrom(bytes, more = {}) {
  const module = await WebAssembly.compile(bytes);
  let exports = await begin((imports) => WebAssembly.instantiate(module, imports), more);
  return (name, values, work) => {
    try {
      return work(exports);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      // A trap leaves the instance in an undefined state.
      exports = begin((imports) => new WebAssembly.Instance(module, imports), more);
      throw new RuleError(name, values, error);
    }
  };
}

/** The bytes of a module that the hub serves. */
export async function fetchModule(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`The rules could not be loaded: ${url} answered ${response.status}`);
  return response.arrayBuffer();
}

/** The rules from the bytes of `/rules.wasm`. Days are numbers since 1970-01-01, weekdays 1 (Monday) to 7. */
async function rulesFrom(bytes) {
  const call = await moduleFrom(bytes);
  const rule = (name) => (...values) => call(name, values, (exports) => exports[name](...values));
  return {
    dayNumber: rule('day_number'),
    weekday: rule('weekday'),
    isoWeek: rule('iso_week'),
    relativeDay: rule('relative_day'),
    ageUnit: rule('age_unit'),
    ageCount: rule('age_count'),
  };
}

export const loadRules = async () => rulesFrom(await fetchModule('/rules.wasm'));
