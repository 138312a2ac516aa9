// Passkeys: the browser's support, and the two ceremonies. Texts are the pages' own.

import { change, load } from '/session.js';

const RENEWED_AFTER = 240_000; // milliseconds; the hub accepts a challenge for five minutes

const decoded = (text) => Uint8Array.from(
  atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const named = ({ id, ...rest }) => ({ ...rest, id: decoded(id) });

/**
 * The reason why passkeys cannot be used here: 'insecure' without HTTPS, 'number' if the hub's address is an IP
 * address, 'neither' if it lacks both HTTPS and a name, 'browser' if that does not support them; null if they can.
 */
export function passkeyObstacle() {
  const isNumber = /^\[|^[\d.]+$/.test(location.hostname); // authenticators know hosts by name only
  if (!isSecureContext) return isNumber ? 'neither' : 'insecure';
  if (isNumber) return 'number';
  return globalThis.PublicKeyCredential?.prototype && navigator.credentials ? null : 'browser';
}

/** The reader's passkeys for this address; one for another address is of no use here. */
export const passkeysHere = async () => (await load('/api/v1/passkeys'))
  .filter(({ address }) => address === location.hostname);

/** Makes a passkey for the signed-in person. Returns the hub's answer; null when the reader cancelled. */
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

/** Signs this device in by a passkey that the reader chooses. Returns the session; null when they cancelled. */
export async function signInByPasskey() {
  const paused = offered;
  paused?.pause(); // a browser handles one passkey request at a time
  let answer = null;
  try {
    answer = await entered(await proof());
  } finally {
    if (!answer) paused?.resume();
  }
  return answer;
}

let offered = null; // a page's offer: {pause, resume}

/**
 * Lets the browser offer its passkeys in a field with autocomplete="… webauthn", until the returned function is called.
 * `came` is passed the session of somebody who uses one, `failed` the reason why the hub refused it.
 */
export function offerPasskeys(came, failed) {
  offered?.pause();
  let end = beginOffer(came, failed);
  const mine = {
    pause: () => end(),
    resume() { if (offered === mine) end = beginOffer(came, failed); },
  };
  offered = mine;
  return () => {
    end();
    if (offered === mine) offered = null;
  };
}

function beginOffer(came, failed) {
  let isOver = false;
  let attempt;
  const offer = async () => {
    if (passkeyObstacle() || !await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
    while (!isOver) {
      attempt = new AbortController();
      const { signal } = attempt;
      const renewal = setTimeout(() => attempt.abort(), RENEWED_AFTER);
      // Unrequested, so errors are not shown; a request by the reader shows them.
      const credential = await proof({ mediation: 'conditional', signal }).catch(() => null);
      clearTimeout(renewal);
      if (credential && !isOver) await entered(credential).then(came, failed);
      if (!signal.aborted) return;
    }
  };
  offer();
  return () => {
    isOver = true;
    attempt?.abort();
  };
}

async function proof(how = {}) {
  const options = await change('POST', '/api/v1/passkeys/session/options', {});
  how.signal?.throwIfAborted();
  return asked(() => navigator.credentials.get({
    ...how, publicKey: { ...options, challenge: decoded(options.challenge) },
  }));
}

/** Sends it to the hub, which returns the session. */
async function entered(credential) {
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

/** This device has a passkey of the person already. */
export class PasskeyThere extends Error {}

/** The browser's answer. Closing its dialogue is not an error, and looks the same as having no passkey. */
async function asked(act) {
  try {
    return await act();
  } catch (error) {
    if (error.name === 'InvalidStateError') throw new PasskeyThere();
    if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null;
    throw error;
  }
}
