// Calendar addresses as pasted by people, and identifiers of uploaded files.

/** An unused identifier for an uploaded file, in the hub's form. */
export function uploadID(fileName, taken) {
  const base = fileName.toLowerCase().replace(/\.[^.]*$/, '').normalize('NFKD').replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '').slice(0, 34) || 'calendar';
  let id = base;
  for (let number = 2; taken.includes(id); number += 1) id = `${base}-${number}`;
  return id;
}

/** A calendar's address as copied from other programs: webcal is another name of http. */
export const calendarAddress = (text) => text.trim().replace(/^webcals?:/i, 'https:');
