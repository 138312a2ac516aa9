// The drawings of the apps' pages, as in the navigation.

export { drawing } from '/drawing.js';

export const icons = {
  hold: 'M8 5v14M16 5v14',
  play: 'M7 4.5l12 7.5-12 7.5z',
  send: 'M3.5 11.5L20.5 4l-6 16.5-3.5-6.5zM11 14l9.5-10',
  find: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20.5 20.5',
  key: 'M8 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12.7L20 3.7M16.5 7l3 3',
};
