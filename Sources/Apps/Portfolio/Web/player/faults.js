// Why a source has nothing to show.

/** It asks for a word: a 'pin' or a 'passphrase'. */
export class Locked extends Error {
  constructor(kind) {
    super(`asks for a ${kind}`);
    this.kind = kind;
  }
}

/** The word was not it: `seconds` to wait before the next try, or `isLocked` if no try helps any more. */
export class Wrong extends Error {
  constructor({ seconds = 0, isLocked = false } = {}) {
    super('not it');
    Object.assign(this, { seconds, isLocked });
  }
}

/** The link has ended. */
export class Ended extends Error {}

/** The hub cannot be asked at the moment. */
export class Away extends Error {}

/** It will not be taken, however often it is sent. */
export class Refused extends Error {
  isRefused = true;
}
