import { CampaignDocumentDto } from '../../campaigns/document/campaign-document.dto';
import { PostId } from '../../campaigns/campaign/post-id.field';
import { oneOfVariants, RefineSchema } from '../../platform/openapi/schema-refinements';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Decimal, WholeNumber } from '../../platform/validation/fields/number.fields';
import { AttentionOrHistory, AttentionOrHistoryDto } from './attention.dto';
import { ExpectedAnswerDto, ExpectedAnswers } from './expected-answers.dto';
import { CONCURRENT, RESPONDENTS, RUNS } from './plan.rules';
import { AttributeSharesDto, Population } from './population.dto';
import { SEED } from '../../platform/statistics/random.rules';

const COMPLETION_RATE = { minimum: 0.01, maximum: 1, places: 4 } as const;

/** The seed of a forecast or a simulation. */
export function Seed(presence: { optional?: boolean } = {}): PropertyDecorator {
  return WholeNumber({ ...SEED, example: 4711, ...presence });
}

@RefineSchema(
  oneOfVariants({
    ForecastStoredCampaign: { description: 'Forecast a stored campaign.', fields: ['post_id'] },
    ForecastDocument: {
      description: 'Forecast the campaign that applying a document would lead to.',
      fields: ['campaign'],
    },
  }),
)
export class ForecastCampaignDto {
  /** A stored campaign. What it has paid and accepted already counts. */
  @PostId({ optional: true })
  post_id?: string;

  /** The campaign that applying this document would lead to. Nothing is stored. */
  @NestedObject(() => CampaignDocumentDto, { optional: true })
  campaign?: CampaignDocumentDto;

  /** The same seed gives the same forecast. By default it is derived from the request. */
  @Seed({ optional: true })
  seed?: number;

  /**
   * How often to run the campaign. By default 2,000 times, or less often if that would be more than
   * 20,000,000 respondents.
   */
  @WholeNumber({ ...RUNS, optional: true, example: 1_000 })
  runs?: number;

  /**
   * What respondents are, for a campaign with targeting. By default, all values of a `select` are
   * equally likely, and so are all numbers from 10 below to 10 above those that the rules name.
   */
  @Population()
  attributes?: AttributeSharesDto[];

  /**
   * The part of those who answer the screening questions that qualifies; 1 by default. Everybody else
   * is paid the `screen_out_reward`.
   */
  @Decimal({ minimum: 0, maximum: 1, places: 4, optional: true, example: 0.7 })
  qualification_rate?: number;

  /**
   * How many respondents begin at most, or come, if the campaign has targeting; times `runs`, at most 20,000,000. By default as many as it
   * takes until `max_responses` or `budget` ends the campaign.
   */
  @WholeNumber({ ...RESPONDENTS, optional: true, example: 500 })
  respondents?: number;

  /** How attentive respondents are. By default `{ "history": true }`. */
  @AttentionOrHistory()
  attention?: AttentionOrHistoryDto;

  /** The part of those who begin that submits. By default that of your past responses. */
  @Decimal({ ...COMPLETION_RATE, optional: true })
  completion_rate?: number;

  /**
   * What respondents answer, for a campaign that a guardrail completes once it is known well enough.
   * By default what takes most responses: half of them choose an option, and every value of a scale
   * is equally likely.
   */
  @ExpectedAnswers()
  expected_answers?: ExpectedAnswerDto[];

  /** How many respondents answer at once, which decides how much money is held. By default 20. */
  @WholeNumber({ ...CONCURRENT, optional: true })
  concurrent?: number;
}
