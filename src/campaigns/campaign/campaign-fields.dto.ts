import { InRequests, ResourceField } from '../../platform/openapi/resource-fields';
import { ResponseList } from '../../platform/openapi/response-fields';
import { Flag } from '../../platform/validation/fields/choice.fields';
import { Decimal, Money, WholeNumber } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { HttpUrl } from '../../platform/validation/fields/url.field';
import type { Campaign } from './campaign.entity';
import {
  ANSWER_MINUTES,
  CATEGORY,
  DISPUTE_SHARE,
  MAX_RESPONSES,
  REVIEW_DAYS,
  TITLE,
} from './campaign.fields';
import { Banners, MarginDto, Margins, MARGINS_MAXIMUM, ResponseBanners } from './margins.dto';

const REQUIRED = 'Required to create the campaign.';

const shareOf = ({ maximumDisputeShare: share }: Campaign) =>
  share === null ? null : Number(share);

/** The fields that a company writes for every campaign; requests and responses derive from here. */
export class CampaignFieldsDto {
  @ResourceField(Text, {
    ...TITLE,
    document: REQUIRED,
    update: { example: 'Coffee habits, second wave' },
  })
  title!: string;

  @ResourceField(Text, {
    maximum: 5000,
    example: 'How people choose and drink their coffee at home.',
    document: REQUIRED,
  })
  description!: string;

  @ResourceField(HttpUrl, {
    nullable: true,
    create: 'A page associated with the campaign; stored, never fetched.',
    change: '`null` removes it.',
  })
  content_url!: string | null;

  @ResourceField(Text, { ...CATEGORY, create: 'A topic word of your choice.', document: REQUIRED })
  category!: string;

  @ResourceField(Text, {
    maximum: 200,
    example: 'Tell us about your morning cup',
    document: REQUIRED,
  })
  tagline!: string;

  @ResourceField(Money, {
    minimum: 0.01,
    example: 100,
    create: {
      minimum: 1,
      whole: true,
      description: 'The reward; a positive whole number. The cohort rewards are computed from it.',
    },
    update:
      'A positive amount. It recalculates the cohort rewards, even when it is the current amount.',
    document:
      'Required to create the campaign, and then a whole number. Without `cohort_rewards`, the cohort\nrewards are computed from it.',
  })
  reward_amount!: number;

  /** When the campaign goes live by itself. */
  @ResourceField(Timestamp, {
    nullable: true,
    create: 'When the campaign goes live by itself. A time that has passed means at once.',
    change: 'When the campaign goes live by itself; `null` removes it.',
  })
  starts_at!: Date | null;

  /** When the campaign ends. */
  @ResourceField(Timestamp, {
    nullable: true,
    create: 'When the campaign ends for good; after `starts_at`.',
    change: 'When the campaign ends for good; after `starts_at`; `null` removes it.',
  })
  ends_at!: Date | null;

  /** How many responses it accepts. */
  @ResourceField(WholeNumber, {
    ...MAX_RESPONSES,
    nullable: true,
    create: 'How many responses to accept; the campaign completes with the last one.',
    change:
      'How many responses to accept, at least those that have a place already; `null` removes it.',
  })
  max_responses!: number | null;

  /** Everything that may ever be paid. */
  @ResourceField(Money, {
    minimum: 0.01,
    nullable: true,
    create: 'Everything that may ever be paid; the campaign completes when it is spent.',
    change: 'Everything that may ever be paid, at least what is spent and held; `null` removes it.',
  })
  budget!: number | null;

  /** How long a respondent has to submit, in minutes; `null` for 60. */
  @ResourceField(WholeNumber, {
    ...ANSWER_MINUTES,
    nullable: true,
    create: 'How long a respondent has to submit, in minutes; 60 by default.',
    change: 'How long a respondent has to submit, in minutes; `null` for the default of 60.',
  })
  answer_minutes!: number | null;

  /** For how many days a response can be disputed; `null` and 0 mean that none can. */
  @ResourceField(WholeNumber, {
    ...REVIEW_DAYS,
    example: 7,
    nullable: true,
    create:
      'For how many days after its submission a response can be disputed; none by default. Platforms see it.',
    change:
      'For how many days after its submission a response can be disputed; `null` for none. It cannot grow once a respondent has begun.',
  })
  review_days!: number | null;

  /** The share of the responses that can be disputed, from 0 to 1; `null` and 0 mean none. */
  @ResourceField(Decimal, {
    ...DISPUTE_SHARE,
    places: 3,
    example: 1,
    nullable: true,
    create: 'The share of the responses that can be disputed; none by default. Platforms see it.',
    change:
      'The share of the responses that can be disputed; `null` for none. It cannot grow once a respondent has begun.',
  })
  maximum_dispute_share!: number | null;

  /** Keys of questions by whose answers the results are also kept, so that cross tabs are fast. */
  @ResponseBanners()
  @InRequests(Banners, {
    nullable: true,
    create: 'Keys of questions by whose answers the results are also kept; any others are counted.',
    change: 'Keys of questions by whose answers the results are also kept; `null` removes them.',
  })
  banners!: string[] | null;

  /** Known shares, to which results can be weighted. */
  @ResponseList(() => MarginDto, { minimum: 1, maximum: MARGINS_MAXIMUM })
  @InRequests(Margins, {
    nullable: true,
    create: 'Known shares, to which results can be weighted.',
    change: 'Known shares, to which results can be weighted; `null` removes them.',
  })
  margins!: MarginDto[] | null;

  static from(campaign: Campaign): CampaignFieldsDto {
    return {
      title: campaign.title,
      description: campaign.description,
      content_url: campaign.contentUrl,
      category: campaign.category,
      tagline: campaign.tagline,
      reward_amount: Number(campaign.rewardAmount),
      starts_at: campaign.startsAt,
      ends_at: campaign.endsAt,
      max_responses: campaign.maxResponses,
      budget: campaign.budget === null ? null : Number(campaign.budget),
      answer_minutes: campaign.answerMinutes,
      review_days: campaign.reviewDays,
      maximum_dispute_share: shareOf(campaign),
      banners: campaign.banners,
      margins: campaign.margins,
    };
  }
}

/** With the fields of advertisements. */
export class AdvertisementFieldsDto extends CampaignFieldsDto {
  /** Advertisements only. */
  @ResourceField(HttpUrl, {
    example: 'https://example.com/spot.mp4',
    create: 'The video to show; stored, never fetched.',
    document: 'Advertisements only; required to create one.',
  })
  video_url!: string | null;

  /** Advertisements only. */
  @ResourceField(HttpUrl, {
    optional: true,
    example: 'https://example.com/spot.jpg',
    create: 'A still image of the video; stored, never fetched.',
  })
  thumbnail_url!: string | null;

  /** Advertisements only: the length of the video, in seconds. */
  @ResourceField(WholeNumber, {
    minimum: 1,
    maximum: 31_536_000,
    example: 30,
    optional: true,
    create: 'The length of the video, in seconds.',
  })
  duration_seconds!: number | null;
}

/** With what is fixed at the creation. */
export class CampaignContentDto extends AdvertisementFieldsDto {
  /** Advertisements only: whether it can have feedback questions. */
  @ResourceField(Flag, {
    optional: true,
    example: true,
    create: 'Whether the advertisement can have feedback questions; `false` by default.',
    document: 'Advertisements only: whether it can have feedback questions; cannot change.',
  })
  has_feedback!: boolean | null;

  static override from(campaign: Campaign): CampaignContentDto {
    return Object.assign(CampaignFieldsDto.from(campaign), {
      video_url: campaign.videoUrl,
      thumbnail_url: campaign.thumbnailUrl,
      duration_seconds: campaign.durationSeconds,
      has_feedback: campaign.hasFeedback,
    });
  }
}
