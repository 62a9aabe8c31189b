import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '../config/encryption';
import { deriveKeys } from '../config/encryption-key';
import { Env } from '../config/env';

/** Bytes of a secret, as many as the hash of a signature has. */
const SECRET_LENGTH = 32;

/** A stored secret in plain text. */
export interface OpenSecret {
  secret: string;
  /** Whether it is encrypted with the previous key and must be encrypted anew. */
  outdated: boolean;
}

/** Makes the secrets that sign messages, and encrypts them for storage. */
@Injectable()
export class WebhookSecrets {
  /** Whether stored secrets may be encrypted with another key than the current one. */
  readonly rotating: boolean;

  private readonly current: Buffer;
  private readonly previous?: Buffer;

  constructor(env: Env) {
    [this.current, this.previous] = deriveKeys(env, 'webhook secrets');
    this.rotating = this.previous !== undefined;
  }

  /** Returns a new secret in the format of Standard Webhooks, such as `whsec_C2FVsBQ…`. */
  generate(): string {
    return `whsec_${randomBytes(SECRET_LENGTH).toString('base64')}`;
  }

  /** Encrypts an endpoint's secret. */
  seal(secret: string, webhookId: string): Buffer {
    return encrypt(this.current, secret, webhookId);
  }

  /** @returns `undefined` if no key decrypts it */
  open(sealed: Buffer, webhookId: string): OpenSecret | undefined {
    const secret = decrypt(this.current, sealed, webhookId);
    if (secret !== undefined) {
      return { secret, outdated: false };
    }
    const old = this.previous && decrypt(this.previous, sealed, webhookId);
    return old === undefined ? undefined : { secret: old, outdated: true };
  }
}
