// The player's drawings, beside those of the room.

import { icons as room } from '/portfolio/icons.js';

export const icons = {
  ...room,
  favourite: 'M12 20S3.5 15 3.5 9A4.6 4.6 0 0 1 12 6.6 4.6 4.6 0 0 1 20.5 9c0 6-8.5 11-8.5 11z',
  remark: 'M4 5.5h16v11h-9l-4.5 4v-4H4z',
  large: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  all: 'M3.5 5h8.5v6H3.5zM16 5h4.5v6H16zM3.5 15H8v5H3.5zM12 15h8.5v5H12z',
};
