import { decrypt, encrypt } from './encryption';
import { deriveKeys } from './encryption-key';
import { Env } from './env';

/** A stored value in plain text. */
export interface Opened {
  text: string;
  /** Whether it is encrypted with the previous key and must be encrypted again. */
  outdated: boolean;
}

/**
 * Encrypts values for storage with the current key, and also decrypts those of the previous one.
 */
export class Sealer {
  /** Whether stored values may be encrypted with another key than the current one. */
  readonly rotating: boolean;

  private readonly current: Buffer;
  private readonly previous?: Buffer;

  constructor(env: Env, purpose: string) {
    [this.current, this.previous] = deriveKeys(env, purpose);
    this.rotating = this.previous !== undefined;
  }

  /** @param context what the value belongs to; it can be opened in the same context only */
  seal(text: string, context: string): Buffer {
    return encrypt(this.current, text, context);
  }

  /** @returns `undefined` if no key decrypts it */
  open(sealed: Buffer, context: string): Opened | undefined {
    const text = decrypt(this.current, sealed, context);
    if (text !== undefined) {
      return { text, outdated: false };
    }
    const old = this.previous && decrypt(this.previous, sealed, context);
    return old === undefined ? undefined : { text: old, outdated: true };
  }
}
