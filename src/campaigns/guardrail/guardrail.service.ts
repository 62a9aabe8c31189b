import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { CampaignService } from '../campaign/campaign.service';
import { withConstraints } from '../../platform/database/constraint-violation';
import { lowestFreeSlot } from '../../platform/database/lowest-free-slot';
import { newId, StoredId } from '../../platform/database/identifiers';
import { insertRow, statementWith, toEntity } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { Deletions } from '../../platform/deletion/deletions.service';
import type {
  ArmGuardrailDto,
  FiredDto,
  FiredGuardrail,
  UpdateGuardrailDto,
} from './guardrail.dto';
import { Guardrail } from './guardrail.entity';
import { GuardrailConditions } from './guardrail-conditions.service';
import { GuardrailWatcher } from './guardrail-watcher.service';
import {
  GUARDRAIL_ERRORS,
  guardrailNotFound,
  nothingToUpdate,
  notWatched,
} from './guardrail.errors';
import {
  ARM_CAMPAIGN,
  CHANGE,
  DELETE,
  FORGET,
  LAST_SEQ,
  LOCK,
  read,
  TAKEN,
} from './guardrail-changes.statements';

interface FiredColumn {
  fired: (Omit<FiredDto, 'at'> & { at: string }) | null;
}

/** New values of a guardrail. */
type Changes = Partial<Pick<Guardrail, 'name' | 'action' | 'conditions' | 'sinceSeq' | 'armedSeq'>>;

/** The guardrails of companies. Every statement names the company. */
@Injectable()
export class GuardrailService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly conditions: GuardrailConditions,
    private readonly watcher: GuardrailWatcher,
    private readonly deletions: Deletions,
  ) {}

  private get guardrails(): Repository<Guardrail> {
    return this.transaction.manager.getRepository(Guardrail);
  }

  /**
   * Creates a guardrail, which watches what is numbered in the log from now on.
   *
   * @param fields whose conditions are checked
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `guardrail_name_taken` or
   *   `too_many_guardrails`
   */
  async create(
    companyId: StoredId,
    fields: Pick<Guardrail, 'postId' | 'name' | 'conditions' | 'action'>,
  ): Promise<FiredGuardrail> {
    const { postId } = fields;
    if (postId !== null) {
      await this.campaigns.findOwned(companyId, postId);
    }
    return this.change(companyId, async (sinceSeq) => {
      const taken = await this.guardrails.query<
        Pick<Guardrail, 'slot' | 'campaignSlot' | 'postId'>[]
      >(TAKEN, [companyId]);
      const ofCampaign = taken.filter((each) => each.postId === postId);
      const guardrail = await withConstraints(
        () =>
          insertRow(this.guardrails, {
            companyId,
            guardrailId: newId('grd'),
            slot: lowestFreeSlot(taken.map(({ slot }) => slot)),
            campaignSlot: lowestFreeSlot(ofCampaign.map((each) => each.campaignSlot)),
            ...fields,
            sinceSeq,
            armedSeq: sinceSeq,
          }),
        GUARDRAIL_ERRORS,
      );
      return { guardrail, fired: null };
    });
  }

  /**
   * Returns the guardrails of a company, or those that watch one campaign, oldest first. For a
   * campaign, each has the firing there.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async list(companyId: StoredId, postId?: string): Promise<FiredGuardrail[]> {
    if (postId !== undefined) {
      await this.campaigns.findOwned(companyId, postId);
    }
    return this.read(companyId, null, postId);
  }

  /**
   * Returns a guardrail, with its firing on a campaign, or its last one.
   *
   * @throws ApiError `guardrail_not_found`
   */
  async findOwned(
    companyId: StoredId,
    guardrailId: string,
    postId?: string,
  ): Promise<FiredGuardrail> {
    const [found] = await this.read(companyId, guardrailId, postId);
    if (found === undefined) {
      throw guardrailNotFound();
    }
    return found;
  }

  /**
   * Changes the fields that are present. With other conditions, what it remembers is forgotten.
   *
   * @throws ApiError `nothing_to_update`, `guardrail_not_found` or `guardrail_name_taken`
   */
  async update(
    companyId: StoredId,
    { guardrail_id: guardrailId, name, when, then }: UpdateGuardrailDto,
  ): Promise<FiredGuardrail> {
    if (name === undefined && when === undefined && then === undefined) {
      throw nothingToUpdate();
    }
    return this.change(companyId, async (lastSeq) => {
      const { guardrail } = await this.findOwned(companyId, guardrailId);
      const conditions =
        when && (await this.conditions.check(companyId, guardrail.postId ?? undefined, when));
      const isOther = conditions && !isDeepStrictEqual(conditions, guardrail.conditions);
      const sinceSeq = isOther === true ? lastSeq : undefined;
      await this.write(companyId, guardrailId, { name, action: then, conditions, sinceSeq });
      return this.findOwned(companyId, guardrailId);
    });
  }

  /**
   * Deletes a guardrail; what it remembers is removed soon.
   *
   * @throws ApiError `guardrail_not_found`
   */
  async delete(companyId: StoredId, guardrailId: string): Promise<FiredGuardrail> {
    return this.change(companyId, async () => {
      const found = await this.findOwned(companyId, guardrailId);
      await this.guardrails.query(DELETE, [companyId, guardrailId]);
      await this.guardrails.query(FORGET, [companyId]);
      this.transaction.afterSuccess(() => {
        this.deletions.removeSoon(companyId, guardrailId);
      });
      return found;
    });
  }

  /**
   * Lets a guardrail fire again: it watches what is numbered in the log from now on.
   *
   * @throws ApiError `guardrail_not_found`, `campaign_not_found`, `campaign_not_owned`, or
   *   `validation_failed` for a campaign that it does not watch
   */
  async arm(
    companyId: StoredId,
    { guardrail_id: guardrailId, post_id }: ArmGuardrailDto,
  ): Promise<FiredGuardrail> {
    if (post_id !== undefined) {
      await this.campaigns.findOwned(companyId, post_id);
    }
    return this.change(companyId, async (sinceSeq) => {
      const { guardrail } = await this.findOwned(companyId, guardrailId);
      if (post_id !== undefined && (guardrail.postId ?? post_id) !== post_id) {
        throw notWatched();
      }
      if (post_id === undefined || guardrail.postId === post_id) {
        await this.write(companyId, guardrailId, { sinceSeq, armedSeq: sinceSeq });
      } else {
        await this.guardrails.query(ARM_CAMPAIGN, [companyId, guardrailId, post_id, sinceSeq]);
      }
      return this.findOwned(companyId, guardrailId, post_id);
    });
  }

  private async write(companyId: StoredId, guardrailId: string, changes: Changes): Promise<void> {
    const { name, action, conditions, sinceSeq, armedSeq } = changes;
    await withConstraints(
      () =>
        this.guardrails.query(CHANGE, [
          companyId,
          guardrailId,
          name ?? null,
          action ?? null,
          conditions === undefined ? null : JSON.stringify(conditions),
          sinceSeq ?? null,
          armedSeq ?? null,
        ]),
      GUARDRAIL_ERRORS,
    );
  }

  private async read(
    companyId: StoredId,
    guardrailId: string | null,
    postId: string | null = null,
  ): Promise<FiredGuardrail[]> {
    const rows = await this.guardrails.query<(Record<string, unknown> & FiredColumn)[]>(
      statementWith(this.guardrails, read),
      [companyId, guardrailId, postId],
    );
    return rows.map((row) => ({
      guardrail: toEntity(this.guardrails, row),
      fired: row.fired && { ...row.fired, at: new Date(row.fired.at) },
    }));
  }

  /** Locks the guardrails of a company, and returns the number of its last event. */
  async lock(companyId: StoredId): Promise<string> {
    await this.guardrails.query(LOCK, [companyId, await this.lastSeq(companyId), randomUUID()]);
    // Until the lock was free, the log went on and guardrails fired.
    return this.lastSeq(companyId);
  }

  private async lastSeq(companyId: StoredId): Promise<string> {
    const [row] = await this.guardrails.query<{ last_seq: string }[]>(LAST_SEQ, [companyId]);
    return row?.last_seq ?? '0';
  }

  /** Runs work that changes the guardrails of a company, with the number of its last event. */
  private async change<T>(companyId: StoredId, work: (lastSeq: string) => Promise<T>): Promise<T> {
    return this.transaction.run(async () => {
      this.transaction.afterEnd(() => {
        this.watcher.changed();
      });
      return work(await this.lock(companyId));
    });
  }
}
