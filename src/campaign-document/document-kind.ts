import { isDeepStrictEqual } from 'node:util';
import type { Campaign } from '../campaign/campaign.entity';
import type { CampaignType, SurveyFormat } from '../campaign/campaign-type';
import { IMAGE_LIMITS, ImageSurvey } from '../campaign/image-survey';
import { completeScale, toImageSurvey } from '../campaign/image-survey.dto';
import { ApiError, ErrorDetail } from '../http/api-error';
import { feedbackNotEnabled, questionsFixed } from '../questions/questions.errors';
import type { CampaignDocumentDto } from './campaign-document.dto';

/** What a campaign is from its creation on. */
export type CampaignKind = Pick<Campaign, 'type' | 'format' | 'hasFeedback' | 'imageSurvey'>;

const IMAGE_FIELDS = ['question', 'images', 'scale'] as const;
const ADVERTISEMENT_FIELDS = ['video_url', 'thumbnail_url', 'duration_seconds'] as const;
const REQUIRED = ['title', 'description', 'category', 'tagline', 'reward_amount'] as const;

function detail(field: string, code: string, message: string): ErrorDetail {
  return { field, code, message: `${field} ${message}.` };
}

/** What a document lacks to create the campaign it describes. */
function missing(
  document: CampaignDocumentDto,
  type: CampaignType,
  format: SurveyFormat | null,
): ErrorDetail[] {
  const required: (keyof CampaignDocumentDto)[] = [
    ...REQUIRED,
    ...(type === 'advertisement' ? (['video_url'] as const) : []),
    ...(format === null || format === 'questionnaire' ? [] : (['question', 'images'] as const)),
  ];
  return required
    .filter((field) => document[field] === undefined)
    .map((field) => detail(field, 'required', 'is required to create the campaign'));
}

function wrongImageCount(
  images: readonly unknown[] | undefined,
  format: SurveyFormat | null,
): ErrorDetail[] {
  if (images === undefined || format === null || format === 'questionnaire') {
    return [];
  }
  const [minimum, maximum] = IMAGE_LIMITS[format];
  if (images.length < minimum) {
    return [detail('images', 'too_few', `must have at least ${minimum} entries for ${format}`)];
  }
  return images.length > maximum
    ? [detail('images', 'too_many', `must have at most ${maximum} entries for ${format}`)]
    : [];
}

function newImageSurvey(
  { question, images, scale }: CampaignDocumentDto,
  format: SurveyFormat | null,
): ImageSurvey | null {
  if (format === null || format === 'questionnaire' || question === undefined || !images) {
    return null;
  }
  return toImageSurvey({
    question,
    images,
    ...(format === 'image_slider' ? { scale: completeScale(scale) } : {}),
  });
}

/**
 * The kind of campaign that a document creates.
 *
 * @throws ApiError `validation_failed` if it lacks what such a campaign needs
 */
export function kindOfNewCampaign(document: CampaignDocumentDto): CampaignKind {
  const { type, reward_amount } = document;
  if (type === undefined) {
    throw incomplete([detail('type', 'required', 'is required to create the campaign')]);
  }
  const format = type === 'survey' ? (document.format ?? 'questionnaire') : null;
  const details = [
    ...missing(document, type, format),
    ...wrongImageCount(document.images, format),
    // A reward is whole at creation (section 4.1).
    ...(reward_amount === undefined || Number.isInteger(reward_amount)
      ? []
      : [detail('reward_amount', 'not_an_integer', 'must be a whole number at creation')]),
  ];
  if (details.length > 0) {
    throw incomplete(details);
  }
  return {
    type,
    format,
    hasFeedback: type === 'advertisement' ? (document.has_feedback ?? false) : null,
    imageSurvey: newImageSurvey(document, format),
  };
}

function incomplete(details: ErrorDetail[]): ApiError {
  return new ApiError(
    'validation_failed',
    'No campaign has this external_ref yet, and the document lacks what creating it needs.',
    details,
  );
}

/**
 * Refuses a document with something that its campaign's kind cannot have or cannot change.
 *
 * @throws ApiError `wrong_campaign_type`, `feedback_not_enabled` or `questions_fixed`
 */
export function requireFit(kind: CampaignKind, document: CampaignDocumentDto): void {
  const isImageSurvey = kind.imageSurvey !== null;
  const misfits = [
    ...(document.type === undefined || document.type === kind.type ? [] : ['type']),
    ...(document.format === undefined || document.format === kind.format ? [] : ['format']),
    ...(document.has_feedback === undefined || document.has_feedback === kind.hasFeedback
      ? []
      : ['has_feedback']),
    ...(kind.type === 'advertisement'
      ? []
      : ADVERTISEMENT_FIELDS.filter((name) => name in given(document))),
    ...(isImageSurvey ? [] : IMAGE_FIELDS.filter((name) => name in given(document))),
    ...(isImageSurvey && kind.format !== 'image_slider' && document.scale ? ['scale'] : []),
  ];
  if (misfits.length > 0) {
    throw new ApiError(
      'wrong_campaign_type',
      `This campaign is of another kind: ${misfits.join(', ')} cannot be set or changed.`,
      misfits.map((field) => detail(field, 'not_for_this_campaign', 'cannot be set or changed')),
    );
  }
  if (kind.imageSurvey !== null && changesImages(kind.imageSurvey, document)) {
    throw questionsFixed();
  }
  if (document.questions !== undefined) {
    if (isImageSurvey) {
      throw questionsFixed();
    }
    if (kind.hasFeedback === false) {
      throw feedbackNotEnabled();
    }
  }
}

/** The fields a document has; those that were left out are `undefined` members of its class. */
function given(document: CampaignDocumentDto): Partial<CampaignDocumentDto> {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
}

/** Whether a document asks for other content than an image survey has. */
function changesImages(stored: ImageSurvey, document: CampaignDocumentDto): boolean {
  const wanted = toImageSurvey({
    question: document.question ?? stored.question,
    images: document.images ?? stored.images,
    ...(stored.scale === undefined
      ? {}
      : { scale: document.scale ? completeScale(document.scale) : stored.scale }),
  });
  return !isDeepStrictEqual(wanted, stored);
}
