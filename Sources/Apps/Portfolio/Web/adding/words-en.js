// The words about a permission at Flickr in English. A test compares them with the German ones.

export const en = {
  title: 'Flickr', close: 'Close', waits: 'Flickr has said yes. The hub takes the permission.',
  added: (name) => `${name} is added. Its sets become galleries.`,
  renewed: (name) => `${name} may be read again.`,
  contacts: 'Your contacts at Flickr', contactsText: 'Each one becomes a portfolio of its own.',
  none: 'You follow nobody at Flickr.', find: 'Find a name', add: (name) => `Add ${name}`, isAdded: 'added',
  loads: 'Asking Flickr',
};
