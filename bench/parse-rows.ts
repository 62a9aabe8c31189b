import type { Account } from './account.types';
import type { Row, State } from './row.types';
import type { Request } from './request';
import { pick } from './rows';

/*
 * The same work in the REST API of Parse Server, as far as it has any. It has one key for everyone
 * and no cohort ladder (the client sends all amounts), and it checks types only. It responds to a
 * change with the time of the change.
 */

export const PARSE_APPLICATION = 'bench';
const CLASS = '/parse/classes/Campaign';

function send(method: string, path: string, { key }: Account, body?: object): Request {
  const headers = {
    'content-type': 'application/json',
    'x-parse-application-id': PARSE_APPLICATION,
    'x-parse-rest-api-key': key,
  };
  return { method, path, headers, body };
}

function change(accounts: Account[], makeBody: (id: string) => object): Request {
  const account = pick(accounts);
  const id = pick(account.postIds);
  return send('PUT', `${CLASS}/${id}`, account, makeBody(id));
}

const rewards = (amount: number) => ({
  cohort1Reward: 3,
  cohort2Reward: Math.round(amount * 40) / 100,
  cohort3Reward: Math.round(amount * 60) / 100,
  cohort4Reward: Math.round(amount * 80) / 100,
  cohort5Reward: amount,
});

/** A new campaign; the client sends all of its fields. */
export function parseCampaign(n: number, companyId: string) {
  const rewardAmount = 1 + (n % 1000);
  return {
    companyId,
    title: `Coffee habits, wave ${n}`,
    description: `How people choose and drink their coffee at home, asked for the time ${n}.`,
    contentUrl: `https://example.com/campaigns/${n}`,
    category: 'food',
    tagline: 'Tell us about your morning cup',
    rewardAmount,
    ...rewards(rewardAmount),
    isLive: false,
  };
}

type ParseAnswer = Record<string, unknown>;

const next = (state: State) => (state.count += 1);
const isChanged = (answer: object) => typeof (answer as ParseAnswer).updatedAt === 'string';

export const PARSE_ROWS = {
  create: {
    title: 'create survey',
    kind: 'write',
    status: 201,
    request: (accounts, state) => {
      const account = pick(accounts);
      return send('POST', CLASS, account, parseCampaign(next(state), account.companyId));
    },
    isRight: (answer) => typeof (answer as unknown as ParseAnswer).objectId === 'string',
  },
  toggle: {
    title: 'toggle',
    kind: 'write',
    status: 200,
    request: (accounts, { live }) =>
      change(accounts, (id) => {
        const isLive = live.get(id) !== true;
        live.set(id, isLive);
        return { isLive };
      }),
    isRight: isChanged,
  },
  update: {
    title: 'update with recalculation',
    kind: 'write',
    status: 200,
    request: (accounts, state) =>
      change(accounts, () => {
        const n = next(state);
        const rewardAmount = (500 + (n % 100_000)) / 100;
        return { title: `Coffee habits, version ${n}`, rewardAmount, ...rewards(rewardAmount) };
      }),
    isRight: isChanged,
  },
  'cohort-rewards': {
    title: 'cohort rewards',
    kind: 'write',
    status: 200,
    request: (accounts, state) =>
      change(accounts, () => ({
        ...rewards(100),
        cohort1Reward: (300 + (next(state) % 500)) / 100,
      })),
    isRight: isChanged,
  },
  read: {
    title: 'read one',
    kind: 'read',
    status: 200,
    request: (accounts) => {
      const account = pick(accounts);
      return send('GET', `${CLASS}/${pick(account.postIds)}`, account);
    },
    isRight: (answer, { path }) =>
      path.endsWith(`/${String((answer as unknown as ParseAnswer).objectId)}`),
  },
  list: {
    title: 'list 20',
    kind: 'read',
    status: 200,
    request: (accounts) => {
      const account = pick(accounts);
      const where = encodeURIComponent(JSON.stringify({ companyId: account.companyId }));
      return send('GET', `${CLASS}?where=${where}&order=-createdAt&limit=20`, account);
    },
    isRight: (answer) =>
      ((answer as unknown as ParseAnswer).results as unknown[] | undefined)?.length === 20,
  },
  unauthenticated: {
    title: 'refusal: no API key',
    kind: 'refusal',
    status: 403,
    request: (accounts, state) => {
      const account = pick(accounts);
      const body = parseCampaign(next(state), account.companyId);
      const { headers, ...request } = send('POST', CLASS, account, body);
      const { 'x-parse-rest-api-key': _, ...rest } = headers;
      return { ...request, headers: rest };
    },
    isRight: (answer) => (answer as unknown as ParseAnswer).error === 'unauthorized',
  },
  invalid: {
    title: 'refusal: two wrong fields',
    kind: 'refusal',
    status: 400,
    request: (accounts, state) => {
      const account = pick(accounts);
      const body = parseCampaign(next(state), account.companyId);
      return send('POST', CLASS, account, { ...body, title: 5, rewardAmount: 'much' });
    },
    // It stops at the first error.
    isRight: (answer) => (answer as unknown as ParseAnswer).code === 111,
  },
} satisfies Record<string, Row>;
