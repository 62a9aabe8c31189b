import { isDeepStrictEqual } from 'node:util';
import { CampaignFieldsDto } from '../campaign/campaign-fields.dto';
import type { Campaign } from '../campaign/campaign.entity';
import type { CampaignType, ImageSurveyFormat } from '../campaign/campaign.types';
import { IMAGE_LIMITS, ImageSurvey } from '../campaign/image-survey.rules';
import { completeScale, toImageSurvey } from '../campaign/image-survey.dto';
import { ApiError, ErrorDetail, fieldDetail, summarize } from '../../platform/protocol/api-error';
import { requiredFields } from '../../platform/openapi/resource-fields';
import { feedbackNotEnabled, questionsFixed } from '../questions/questions.errors';
import type { CampaignDocumentDto } from './campaign-document.dto';

/** The fields of a campaign that are fixed at its creation. */
export type CampaignKind = Pick<Campaign, 'type' | 'format' | 'hasFeedback' | 'imageSurvey'>;

const IMAGE_FIELDS = ['question', 'images'] as const;
const PAIR_FIELDS = ['allow_ties', 'allow_skips'] as const;
const ADVERTISEMENT_FIELDS = ['video_url', 'thumbnail_url', 'duration_seconds'] as const;
const REQUIRED = requiredFields(CampaignFieldsDto);

/** The fields that a document lacks to create a campaign. */
function missing(
  document: CampaignDocumentDto,
  type: CampaignType | undefined,
  format: ImageSurveyFormat | null,
): ErrorDetail[] {
  const required: (keyof CampaignDocumentDto)[] = [
    'type',
    ...REQUIRED,
    ...(type === 'advertisement' ? (['video_url'] as const) : []),
    ...(format === null ? [] : IMAGE_FIELDS),
  ];
  return required
    .filter((field) => document[field] === undefined)
    .map((field) => fieldDetail(field, 'required', 'is required to create the campaign'));
}

function wrongImageCount(
  images: readonly unknown[] | undefined,
  format: ImageSurveyFormat | null,
): ErrorDetail[] {
  if (images === undefined || format === null) {
    return [];
  }
  const [minimum, maximum] = IMAGE_LIMITS[format];
  if (images.length < minimum) {
    return [
      fieldDetail('images', 'too_few', `must have at least ${minimum} entries for ${format}`),
    ];
  }
  return images.length > maximum
    ? [fieldDetail('images', 'too_many', `must have at most ${maximum} entries for ${format}`)]
    : [];
}

function newImageSurvey(
  { question, images, scale, allow_ties, allow_skips }: CampaignDocumentDto,
  format: ImageSurveyFormat | null,
): ImageSurvey | null {
  if (format === null || question === undefined || !images) {
    return null;
  }
  return toImageSurvey({
    question,
    images,
    ...(format === 'image_slider'
      ? { scale: completeScale(scale) }
      : { ...(allow_ties && { allow_ties }), ...(allow_skips && { allow_skips }) }),
  });
}

/** @throws ApiError `document_incomplete` if the document lacks a field that this kind needs */
export function kindOfNewCampaign(document: CampaignDocumentDto): CampaignKind {
  const { type, reward_amount } = document;
  const format = type === 'survey' ? (document.format ?? 'questionnaire') : null;
  const imageFormat = format === 'questionnaire' ? null : format;
  const details = [
    ...missing(document, type, imageFormat),
    ...wrongImageCount(document.images, imageFormat),
    // The reward is a whole number at creation (section 4.1).
    ...(reward_amount === undefined || Number.isInteger(reward_amount)
      ? []
      : [fieldDetail('reward_amount', 'not_an_integer', 'must be a whole number at creation')]),
  ];
  if (type === undefined || details.length > 0) {
    throw incomplete(details);
  }
  return {
    type,
    format,
    hasFeedback: type === 'advertisement' ? (document.has_feedback ?? false) : null,
    imageSurvey: newImageSurvey(document, imageFormat),
  };
}

function incomplete(details: ErrorDetail[]): ApiError {
  return new ApiError(
    'document_incomplete',
    `No campaign has this external_ref yet, and this document cannot create it: ${summarize(details)}`,
    details,
  );
}

function nameOf({ type, format }: CampaignKind): string {
  return type === 'advertisement' ? 'an advertisement' : `a survey of format ${format ?? ''}`;
}

/** The fields of a document that a campaign of this kind cannot have or cannot change. */
function findIncompatibleFields(kind: CampaignKind, document: CampaignDocumentDto): ErrorDetail[] {
  const isAdvertisement = kind.type === 'advertisement';
  const notFor = (field: keyof CampaignDocumentDto, whose: string) =>
    document[field] === undefined
      ? []
      : [
          fieldDetail(
            field,
            'not_for_this_campaign',
            `is for ${whose} only; this campaign is ${nameOf(kind)}`,
          ),
        ];
  const fixed = (field: 'type' | 'format' | 'has_feedback', value: string | boolean) => {
    const wanted = document[field];
    return wanted === undefined || wanted === value
      ? []
      : [fieldDetail(field, 'cannot_change', `is ${value} and cannot change to ${wanted}`)];
  };
  return [
    ...fixed('type', kind.type),
    ...(kind.format === null ? notFor('format', 'surveys') : fixed('format', kind.format)),
    ...(kind.hasFeedback === null
      ? notFor('has_feedback', 'advertisements')
      : fixed('has_feedback', kind.hasFeedback)),
    ...(isAdvertisement
      ? []
      : ADVERTISEMENT_FIELDS.flatMap((field) => notFor(field, 'advertisements'))),
    ...(kind.imageSurvey === null
      ? IMAGE_FIELDS.flatMap((field) => notFor(field, 'image surveys'))
      : []),
    ...(kind.format === 'image_slider' ? [] : notFor('scale', 'surveys of format image_slider')),
    ...(kind.format === 'round_robin' || kind.format === 'binary'
      ? []
      : PAIR_FIELDS.flatMap((field) => notFor(field, 'surveys of images in pairs'))),
  ];
}

/** @throws ApiError `wrong_campaign_type`, `feedback_not_enabled` or `questions_fixed` */
export function assertCompatible(kind: CampaignKind, document: CampaignDocumentDto): void {
  const details = findIncompatibleFields(kind, document);
  if (details.length > 0) {
    throw new ApiError('wrong_campaign_type', summarize(details), details);
  }
  const { imageSurvey, hasFeedback } = kind;
  const hasQuestions = document.questions !== undefined;
  if (imageSurvey !== null && (hasQuestions || changesImages(imageSurvey, document))) {
    throw questionsFixed();
  }
  if (hasQuestions && hasFeedback === false) {
    throw feedbackNotEnabled();
  }
}

/** Whether a document's content differs from that of a stored image survey. */
function changesImages(stored: ImageSurvey, document: CampaignDocumentDto): boolean {
  const wanted = toImageSurvey({
    question: document.question ?? stored.question,
    images: document.images ?? stored.images,
    ...(stored.scale === undefined
      ? {}
      : { scale: document.scale ? completeScale(document.scale) : stored.scale }),
    allow_ties: document.allow_ties ?? stored.allow_ties ?? false,
    allow_skips: document.allow_skips ?? stored.allow_skips ?? false,
  });
  return !isDeepStrictEqual(wanted, stored);
}
