// Loads the rules of the talking clock: the same Swift module (Sources/Portable/SpeakingClock) that the hub and the
// agents run, compiled to WebAssembly. Works in a page and in Node.

import { fetchModule, moduleFrom } from '/rules.js';
import { offsetAt } from '/zones.js';
import { nameOf } from '/clock/parts.js';

/** The settings of a clock that nobody has set yet. */
export const USUAL = {
  every: 15, hours: 12, language: 'en', quarters: 'past', strokes: 'one', oclock: false, style: 'speech', quiet: null,
  voice: 'english', zone: 'device',
};

/** The numbers of minutes between announcements that are offered. */
export const INTERVALS = [15, 30, 60, 1, 2, 3, 4, 5, 6, 10, 12, 20];

/** "22:30" as the minute of a day. */
export const minuteOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** True if the browser has the zone: the hub's tables may be newer. */
function isKnown(zone) {
  try {
    return Number.isFinite(offsetAt(0, zone));
  } catch {
    return false;
  }
}

/** The time zone of a clock, of which the settings say "device" or a zone's name. */
export const zoneOf = ({ zone }) => (zone && zone !== 'device' && isKnown(zone) ? zone
  : Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The minute of the day that a zone's clock shows at an instant (seconds since 1970). */
export const minuteAt = (instant, timeZone) => {
  const local = Math.floor(instant) + offsetAt(Math.floor(instant), timeZone);
  return Math.floor((((local % 86_400) + 86_400) % 86_400) / 60);
};

const numbersOf = ({ style, every, language, hours, quarters, strokes, oclock, quiet }) => [
  style === 'bells' ? 1 : 0, every, language === 'de' ? 1 : 0, Number(hours), quarters === 'to' ? 1 : 0,
  ['none', 'one', 'hours'].indexOf(strokes), oclock ? 1 : 0, quiet ? minuteOf(quiet.from) : -1,
  quiet ? minuteOf(quiet.to) : -1,
];

/** The rules from the bytes of `/speakingclock.wasm`. */
export async function speakingRulesFrom(bytes) {
  let timeZone = 'UTC';
  const call = await moduleFrom(bytes, { zone_offset: (instant) => offsetAt(instant, timeZone) });

  /** The rules with these settings: those that are missing are the usual ones. */
  const of = (settings = {}, zone = zoneOf(settings)) => {
    const numbers = numbersOf({ ...USUAL, ...settings });
    // Configured each time: the instance may have been started again, or have had others' settings meanwhile.
    const ask = (name, values, work) => call(name, values, (exports) => {
      timeZone = zone;
      if (exports.configure(...numbers) !== 1) throw new RangeError(`No clock has these settings: ${numbers.join()}`);
      return work(exports);
    });
    const found = (exports) => Array.from({ length: exports.part_count() }, (_, index) => nameOf(exports.part(index)));
    return {
      /** The first announcement after an instant: {at, parts}; null if none comes within two days. */
      next: (after) => ask('next', [after], (exports) => {
        const at = exports.next(Math.floor(after));
        return at < 0 ? null : { at, parts: found(exports) };
      }),
      /** The parts that are said at a minute of the day. */
      say: (minute) => ask('say', [minute], (exports) => { exports.say(minute); return found(exports); }),
      /** The parts that these settings ever need. */
      needed: () => ask('need', [], (exports) => {
        const { every, style } = { ...USUAL, ...settings };
        const step = style === 'bells' ? 30 : every;
        const all = new Set();
        for (let minute = 0; minute < 1440; minute += step) {
          exports.say(minute);
          for (const one of found(exports)) all.add(one);
        }
        return [...all];
      }),
    };
  };
  return {
    of,
    /** Ship's bells at a minute of the day: {count, watch}, the middle watch being 0. */
    bells: (minute) => call('bells', [minute], (exports) =>
      ({ count: exports.bell_count(minute), watch: exports.watch(minute) })),
  };
}

export const loadSpeakingRules = async () => speakingRulesFrom(await fetchModule('/speakingclock.wasm'));
