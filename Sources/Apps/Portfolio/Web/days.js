// How the day of a picture is written.

/**
 * Writes the day on which a picture was taken, as its camera wrote it: cameras know no time zones. It takes a time of
 * ISO 8601, or seconds since 1970, and gives '' for none.
 */
export function dayIn(locale) {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (taken) => {
    if (taken === undefined || taken === null) return '';
    const at = typeof taken === 'number' ? taken * 1000 : Date.parse(`${String(taken).slice(0, 10)}T00:00:00Z`);
    return Number.isNaN(at) ? '' : format.format(at);
  };
}
