import type { Campaign, CampaignProgress, QuestionSet } from './entities';

/** What is stored about a campaign. */
export interface Described {
  campaign: Campaign;
  questions: QuestionSet | null;
  progress: CampaignProgress | undefined;
}

export function success(message: string, data: object) {
  return { success: true, message, data };
}

/** Without what the clock changes: no campaign of the measurements has times. */
function statusOf({ companyId, isLive, status, stopReason }: Campaign) {
  return {
    mode: companyId.startsWith('test_') ? 'test' : 'live',
    is_live: isLive,
    status,
    status_reasons: status === 'paused' ? [stopReason] : [],
    stop_reason: stopReason,
  };
}

function lifeOf(campaign: Campaign) {
  return {
    ...statusOf(campaign),
    currency: campaign.currency,
    starts_at: campaign.startsAt,
    ends_at: campaign.endsAt,
    max_responses: campaign.maxResponses,
    budget: campaign.budget === null ? null : Number(campaign.budget),
    answer_minutes: campaign.answerMinutes,
  };
}

export function stateOf(campaign: Campaign) {
  const { id, postId, type, title } = campaign;
  return { id: Number(id), post_id: postId, type, title, ...statusOf(campaign) };
}

export function rewardsOf({ cohortRewards }: Campaign) {
  return {
    cohort_1_reward: Number(cohortRewards[0]),
    cohort_2_reward: Number(cohortRewards[1]),
    cohort_3_reward: Number(cohortRewards[2]),
    cohort_4_reward: Number(cohortRewards[3]),
    cohort_5_reward: Number(cohortRewards[4]),
  };
}

export function updatedOf(campaign: Campaign, rewardChanged: boolean) {
  return {
    post_id: campaign.postId,
    type: campaign.type,
    title: campaign.title,
    description: campaign.description,
    content_url: campaign.contentUrl,
    category: campaign.category,
    tagline: campaign.tagline,
    reward_amount: Number(campaign.rewardAmount),
    ...lifeOf(campaign),
    ...(rewardChanged ? { cohort_rewards: rewardsOf(campaign) } : {}),
  };
}

function progressOf(counted: CampaignProgress | undefined) {
  const { taken = 0, answered = 0, reversed = 0, abandoned = 0, expired = 0 } = counted ?? {};
  return {
    begun: taken + abandoned + expired,
    open: taken - answered,
    submitted: answered,
    reversed,
    abandoned,
    expired,
    spent: Number(counted?.spent ?? 0),
    held: Number(counted?.held ?? 0),
  };
}

export function summaryOf(campaign: Campaign, counted: CampaignProgress | undefined) {
  return {
    ...stateOf(campaign),
    ...lifeOf(campaign),
    progress: progressOf(counted),
    external_ref: campaign.externalRef,
    format: campaign.format,
    category: campaign.category,
    reward_amount: Number(campaign.rewardAmount),
    created_at: campaign.createdAt,
    updated_at: campaign.updatedAt,
  };
}

export function allOf({ campaign, questions, progress }: Described) {
  return {
    ...summaryOf(campaign, progress),
    description: campaign.description,
    content_url: campaign.contentUrl,
    tagline: campaign.tagline,
    cohort_rewards: rewardsOf(campaign),
    video_url: campaign.videoUrl,
    thumbnail_url: campaign.thumbnailUrl,
    duration_seconds: campaign.durationSeconds,
    has_feedback: campaign.hasFeedback,
    image_survey: campaign.imageSurvey,
    questions: questions && {
      question_id: questions.questionId,
      total_questions: questions.totalQuestions,
      created_at: questions.createdAt,
    },
  };
}
