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

/** A picture as PhotoSwipe wants it, in its own proportions; `cell` is its small picture's element. */
export function itemOf(picture, cell, largeOf, smallOf) {
  const { width = 3, height = 2, sizes = {} } = picture;
  const scale = Math.min(1, 2048 / Math.max(width, height, 1));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const common = { ...size, id: picture.id, alt: picture.title ?? '', thumbCropped: false, element: cell };
  const src = largeOf(picture);
  if (picture.kind === 'video' && sizes.video) return { ...common, type: 'video', video: sizes.video.url, poster: src };
  return src ? { ...common, src, msrc: smallOf(picture) } : { ...common, type: 'html', html: '' };
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
