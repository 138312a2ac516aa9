// The cards beside the face.

import { html } from '/ui.js';
import { punctualCard } from '/clock/punctual.js';
import { settingsCard } from '/clock/settings.js';
import { voiceCard } from '/clock/voice-card.js';
import { whereCard } from '/clock/where.js';

export const all = () => html`${voiceCard()}${whereCard()}${settingsCard()}${punctualCard()}`;
