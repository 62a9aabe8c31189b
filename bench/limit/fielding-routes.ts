import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Refusal, success } from './answers';
import { callerOf, withScope } from './authentication';
import { newStoredId, printedId, storedId } from './identifiers';
import * as schemas from './schemas';
import { run } from './statements';

/*
 * The routes for platforms. The keys of hashes and receipts are this process's own: nothing that is
 * measured was stored with other ones.
 */

const writing = withScope('fielding:write');

const HASH_KEY = randomBytes(32);

/** What the service measures of two short texts: too little to compare, so no flag. */
const NO_SIGNALS = [null, null, null, null, 0];

const { privateKey } = generateKeyPairSync('ed25519');

type Participation = Record<string, unknown> & {
  participation_id: string;
  rewards: string[];
  questions: Question[] | null;
  submission: Buffer | null;
  begun_at: Date;
  expires_at: Date;
  closed_at: Date;
  over: boolean;
};

interface Question {
  type: string;
  question: string;
  options?: string[];
}

interface Answer {
  question?: number;
  value: string | number | string[];
}

interface Owned extends Record<string, string> {
  company_id: string;
  id: string;
}

const owners = new Map<string, Owned>();

async function ownerOf(postId: string): Promise<Owned> {
  const owner = owners.get(postId) ?? (await run<Owned>('find_owner', [postId]));
  if (owner === undefined) {
    throw new Refusal(404, 'campaign_not_found', 'There is no campaign with this post_id.');
  }
  owners.set(postId, owner);
  return owner;
}

async function find(
  owner: Owned,
  id: string | null | undefined,
  platform: string | null,
): Promise<Participation> {
  const values = [owner.company_id, owner.id, id, platform];
  const found = await run<Participation>('find_participation', values);
  if (found === undefined) {
    throw new Refusal(404, 'participation_not_found', 'There is no such participation.');
  }
  return found;
}

const hash = (text: string) => createHmac('sha256', HASH_KEY).update(text).digest();

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function ladderOf(rewards: readonly string[]) {
  return Object.fromEntries(
    rewards.map((one, index) => [`cohort_${index + 1}_reward`, Number(one)]),
  );
}

function receiptOf(found: Participation): string {
  const header = encode({ alg: 'EdDSA', kid: 'bench', typ: 'JWT' });
  const content = encode({
    mode: 'live',
    post_id: found.post_id,
    participation_id: printedId('part', found.participation_id),
    question_id: found.question_id,
    cohort_rewards: ladderOf(found.rewards),
    attention_score: Number(found.attention_score),
    cohort: found.cohort,
    currency: found.currency,
    reward: Number(found.reward),
    iss: 'campaign-service',
    iat: Math.floor(found.closed_at.getTime() / 1000),
  });
  const signature = sign(null, Buffer.from(`${header}.${content}`), privateKey);
  return `${header}.${content}.${signature.toString('base64url')}`;
}

const state = (found: Participation) => ({
  post_id: found.post_id,
  participation_id: printedId('part', found.participation_id),
  status: found.state === 'open' && found.over ? 'expired' : found.state,
});

const SIGNALS = ['fast', 'straight_lining', 'inconsistent', 'repeated_text'];

const qualityOf = (found: Participation) => ({
  answer_percentile: found.answer_percentile,
  longest_run: found.longest_run,
  compared_answers: found.compared_answers,
  consistency: found.consistency,
  text_repeats: found.text_repeats,
  flags: SIGNALS.filter((_, bit) => (Number(found.quality_flags) & (1 << bit)) > 0),
});

/** Whether each question has one answer of its type. */
function fits(questions: readonly Question[], answers: readonly Answer[]): boolean {
  const byPosition = new Map(answers.map((answer) => [answer.question, answer.value]));
  return (
    byPosition.size === answers.length &&
    answers.length === questions.length &&
    questions.every(({ type, options = [] }, index) => {
      const value = byPosition.get(index + 1);
      if (type === 'multiple_choice') {
        return Array.isArray(value) && value.every((one) => options.includes(one));
      }
      return typeof value === 'string' && (type !== 'single_choice' || options.includes(value));
    })
  );
}

export function addFieldingRoutes(app: FastifyInstance): void {
  app.post<{ Body: { post_id: string; respondent_id: string } }>(
    '/svc/fielding/begin',
    { ...writing, schema: { body: schemas.begin } },
    async (request) => {
      const { platform } = callerOf(request);
      const { post_id, respondent_id } = request.body;
      const owner = await ownerOf(post_id);
      const respondent = hash(`${platform}\n${respondent_id.trim()}`);
      const values = [owner.company_id, owner.id, newStoredId(), platform, respondent];
      const begun = await run<{ id: string }>('begin', values);
      const found = await find(owner, begun?.id, platform);
      const content = {
        begun_at: found.begun_at,
        expires_at: found.expires_at,
        currency: found.currency,
        cohort_rewards: ladderOf(found.rewards),
        maximum_reward: Number(found.held),
        content: {
          type: found.type,
          format: found.format,
          title: found.title,
          description: found.description,
          content_url: found.content_url,
          category: found.category,
          tagline: found.tagline,
          video_url: found.video_url,
          thumbnail_url: found.thumbnail_url,
          duration_seconds: found.duration_seconds,
          question_id: found.question_id,
          questions: found.questions ?? [],
          image_survey: found.image_survey,
        },
      };
      return success('Participation begun.', Object.assign(state(found), content));
    },
  );

  app.post<{
    Body: {
      post_id: string;
      participation_id: string;
      attention_score: number;
      answers: Answer[];
    };
  }>('/svc/fielding/submit', { ...writing, schema: { body: schemas.submit } }, async (request) => {
    const { platform, keyId } = callerOf(request);
    const { post_id, participation_id, attention_score, answers } = request.body;
    const owner = await ownerOf(post_id);
    const submission = hash(JSON.stringify([attention_score, answers]));
    const id = storedId('part', participation_id);
    let found = await find(owner, id, platform);
    if (found.state === 'open' && !found.over) {
      if (!fits(found.questions ?? [], answers)) {
        throw new Refusal(400, 'validation_failed', 'The answers do not fit the questions.');
      }
      const submitted = await run<Participation>('submit', [
        owner.company_id,
        owner.id,
        id,
        attention_score,
        Math.min(5, Math.floor(attention_score / 2) + 1),
        submission,
        JSON.stringify(answers),
        keyId,
        ...NO_SIGNALS,
      ]);
      found = Object.assign(found, submitted, { attention_score });
    }
    if (found.submission?.equals(submission) !== true) {
      throw new Refusal(409, 'participation_closed', 'The participation is closed.');
    }
    const earned = {
      cohort: found.cohort,
      currency: found.currency,
      reward: Number(found.reward),
      quality: qualityOf(found),
      receipt: receiptOf(found),
    };
    return success('Answers submitted.', Object.assign(state(found), earned));
  });
}
