// The extension for all categories without one of their own: attaches the picture, the sound or the film whose address
// stands in the payload. The hub fetches it, by HTTPS alone, finds its type by its bytes, and keeps it as long as the
// notification; so it is there without a network of the sender's, and for the list of notifications.

/** Attachments that are fetched for one notification. */
const MOST = 4;
const IDENTIFIER = 64; // bytes of an attachment's id (NotificationLimits.identifierBytes)
const LIST = 10; // attachments of a content (NotificationLimits.attachments)
const KINDS = {
  image: ['jpg', 'jpeg', 'png', 'gif', 'webp'], audio: ['mp3', 'wav', 'aif', 'aiff', 'm4a'],
  video: ['mp4', 'm4v', 'mpg', 'mpeg', 'avi'],
};

/** The kind of a file, by the end of its address; undefined if that does not tell. */
export function kindByName(address) {
  const name = /^https?:\/\/[^/]+\/(?:[^?#]*\/)?[^/?#]*\.(\w+)(?:[?#]|$)/.exec(address)?.[1].toLowerCase();
  return Object.keys(KINDS).find((kind) => KINDS[kind].includes(name));
}

const isAddress = (value) => typeof value === 'string' && /^https?:\/\//.test(value);

/** The files in the sender's own object: `media` (an address, {url, type, alt}, or a list), and addresses of files. */
function named(info) {
  const media = [info.media].flat().map((one) => (typeof one === 'string' ? { url: one } : one))
    .filter((one) => isAddress(one?.url));
  const others = Object.entries(info).filter(([name, value]) => name !== 'media' && isAddress(value)
    && kindByName(value)).map(([name, url]) => ({ id: name, url }));
  return [...media, ...others];
}

/** The files beside a text that are not on the hub: {id, url, type, alt, isOwn}, `isOwn` for the content's own. */
export function mediaOf({ attachments, user_info: info, mutable }) {
  const own = (attachments ?? []).filter(({ url }) => isAddress(url)).map((one) => ({ ...one, isOwn: true }));
  const ids = new Set((attachments ?? []).map(({ id }) => id));
  const more = mutable === true && info && typeof info === 'object' ? named(info) : [];
  const found = more.map(({ id = 'media', url, type, alt }, index) => {
    const short = new TextEncoder().encode(id).length <= IDENTIFIER ? id : 'media';
    const name = ids.has(short) || short === '' ? `media-${index + 1}` : short;
    ids.add(name);
    return {
      id: name, url, ...(typeof type === 'string' ? { type } : {}), ...(typeof alt === 'string' ? { alt } : {}),
    };
  });
  return [...own, ...found].slice(0, MOST);
}

/** `attach({url, type}, signal)` has the hub fetch a file: {url, type}, its address there. */
export async function extend(content, { attach, signal }) {
  const media = mediaOf(content);
  if (!media.length) return content;
  const fetched = await Promise.allSettled(media.map((one) => attach(one, signal)));
  if (fetched.every(({ status }) => status === 'rejected')) throw fetched[0].reason;
  const attachments = [...(content.attachments ?? [])];
  media.forEach(({ isOwn, id, alt }, index) => {
    if (fetched[index].status === 'rejected') return; // its text and the others are shown
    const { url, type } = fetched[index].value;
    const one = { id, url, type, ...(alt === undefined ? {} : { alt }) };
    if (isOwn) attachments[attachments.findIndex((other) => other.id === id)] = one;
    else if (attachments.length < LIST) attachments.push(one);
  });
  return { ...content, attachments };
}
