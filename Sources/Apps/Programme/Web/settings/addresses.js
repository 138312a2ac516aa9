// Calendar addresses as pasted by people, and identifiers of uploaded files.

/** The most characters of fields: those of ProgrammeLimits.swift. A test compares the two. */
export const LONGEST = { name: 100, url: 2000, googleWord: 300 };

/** An unused identifier for an uploaded file, in the hub's form. */
export function uploadID(fileName, taken) {
  const base = fileName.toLowerCase().replace(/\.[^.]*$/, '').normalize('NFKD').replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '').slice(0, 34) || 'calendar';
  let id = base;
  for (let number = 2; taken.includes(id); number += 1) id = `${base}-${number}`;
  return id;
}

const DAY = 86_400_000; // milliseconds

/**
 * The ids of the hub's files that a new one must not replace: those in use, and those of today, which somebody may be
 * about to save. A file exists nowhere else.
 */
export const keptUploads = (uploads, now) => uploads
  .filter(({ used, uploaded_at: at }) => used || now - Date.parse(at) < DAY).map(({ id }) => id);

/** A calendar's address as copied from other programs: webcal is another name of http. */
export const calendarAddress = (text) => text.trim().replace(/^webcals?:/i, 'https:');
