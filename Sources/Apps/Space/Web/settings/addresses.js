// Addresses as people type and paste them.

/** What people type, such as "nordlicht.example", as an address; null for nothing. */
export function webAddress(text) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d+(\/|$)/.test(trimmed) ? trimmed : `https://${trimmed}`;
}
