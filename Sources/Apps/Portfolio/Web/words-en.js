// The words of the portfolio's pages in English. A test compares them with the German ones.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const en = {
  title: 'Portfolio', portfolios: 'Portfolios', favourites: 'Favourites',
  pictures: (count) => many(count, 'picture', 'pictures'),
  strip: (title, count) => `${title}, ${many(count, 'picture', 'pictures')}. The arrow keys go from one to the next, `
    + 'Enter opens one.',
  picture: (title, place, of) => (title ? `${title}, ${place} of ${of}` : `Picture ${place} of ${of}`),
  partKept: (kept, of) => `${kept} of ${of} kept`,
  which: 'Which portfolio', all: 'All',
  outside: 'Portfolios are for members.', signIn: 'Sign in',
  lost: 'The hub cannot be reached. What is kept on this device is here as ever.',
  nothingHere: 'The hub cannot be reached, and nothing is kept on this device yet.',
  bytes: { MB: (number) => `${number} MB`, GB: (number) => `${number} GB`, KB: (number) => `${number} KB` },

  kept: {
    whole: (size) => `Kept on this device, ${size}`,
    keeping: (kept, of) => `Keeping, ${kept} of ${of}`,
    short: (kept, of) => `${kept} of ${of} kept`,
    off: 'Not kept on this device',
    mobile: 'Waits for Wi-Fi', offline: (kept, of) => `Offline, ${kept} of ${of} here`,
    waiting: 'Waits for the hub', full: 'This device is full', insecure: 'Not kept: needs HTTPS',
    outside: 'Sign in to go on', elsewhere: 'Another tab keeps them', begins: 'Looking at what is here',
    empty: 'Nothing to keep yet',
  },

  keeping: {
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
    found: (small, large) => `Missing or damaged: ${[small === '0' ? '' : `${small} small`,
      large === '0' ? '' : `${large} large`].filter(Boolean).join(', ')}. They are fetched again in their size.`,
    updated: 'After an update of the pages:',
    galleries: 'Which galleries come first', first: (title) => `${title} first`,
    ofGallery: (kept, count, size) => `${kept} of ${count}, ${size}`,
    failed: (count) => many(count, 'file could not be kept', 'files could not be kept'),
    why: { gone: 'the hub does not have it any more', wrong: 'what arrived was not what the hub has' },
    sizes: { 320: 'small', 2048: 'large', video: 'video' },
    remove: 'Remove from this device', removeAsk: 'All kept pictures leave this device. The hub has them still.',
    keep: 'Keep them',
    shows: 'Beneath a picture', show: { title: 'Title', caption: 'Caption', place: 'Place', date: 'Date' },
    seconds: 'Seconds per picture in a slide show',
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
    full: 'Full screen', play: 'Slide show', pause: 'Pause', screen: 'Second screen', endScreen: 'End second screen',
    screenTitle: 'Second screen', blocked: 'The browser has blocked the window. Allow it, then try again.',
    cover: 'Make it the cover', isCover: 'Cover', like: 'Make it a favourite', unlike: 'Not a favourite any more',
    save: 'Save it', share: 'Share', page: 'At its source', thumbs: 'Pictures of this gallery',
    count: (place, of) => `${place} of ${of}`,
    close: 'Close', zoom: 'Zoom', error: 'This picture is not here, and the hub cannot be reached.',
    noSize: 'This one is not ready yet.', private: 'private',
    waits: 'The picture that you choose appears here. A tap fills the screen.',
  },

  sharing: {
    title: 'Share', close: 'Close', hub: 'By a page at this hub', source: 'By its page at the source',
    hubText: 'Whoever has the link sees the picture, its title and its caption, until you take it back.',
    isPrivate: 'This picture is private at its source: others will not see it, neither there nor here.',
    frame: 'This gallery on your web page',
    frameText: 'Put this into your page. What is private at its source is left out; Flickr allows 30 pictures at a '
      + 'time, the others come by turning.',
    number: 'Pictures at a time', size: 'Size', sizes: { small: 'small', medium: 'medium', large: 'large' },
    text: 'To be copied', send: 'Send', copy: 'Copy', copied: 'Copied.', takeBack: 'Take it back',
  },

  adding: {
    none: 'Your work, always with you.',
    noneText: 'Name a place that has your pictures. Each folder or set becomes a gallery, kept on this device.',
    add: 'Add a portfolio', from: 'Where the pictures are',
    kinds: {
      webdav: 'WebDAV, such as Nextcloud', flickr: 'Flickr', albums: 'Your albums here', folder: 'A folder on the hub',
      uploads: 'This device: I upload them',
    },
    of: { webdav: 'Address', flickr: 'Flickr name, id, or address of a page', folder: 'Path on the hub' },
    hint: {
      webdav: 'Each folder there becomes a gallery.', flickr: 'Each photoset becomes a gallery.',
      albums: 'Each album that you are in becomes a gallery.', folder: 'Each folder in it becomes a gallery.',
      uploads: 'You make galleries, and add pictures and videos to them. Originals are kept.',
    },
    allow: 'Allow it at Flickr', allowText: 'Your own account, with private pictures and those of your contacts:',
    contacts: 'Choose among your contacts',
    user: 'User name there', password: 'Password there',
    name: 'Its name', optional: 'optional', make: 'Add', cancel: 'Cancel',
  },

  more: {
    send: 'Send to a client',
    upload: 'Add pictures', asSource: 'As the source has them', anew: 'Allow it anew at Flickr',
    up: (title) => `${title} further up`, down: (title) => `${title} further down`,
    share: (used, limit) => `Your portfolios have ${used} of your ${limit} on the hub.`,
    title: 'Portfolio', options: 'Options', rename: 'Its name', save: 'Save', remove: 'Delete this portfolio',
    removeAsk: 'Its galleries leave the hub and this device. The source keeps all its pictures.',
    removeOwn: 'Its galleries and all originals are deleted from the hub, and cannot come back.',
    removeYes: 'Delete it', keep: 'Keep it', hidden: 'Shown on the wall',
  },
};
