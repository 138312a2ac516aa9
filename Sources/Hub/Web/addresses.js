// Addresses written by other people.

/** True for an address that a browser may open. */
export function isWeb(address) {
  if (!/^https?:\/\/[^\s/]/i.test(address ?? '')) return false;
  try {
    return Boolean(new URL(address));
  } catch {
    return false;
  }
}

/** The part of a web address that identifies the site. */
export const shortAddress = (address) => {
  const { hostname, pathname } = new URL(address);
  return hostname.replace(/^www\./, '') + (pathname.length > 1 && pathname.length < 30 ? pathname : '');
};
