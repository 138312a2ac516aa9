// The words of one's own uploads in English. A test compares them with the German ones.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const en = {
  title: 'Your pictures', close: 'Close',
  galleries: 'Galleries', into: (title) => `Into ${title}`, newOne: 'New gallery', make: 'Make it',
  name: (title) => `Name of ${title}`, remove: (title) => `Delete ${title}`,
  removeAsk: (title, count) => `Delete ${title}? ${count === '0' ? 'It is empty.'
    : `${many(count, 'picture goes', 'pictures go')} with it, originals included, except what is in another gallery.`}`,
  removeYes: 'Delete it', keep: 'Keep it',
  choose: 'Choose pictures and videos', drop: (title) => `Or drop them here. They go into ${title}.`,
  first: 'Make a gallery first.',
  none: 'Those are no pictures or videos.',
  tooMany: (count) => `${many(count, 'file waits', 'files wait')} for a second round: add them again when these `
    + 'are there.',
  sending: (done, all) => `Sending ${done} of ${all}`,
  sent: (count) => `${many(count, 'file is', 'files are')} on the hub.`,
  left: (size) => `${size} to go`,
  stay: 'Leave this page open, or come back to it: what is missing is sent then.',
  fleeting: 'This browser keeps nothing here: leave the page open until all is sent.',
  pauses: {
    network: 'No connection: it goes on by itself.', busy: 'The hub is busy: it goes on by itself.',
    full: 'The hub has no room: somebody has to make some.', stopped: 'Sign in again, then it goes on.',
    elsewhere: 'Another tab sends them.',
  },
  again: 'Try again', away: 'Leave it out',
  unkept: 'There was no room on this device to get it ready.',
};
