import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env';
import { Sealer } from '../../platform/config/sealer';

/** Bytes of a secret, as many as the hash of a signature has. */
const SECRET_LENGTH = 32;

/** Makes the secrets that sign messages, and seals each for its endpoint. */
@Injectable()
export class WebhookSecrets extends Sealer {
  constructor(env: Env) {
    super(env, 'webhook secrets');
  }

  /** Returns a new secret in the format of Standard Webhooks, such as `whsec_C2FVsBQ…`. */
  generate(): string {
    return `whsec_${randomBytes(SECRET_LENGTH).toString('base64')}`;
  }
}
