// Days of the week as OpenStreetMap's opening_hours writes them.

import { DAYS } from '/space/opening-hours.js';

/** Days in OpenStreetMap's notation: adjacent ones as a range, others with commas. */
export function daysText(chosen) {
  const spans = [];
  for (const day of DAYS.filter((one) => chosen.includes(one))) {
    const last = spans.at(-1);
    if (last && DAYS.indexOf(last.at(-1)) === DAYS.indexOf(day) - 1) last.push(day);
    else spans.push([day]);
  }
  return spans.map((span) => (span.length > 2 ? `${span[0]}-${span.at(-1)}` : span.join(','))).join(',');
}
