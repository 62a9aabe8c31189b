import { createHmac, createSecretKey, KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '../config/encryption';
import { deriveKeys } from '../config/encryption-key';
import { Env } from '../config/env';
import type { IdempotentRequest } from './idempotent-request';
import type { StoredId } from '../database/identifiers';

/** The first 16 bytes as a `uuid` column has them. */
const uuidOf = (bytes: Buffer) => bytes.toString('hex', 0, 16) as unknown as StoredId;

/**
 * Encrypts and hashes requests and outcomes for storage. Without the encryption key, a copy of the
 * database reveals nothing about them and does not allow guesses to be tested: neither an email
 * address, nor a password, nor an idempotency key.
 */
export class RecordSeal {
  private readonly secret: KeyObject;

  constructor(secret: Buffer) {
    this.secret = createSecretKey(secret);
  }

  /** The primary key of a record. */
  addressOf({ scope, companyId, key }: IdempotentRequest) {
    return {
      // The company itself if there is one, so that a cluster keeps the record beside the work.
      scope: companyId ?? uuidOf(this.hash('scope', scope)),
      keyHash: this.hash('key', scope, key),
    };
  }

  fingerprintOf({ scope, key, route, content }: IdempotentRequest): Buffer {
    return this.hash('fingerprint', scope, key, route, ...content);
  }

  encrypt(text: string, request: IdempotentRequest): Buffer {
    return encrypt(this.outcomeKey(request), text);
  }

  /** @returns `undefined` if the data is damaged or belongs to another request */
  decrypt(data: Buffer, request: IdempotentRequest): string | undefined {
    return decrypt(this.outcomeKey(request), data);
  }

  private outcomeKey({ scope, key }: IdempotentRequest): Buffer {
    return this.hash('outcome', scope, key);
  }

  /** The lengths distinguish lists of parts whose concatenation is the same. */
  private hash(...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.secret);
    for (const part of parts) {
      hmac.update(`${part.length}:`).update(part);
    }
    return hmac.digest();
  }
}

/** The seal for new records, and the one for records that were written with the previous key. */
@Injectable()
export class RecordSeals {
  readonly current: RecordSeal;
  readonly previous?: RecordSeal;

  constructor(env: Env) {
    const [current, previous] = deriveKeys(env, 'idempotency records');
    this.current = new RecordSeal(current);
    this.previous = previous && new RecordSeal(previous);
  }
}
