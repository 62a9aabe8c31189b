import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { withConstraints } from '../../platform/database/constraint-violation';
import { lowestFreeSlot } from '../../platform/database/lowest-free-slot';
import { newId, StoredId } from '../../platform/database/identifiers';
import { columnList, insertRow, toEntity } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { Deletions } from '../../platform/deletion/deletions.service';
import { Env } from '../../platform/config/env';
import { actorOf, currencyOf, Principal, readsResponses } from '../../platform/caller/principal';
import { TargetRules, targetRules, whyRefused } from './target.rules';
import { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto';
import { WebhookEndpoint } from './webhook-endpoint.entity';
import {
  nothingToUpdate,
  tooManyWebhooks,
  urlRefused,
  webhookDisabled,
  webhookNotFound,
} from './webhook.errors';
import { WebhookSecrets } from './webhook-secrets.service';
import {
  DISABLE,
  ENABLE,
  FORGET_ATTEMPTS,
  KEEP_SECRET,
  LOCK_END_OF_LOG,
  TAKEN_SLOTS,
  TEST,
} from './webhook.statements';

/** An endpoint with its secret, which is returned this once. */
interface NewSecret {
  webhook: WebhookEndpoint;
  secret: string;
}

/** Columns that a request changes. */
type Columns = Readonly<
  Partial<Record<'url' | 'reads_responses' | 'event_types' | 'description' | 'secret', unknown>>
>;

/** The endpoints of companies. Every statement names the company. */
@Injectable()
export class WebhookService {
  private readonly rules: TargetRules;

  constructor(
    private readonly transaction: TransactionContext,
    private readonly secrets: WebhookSecrets,
    private readonly deletions: Deletions,
    env: Env,
  ) {
    this.rules = targetRules(env);
  }

  private get webhooks(): Repository<WebhookEndpoint> {
    return this.transaction.manager.getRepository(WebhookEndpoint);
  }

  /**
   * Creates an endpoint, which receives every event that is numbered from now on.
   *
   * @throws ApiError `validation_failed` if the URL is not allowed, `too_many_webhooks`
   */
  async create(
    caller: Principal,
    { url, event_types, description }: CreateWebhookDto,
  ): Promise<NewSecret> {
    this.refuseUrl(url);
    const { callerId: companyId } = caller;
    const webhookId = newId('whk');
    const secret = this.secrets.generate();
    return this.transaction.run(async () => {
      const [{ last_seq }] = await this.webhooks.query<[{ last_seq: string }]>(LOCK_END_OF_LOG, [
        companyId,
      ]);
      const taken = await this.webhooks.query<{ slot: number }[]>(TAKEN_SLOTS, [companyId]);
      const webhook = await withConstraints(
        () =>
          insertRow(this.webhooks, {
            companyId,
            webhookId,
            slot: lowestFreeSlot(taken.map(({ slot }) => slot)),
            url,
            readsResponses: readsResponses(caller),
            eventTypes: event_types ?? null,
            description: description ?? null,
            currency: currencyOf(caller),
            secret: this.secrets.seal(secret, webhookId),
            claimedSeq: last_seq,
            updatedBy: actorOf(caller),
          }),
        { webhook_endpoint_maximum: tooManyWebhooks },
      );
      return { webhook, secret };
    });
  }

  /** Returns the endpoints of a company, oldest first. */
  async list(companyId: StoredId): Promise<WebhookEndpoint[]> {
    return this.webhooks.find({ where: { companyId }, order: { webhookId: 'ASC' } });
  }

  /**
   * Changes an endpoint. Enabling it continues where it stopped in the log. Attempts that run while
   * it is enabled or gets a URL have no result.
   *
   * @throws ApiError `nothing_to_update`, `validation_failed` if the URL is not allowed,
   *   `webhook_not_found`
   */
  async update(
    caller: Principal,
    { webhook_id, url, event_types, description, enabled }: UpdateWebhookDto,
  ): Promise<WebhookEndpoint> {
    if (url !== undefined) {
      this.refuseUrl(url);
    }
    const isRenewed = url !== undefined || enabled === true;
    const set = [
      ...(isRenewed ? ['failing_since = NULL'] : []),
      ...(enabled === undefined ? [] : [enabled ? ENABLE : DISABLE]),
    ];
    if (set.length === 0 && event_types === undefined && description === undefined) {
      throw nothingToUpdate();
    }
    // Whoever sets the URL may own its receiver, which then sees what their key sees.
    const reads_responses = url === undefined ? undefined : readsResponses(caller);
    const columns = { url, reads_responses, event_types, description };
    return this.transaction.run(async () => {
      const webhook = found(await this.change(caller, webhook_id, set, { columns }));
      if (isRenewed) {
        await this.webhooks.query(FORGET_ATTEMPTS, [caller.callerId, webhook_id]);
      }
      return webhook;
    });
  }

  /**
   * Gives an endpoint a new secret. For a day the previous one signs too.
   *
   * @throws ApiError `webhook_not_found`
   */
  async rotateSecret(caller: Principal, webhookId: string): Promise<NewSecret> {
    const secret = this.secrets.generate();
    const webhook = await this.change(caller, webhookId, KEEP_SECRET, {
      columns: { secret: this.secrets.seal(secret, webhookId) },
    });
    return { webhook: found(webhook), secret };
  }

  /**
   * Makes an event that only this endpoint receives.
   *
   * @throws ApiError `webhook_not_found` or `webhook_disabled`
   */
  async test(caller: Principal, webhookId: string): Promise<WebhookEndpoint> {
    const webhook = await this.change(caller, webhookId, [TEST], { condition: 'enabled' });
    if (webhook === null) {
      await this.findOwned(caller.callerId, webhookId);
      throw webhookDisabled();
    }
    return webhook;
  }

  /**
   * Deletes an endpoint; its deliveries are removed afterwards. Attempts that are running go on.
   *
   * @throws ApiError `webhook_not_found`
   */
  async delete(companyId: StoredId, webhookId: string): Promise<WebhookEndpoint> {
    const [[row]] = await this.webhooks.query<[Record<string, unknown>[], number]>(
      `DELETE FROM webhook_endpoint WHERE company_id = $1 AND webhook_id = $2
       RETURNING ${columnList(this.webhooks)}`,
      [companyId, webhookId],
    );
    const webhook = found(row === undefined ? null : toEntity(this.webhooks, row));
    this.transaction.afterSuccess(() => {
      this.deletions.removeSoon(companyId, webhookId);
    });
    return webhook;
  }

  /** @throws ApiError `webhook_not_found` */
  async findOwned(companyId: StoredId, webhookId: string): Promise<WebhookEndpoint> {
    return found(await this.webhooks.findOneBy({ companyId, webhookId }));
  }

  /**
   * Changes an endpoint, in at least one assignment or column.
   *
   * @param set assignments in SQL
   * @param columns new values of further columns; `undefined` leaves one as it is
   * @param condition SQL that must be true of the endpoint
   * @returns the endpoint as stored, or `null` if none matches
   */
  private async change(
    caller: Principal,
    webhookId: string,
    set: readonly string[],
    { columns = {}, condition = 'true' }: { columns?: Columns; condition?: string } = {},
  ): Promise<WebhookEndpoint | null> {
    const parameters: unknown[] = [caller.callerId, webhookId, actorOf(caller)];
    const assigned = Object.entries(columns)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => `${column} = $${parameters.push(value)}`);
    const [[row]] = await this.webhooks.query<[Record<string, unknown>[], number]>(
      `UPDATE webhook_endpoint
       SET ${[...set, ...assigned].join(', ')}, version = webhook_endpoint.version + 1,
         updated_by = $3, updated_at = greatest(clock.now, webhook_endpoint.updated_at)
       FROM (
         SELECT clock_timestamp() AS now, clock_timestamp() + interval '24 hours' AS tomorrow
         OFFSET 0
       ) AS clock
       WHERE company_id = $1 AND webhook_id = $2 AND ${condition}
       RETURNING ${columnList(this.webhooks)}`,
      parameters,
    );
    return row === undefined ? null : toEntity(this.webhooks, row);
  }

  private refuseUrl(url: string): void {
    const why = whyRefused(url, this.rules);
    if (why !== undefined) {
      throw urlRefused(why);
    }
  }
}

function found(webhook: WebhookEndpoint | null): WebhookEndpoint {
  if (webhook === null) {
    throw webhookNotFound();
  }
  return webhook;
}
