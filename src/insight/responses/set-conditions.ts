import type { EntityManager } from 'typeorm';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { ConditionalQuestion } from '../../campaigns/questions/shown.rules';
import { CONDITIONS } from './export.statements';

/** Sets that are kept. Respondents to a replaced set and to the next one take turns for a while. */
const SETS_MAXIMUM = 4;

/** The questions of a set with what decides whether each is shown; `null` if all always are. */
export type Conditions = readonly ConditionalQuestion[] | null;

export interface VersionedRow {
  question_set_version: number | null;
}

/** What decides which questions of a campaign's sets are shown, read when it is asked for. */
export class SetConditions {
  private readonly known = new Map<number, Conditions>();

  constructor(
    private readonly on: Pick<EntityManager, 'query'>,
    private readonly campaign: Pick<Campaign, 'companyId' | 'id'>,
  ) {}

  /** Returns rows with the same set that follow one another, with the conditions of the set. */
  async *runsOf<Row extends VersionedRow>(
    rows: readonly Row[],
  ): AsyncGenerator<[run: Row[], conditions: Conditions]> {
    for (let from = 0; from < rows.length;) {
      const version = rows[from]?.question_set_version ?? null;
      const length = rows.slice(from).findIndex((row) => row.question_set_version !== version);
      const end = length === -1 ? rows.length : from + length;
      yield [rows.slice(from, end), version === null ? null : await this.of(version)];
      from = end;
    }
  }

  private async of(version: number): Promise<Conditions> {
    const known = this.known.get(version);
    if (known !== undefined) {
      return known;
    }
    const { companyId, id } = this.campaign;
    const [row] = await this.on.query<{ asked: ConditionalQuestion[] | null }[]>(CONDITIONS, [
      companyId,
      id,
      version,
    ]);
    if (this.known.size === SETS_MAXIMUM) {
      const [oldest = version] = this.known.keys();
      this.known.delete(oldest);
    }
    const asked = row?.asked ?? null;
    this.known.set(version, asked);
    return asked;
  }
}
