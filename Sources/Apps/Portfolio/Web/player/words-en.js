// The player's words in English.

const s = (count) => (count === 1 ? '' : 's');
const some = ({ favourite, remark, large }) => new Intl.ListFormat('en-GB').format([
  favourite && `${favourite} favourite${s(favourite)}`, remark && `${remark} remark${s(remark)}`,
  large && (large === 1 ? '1 wish for a large one' : `${large} wishes for large ones`),
].filter(Boolean));

export const en = {
  see: 'See the pictures',
  pictures: (count) => `${count} picture${s(Number(count))}`,
  picture: (number) => `Picture ${number}`,
  kept: (count) => `${count} picture${s(Number(count))}, kept on this device`,
  keeping: (done, all) => `${done} of ${all} pictures kept on this device`,
  mobile: (megabytes) => `On mobile data: keep all on this device anyway, about ${megabytes} MB`,
  inFile: (count) => `${count} picture${s(Number(count))} in this file`,
  full: (done, all) => `${done} of ${all} pictures kept: this device is full`,
  until: (day) => `Until ${day}`,
  cover: 'Back to the cover',
  back: 'Back to all pictures',
  of: (place, all) => `${place} of ${all}`,
  previous: 'Previous picture',
  next: 'Next picture',
  favourite: 'Favourite',
  remark: 'Remark',
  remarkOn: 'Remark on this picture',
  large: 'This one, large, please',
  save: 'Save',
  download: 'Save this picture',
  original: 'Save the original',
  unsaved: 'It could not be fetched. Try again.',
  page: 'Its page at Flickr',
  strip: 'All pictures',
  turn: (first, last, all) => `${first} to ${last} of ${all}`,
  turnBack: 'Pictures before these',
  turnOn: 'More pictures',
  viewer: 'Picture',
  close: 'Close',
  zoom: 'Zoom',
  error: 'This picture cannot be shown.',
  noSize: 'This picture cannot be shown.',
  film: 'Video', play: 'Play the video',
  marks: 'Your marks',
  sent: (counts, who) => `${some(counts)}: received by ${who || 'the photographer'}.`,
  waiting: (counts, who, isOnline) => `${isOnline ? '' : 'No network. '}${some(counts)} ${
    counts.favourite + counts.remark + counts.large === 1 ? 'waits' : 'wait'} here and go${
    counts.favourite + counts.remark + counts.large === 1 ? 'es' : ''} to ${who || 'the photographer'} by ${
    counts.favourite + counts.remark + counts.large === 1 ? 'itself' : 'themselves'}.`,
  refused: 'Your marks could not be handed over. Save them as a list, and send it yourself.',
  here: (counts, who) => `${some(counts)} on this device. Save them as a list, and send it to ${
    who || 'the photographer'}.`,
  only: (number) => `Only my marks (${number})`,
  list: 'Save my marks as a list',
  listName: 'marks.txt',
  none: 'A heart, a remark, or a wish for a large one: mark what you like beneath a picture.',
  withdrawn: (count, who) => (count === 1 ? `A picture was taken back by ${who} and removed from this device.`
    : `${count} pictures were taken back by ${who} and removed from this device.`),
  photographer: 'the photographer',
  lock: {
    pin: 'This link asks for a PIN', pinHelp: 'It came to you separately from the link.', pinLabel: 'PIN',
    passphrase: 'This file is locked', passphraseHelp: 'The passphrase came to you separately from the file.',
    passphraseLabel: 'Passphrase',
    open: 'Open', opening: 'Opening …', wrong: 'That is not it.',
    wait: (seconds) => `Too many tries. Again in ${seconds < 90 ? `${seconds} second${s(seconds)}`
      : `${Math.ceil(seconds / 60)} minutes`}.`,
    locked: 'Too many tries: the link is locked until its photographer sets a new PIN.',
    away: 'No network. The PIN can be checked only with one.',
  },
  ended: {
    title: 'These pictures are no longer here', text: (who) => `${who || 'The photographer'} has ended this link. What `
      + 'was kept on this device is removed.',
    marks: 'Your marks are still here.',
  },
  away: { title: 'The pictures cannot be reached', text: 'Nothing is kept on this device yet, and there is no network.',
    again: 'Try again' },
  broken: { title: 'This file is damaged', text: 'It was cut off or changed on its way. Ask for it once more.' },
  noCrypto: 'This browser cannot open locked files from here.',
  opening: 'One moment …',
  notice: 'This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.',
};
