import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../config/env';
import { jwtSecret } from '../config/jwt-secret';

const ALGORITHM = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Encrypts answers that are stored to be replayed. Some hold a secret that is shown only once; so
 * the key is made of the service's own secret and of the client's idempotency key, which is not
 * stored: a copy of the database alone reveals nothing.
 */
@Injectable()
export class OutcomeCipher {
  private readonly secret: string;

  constructor(env: Env) {
    this.secret = jwtSecret(env);
  }

  encrypt(text: string, idempotencyKey: string): Buffer {
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.keyFor(idempotencyKey), iv);
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** `undefined` where it was encrypted with another secret. */
  decrypt(data: Buffer, idempotencyKey: string): string | undefined {
    const decipher = createDecipheriv(
      ALGORITHM,
      this.keyFor(idempotencyKey),
      data.subarray(0, IV_LENGTH),
    ).setAuthTag(data.subarray(-TAG_LENGTH));
    try {
      const text = decipher.update(data.subarray(IV_LENGTH, -TAG_LENGTH));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  private keyFor(idempotencyKey: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.secret, idempotencyKey, 'idempotency outcome', 32));
  }
}
