import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAMPAIGN_FIELDS, CONTENT, toColumns } from './campaign.columns';

const sqlOf = (name: string) => readFileSync(join(__dirname, 'sql', `${name}.sql`), 'utf8');

const RECORDED = Object.entries(CAMPAIGN_FIELDS)
  .filter(([, { event }]) => event !== null)
  .map(([name]) => name);

describe('a field of a campaign', () => {
  it.each(RECORDED)('is in the events of creations and of changes: %s', (name) => {
    const [always = '', ifPresent = ''] = sqlOf('record_campaign_created').split('num_nonnulls');
    const printed = (column: string) => (name.endsWith('_at') ? `json_time(${column})` : column);
    const recorded = `'${name}', ${printed(`NEW.${name}`)}`;
    const [present = ''] = ifPresent.split(') > 0');
    expect(
      always.includes(recorded) ||
        (present.includes(`NEW.${name}`) && ifPresent.includes(recorded)),
    ).toBe(true);
    expect(sqlOf('campaign_changes')).toContain(
      `field_change('${name}', ${printed(`before.${name}`)}, ${printed(`after.${name}`)})`,
    );
  });

  it('is a column if it is present in a request, with exact decimals', () => {
    const fields = { post_id: 'p', title: 'A', content_url: null, budget: 5, tagline: undefined };
    expect(toColumns(fields, 'USD')).toEqual({ title: 'A', contentUrl: null, budget: '5.00' });
  });

  it('brings the default rewards if it is the reward (section 2.3)', () => {
    expect(Object.entries(toColumns({ reward_amount: 100, is_live: true }, 'USD'))).toEqual([
      ['rewardAmount', '100.00'],
      ['cohortRewards', ['3.00', '40.00', '60.00', '80.00', '100.00']],
      ['isLive', true],
    ]);
  });

  it('is no column of a change if it is fixed', () => {
    const fields = { type: 'survey', has_feedback: true, external_ref: 'a' } as const;
    expect(toColumns(fields, 'USD')).toEqual({});
  });

  it('is in copies unless it names or schedules the campaign', () => {
    const { column, copied } = CAMPAIGN_FIELDS.starts_at;
    expect([copied, CONTENT.includes(column), CONTENT.includes('title')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(CONTENT).toEqual(expect.arrayContaining(['imageSurvey', 'cohortRewards', 'budget']));
  });
});
