import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * Measures the cost of reading and validating a body, with the service's own runner of the rules
 * (`src/platform/validation/dto-rules.ts`) and with class-transformer and class-validator
 * themselves. The bodies are those of the rows `create` and `invalid` of the comparison, and a
 * question set: `node bench/run.mjs validation`.
 */

type Dto = new () => object;

/** The built service with its own libraries, in which its rules are registered. */
const load = createRequire(join(__dirname, '../../dist/src/main.js'));
load('reflect-metadata');
const { plainToInstance } = load('class-transformer') as typeof import('class-transformer');
const { validateSync } = load('class-validator') as typeof import('class-validator');
const { findWrongFields, toInstance } = load('./validation/dto-rules') as {
  findWrongFields: (dto: object) => unknown[];
  toInstance: (type: Dto, body: object) => object;
};
const { CreateSurveyDto } = load('./campaign/campaign.dto') as { CreateSurveyDto: Dto };
const { SetQuestionsDto } = load('./questions/questions.dto') as { SetQuestionsDto: Dto };

const SURVEY = {
  title: 'Coffee habits, wave 1',
  description: 'How people choose and drink their coffee at home, asked for the time 1.',
  content_url: 'https://example.com/campaigns/1',
  category: 'food',
  tagline: 'Tell us about your morning cup',
  reward_amount: 100,
};

const QUESTIONS = Array.from({ length: 10 }, (_, index) => ({
  type: 'single_choice',
  question: `Question ${index}?`,
  options: ['None', 'One', 'Two', 'More'],
}));

const ROWS: Record<string, [Dto, object]> = {
  create: [CreateSurveyDto, SURVEY],
  invalid: [CreateSurveyDto, { ...SURVEY, title: 5, reward_amount: 'much' }],
  'ten questions': [SetQuestionsDto, { post_id: 'post_1', questions: QUESTIONS }],
};

const ROUNDS = 15;
const CALLS = 3_000;

/** Microseconds per call, in the fastest of several rounds. */
function measure(call: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    for (let i = 0; i < CALLS; i += 1) {
      call();
    }
    return ((performance.now() - begin) * 1000) / CALLS;
  });
  return Math.min(...rounds);
}

for (const [name, [type, body]] of Object.entries(ROWS)) {
  const dto = plainToInstance(type, body);
  const figures = {
    toInstance: measure(() => toInstance(type, body)),
    plainToInstance: measure(() => plainToInstance(type, body)),
    findWrongFields: measure(() => findWrongFields(dto)),
    validateSync: measure(() => validateSync(dto, { whitelist: true, forbidNonWhitelisted: true })),
  };
  const list = Object.entries(figures).map(([call, figure]) => `${call} ${figure.toFixed(1)} µs`);
  process.stdout.write(`${name}: ${list.join(', ')}\n`);
}
