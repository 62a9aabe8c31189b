import { Flag } from '../../platform/validation/fields/choice.fields';
import { Money, WholeNumber } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { HttpUrl } from '../../platform/validation/fields/url.field';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import {
  CATEGORY,
  DESCRIPTION,
  DURATION,
  TAGLINE,
  THUMBNAIL_URL,
  TITLE,
  VIDEO_URL,
} from './campaign.fields';
import { AnswerMinutes, Budget, EndsAt, MaxResponses, StartsAt } from './life.fields';
import { PostId } from './post-id.field';

/** The fields of every new campaign (section 4.1). */
export class CreateCampaignDto {
  @Text(TITLE)
  title!: string;

  @Text(DESCRIPTION)
  description!: string;

  /** A page associated with the campaign; stored, never fetched. */
  @HttpUrl({ optional: true })
  content_url?: string;

  /** A topic word of your choice. */
  @Text(CATEGORY)
  category!: string;

  @Text(TAGLINE)
  tagline!: string;

  /** The reward; a positive whole number. The cohort rewards are computed from it. */
  @Money({ minimum: 1, whole: true, example: 100 })
  reward_amount!: number;

  /** When the campaign goes live by itself. A time that has passed means at once. */
  @StartsAt()
  starts_at?: Date;

  /** When the campaign ends for good; after `starts_at`. */
  @EndsAt()
  ends_at?: Date;

  /** How many responses to accept; the campaign completes with the last one. */
  @MaxResponses()
  max_responses?: number;

  /** Everything that may ever be paid; the campaign completes when it is spent. */
  @Budget()
  budget?: number;

  /** How long a respondent has to submit, in minutes; 60 by default. */
  @AnswerMinutes()
  answer_minutes?: number;
}

export class CreateSurveyDto extends CreateCampaignDto {}

export class CreateAdvertisementDto extends CreateCampaignDto {
  /** The video to show; stored, never fetched. */
  @HttpUrl(VIDEO_URL)
  video_url!: string;

  /** A still image of the video; stored, never fetched. */
  @HttpUrl({ optional: true, ...THUMBNAIL_URL })
  thumbnail_url?: string;

  /** The length of the video, in seconds. */
  @WholeNumber({ ...DURATION, optional: true })
  duration_seconds?: number;

  /** Whether the advertisement can have feedback questions; `false` by default. */
  @Flag({ optional: true, example: true })
  has_feedback?: boolean;
}

// The campaign and at least one change (section 7).
@RefineSchema((schema) => ({ ...schema, minProperties: 2 }))
export class UpdateCampaignDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;

  @Text({ ...TITLE, optional: true, example: 'Coffee habits, second wave' })
  title?: string;

  @Text({ ...DESCRIPTION, optional: true })
  description?: string;

  /** `null` removes it. */
  @HttpUrl({ optional: true, nullable: true })
  content_url?: string | null;

  @Text({ ...CATEGORY, optional: true })
  category?: string;

  @Text({ ...TAGLINE, optional: true })
  tagline?: string;

  /** A positive amount. It recalculates the cohort rewards, even when it is the current amount. */
  @Money({ minimum: 0.01, optional: true, example: 100 })
  reward_amount?: number;

  /** Advertisements only. */
  @HttpUrl({ optional: true, ...VIDEO_URL })
  video_url?: string;

  /** Advertisements only. */
  @HttpUrl({ optional: true, ...THUMBNAIL_URL })
  thumbnail_url?: string;

  /** Advertisements only: the length of the video, in seconds. */
  @WholeNumber({ ...DURATION, optional: true })
  duration_seconds?: number;

  /** When the campaign goes live by itself; `null` removes it. */
  @StartsAt({ nullable: true })
  starts_at?: Date | null;

  /** When the campaign ends for good; after `starts_at`; `null` removes it. */
  @EndsAt({ nullable: true })
  ends_at?: Date | null;

  /** How many responses to accept, at least those that have a place already; `null` removes it. */
  @MaxResponses({ nullable: true })
  max_responses?: number | null;

  /** Everything that may ever be paid, at least what is spent and held; `null` removes it. */
  @Budget({ nullable: true })
  budget?: number | null;

  /** How long a respondent has to submit, in minutes; `null` for the default of 60. */
  @AnswerMinutes({ nullable: true })
  answer_minutes?: number | null;
}

export class ToggleLiveDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;

  /** `true` starts the campaign, `false` stops it. */
  @Flag({ example: true })
  is_live!: boolean;
}
