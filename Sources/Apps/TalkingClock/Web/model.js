// The person's clock as the hub knows it, and the changes that the page makes.

import { computed, effect, ending, signal } from '/ui.js';
import { live, onNews, subject } from '/live.js';
import { now } from '/place.js';
import { change, load, reusing, session } from '/session.js';
import { loadSpeakingRules, USUAL, zoneOf } from '/clock/speaking-rules.js';
import { language } from '/clock/words.js';

const CLOCK = '/api/v1/clock';

/** {settings, muted_until, voices, devices, next}; undefined until it is known. */
export const clock = subject('clock', () => CLOCK, {
  isTold: false,
  failed: (error) => isLost.set(error !== null),
  take: (body, before) => ({ // rows that are as before stay, and what somebody does in them
    ...body, voices: reusing(before?.voices, body.voices), devices: reusing(before?.devices, body.devices),
  }),
});
/** True while the last question to the hub failed. */
export const isLost = signal(false);

const atFirst = language === 'de' ? { ...USUAL, language, hours: 24, voice: 'german' } : USUAL;

export const settings = computed(() => ({ ...atFirst, ...clock.value()?.settings }));
export const voices = computed(() => clock.value()?.voices ?? []);
export const devices = computed(() => clock.value()?.devices ?? []);
/** Until when it keeps still, in seconds since 1970; 0 if it does not. */
export const mutedUntil = computed(() => {
  const until = Date.parse(clock.value()?.muted_until ?? '') / 1000;
  return until > now() / 1000 ? until : 0;
});
export const timeZone = computed(() => zoneOf(settings()));

/** The module of rules: undefined while it is loaded, null if it cannot be had. */
export const module = signal(undefined);
/** The rules with the settings of now; null as long as there are none. */
export const rules = computed(() => module()?.of(settings(), timeZone()) ?? null);

export const fetchRules = () => loadSpeakingRules().then((them) => module.set(them), (error) => {
  console.error(error);
  module.set(null);
});

/** Today's announcements of all devices: [{at, device, what, late_ms, by, lead_s}]; undefined until it is known. */
export const history = signal(undefined);
let isShown = false;

/** Reads it, and again when something was said. */
export async function followHistory() {
  isShown = true;
  try {
    history.set((await load(`${CLOCK}/history`)).announcements);
  } catch { // the last one stays
  }
}

const refresh = async () => { if (session.peek()) await clock.refresh(); };

/** Keeps it up to date, by the hub's event `clock`. */
export function followClock() {
  const me = computed(() => session()?.person?.id ?? null);
  clock.remember();
  effect(() => {
    if (me() === null) return;
    refresh();
    const onevent = (name) => {
      if (name !== 'clock') return;
      refresh();
      if (isShown) followHistory();
    };
    ending(live.listen(`private-person-${me()}`, { onevent, onlive: refresh }));
  });
  onNews('ask', refresh);
  addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
}

const took = (answer) => { if (answer) clock.tell(answer); };

export const save = async (changed) => took(await change('PATCH', CLOCK, { settings: changed }));
export const mute = async (until) => took(await change('PATCH', CLOCK, {
  muted_until: until === null ? null : new Date(until * 1000).toISOString().replace('.000Z', 'Z'),
}));
export const speakOn = (device) => change('POST', `${CLOCK}/speak`, { device });

export async function setDevice({ id, on, volume }, changed) {
  await change('PUT', `${CLOCK}/devices/${id}`, { on, volume, ...changed });
  await refresh();
}

export async function removeVoice(id) {
  await change('DELETE', `${CLOCK}/voices/${id}`);
  await refresh();
}
