// The words about sharing a picture or a gallery, in English.

export const en = {
  title: 'Share', close: 'Close', hub: 'By a page at this hub', source: 'By its page at the source',
  hubText: 'Whoever has the link sees the picture, its title and its caption, until you take it back.',
  isPrivate: 'This picture is private at its source: others will not see it, neither there nor here.',
  frame: 'This gallery on your web page',
  frameText: 'Put this into your page. What is private at its source is left out; Flickr allows 30 pictures at a '
    + 'time, the others come when one turns.',
  number: 'Pictures at a time', size: 'Size', sizes: { small: 'small', medium: 'medium', large: 'large' },
  text: 'To be copied', send: 'Send', copy: 'Copy', copied: 'Copied.', takeBack: 'Take it back',
};
