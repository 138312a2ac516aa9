// The people that are shown of a list. Pure.

const MOST = 200; // names that are shown at a time; others are found by typing

/** The contacts whose names have a text in them. */
export const named = (contacts, text) => contacts
  .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase())).slice(0, MOST);
