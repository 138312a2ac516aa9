// The drawings of the clock's pages, as in the navigation.

export { drawing } from '/drawing.js';

export const icons = {
  speaker: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
  muted: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  play: 'M7 4.5l12 7.5-12 7.5z',
  microphone: 'M12 3a3 3 0 0 1 3 3v5.5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3.5',
  page: 'M5 3.5h14A1.5 1.5 0 0 1 20.5 5v14a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 19V5A1.5 1.5 0 0 1 5 3.5z'
    + 'M11 17.5h2',
  phone: 'M8 2.5h8A1.5 1.5 0 0 1 17.5 4v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5z'
    + 'M11 18.5h2',
  check: 'M4.5 12.5l5 5L19.5 7',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.5v.01',
  next: 'M5 12h14M13 6l6 6-6 6',
  stop: 'M7 7h10v10H7z',
};
