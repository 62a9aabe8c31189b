import type { Account, LiveCampaign } from './account.types';
import type { Answer, Row, State } from './row.types';
import { ANSWERING, ANSWERING_HOT, participationId } from './fielding';
import { send } from './request';

/*
 * The requests of a platform, in turn for a thousand campaigns, or all for one.
 */

interface Turn {
  key: string;
  campaign: LiveCampaign;
  /** The number of requests for this campaign so far. */
  n: number;
}

type TakeTurn = (accounts: Account[], count: number) => Turn;

function of(accounts: Account[], company: number, campaign: number, n: number): Turn {
  const { platformKey, live = [] } = accounts[company] ?? {};
  const found = live[campaign];
  if (platformKey === undefined || found === undefined) {
    throw new Error('there are no live campaigns');
  }
  return { key: platformKey, campaign: found, n };
}

const eachCampaign: TakeTurn = (accounts, count) => {
  const turn = Math.floor(count / accounts.length);
  const campaigns = accounts[0]?.live?.length ?? 1;
  return of(accounts, count % accounts.length, turn % campaigns, Math.floor(turn / campaigns));
};

/** The numbers after those that are used in turn with the other campaigns. */
const theHotOne: TakeTurn = (accounts, count) => of(accounts, 0, 0, ANSWERING + count);

function next(state: State, kind: string): number {
  const count = state.respondents.get(kind) ?? 0;
  state.respondents.set(kind, count + 1);
  return count;
}

function begin(title: string, takeTurn: TakeTurn): Row {
  return {
    title,
    kind: 'write',
    fielding: true,
    status: 200,
    request: (accounts, state) => {
      const count = next(state, title);
      const { key, campaign } = takeTurn(accounts, count);
      const body = { post_id: campaign.postId, respondent_id: `${title}, respondent ${count}` };
      return send('POST', '/svc/fielding/begin', key, body);
    },
    isRight: ({ data }, { body }) =>
      isFor(data, body) &&
      data?.status === 'open' &&
      (data.content as { questions: unknown[] }).questions.length === 2,
  };
}

/** Attention scores, whose cohorts are 1 to 5. */
const SCORES = [1, 2, 4.5, 7.25, 10];

function submit(title: string, takeTurn: TakeTurn, answering: number): Row {
  return {
    title,
    kind: 'write',
    fielding: true,
    status: 200,
    request: (accounts, state) => {
      const count = next(state, title);
      const { key, campaign, n } = takeTurn(accounts, count);
      if (n >= answering) {
        throw new Error(`${title}: nobody is left who has not submitted; use fewer rounds`);
      }
      const body = {
        post_id: campaign.postId,
        participation_id: participationId(campaign.id, n + 1),
        attention_score: SCORES[count % SCORES.length],
        answers: [
          { question: 1, value: `Because of ${count}` },
          { question: 2, value: 'So' },
        ],
      };
      return send('POST', '/svc/fielding/submit', key, body);
    },
    isRight: ({ data }, { body }) =>
      isFor(data, body) &&
      data?.status === 'submitted' &&
      data.participation_id === (body as { participation_id: string }).participation_id &&
      data.cohort === SCORES.indexOf((body as { attention_score: number }).attention_score) + 1,
  };
}

function isFor(data: Answer['data'], body: object | undefined): boolean {
  return data?.post_id === (body as { post_id: string }).post_id;
}

export const FIELDING_ROWS = {
  begin: begin('begin, 1,000 campaigns', eachCampaign),
  'begin-hot': begin('begin, one campaign', theHotOne),
  submit: submit('submit, 1,000 campaigns', eachCampaign, ANSWERING),
  'submit-hot': submit('submit, one campaign', theHotOne, ANSWERING_HOT),
};
