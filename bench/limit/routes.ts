import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  campaign,
  CampaignRow,
  campaignSummary,
  cohortRewards,
  lifeOf,
  Refusal,
  statusOf,
  success,
} from './answers';
import { Caller, callerOf, withScope } from './authentication';
import { newId } from './identifiers';
import { addFieldingRoutes } from './fielding-routes';
import * as schemas from './schemas';
import { PAGE, run, runForAll, updateCampaign } from './statements';

const writing = withScope('campaigns:write');
const reading = withScope('campaigns:read');

const money = (amount: number) => amount.toFixed(2);

/** The default rewards in whole cents, rounded half up: 80 % of 1 cent is no binary fraction. */
function ladder(amount: number) {
  const cents = Math.round(amount * 100);
  const share = (percent: number) => money(Math.floor((cents * percent + 50) / 100) / 100);
  return ['3.00', share(40), share(60), share(80), money(amount)];
}

const etag = (reply: FastifyReply, version: unknown) =>
  reply.header('etag', `"${String(version)}"`);

/** Why a statement found no campaign of the caller. */
async function absence(postId: string, companyId: string): Promise<Refusal> {
  const row = await run<{ company_id: string }>('find_owner', [postId]);
  if (row === undefined) {
    return new Refusal(404, 'campaign_not_found', 'There is no campaign with this post_id.');
  }
  return row.company_id === companyId
    ? new Refusal(422, 'wrong_campaign_type', 'These questions are for another kind of campaign.')
    : new Refusal(403, 'campaign_not_owned', 'This campaign belongs to another company.');
}

async function change(
  { companyId, keyId }: Caller,
  postId: string,
  set: Record<string, unknown>,
): Promise<CampaignRow> {
  const row = await updateCampaign<CampaignRow>(postId, companyId, { updated_by: keyId, ...set });
  if (row === undefined) {
    throw await absence(postId, companyId);
  }
  return row;
}

interface SurveyBody {
  title: string;
  description: string;
  content_url?: string;
  category: string;
  tagline: string;
  reward_amount: number;
}

interface QuestionsBody {
  post_id: string;
  questions: { type: string; question: string; options?: string[] }[];
}

const KINDS = ['questionnaire', 'round_robin', 'binary', 'image_slider', 'advertisement'];
const LAST_ID = '9223372036854775807';

function cursor({ id, created_at }: ReturnType<typeof campaignSummary>, companyId: string): string {
  const list = createHash('sha256').update(companyId).digest('base64url').slice(0, 16);
  const after = [String((created_at as Date).getTime()), String(id)];
  return Buffer.from(JSON.stringify({ after, list })).toString('base64url');
}

/** The routes of the service that are measured. */
export function addRoutes(app: FastifyInstance): void {
  addFieldingRoutes(app);

  app.post<{ Body: SurveyBody }>(
    '/svc/survey/create',
    { ...writing, schema: { body: schemas.createSurvey } },
    async (request, reply) => {
      const { companyId, keyId } = callerOf(request);
      const { body } = request;
      const postId = newId('post');
      const title = body.title.trim();
      const row = await run<CampaignRow>('insert_survey', [
        postId,
        companyId,
        keyId,
        title,
        body.description.trim(),
        body.content_url ?? null,
        body.category.trim(),
        body.tagline.trim(),
        money(body.reward_amount),
        ladder(body.reward_amount),
      ]);
      etag(reply, row?.version);
      return success('Survey campaign created.', {
        id: Number(row?.id),
        post_id: postId,
        type: row?.type,
        title,
        ...(row && statusOf(row)),
      });
    },
  );

  app.post<{ Body: QuestionsBody }>(
    '/svc/survey/questions',
    { ...writing, schema: { body: schemas.setQuestions } },
    async (request, reply) => {
      const { companyId, keyId } = callerOf(request);
      const { post_id, questions } = request.body;
      const questionId = newId('qset');
      const stored = questions.map(({ type, question, options = [] }) => ({
        type,
        question: question.trim(),
        ...(options.length > 0 ? { options: options.map((option) => option.trim()) } : {}),
      }));
      const row = await run<CampaignRow>('replace_questions', [
        questionId,
        post_id,
        companyId,
        JSON.stringify(stored),
        stored.length,
        keyId,
      ]);
      if (row === undefined) {
        throw await absence(post_id, companyId);
      }
      etag(reply, row.version);
      return success('Survey questions stored.', {
        question_id: questionId,
        post_id,
        ad_id: Number(row.id),
        question_type: 'survey',
        total_questions: stored.length,
      });
    },
  );

  app.patch<{ Body: { post_id: string; is_live: boolean } }>(
    '/svc/campaign/toggle-live',
    { ...writing, schema: { body: schemas.toggleLive } },
    async (request, reply) => {
      const { post_id, is_live } = request.body;
      const row = await change(callerOf(request), post_id, { is_live });
      etag(reply, row.version);
      return success(is_live ? 'Campaign started.' : 'Campaign stopped.', {
        id: Number(row.id),
        post_id,
        type: row.type,
        title: row.title,
        ...statusOf(row),
      });
    },
  );

  app.patch<{ Body: { post_id: string } & Partial<SurveyBody> }>(
    '/svc/campaign/update',
    { ...writing, schema: { body: schemas.updateCampaign } },
    async (request, reply) => {
      const { post_id, reward_amount, ...texts } = request.body;
      const rewards =
        reward_amount === undefined
          ? {}
          : {
              reward_amount: money(reward_amount),
              cohort_rewards: ladder(reward_amount),
            };
      const set = Object.assign(texts, rewards);
      const row = await change(callerOf(request), post_id, set);
      etag(reply, row.version);
      return success('Campaign updated.', {
        post_id,
        type: row.type,
        title: row.title,
        description: row.description,
        content_url: row.content_url,
        category: row.category,
        tagline: row.tagline,
        reward_amount: Number(row.reward_amount),
        ...lifeOf(row),
        ...(reward_amount === undefined ? {} : { cohort_rewards: cohortRewards(row) }),
      });
    },
  );

  app.patch<{ Body: { post_id: string } & Record<`cohort_${number}_reward`, number> }>(
    '/svc/campaign/cohort-rewards',
    { ...writing, schema: { body: schemas.cohortRewards } },
    async (request, reply) => {
      const { post_id, ...rewards } = request.body;
      const row = await change(callerOf(request), post_id, {
        cohort_rewards: [1, 2, 3, 4, 5].map((cohort) => rewards[`cohort_${cohort}_reward`]),
      });
      etag(reply, row.version);
      return success('Cohort rewards updated.', {
        post_id,
        title: row.title,
        type: row.type,
        currency: row.currency,
        cohort_rewards: cohortRewards(row),
      });
    },
  );

  app.get<{ Params: { post_id: string } }>(
    '/svc/campaign/:post_id',
    reading,
    async (request, reply) => {
      const { companyId } = callerOf(request);
      const { post_id } = request.params;
      const row = await run<CampaignRow>('read_campaign', [companyId, post_id]);
      if (row === undefined) {
        throw await absence(post_id, companyId);
      }
      etag(reply, row.version);
      return success('Campaign found.', campaign(row));
    },
  );

  app.get<{ Querystring: { limit?: string } }>(
    '/svc/campaign/list',
    { ...reading, schema: { querystring: schemas.listCampaigns } },
    async (request) => {
      const { companyId } = callerOf(request);
      const rows = await runForAll<CampaignRow>('list_campaigns', [
        companyId,
        KINDS,
        ['completed', 'live', 'scheduled', 'paused', 'draft'],
        'infinity',
        LAST_ID,
        '-infinity',
      ]);
      const items = rows.slice(0, PAGE).map(campaignSummary);
      const last = items.at(-1);
      return success('Campaigns listed.', {
        items,
        next_cursor: rows.length > PAGE && last !== undefined ? cursor(last, companyId) : null,
      });
    },
  );
}
