import type { CampaignGuardrailsService } from '../../campaigns/guardrail/campaign-guardrails.service';
import type { CampaignService } from '../../campaigns/campaign/campaign.service';
import type { StoredId } from '../../platform/database/identifiers';
import type { FoldService } from './fold.service';
import { ResultsTurns } from './results-turns.service';
import { ResultsService } from './results.service';

const OPTIONS = Array.from({ length: 50 }, (_, option) => `Option ${option}`);
const QUESTIONS = Array.from({ length: 20 }, (_, question) => ({
  type: 'single_choice',
  question: `Question ${question}`,
  options: OPTIONS,
}));

const CAMPAIGN = {
  campaign: {
    id: '1',
    currency: 'USD',
    format: 'questionnaire',
    image_survey: null,
    version: 1,
    questions: QUESTIONS,
    progress: null,
  },
  counted: 1,
  margins: null,
  unnumbered: 0,
  rows: QUESTIONS.map((_, index) => ({
    folded_seq: '7',
    last_seq: '7',
    cell: 0,
    as_of: new Date(0),
    version: 1,
    kind: 'option',
    item: String(index + 1),
    keys: OPTIONS,
    amounts: OPTIONS.map((__, option) => `0 0 0 0 ${option}`).join(),
  })),
};

describe('the results of a long questionnaire', () => {
  let turns: ResultsTurns;
  let taken: number;
  let client: AbortController;

  beforeEach(() => {
    turns = new ResultsTurns();
    taken = 0;
    client = new AbortController();
    // Every look at the clock is a turn later.
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  });

  afterEach(() => jest.restoreAllMocks());

  /** Reads the results, and calls a function in between, in turns of other requests. */
  async function read(between: () => void) {
    const other = () => {
      taken += 1;
      between();
      timer = setImmediate(other);
    };
    let timer = setImmediate(other);
    const fold = { catchUp: () => Promise.resolve(CAMPAIGN) } as unknown as FoldService;
    const guardrails = { completing: () => Promise.resolve([]) } as unknown;
    const results = new ResultsService(
      {} as CampaignService,
      fold,
      turns,
      guardrails as CampaignGuardrailsService,
    );
    try {
      return await results.read('company' as unknown as StoredId, 'post', {}, client.signal);
    } finally {
      clearImmediate(timer);
    }
  }

  it('are computed question by question, with other work in between', async () => {
    const { questions } = await read(jest.fn());
    expect(taken).toBeGreaterThanOrEqual(2 * QUESTIONS.length - 1);
    expect(questions).toMatchObject(
      QUESTIONS.map((_, index) => ({
        question: index + 1,
        options: OPTIONS.map((value, count) => ({ value, count })),
      })),
    );
  });

  it.each<[string, () => void, string]>([
    ['for a client that has gone', () => client.abort(), 'request_timeout'],
    ['when the service stops', () => turns.onModuleDestroy(), 'service_unavailable'],
  ])('are computed no further %s', async (_, interrupt, code) => {
    const reading = read(() => {
      if (taken === QUESTIONS.length) {
        interrupt();
      }
    });
    await expect(reading).rejects.toMatchObject({ code });
    expect(taken).toBeLessThan(QUESTIONS.length + 3);
  });
});
