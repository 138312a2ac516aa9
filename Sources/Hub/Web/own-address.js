// The hub's own address, as other devices can open it.

const ASK_LIMIT = 5_000; // milliseconds for the hub's answer

let known;

/** True for an address that means the machine itself. */
export const isLoopback = (url) => /^(localhost|127\.[\d.]+|\[::1\]|[\w.-]+\.localhost)$/.test(new URL(url).hostname);

/**
 * The base address of links and codes for other devices: that of this page. Only at localhost, which means another
 * machine to each of them, the hub is asked for a better one; without one it stays. While the hub is away, it is that
 * of before.
 */
export async function ownAddress() {
  const { origin } = location;
  if (!isLoopback(origin)) return origin;
  try {
    const response = await fetch('/api/v1/session', { signal: AbortSignal.timeout(ASK_LIMIT) });
    known = (await response.json()).address;
  } catch { // no network
  }
  return known ?? origin;
}
