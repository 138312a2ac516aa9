// Addresses that others wrote: the hub passes them on.

/** Is this an address that a browser may open? */
export function isWeb(address) {
  if (!/^https?:\/\/[^\s/]/i.test(address ?? '')) return false;
  try {
    return Boolean(new URL(address));
  } catch {
    return false;
  }
}

/** As much of a web address as tells where it leads. */
export const shortAddress = (address) => {
  const { hostname, pathname } = new URL(address);
  return hostname.replace(/^www\./, '') + (pathname.length > 1 && pathname.length < 30 ? pathname : '');
};
