// Passkeys: what this browser can do with them, and the two ceremonies. Words are the pages' own.

import { change } from '/session.js';

const decoded = (text) => Uint8Array.from(
  atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const named = ({ id, ...rest }) => ({ ...rest, id: decoded(id) });

/**
 * Why there are no passkeys here: 'insecure' without HTTPS, 'number' where the hub has a number for an address,
 * 'neither' where it lacks both HTTPS and a name, 'browser' in one that knows none; null where there are.
 */
export function passkeyObstacle() {
  const isNumber = /^\[|^[\d.]+$/.test(location.hostname); // authenticators know hosts by their names only
  if (!isSecureContext) return isNumber ? 'neither' : 'insecure';
  if (isNumber) return 'number';
  return globalThis.PublicKeyCredential?.prototype && navigator.credentials ? null : 'browser';
}

/** Makes a passkey for the one who is signed in, and tells the hub. Answers it; null when the reader thought better. */
export async function makePasskey(name) {
  const options = await change('POST', '/api/v1/passkeys/options', {});
  const credential = await asked(() => navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: decoded(options.challenge),
      user: named(options.user),
      excludeCredentials: options.excludeCredentials.map(named),
    },
  }));
  if (!credential) return null;
  const { response } = credential;
  return change('POST', '/api/v1/passkeys', {
    name,
    id: credential.id,
    type: credential.type,
    response: {
      clientDataJSON: encoded(response.clientDataJSON),
      authenticatorData: encoded(response.getAuthenticatorData()),
      transports: response.getTransports?.() ?? [],
    },
  });
}

/** Signs this device in by a passkey that the reader chooses. Answers the session; null when they thought better. */
export async function signInByPasskey() {
  const options = await change('POST', '/api/v1/passkeys/session/options', {});
  const credential = await asked(() => navigator.credentials.get({
    publicKey: { ...options, challenge: decoded(options.challenge) },
  }));
  if (!credential) return null;
  const { response } = credential;
  return change('POST', '/api/v1/passkeys/session', {
    id: credential.id,
    type: credential.type,
    response: {
      clientDataJSON: encoded(response.clientDataJSON),
      authenticatorData: encoded(response.authenticatorData),
      signature: encoded(response.signature),
      userHandle: response.userHandle ? encoded(response.userHandle) : null,
    },
  });
}

/** This device holds a passkey of the reader's already. */
export class PasskeyThere extends Error {}

/** What the browser answers. Closing its window is no error, and it does not tell that from having nothing to offer. */
async function asked(act) {
  try {
    return await act();
  } catch (error) {
    if (error.name === 'InvalidStateError') throw new PasskeyThere();
    if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null;
    throw error;
  }
}
