// Addresses as typed and pasted by people.

/** Typed text, such as "nordlicht.example", as an address; null for an empty one. */
export function webAddress(text) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d+(\/|$)/.test(trimmed) ? trimmed : `https://${trimmed}`;
}
