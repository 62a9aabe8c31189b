import { createHmac, createPrivateKey, createSecretKey, KeyObject, randomBytes } from 'node:crypto';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Env } from '../../platform/config/env';
import { Sealer } from '../../platform/config/sealer';
import { printId, StoredId } from '../../platform/database/identifiers';
import { insertRowIfAbsent } from '../../platform/database/rows';
import { SealedKey } from './sealed-key.entity';

const KEY_LENGTH = 32;

/** Bytes of a stored hash: with 128 bits, no two respondents have the same by chance. */
const HASH_LENGTH = 16;

/** What precedes the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The keys that respondents are hashed and receipts are signed with. They are random, made once,
 * and stored encrypted with `ENCRYPTION_KEY`: if they changed with it, a respondent could take part
 * in a campaign again, and earlier receipts could not be checked.
 */
@Injectable()
export class FieldingKeys implements OnModuleInit {
  private readonly logger = new Logger(FieldingKeys.name);
  private readonly sealer: Sealer;
  private readonly opened = new Map<string, KeyObject>();
  private signing?: KeyObject;

  constructor(
    @InjectRepository(SealedKey) private readonly keys: Repository<SealedKey>,
    env: Env,
  ) {
    this.sealer = new Sealer(env, 'fielding keys');
  }

  async onModuleInit(): Promise<void> {
    for (const name of ['respondents', 'receipts']) {
      const key = await this.read(name);
      if (key === undefined) {
        this.logger.error(
          `the key of ${name} cannot be decrypted with ENCRYPTION_KEY; fielding does not work without it`,
        );
      } else {
        this.opened.set(name, key);
      }
    }
  }

  /** Returns the hash under which a respondent of a platform is stored. */
  hashRespondent(platform: string, respondentId: string): Buffer {
    return this.hmac('respondent', `${platform}\n${respondentId}`);
  }

  /** Returns the hash of what was submitted. */
  hashSubmission(content: string): Buffer {
    return this.hmac('submission', content);
  }

  /** Returns 64 bits of the hash of an open text in a campaign, as a signed decimal. */
  hashText(postId: string, text: string): string {
    return String(this.hmac('text', `${postId}\n${text}`).readBigInt64BE());
  }

  /** Returns what decides the order in which a participation shows what has a name. */
  orderSeed(participationId: StoredId, name: string): Buffer {
    return this.hmac('order', `${printId('part', participationId)}\n${name}`);
  }

  /** Returns a name for a respondent that is unrelated to the names in other campaigns. */
  pseudonym(postId: string, respondent: Buffer): string {
    const digest = this.hmac('pseudonym', `${postId}\n${respondent.toString('hex')}`);
    return `resp_${digest.toString('hex')}`;
  }

  /** The key that signs receipts. */
  get signingKey(): KeyObject {
    this.signing ??= createPrivateKey({
      key: Buffer.concat([ED25519_PREFIX, this.key('receipts').export()]),
      format: 'der',
      type: 'pkcs8',
    });
    return this.signing;
  }

  private hmac(purpose: string, text: string): Buffer {
    const hmac = createHmac('sha256', this.key('respondents')).update(`${purpose}\n${text}`);
    return hmac.digest().subarray(0, HASH_LENGTH);
  }

  private key(name: string): KeyObject {
    const key = this.opened.get(name);
    if (key === undefined) {
      throw new Error(`the key of ${name} cannot be decrypted with ENCRYPTION_KEY`);
    }
    return key;
  }

  /** Reads a key, or makes it. One that another key has encrypted is encrypted again. */
  private async read(name: string): Promise<KeyObject | undefined> {
    const made = randomBytes(KEY_LENGTH).toString('hex');
    const sealed = this.sealer.seal(made, name);
    const stored =
      (await insertRowIfAbsent(this.keys, { name, sealed })) ??
      (await this.keys.findOneByOrFail({ name }));
    const open = this.sealer.open(stored.sealed, name);
    if (open?.outdated === true) {
      await this.keys.update(
        { name, sealed: stored.sealed },
        { sealed: this.sealer.seal(open.text, name) },
      );
    }
    return open && createSecretKey(open.text, 'hex');
  }
}
