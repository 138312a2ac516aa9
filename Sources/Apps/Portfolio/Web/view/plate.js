// The lines beneath a picture, as one wishes them. Pure.

/**
 * {title, rest}: the title, or what is shown in its place, and the other lines: [{kind, text}]. `shows` are the kinds
 * that are wished, `dayOf` writes a date.
 */
export function plateOf(picture, shows, dayOf) {
  const { title = '', caption = '', place, taken } = picture ?? {};
  const day = dayOf(taken);
  const where = typeof place === 'string' ? place : place?.name ?? '';
  const lines = [['title', title], ['caption', caption], ['place', where], ['date', day]]
    .filter(([kind, text]) => shows.includes(kind) && text)
    .map(([kind, text]) => ({ kind, text }));
  const head = lines[0]?.kind === 'title' ? lines.shift().text : '';
  return { title: head, rest: lines };
}

/** The address of a picture within the page, and back: {portfolio, gallery, picture}, null for the wall. */
export const hashOf = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;

export function routeOf(hash) {
  const parts = hash.startsWith('#/') ? hash.slice(2).split('/') : [];
  if (parts.length !== 3) return null;
  try {
    const [portfolio, gallery, picture] = parts.map(decodeURIComponent);
    return { portfolio, gallery, picture };
  } catch {
    return null; // not an address of ours
  }
}
