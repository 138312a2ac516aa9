// What comes behind the wall: one picture large, and the dialogues.

export { addingDialog, addingForm, optionsDialog } from '/portfolio/adding.js';
export { keepingPanel } from '/portfolio/keeping/panel.js';
export { pictureView } from '/portfolio/view/view.js';
