// What comes when the list is there: what one does with a notification, the column beside the list, and the devices.

export { answers } from '/bells/answer.js';
export { arrivals } from '/bells/arrivals.js';
export { aside } from '/bells/aside.js';
export { devicesCard } from '/bells/devices.js';
export { fetchedAttachment } from '/bells/fetched-attachment.js';
export { sealedAttachment } from '/bells/sealed-attachment.js';
export { ownView } from '/bells/view.js';
