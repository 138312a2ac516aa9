// The drawings of a guest's page.

export { drawing } from '/drawing.js';

export const icons = {
  camera: 'M4 7.5h3.5L9 5h6l1.5 2.5H20a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1zM12 9.5a3.7 '
    + '3.7 0 1 1 0 7.4 3.7 3.7 0 0 1 0-7.4z',
  pictures: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 8.5h.01',
  tick: 'M4.5 12.5l5 5L19.5 7',
  turn: 'M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5',
  again: 'M20 12a8 8 0 1 1-2.3-5.6L20 8.5M20 4v4.5h-4.5',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4',
  sound: 'M12 3.5a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0v-5a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3',
  albums: 'M7 3.5h13v13M4 7.5h12.5V20H4z',
};
