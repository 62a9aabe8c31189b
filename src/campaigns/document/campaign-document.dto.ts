import { CampaignContentDto } from '../campaign/campaign-fields.dto';
import { EXTERNAL_REF } from '../campaign/campaign.fields';
import {
  CAMPAIGN_TYPES,
  CampaignType,
  SURVEY_FORMATS,
  SurveyFormat,
} from '../campaign/campaign.types';
import {
  ImageDto,
  ImageQuestion,
  Images,
  ScaleDto,
  ScaleField,
} from '../campaign/image-survey.dto';
import { Currency } from '../../access/company/currency.field';
import { CohortRewardsInputDto } from '../cohort-rewards/cohort-rewards.dto';
import { IMAGES_MAXIMUM } from '../campaign/image-survey.rules';
import { CampaignStatusDto } from '../campaign/campaign-status.dto';
import { ResponsePostId } from '../campaign/post-id.field';
import { GuardrailFieldsDto } from '../guardrail/guardrail.dto';
import { CAMPAIGN_GUARDRAILS_MAXIMUM } from '../guardrail/guardrail.types';
import { TargetingFieldsDto } from '../targeting/targeting.dto';
import { NestedObject, ObjectArray } from '../../platform/validation/fields/array.fields';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseList,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { Flag, OneOf } from '../../platform/validation/fields/choice.fields';
import { ChangeOf } from '../../platform/openapi/resource-fields';
import { Text } from '../../platform/validation/fields/text.fields';
import type { QuestionDto } from '../questions/question.dto';
import {
  Language,
  Questions,
  SectionDto,
  Sections,
  TranslationsField,
} from '../questions/question-set.dto';
import type { Translations } from '../questions/question.types';
import { checkSetContent } from '../questions/questions.dto';
import { DtoRule } from '../../platform/validation/dto-rules';
import { problem } from '../../platform/validation/fields/field';

/** A campaign as its company describes it. Fields that are left out stay as stored. */
@DtoRule(({ questions, ...content }: CampaignDocumentDto) =>
  questions === undefined
    ? (['language', 'translations', 'sections'] as const).flatMap((field) =>
        content[field] === undefined
          ? []
          : problem('not_allowed', 'is only for a document with questions', field),
      )
    : checkSetContent({ questions, ...content }),
)
export class CampaignDocumentDto extends ChangeOf(CampaignContentDto, 'document') {
  /** Your own name for the campaign, unique within your company. */
  @Text(EXTERNAL_REF)
  external_ref!: string;

  /** Required to create the campaign; cannot change. */
  @OneOf(CAMPAIGN_TYPES, 'CampaignType', { optional: true })
  type?: CampaignType;

  /** How a survey asks; `questionnaire` by default; cannot change. */
  @OneOf(SURVEY_FORMATS, 'SurveyFormat', { optional: true })
  format?: SurveyFormat;

  /** Your company's currency, if you send it: amounts in another one are refused. */
  @Currency()
  currency?: string;

  /** All five, or none: then they are computed from `reward_amount`. */
  @NestedObject(() => CohortRewardsInputDto, { optional: true })
  cohort_rewards?: CohortRewardsInputDto;

  /** The whole question set. Not for image surveys. */
  @Questions({ optional: true })
  questions?: QuestionDto[];

  /** With `questions` only: their language (BCP 47). */
  @Language({ optional: true })
  language?: string;

  /** With `questions` only: their texts in other languages, by language and then by their keys. */
  @TranslationsField()
  translations?: Translations;

  /** With `questions` only: what holds for the questions of a section together. */
  @Sections()
  sections?: SectionDto[];

  /** Image surveys only: the question; fixed once created. */
  @ImageQuestion({ optional: true })
  question?: string;

  /** Image surveys only: as many images as the format takes; fixed once created. */
  @Images([1, IMAGES_MAXIMUM], { optional: true })
  images?: ImageDto[];

  /** `image_slider` only; fixed once created. */
  @ScaleField()
  scale?: ScaleDto;

  /** `round_robin` and `binary` only: an answer can be `tie`; fixed once created. */
  @Flag({ optional: true, example: false })
  allow_ties?: boolean;

  /** `round_robin` and `binary` only: an answer can be `skip`; fixed once created. */
  @Flag({ optional: true, example: false })
  allow_skips?: boolean;

  /**
   * Whether the campaign is started; a new campaign is stopped by default. `true` starts a campaign
   * that its end or a limit has stopped only if the document changes that, and never one that a
   * guardrail has stopped.
   */
  @Flag({ optional: true, example: true })
  is_live?: boolean;

  /**
   * Whom it asks: all of the rules, as `POST /svc/campaign/targeting` takes them; `null` to ask
   * everybody.
   */
  @NestedObject(() => TargetingFieldsDto, { optional: true, nullable: true })
  targeting?: TargetingFieldsDto | null;

  /**
   * The guardrails that watch only this campaign, each known by its name. Those that the campaign
   * has and this list leaves out are deleted.
   */
  @ObjectArray(() => GuardrailFieldsDto, 0, CAMPAIGN_GUARDRAILS_MAXIMUM, {
    distinctBy: 'name',
    optional: true,
  })
  guardrails?: GuardrailFieldsDto[];

  /** Return what would change, without changing anything. */
  @Flag({ optional: true, example: false })
  dry_run?: boolean;
}

/** The outcomes of applying a document. */
const APPLY_RESULTS = ['created', 'updated', 'unchanged'] as const;

/** What a document changed, and where the campaign is in its life afterwards. */
export class AppliedDocumentDto extends CampaignStatusDto {
  /** The campaign; `null` when a dry run would create it. */
  @ResponsePostId()
  post_id!: string | null;

  @ResponseText(EXTERNAL_REF)
  external_ref!: string;

  @ResponseEnum(APPLY_RESULTS, 'ApplyResult')
  result!: (typeof APPLY_RESULTS)[number];

  /**
   * The fields whose stored value changed. For a new campaign: every field it has, including those
   * that took their default.
   */
  @ResponseList({ maximum: 100, pattern: '^[a-z_0-9]+$' }, { maximum: 30 })
  changed_fields!: string[];

  /** Whether nothing was written. */
  @ResponseFlag()
  dry_run!: boolean;
}
