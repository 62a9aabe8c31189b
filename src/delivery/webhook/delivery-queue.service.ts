import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../../platform/config/env';
import { toEntity } from '../../platform/database/rows';
import { Event } from '../../platform/event/event.entity';
import type { Outcome } from './sender.service';
import type { StoredId } from '../../platform/database/identifiers';

/** Attempts for one endpoint that run at once, in all processes. */
export const AT_ONCE = 5;

/** Seconds after the time limit of an attempt until another process may repeat it. */
const LEASE_MARGIN = 15;

/** Seconds until an attempt that the service has interrupted is repeated. */
const AFTER_INTERRUPTION = 1;

/** The longest `Retry-After` that is obeyed, in seconds. */
const RETRY_AFTER_MAXIMUM = 86_400;

/** A pause is up to this much longer, so that the receiver's clients do not all return at once. */
const JITTER = 0.1;

/** Maximum number of endpoints that one poll returns. */
const LOOK_MAXIMUM = 1_000;

const ANY = 'SELECT company_id FROM webhook_endpoint LIMIT 1';

const DUE = `
  SELECT company_id AS "companyId", webhook_id AS "webhookId", currency FROM webhook_endpoint
  WHERE due_at <= clock_timestamp() AND company_id <> ALL ($1)
  ORDER BY due_at LIMIT ${LOOK_MAXIMUM}`;

const CLAIMED = '*, claimed_at AS "claimedAt", previous_secret AS "previousSecret"';

const CLAIM = `SELECT ${CLAIMED} FROM claim_deliveries($1, $2, $3, $4, $5)`;

const FINISH = `
  SELECT ${CLAIMED} FROM finish_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** An endpoint that may have something to deliver. */
export interface DueEndpoint {
  companyId: StoredId;
  webhookId: string;
  /** The company's currency, which never changes. */
  currency: string;
}

/** What the database says of a claim, with the columns of its event. */
interface Claim {
  /** The number of the claim; a result of an earlier claim is not written. */
  claim: number;
  /** Failed attempts so far. */
  failures: number;
  claimedAt: Date;
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
}

/** A delivery that this process may attempt, until its lease ends. */
export interface ClaimedDelivery extends DueEndpoint, Claim {
  event: Event;
}

/** The database's side of deliveries: which are due, who attempts them, and what came of it. */
@Injectable()
export class DeliveryQueue {
  /** Seconds between the attempts of a delivery. */
  private readonly pauses: readonly number[];
  private readonly lease: string;
  private readonly patience: string;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    { WEBHOOK_RETRY_SECONDS, WEBHOOK_TIMEOUT_SECONDS, WEBHOOK_DISABLE_SECONDS }: Env,
  ) {
    this.pauses = WEBHOOK_RETRY_SECONDS.split(',').map(Number);
    this.lease = interval(WEBHOOK_TIMEOUT_SECONDS + LEASE_MARGIN);
    this.patience = interval(WEBHOOK_DISABLE_SECONDS);
  }

  /** Returns whether any company has an endpoint. */
  async hasEndpoints(): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(ANY)).length > 0;
  }

  /**
   * Returns the endpoints that need a look, the longest due first.
   *
   * @param except companies that are left out, so that those of others are found however many wait
   */
  async due(except: readonly StoredId[]): Promise<DueEndpoint[]> {
    return this.dataSource.query<DueEndpoint[]>(DUE, [except]);
  }

  /** Claims at most this many deliveries of an endpoint. */
  async claim(endpoint: DueEndpoint, most: number): Promise<ClaimedDelivery[]> {
    const { companyId, webhookId } = endpoint;
    const parameters = [companyId, webhookId, most, AT_ONCE, this.lease];
    return this.claimed(endpoint, await this.dataSource.query<Claim[]>(CLAIM, parameters));
  }

  /**
   * Writes the result of an attempt, unless the delivery was claimed again in the meantime, and
   * claims the endpoint's next deliveries, in one transaction.
   *
   * @param duration of the attempt, in milliseconds
   * @param most how many deliveries to claim
   */
  async finish(
    { companyId, webhookId, currency, event, claim, failures, claimedAt }: ClaimedDelivery,
    outcome: Outcome,
    duration: number,
    most: number,
  ): Promise<ClaimedDelivery[]> {
    const { status, error } = outcome;
    const pause = this.pauseAfter(outcome, failures);
    const rows = await this.dataSource.query<Claim[]>(FINISH, [
      companyId,
      webhookId,
      event.seq,
      claim,
      kindOf(outcome),
      JSON.stringify({ at: claimedAt, status, duration_ms: Math.round(duration), error }),
      pause === undefined ? null : interval(pause),
      this.patience,
      most,
      AT_ONCE,
      this.lease,
    ]);
    return this.claimed({ companyId, webhookId, currency }, rows);
  }

  /** Seconds until the next attempt; `undefined` if there is none. */
  private pauseAfter({ error, retryAfter = 0 }: Outcome, failures: number): number | undefined {
    if (error === 'interrupted') {
      return AFTER_INTERRUPTION;
    }
    if (error === 'gone') {
      // It waits until the endpoint is enabled again.
      return 0;
    }
    const pause = this.pauses[failures];
    return pause === undefined
      ? undefined
      : Math.max(pause * (1 + JITTER * Math.random()), Math.min(retryAfter, RETRY_AFTER_MAXIMUM));
  }

  private claimed(
    { companyId, webhookId, currency }: DueEndpoint,
    rows: readonly Claim[],
  ): ClaimedDelivery[] {
    const events = this.dataSource.getRepository(Event);
    return rows.map((row) => ({
      ...row,
      companyId,
      webhookId,
      currency,
      event: toEntity(events, { ...row, company_id: companyId }),
    }));
  }
}

const interval = (seconds: number) => `${seconds} seconds`;

function kindOf({ error }: Outcome): 'delivered' | 'gone' | 'interrupted' | 'failed' {
  if (error === null) {
    return 'delivered';
  }
  return error === 'gone' || error === 'interrupted' ? error : 'failed';
}
