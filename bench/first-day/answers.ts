import type { Campaign, QuestionSet } from './entities';

export function success(message: string, data: object) {
  return { success: true, message, data };
}

export function stateOf({ id, postId, type, title, isLive }: Campaign) {
  return { id: Number(id), post_id: postId, type, title, is_live: isLive };
}

export function rewardsOf(campaign: Campaign) {
  return {
    cohort_1_reward: Number(campaign.cohort1Reward),
    cohort_2_reward: Number(campaign.cohort2Reward),
    cohort_3_reward: Number(campaign.cohort3Reward),
    cohort_4_reward: Number(campaign.cohort4Reward),
    cohort_5_reward: Number(campaign.cohort5Reward),
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
    is_live: campaign.isLive,
    ...(rewardChanged ? { cohort_rewards: rewardsOf(campaign) } : {}),
  };
}

/** Without what the clock changes: no campaign of the measurements has times. */
function standingOf({ isLive, stopReason }: Campaign) {
  return {
    status: isLive ? 'live' : stopReason === null ? 'draft' : 'paused',
    status_reasons: stopReason === null ? [] : [stopReason],
    stop_reason: stopReason,
  };
}

export function summaryOf(campaign: Campaign) {
  return {
    ...stateOf(campaign),
    ...standingOf(campaign),
    starts_at: campaign.startsAt,
    ends_at: campaign.endsAt,
    max_responses: campaign.maxResponses,
    budget: campaign.budget === null ? null : Number(campaign.budget),
    external_ref: campaign.externalRef,
    format: campaign.format,
    category: campaign.category,
    reward_amount: Number(campaign.rewardAmount),
    created_at: campaign.createdAt,
    updated_at: campaign.updatedAt,
  };
}

export function allOf(campaign: Campaign, questions: QuestionSet | null) {
  return {
    ...summaryOf(campaign),
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
