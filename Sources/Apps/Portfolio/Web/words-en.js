// The words of the portfolio's pages in English. A test compares them with the German ones.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const en = {
  title: 'Portfolio', portfolios: 'Portfolios', favourites: 'Favourites',
  strip: (title, count) => `${title}, ${many(count, 'picture', 'pictures')}. The arrow keys go from one to the next, `
    + 'Enter opens one.',
  picture: (title, place, of) => (title ? `${title}, ${place} of ${of}` : `Picture ${place} of ${of}`),
  partKept: (kept, of) => `${kept} of ${of} kept`,
  which: 'Which portfolio', all: 'All',
  outside: 'Portfolios are for members.', signIn: 'Sign in',
  lost: 'The hub cannot be reached. What is kept on this device is here as ever.',
  nothingHere: 'The hub cannot be reached, and nothing is kept on this device yet.',

  kept: {
    whole: (size) => `Kept on this device, ${size}`,
    keeping: (kept, of) => `Keeping, ${kept} of ${of}`,
    short: (kept, of) => `${kept} of ${of} kept`,
    off: 'Not kept on this device',
    mobile: 'Waits for Wi-Fi', offline: (kept, of) => `Offline, ${kept} of ${of} here`,
    waiting: 'Waits for the hub', full: 'This device is full', insecure: 'Not kept: needs HTTPS',
    outside: 'Sign in to go on', elsewhere: 'Another tab keeps them', begins: 'Looking at what is here',
    empty: 'Nothing to keep yet',
    found: (small, large) => `Missing or damaged: ${[small === '0' ? '' : `${small} small`,
      large === '0' ? '' : `${large} large`].filter(Boolean).join(', ')}. They are fetched again in their size.`,
    updated: 'After an update of the pages:',
  },

  sync: {
    running: (done, left) => `Fetching from the source: ${done} done, ${left} to go. You may leave this page.`,
    waiting: (why) => (why ? `It goes on by itself: ${why}.` : 'It goes on by itself.'),
    failed: (why) => (why ? `The last look at the source failed: ${why}` : 'The last look at the source failed.'),
    some: (count) => many(count, 'picture could not be fetched', 'pictures could not be fetched'),
    cut: (count) => many(count, 'gallery is not whole', 'galleries are not whole'),
    rest: 'All others are shown.', mayGo: 'They may go', now: 'Look for new pictures', again: 'Try again',
  },

  view: {
    remove: 'Remove from this gallery', removeYes: 'Remove it', keep: 'Keep it', original: 'Its original',
    removeAsk: 'It leaves this gallery; if it is in no other, its original is deleted.',
    name: 'Picture', back: 'Back to the wall', previous: 'Previous picture', next: 'Next picture',
    full: 'Full screen', play: 'Slide show', pause: 'Pause', screen: 'Second screen',
    blocked: 'The browser has blocked the second screen. Allow windows and cookies here, then try again.',
    cover: 'Cover', like: 'Favourite',
    save: 'Save it', share: 'Share', page: 'At its source', thumbs: 'Pictures of this gallery',
    count: (place, of) => `${place} of ${of}`,
    close: 'Close', zoom: 'Zoom', error: 'This picture is not here, and the hub cannot be reached.',
    noSize: 'This one is not ready yet.', private: 'private',
    waits: 'The picture that you choose appears here.',
    fills: 'A tap fills the screen.',
  },

  adding: {
    none: 'Your work, always with you.',
    noneText: 'Name a place that has your pictures. Each folder or set becomes a gallery, kept on this device.',
    add: 'Add a portfolio',
  },

  more: {
    send: 'Send to a client',
    upload: 'Add pictures', asSource: 'As the source has them', anew: 'Allow it anew at Flickr',
    up: (title) => `${title} further up`, down: (title) => `${title} further down`,
    place: (title, place, all) => `${title}, place ${place} of ${all}`, saved: 'Saved',
    share: (used, limit) => `Your portfolios have ${used} of your ${limit} on the hub.`,
    options: 'Options', rename: 'Its name', save: 'Save', remove: 'Delete this portfolio',
    removeAsk: 'Its galleries leave the hub and this device. The source keeps all its pictures.',
    removeOwn: 'Its galleries and all originals are deleted from the hub, and cannot come back.',
    removeYes: 'Delete it', keep: 'Keep it', hidden: 'Shown on the wall',
  },
};
