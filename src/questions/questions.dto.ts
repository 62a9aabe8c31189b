import { ApiProperty } from '@nestjs/swagger';
import type { CampaignType } from '../campaign/campaign-type';
import { PostId } from '../campaign/post-id.field';
import { ObjectArray, TextArray } from '../http/fields/array.fields';
import { OneOf } from '../http/fields/choice.fields';
import { Text } from '../http/fields/text.fields';
import { RefineSchema, Refinement } from '../http/schema-refinements';
import {
  checkOptionsFit,
  isChoice,
  OPTIONS_MAXIMUM,
  OPTIONS_MINIMUM,
  QUESTION_TYPES,
  QUESTIONS_MAXIMUM,
  QUESTIONS_MINIMUM,
  QuestionType,
} from './question';
import type { QuestionSet } from './question-set.entity';

const typeOf = (question: object): unknown => (question as QuestionDto).type;

/** Choices have options, the others have none (section 2.4): two schemas, told apart by `type`. */
const byType: Refinement = ({ properties, ...schema }) => {
  const { question, options } = properties;
  const variant = (choice: boolean, choices: object) => {
    const types = QUESTION_TYPES.filter((type) => isChoice(type) === choice);
    return {
      ...schema,
      properties: { type: { type: 'string', enum: types }, question, options: choices },
      required: ['type', 'question', ...(choice ? ['options'] : [])],
    };
  };
  const schemas = {
    ChoiceQuestion: {
      description: 'Radio buttons (`single_choice`) or checkboxes (`multiple_choice`).',
      ...variant(true, { ...options, description: 'At least two, all different.' }),
    },
    OpenQuestion: {
      description: 'Open text (`descriptive`) or short text (`text`).',
      ...variant(false, {
        type: 'array',
        description: 'Absent or empty: there is nothing to choose from.',
        items: { type: 'string', maxLength: 0 },
        maxItems: 0,
      }),
    },
  };
  const reference = (name: keyof typeof schemas) => `#/components/schemas/${name}`;
  return {
    oneOf: [{ $ref: reference('ChoiceQuestion') }, { $ref: reference('OpenQuestion') }],
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        QUESTION_TYPES.map((type) => [
          type,
          reference(isChoice(type) ? 'ChoiceQuestion' : 'OpenQuestion'),
        ]),
      ),
    },
    $defs: schemas,
  };
};

/** A question (section 2.4). */
@RefineSchema(byType)
export class QuestionDto {
  /** Open text, short text, radio buttons or checkboxes. */
  @OneOf(QUESTION_TYPES, 'QuestionType', { example: 'single_choice' })
  type!: QuestionType;

  /** The question's text. */
  @Text({ maximum: 1000, example: 'How many cups do you drink a day?' })
  question!: string;

  /** Required for `single_choice` and `multiple_choice`, at least two; none for the other types. */
  @TextArray({
    minimum: OPTIONS_MINIMUM,
    maximum: OPTIONS_MAXIMUM,
    length: 200,
    example: ['None', 'One or two', 'More'],
    optional: (question) => !isChoice(typeOf(question)),
    rule: (options, question) => checkOptionsFit(typeOf(question), options),
  })
  options?: string[];
}

/** A choice and an open question: documentation pages put options into both by themselves. */
const EXAMPLE: QuestionDto[] = [
  {
    type: 'single_choice',
    question: 'How many cups do you drink a day?',
    options: ['None', 'One or two', 'More'],
  },
  { type: 'descriptive', question: 'What makes a good cup?' },
];

/** A whole question set, in order. */
export function Questions(presence: { optional?: boolean } = {}): PropertyDecorator {
  return ObjectArray(() => QuestionDto, QUESTIONS_MINIMUM, QUESTIONS_MAXIMUM, {
    ...presence,
    example: EXAMPLE,
  });
}

export class SetQuestionsDto {
  /** The campaign, as its creation answered it. */
  @PostId()
  post_id!: string;

  /** The whole set, in order; it replaces an earlier one. */
  @Questions()
  questions!: QuestionDto[];
}

/** The kinds of question set (section 2.5). */
export const QUESTION_SET_TYPES = ['survey', 'ad'] as const;

export type QuestionSetType = (typeof QUESTION_SET_TYPES)[number];

/** What a campaign's questions are called in an answer. */
export function questionSetType(type: CampaignType): QuestionSetType {
  return type === 'advertisement' ? 'ad' : 'survey';
}

/** The question set that was stored (section 2.5). */
export class QuestionSetDto {
  /**
   * Identifier of the question set.
   * @example "qset_01k9x2v8zdf3xbz0q4v5rk6t7m"
   */
  question_id!: string;

  /**
   * The campaign.
   * @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m"
   */
  post_id!: string;

  /**
   * Numeric identifier of the campaign.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  ad_id!: number;

  /** `survey` for survey questions, `ad` for an advertisement's feedback questions. */
  @ApiProperty({ enum: QUESTION_SET_TYPES, enumName: 'QuestionSetType' })
  question_type!: QuestionSetType;

  /**
   * Number of questions stored.
   * @example 3
   */
  @ApiProperty({ type: 'integer' })
  total_questions!: number;

  static from(set: QuestionSet, postId: string, type: CampaignType): QuestionSetDto {
    return {
      question_id: set.questionId,
      post_id: postId,
      ad_id: Number(set.campaignId),
      question_type: questionSetType(type),
      total_questions: set.totalQuestions,
    };
  }
}
