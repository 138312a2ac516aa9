// Loads the rules of the anchor watch: the same Swift module (Sources/Portable/AnchorWatch) that the hub and the agents
// run, compiled to WebAssembly. Works in a page and in Node. Places are {lat, lon}; settings are as the API has them.

import { fetchModule, moduleFrom } from '/rules.js';

/** What an event says, and what the watch thinks, by their codes. */
export const KINDS = [
  'gap', 'position lost', 'position back', 'warning', 'alarm', 'clear', 'creep', 'wind shift', 'depth',
];
export const STATES = ['waiting', 'holding', 'warning', 'alarm', 'lost'];

const told = (number) => number ?? NaN;

/** Sets the module's settings from those of the API; those that are missing are the usual ones. */
function set(exports, settings) {
  const { anchor, zone = {}, warning = 0.8, excluded = [], depth_m: depth } = settings;
  if (!anchor || exports.begin(anchor.lat, anchor.lon) !== 1) {
    throw new RangeError(`The anchor is at ${JSON.stringify(anchor)}; degrees north and east are accepted.`);
  }
  exports.set_numbers(
    warning, settings.gap_s ?? 60, settings.lost_s ?? 120, settings.grace_s ?? 30, settings.creep ?? 0.3,
    told(settings.wind_shift_deg), told(depth?.min), told(depth?.max), settings.boat?.bow_m ?? 0,
    settings.beat_s ?? 60,
  );
  if (zone.shape === 'sector') {
    exports.set_sector(zone.from_deg, zone.to_deg, zone.inner_m ?? 0, zone.outer_m);
  } else if (zone.shape === 'polygon') {
    for (const [lat, lon] of zone.points) {
      if (exports.add_corner(lat, lon) !== 1) throw new RangeError(`A corner at ${lat}, ${lon} is not accepted.`);
    }
  } else {
    exports.set_circle(zone.radius_m ?? 40);
  }
  for (const one of excluded) {
    if (exports.exclude(one.from_deg, one.to_deg, one.inner_m ?? 0, one.outer_m) !== 1) {
      throw new RangeError(`${excluded.length} excluded sectors are too many; 16 are accepted.`);
    }
  }
}

const eventsOf = (exports, count) => Array.from({ length: Math.max(count, 0) }, (_, index) => ({
  at: exports.event_at(index), kind: KINDS[exports.event_kind(index)], distance_m: exports.event_distance(index),
}));

/** The rules from the bytes of `/anchorwatch.wasm`. One watch at a time: a new one ends the one before. */
export async function anchorRulesFrom(bytes) {
  const call = await moduleFrom(bytes);
  let watched = null; // the settings that the watch has, as text; null for none, or after an error
  const ask = (name, values, work) => {
    try {
      return call(name, values, work);
    } catch (error) {
      watched = null;
      throw error;
    }
  };
  const rule = (name) => (...values) => ask(name, values, (exports) => exports[name](...values));

  const watch = (settings, since) => {
    const give = (name, values, next, act) => {
      ask(name, values, (exports) => { set(exports, next); act(exports); });
      watched = JSON.stringify(next);
    };
    give('watch', [since], settings, (exports) => exports.watch_start(since));
    return {
      /** Judges a fix {time, lat, lon, accuracy?, hdop?, heading?, depth?, wind?}; what there is to say. */
      take: (fix) => ask('take', [fix.time], (exports) => eventsOf(exports, exports.watch_take(
        fix.time, fix.lat, fix.lon, told(fix.accuracy), told(fix.hdop), told(fix.heading), told(fix.depth),
        told(fix.wind),
      ))),
      /** Time goes by without a fix. */
      pass: (time) => ask('pass', [time], (exports) => eventsOf(exports, exports.watch_pass(time))),
      /** Other settings. The same ones change nothing: each change begins every confirmation anew. */
      change: (next) => {
        if (JSON.stringify(next) !== watched) give('change', [], next, (exports) => exports.watch_change());
      },
      /** As it is now; `room_m` is what is left to the edge. */
      now: () => ask('now', [], (exports) => ({
        state: STATES[exports.watch_state()], distance_m: exports.watch_distance(),
        bearing_deg: exports.watch_bearing(), share: exports.watch_share(), room_m: exports.watch_room(),
        refused: exports.watch_refused(), gaps: exports.watch_gaps(),
      })),
      /** Seconds until the next look at the position. */
      nextCheck: (charging, battery = null) => ask('nextCheck', [], (exports) =>
        exports.next_check(charging ? 1 : 0, told(battery))),
    };
  };

  /** A track judged by settings; fixes are [time, lat, lon, accuracy?, hdop?], as the API's track has them. */
  const replay = (settings, fixes, { raw = false } = {}) => ask('replay', [fixes.length], (exports) => {
    set(exports, settings);
    exports.replay_start(raw ? 1 : 0);
    // In pieces through the module's memory, whose view is made anew for each: it may have grown.
    const [most, buffer] = [exports.buffer_fixes(), exports.buffer_at()];
    for (let from = 0; from < fixes.length; from += most) {
      const piece = fixes.slice(from, from + most);
      const numbers = new Float64Array(exports.memory.buffer, buffer, piece.length * 5);
      piece.forEach(([time, lat, lon, accuracy, hdop], index) => {
        numbers.set([time, lat, lon, told(accuracy), told(hdop)], index * 5);
      });
      exports.replay_take_all(piece.length);
    }
    const events = eventsOf(exports, exports.replay_end());
    const [count, refused, gaps, outside, farthest] = [0, 1, 2, 3, 4].map((which) => exports.replay_number(which));
    return { fixes: count, refused, gaps, max_m: farthest, outside, events };
  });

  /** The anchor from the arc of the swing, {anchor, radius_m, error_m, arc_deg, isBetter}; null without a circle. */
  const swing = (places, hours, noted = null) => ask('swing', [places.length], (exports) => {
    exports.places_clear();
    for (const { lat, lon } of places) exports.places_add(lat, lon);
    if (exports.swing_fit(hours) !== 1) return null;
    const [lat, lon, radius, error, arc] = [0, 1, 2, 3, 4].map((which) => exports.swing_number(which));
    const isBetter = noted ? exports.swing_is_better(noted.lat, noted.lon) === 1 : true;
    return { anchor: { lat, lon }, radius_m: radius, error_m: error, arc_deg: arc, isBetter };
  });

  /** The rode's scope and swings in metres: straight, and at a pull in newtons; null where it does not reach. */
  const rode = (of, pull = 0) => {
    const { length_m: length, depth_m: depth, bow_height_m: height = 0, tide_m: tide = 0, chain = true } = of;
    return ask('rode', [length, depth], (exports) => {
      const [straight, swung, scope] = [0, 1, 2].map((which) =>
        exports.rode(which, length, depth, height, tide, chain ? 1 : 0, pull));
      const known = (metres) => (Number.isNaN(metres) ? null : metres);
      return { scope, straight_m: known(straight), swing_m: known(swung) };
    });
  };

  return {
    watch, replay, swing, rode,
    /** Metres within the edge in which it warns. */
    warningRoom: (of) => ask('warningRoom', [], (exports) => {
      set(exports, of);
      return exports.warning_room();
    }),
    isPlace: (lat, lon) => ask('isPlace', [lat, lon], (exports) => exports.is_place(lat, lon) === 1),
    distance: (from, to) => rule('distance')(from.lat, from.lon, to.lat, to.lon),
    bearing: (from, to) => rule('bearing')(from.lat, from.lon, to.lat, to.lon),
    /** The place at a bearing and a distance. */
    moved: ({ lat, lon }, bearing, metres) => ({
      lat: rule('moved_latitude')(lat, lon, bearing, metres), lon: rule('moved_longitude')(lat, lon, bearing, metres),
    }),
    /** Newtons of a wind (metres a second) on a boat. */
    pull: rule('pull'),
    /** The radius that is offered around a swing. */
    radius: (swung, bow = 0, hdop = null) => rule('radius_offered')(swung, bow, told(hdop)),
  };
}

let loaded;

/** The rules as the hub serves them, loaded once. */
export function loadAnchorRules() {
  loaded ??= fetchModule('/anchorwatch.wasm').then(anchorRulesFrom).catch((error) => {
    loaded = undefined; // the network may be back by the next time
    throw error;
  });
  return loaded;
}
