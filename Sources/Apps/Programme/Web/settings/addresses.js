// Calendars' addresses as people paste them, and names for files.

/** A name for an uploaded file's calendar, of what the hub takes, and not taken yet. */
export function uploadID(fileName, taken) {
  const base = fileName.toLowerCase().replace(/\.[^.]*$/, '').normalize('NFKD').replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '').slice(0, 34) || 'calendar';
  let id = base;
  for (let number = 2; taken.includes(id); number += 1) id = `${base}-${number}`;
  return id;
}

/** What people copy from other programs as an address: webcal is http with another name. */
export const calendarAddress = (text) => text.trim().replace(/^webcals?:/i, 'https:');
