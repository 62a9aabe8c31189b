import { ApiProperty } from '@nestjs/swagger';
import {
  CATEGORY,
  DESCRIPTION,
  DURATION,
  TAGLINE,
  THUMBNAIL_URL,
  TITLE,
  VIDEO_URL,
} from '../campaign/campaign-fields';
import {
  CAMPAIGN_TYPES,
  CampaignType,
  SURVEY_FORMATS,
  SurveyFormat,
} from '../campaign/campaign-type';
import {
  ImageDto,
  ImageQuestion,
  Images,
  ScaleDto,
  ScaleField,
} from '../campaign/image-survey.dto';
import { CohortRewardsInputDto } from '../cohort-rewards/cohort-rewards.dto';
import { NestedObject } from '../http/fields/array.fields';
import { Flag, OneOf } from '../http/fields/choice.fields';
import { Money, WholeNumber } from '../http/fields/number.fields';
import { Text } from '../http/fields/text.fields';
import { HttpUrl } from '../http/fields/url.field';
import { QuestionDto, Questions } from '../questions/questions.dto';

const EXTERNAL_REF = { maximum: 200, example: 'coffee-2026' };

/** A campaign as its company keeps it. What is left out stays as it is stored. */
export class CampaignDocumentDto {
  /** Your own name for the campaign, unique within your company. */
  @Text(EXTERNAL_REF)
  external_ref!: string;

  /** Needed to create the campaign; cannot change. */
  @OneOf(CAMPAIGN_TYPES, 'CampaignType', { optional: true })
  type?: CampaignType;

  /** How a survey asks; `questionnaire` by default; cannot change. */
  @OneOf(SURVEY_FORMATS, 'SurveyFormat', { optional: true })
  format?: SurveyFormat;

  /** Needed to create the campaign. */
  @Text({ ...TITLE, optional: true })
  title?: string;

  /** Needed to create the campaign. */
  @Text({ ...DESCRIPTION, optional: true })
  description?: string;

  /** `null` clears it. */
  @HttpUrl({ optional: true, nullable: true })
  content_url?: string | null;

  /** Needed to create the campaign. */
  @Text({ ...CATEGORY, optional: true })
  category?: string;

  /** Needed to create the campaign. */
  @Text({ ...TAGLINE, optional: true })
  tagline?: string;

  /** Needed to create the campaign, and whole then. Without `cohort_rewards` they follow it. */
  @Money({ minimum: 0.01, optional: true, example: 100 })
  reward_amount?: number;

  /** All five, or left out to follow `reward_amount`. */
  @NestedObject(() => CohortRewardsInputDto, { optional: true })
  cohort_rewards?: CohortRewardsInputDto;

  /** The whole question set. Not for image surveys. */
  @Questions({ optional: true })
  questions?: QuestionDto[];

  /** Image surveys only: what is asked; fixed once created. */
  @ImageQuestion({ optional: true })
  question?: string;

  /** Image surveys only, as many as the format takes; fixed once created. */
  @Images([1, 20], { optional: true })
  images?: ImageDto[];

  /** `image_slider` only; fixed once created. */
  @ScaleField()
  scale?: ScaleDto;

  /** Advertisements only; needed to create one. */
  @HttpUrl({ optional: true, ...VIDEO_URL })
  video_url?: string;

  /** Advertisements only. */
  @HttpUrl({ optional: true, ...THUMBNAIL_URL })
  thumbnail_url?: string;

  /** Advertisements only: length of the video, in seconds. */
  @WholeNumber({ ...DURATION, optional: true })
  duration_seconds?: number;

  /** Advertisements only: whether feedback questions may be set; cannot change. */
  @Flag({ optional: true, example: true })
  has_feedback?: boolean;

  /** Whether the campaign is to be started; stopped at first where it is left out. */
  @Flag({ optional: true, example: true })
  is_live?: boolean;

  /** Answer what would change, without changing it. */
  @Flag({ optional: true, example: false })
  dry_run?: boolean;
}

/** What applying a document can come to. */
export const APPLY_RESULTS = ['created', 'updated', 'unchanged'] as const;

export class AppliedDocumentDto {
  /**
   * The campaign; `null` where a dry run would create it.
   * @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m"
   */
  post_id!: string | null;

  /** @example "coffee-2026" */
  external_ref!: string;

  @ApiProperty({ enum: APPLY_RESULTS, enumName: 'ApplyResult' })
  result!: (typeof APPLY_RESULTS)[number];

  /**
   * The fields whose stored value changed; where the campaign is new, all that it has, those that
   * took their default included.
   * @example ["reward_amount", "cohort_rewards"]
   */
  changed_fields!: string[];

  /** Whether nothing was written. */
  dry_run!: boolean;
}
