import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, Repository } from 'typeorm';
import { withConstraints } from '../../platform/database/constraint-violation';
import { FIRST_STORED_ID, printId, storedId, StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { statementLimit } from '../../platform/database/statement-limit';
import { cutPage, fromTimeKey, Page, readCursor, toTimeKey } from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../../platform/validation/page-query.dto';
import type { SettlementListQueryDto } from './settlement.dto';
import { Settlement } from './settlement.entity';
import { referenceInvalid, settlementNotFound } from './settlement.errors';
import type { SettlementLine, SettlementState } from './settlement.types';

/** Whose settlements to read: those about a company, of a platform, or of both. */
export interface Owner {
  companyId?: StoredId | undefined;
  platform?: string | undefined;
}

const STATES: Readonly<Record<SettlementState, string>> = {
  closed: 'settlement.paid_at IS NULL',
  paid: 'settlement.paid_at IS NOT NULL',
};

/** The condition that a settlement is one of an owner, and its parameters after others. */
function ownedBy({ companyId, platform }: Owner, before: number): [string[], unknown[]] {
  const parameters = [companyId, platform].filter((value) => value !== undefined);
  const conditions = [
    ...(companyId === undefined ? [] : ['company_id']),
    ...(platform === undefined ? [] : ['platform']),
  ].map((column, index) => `settlement.${column} = $${before + index + 1}`);
  return [conditions, parameters];
}

/** The campaigns of settlement $2 after position $3. */
const lines = (limit: number) => `
  SELECT l.position, c.post_id, l.payments, l.net
  FROM settlement_line AS l
  JOIN campaign AS c ON c.company_id = $1 AND c.id = l.campaign_id
  WHERE l.company_id = $1 AND l.settlement_id = $2 AND l.position > $3
  ORDER BY l.position LIMIT ${limit}`;

const PAY = 'SELECT pay_settlement($1, $2, $3) AS reference';

/** Reads settlements, and records that they are paid. A platform has some with many companies. */
@Injectable()
export class SettlementsService {
  private readonly settlements: Repository<Settlement>;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.settlements = dataSource.getRepository(Settlement);
  }

  /**
   * Returns a page of an owner's settlements, newest first.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    owner: Owner,
    { limit = PAGE_LIMIT_DEFAULT, cursor, state }: SettlementListQueryDto,
  ): Promise<Page<Settlement>> {
    const filters = { settlementsOf: owner, state };
    const [time, id = ''] = readCursor(cursor, filters, ['number', 'identifier']);
    const after =
      cursor === undefined
        ? ['infinity', FIRST_STORED_ID]
        : [fromTimeKey(time), storedId('stl', id)];
    const [conditions, parameters] = ownedBy(owner, after.length);
    const all = [
      ...conditions,
      '(settlement.closed_at, settlement.settlement_id) < ($1::timestamptz, $2::uuid)',
      ...(state === undefined ? [] : [STATES[state]]),
    ];
    const rows = await this.settlements.query<Record<string, unknown>[]>(
      `SELECT ${columnList(this.settlements)} FROM settlement WHERE ${all.join(' AND ')}
       ORDER BY settlement.closed_at DESC, settlement.settlement_id DESC
       LIMIT ${statementLimit(limit) + 1}`,
      [...after, ...parameters],
    );
    return cutPage(
      rows.map((row) => toEntity(this.settlements, row)),
      limit,
      ({ closedAt, settlementId }) => [toTimeKey(closedAt), printId('stl', settlementId)],
      filters,
    );
  }

  /**
   * Returns a settlement of an owner.
   *
   * @throws ApiError `settlement_not_found`, also for one of another owner
   */
  async find(owner: Owner, settlementId: string): Promise<Settlement> {
    const [conditions, parameters] = ownedBy(owner, 1);
    const all = ['settlement.settlement_id = $1', ...conditions];
    const [row] = await this.settlements.query<Record<string, unknown>[]>(
      `SELECT ${columnList(this.settlements)} FROM settlement WHERE ${all.join(' AND ')}`,
      [storedId('stl', settlementId), ...parameters],
    );
    if (row === undefined) {
      throw settlementNotFound();
    }
    return toEntity(this.settlements, row);
  }

  /** Returns settlements by their identifiers. */
  findAll(ids: readonly StoredId[]): Promise<Settlement[]> {
    const where = { settlementId: In([...ids]) };
    return this.settlements.find({ where, order: { companyId: 'ASC', platform: 'ASC' } });
  }

  /** Returns the settlements about a company that end at a number of its log. */
  endingAt(companyId: StoredId, toSeq: number, platform?: string): Promise<Settlement[]> {
    const where = {
      companyId,
      toSeq: String(toSeq),
      ...(platform === undefined ? {} : { platform }),
    };
    return this.settlements.find({ where, order: { platform: 'ASC' } });
  }

  /**
   * Returns a page of the campaigns of a settlement, in the order of their first payments.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned for this settlement
   */
  async lines(
    { companyId, settlementId }: Settlement,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<Page<SettlementLine>> {
    const list = { linesOf: settlementId };
    const [after = '0'] = readCursor(cursor, list, ['number']);
    const rows = await this.dataSource.query<SettlementLine[]>(lines(statementLimit(limit) + 1), [
      companyId,
      settlementId,
      after,
    ]);
    return cutPage(rows, limit, ({ position }) => [String(position)], list);
  }

  /**
   * Records that the operator has paid a settlement. The same reference again changes nothing.
   *
   * @returns what it is paid with: another reference if it was paid with that
   * @throws ApiError `settlement_not_found`, or Error if the reference is not valid
   */
  async pay(settlementId: string, reference: string): Promise<string> {
    const { companyId, settlementId: id } = await this.find({}, settlementId);
    const [paid] = await withConstraints(
      () => this.dataSource.query<[{ reference: string }]>(PAY, [companyId, id, reference]),
      { settlement_reference_length: referenceInvalid },
    );
    return paid.reference;
  }
}
