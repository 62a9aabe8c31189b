import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/database/transaction-context';
import type { GuardrailFieldsDto } from './guardrail.dto';
import type { Guardrail } from './guardrail.entity';
import { GuardrailConditions } from './guardrail-conditions.service';
import { GuardrailService } from './guardrail.service';
import { COMPLETING, FIRINGS, FORGET, WATCHING } from './guardrail-changes.statements';
import { CompletingGuardrail, completingGuardrail, CompletingRow } from './known-enough.rules';
import type { GuardrailFiring, WatchingGuardrail } from './guardrail.types';
import type { StoredId } from '../../platform/database/identifiers';

/** The guardrails of one campaign, for what shows, copies or describes the whole campaign. */
@Injectable()
export class CampaignGuardrailsService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly guardrails: GuardrailService,
    private readonly conditions: GuardrailConditions,
  ) {}

  /** Returns the guardrails that watch a campaign, oldest first, also those of all campaigns. */
  async watching(companyId: StoredId, postId: string): Promise<WatchingGuardrail[]> {
    return this.transaction.manager.query<WatchingGuardrail[]>(WATCHING, [companyId, postId]);
  }

  /** Returns where each guardrail has fired last on a campaign, in the order of the log. */
  async firings(companyId: StoredId, postId: string): Promise<GuardrailFiring[]> {
    return this.transaction.manager.query<GuardrailFiring[]>(FIRINGS, [companyId, postId]);
  }

  /** Returns what completes a campaign once it is known well enough, and how well it is known. */
  async completing(companyId: StoredId, postId: string): Promise<CompletingGuardrail[]> {
    const rows = await this.transaction.manager.query<CompletingRow[]>(COMPLETING, [
      companyId,
      postId,
    ]);
    return rows.map(completingGuardrail);
  }

  /**
   * Gives a campaign the guardrails that another one has for itself, armed.
   *
   * @throws ApiError `too_many_guardrails`
   */
  async copy(companyId: StoredId, from: string, to: string): Promise<void> {
    for (const { name, conditions, action } of await this.own(companyId, from)) {
      await this.guardrails.create(companyId, { postId: to, name, conditions, action });
    }
  }

  /**
   * Locks the guardrails of a company for the transaction. The evaluation locks them before a
   * campaign, so whoever changes both does so too.
   */
  async lock(companyId: StoredId): Promise<void> {
    await this.guardrails.lock(companyId);
  }

  /**
   * Gives a campaign exactly these guardrails of its own: creates, updates and deletes by name.
   * The guardrails of the company are locked.
   *
   * @returns whether anything changed
   * @throws ApiError `validation_failed`, `guardrail_name_taken` or `too_many_guardrails`
   */
  async replace(
    companyId: StoredId,
    postId: string,
    wanted: readonly GuardrailFieldsDto[],
  ): Promise<boolean> {
    const stored = await this.own(companyId, postId);
    const names = new Set(wanted.map(({ name }) => name));
    // Before the others, because they need its places.
    const superfluous = stored.filter(({ name }) => !names.has(name));
    for (const { guardrailId } of superfluous) {
      await this.guardrails.delete(companyId, guardrailId);
    }
    let isChanged = superfluous.length > 0;
    for (const [index, { name, when, then }] of wanted.entries()) {
      const parent = `guardrails[${index}].`;
      const same = stored.find((each) => each.name === name);
      const conditions = await this.conditions.check(companyId, postId, when, parent);
      if (same === undefined) {
        await this.guardrails.create(companyId, { postId, name, conditions, action: then });
      } else if (same.action !== then || !isDeepStrictEqual(same.conditions, conditions)) {
        await this.guardrails.update(companyId, { guardrail_id: same.guardrailId, when, then });
      } else {
        continue;
      }
      isChanged = true;
    }
    await this.transaction.manager.query(FORGET, [companyId]);
    return isChanged;
  }

  /** The guardrails of this campaign only. */
  private async own(companyId: StoredId, postId: string): Promise<Guardrail[]> {
    const all = await this.guardrails.list(companyId, postId);
    return all.flatMap(({ guardrail }) => (guardrail.postId === postId ? [guardrail] : []));
  }
}
