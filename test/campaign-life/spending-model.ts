import fc from 'fast-check';
import { createSurvey } from '../support/builders';
import type { Client } from '../support/client';
import { Begun, begun, expectReconciled, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { committedBy, limitedKey, toggle } from '../support/spending';

/** Steps of each run, and runs. */
const STEPS = Number(process.env.SPENDING_STEPS ?? 40);
const RUNS = Number(process.env.SPENDING_RUNS ?? 1);

const LIMITS = [150, 90];

/** Whose change it is: a key by its place in LIMITS, or the key without a limit. */
type Spender = number;

interface Place {
  begun: Begun;
  held: number;
  state: 'open' | 'submitted' | 'closed';
  reward: number;
}

/** A campaign as the model knows it. */
interface Modelled {
  post_id: string;
  live: boolean;
  reward: number;
  max: number;
  budget: number | null;
  places: Place[];
  charges: { spender: Spender; amount: number }[];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const openOf = ({ places }: Modelled) => places.filter(({ state }) => state === 'open');
const takenOf = ({ places }: Modelled) => places.filter(({ state }) => state !== 'closed').length;
const spentOf = ({ places }: Modelled) => sum(places.map(({ reward }) => reward));
const heldOf = (campaign: Modelled) => sum(openOf(campaign).map(({ held }) => held));

function isExhausted(campaign: Modelled): boolean {
  const { max, budget, reward, places } = campaign;
  const answered = places.filter(({ state }) => state === 'submitted').length;
  const spent = spentOf(campaign);
  return (
    answered >= max ||
    (budget !== null && spent > 0 && heldOf(campaign) === 0 && budget - spent < reward)
  );
}

/** What a campaign can cost at most. */
function costOf(campaign: Modelled): number {
  if (!campaign.live) {
    return spentOf(campaign) + heldOf(campaign);
  }
  const { reward, max, budget } = campaign;
  const open = sum(openOf(campaign).map(({ held }) => Math.max(held, reward)));
  const all = reward * (max - takenOf(campaign)) + spentOf(campaign) + open;
  return Math.min(all, budget ?? Infinity);
}

function giveBack(campaign: Modelled, amount: number): void {
  let left = amount;
  for (const charge of campaign.charges.toReversed()) {
    const part = Math.min(left, charge.amount);
    charge.amount -= part;
    left -= part;
  }
}

/** What a change costs its key, or `null` if the limit refuses it. */
function charge(before: Modelled, after: Modelled, spender: Spender, committed: number): boolean {
  const was = costOf({ ...after, ...before, places: after.places });
  const becomes = costOf(after);
  const charged = sum(after.charges.map(({ amount }) => amount));
  const more = becomes - was;
  const returned = Math.max(0, charged - was);
  const own = after.charges.length === 0 ? 0 : sharedBack(after, returned, spender);
  if (more > 0 && committed - own + more > (LIMITS[spender] ?? Infinity)) {
    return false;
  }
  giveBack(after, returned + Math.max(0, -more));
  if (more > 0) {
    after.charges.push({ spender, amount: more });
  }
  return true;
}

/** How much of what is given back a spender gets. */
function sharedBack(campaign: Modelled, amount: number, spender: Spender): number {
  const copy = { ...campaign, charges: campaign.charges.map((each) => ({ ...each })) };
  giveBack(copy, amount);
  const of = ({ charges }: Modelled) =>
    sum(charges.filter((each) => each.spender === spender).map((each) => each.amount));
  return of(campaign) - of(copy);
}

describe('what keys commit, compared with a model', () => {
  const company = companyForAll();
  const platform = platformForAll();

  const STEP = fc.record({
    kind: fc.constantFrom(
      'start',
      'start',
      'stop',
      'reward',
      'max',
      'budget',
      'begin',
      'begin',
      'submit',
      'abandon',
      'reverse',
    ),
    campaign: fc.nat(2),
    spender: fc.nat(2),
    value: fc.integer({ min: 1, max: 12 }),
  });

  it('is what the model says after every step, and never more than a limit', async () => {
    let respondents = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        const limited = await Promise.all(
          LIMITS.map((limit) => limitedKey(company.account, limit)),
        );
        const clients: Client[] = [...limited.map(({ api }) => api), company.api];
        const campaigns: Modelled[] = [];
        for (let index = 0; index < 3; index += 1) {
          const { post_id } = await createSurvey(company.api, {
            reward_amount: 10,
            max_responses: 4,
          });
          const draft = { live: false, reward: 10, max: 4, budget: null };
          campaigns.push({ post_id, ...draft, places: [], charges: [] });
        }
        const committedOf = (spender: Spender) =>
          sum(
            campaigns.flatMap(({ charges }) =>
              charges.filter((each) => each.spender === spender).map(({ amount }) => amount),
            ),
          );

        /** Changes a campaign by a request, and expects what the model does. */
        const change = async (campaign: Modelled, spender: Spender, fields: Partial<Modelled>) => {
          const before = { ...campaign };
          const after = { ...campaign, ...fields };
          const isBelow =
            after.max < takenOf(after) ||
            (after.budget !== null && after.budget < spentOf(after) + heldOf(after));
          if (isExhausted(after)) {
            if (fields.live === true) {
              return;
            }
            after.live = false;
          }
          const api = clients[spender]!;
          const { post_id } = campaign;
          const answer =
            fields.live === undefined
              ? await api.patch('/svc/campaign/update', {
                  post_id,
                  ...(fields.reward === undefined ? {} : { reward_amount: fields.reward }),
                  ...(fields.max === undefined ? {} : { max_responses: fields.max }),
                  ...(fields.budget === undefined ? {} : { budget: fields.budget }),
                })
              : await toggle(api, post_id, fields.live);
          // A request that changes nothing gives nothing back.
          if (Object.entries(fields).every(([name, value]) => before[name as 'max'] === value)) {
            expect(answer.status).toBe(200);
            return;
          }
          if (isBelow) {
            expect(answer.status).toBe(422);
            return;
          }
          const isAllowed = charge(before, after, spender, committedOf(spender));
          expect([answer.status, answer.body.error?.code]).toEqual(
            isAllowed ? [200, undefined] : [422, 'spending_limit_exceeded'],
          );
          if (isAllowed) {
            Object.assign(campaign, after);
          }
        };

        /** What a step of a respondent means for the commitment. */
        const settle = (campaign: Modelled) => {
          if (isExhausted(campaign)) {
            campaign.live = false;
          }
          if (!campaign.live) {
            const charged = sum(campaign.charges.map(({ amount }) => amount));
            giveBack(campaign, Math.max(0, charged - costOf(campaign)));
          }
        };

        for (const { kind, campaign: index, spender, value } of steps) {
          const campaign = campaigns[index]!;
          const { post_id, reward, places } = campaign;
          const place = places.find(
            ({ state }) => state === (kind === 'reverse' ? 'submitted' : 'open'),
          );
          if (kind === 'start' || kind === 'stop') {
            await change(campaign, spender, { live: kind === 'start' });
          } else if (kind === 'reward') {
            await change(campaign, spender, { reward: value + 4 });
          } else if (kind === 'max') {
            await change(campaign, spender, { max: value });
          } else if (kind === 'budget') {
            await change(campaign, spender, { budget: value > 9 ? null : value * 10 });
          } else if (kind === 'begin') {
            const needed = spentOf(campaign) + heldOf(campaign) + reward;
            if (
              campaign.live &&
              takenOf(campaign) < campaign.max &&
              needed <= (campaign.budget ?? Infinity)
            ) {
              respondents += 1;
              const begunNow = await begun(platform, post_id, `respondent ${respondents}`);
              places.push({ begun: begunNow, held: reward, state: 'open', reward: 0 });
            }
          } else if (place !== undefined && (kind !== 'reverse' || place.reward > 0)) {
            const { participation_id } = place.begun;
            if (kind === 'submit') {
              place.reward = (await submit(platform, place.begun, value > 6 ? 10 : 1)).data.reward;
              expect(place.reward).toBe(value > 6 ? place.held : 3);
              place.state = 'submitted';
            } else if (kind === 'abandon') {
              expect(
                (await platform.post('/svc/fielding/abandon', { post_id, participation_id }))
                  .status,
              ).toBe(200);
              place.state = 'closed';
            } else {
              const reason = 'Too fast';
              expect(
                (
                  await platform.post('/svc/fielding/reverse', {
                    post_id,
                    participation_id,
                    reason,
                  })
                ).status,
              ).toBe(200);
              place.reward = 0;
            }
            settle(campaign);
          }
          for (const [each, { key_id }] of limited.entries()) {
            const committed = await committedBy(company.account, key_id);
            expect([kind, committed]).toEqual([kind, committedOf(each)]);
            expect(committed).toBeLessThanOrEqual(LIMITS[each]!);
          }
        }
        await expectReconciled(company.api);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
