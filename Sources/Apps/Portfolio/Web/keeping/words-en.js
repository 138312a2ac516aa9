// The words about what is kept on this device, in English.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const en = {
  title: 'On this device', close: 'Close',
  here: (files, size) => `${many(files, 'file', 'files')} here, ${size}`,
  left: (files, size) => `${many(files, 'file', 'files')} to go, ${size}`,
  nothingLeft: 'Nothing is missing.',
  free: (used, quota) => `The browser gives this hub up to ${quota}; ${used} are in use.`,
  persisted: 'The browser keeps this until you remove it.',
  notPersisted: 'The browser may remove this when the device runs out of space.',
  persist: 'Ask it not to', refused: 'It did not agree. Adding the hub to the home screen helps.',
  isKept: 'Keep pictures in the background', isMobileToo: 'Also on mobile data',
  fullText: 'This device is full. What is here stays. Make room, or choose which galleries come first.',
  insecureText: 'Browsers keep pictures only for addresses with HTTPS. The wall works as long as the hub is reached.',
  again: 'Try again', check: 'Count and check all', checking: (done, all) => `Checked ${done} of ${all}`,
  checked: (small, large) => `All there: ${small} small and ${large} large ones counted, each with its checksum.`,
  galleries: 'Which galleries come first', first: (title) => `${title} first`,
  ofGallery: (kept, count, size) => `${kept} of ${count}, ${size}`,
  failed: (count) => many(count, 'file could not be kept', 'files could not be kept'),
  why: { gone: 'the hub does not have it any more', wrong: 'what arrived was not what the hub has' },
  sizes: { 320: 'small', 2048: 'large', video: 'video' },
  remove: 'Remove from this device', removeAsk: 'All kept pictures leave this device. The hub has them still.',
  keep: 'Keep them',
  shows: 'Beneath a picture', show: { title: 'Title', caption: 'Caption', place: 'Place', date: 'Date' },
  seconds: 'Seconds per picture in a slide show',
};
