import type { CampaignType } from '../campaign/campaign.types';
import { PostId, ResponsePostId } from '../campaign/post-id.field';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseSequence,
} from '../openapi/response-fields';
import { ObjectArray, TextArray } from '../validation/fields/array.fields';
import { Flag, OneOf } from '../validation/fields/choice.fields';
import { Text } from '../validation/fields/text.fields';
import { oneOf, RefineSchema, Refinement } from '../openapi/schema-refinements';
import {
  checkOptionsFit,
  isChoice,
  OPTION_MAXIMUM,
  OPTIONS_MAXIMUM,
  OPTIONS_MINIMUM,
  QUESTION_TYPES,
  QUESTIONS_MAXIMUM,
  QUESTIONS_MINIMUM,
  QuestionType,
} from './question.rules';
import type { QuestionSet } from './question-set.entity';

const typeOf = (question: object): unknown => (question as QuestionDto).type;

/**
 * Choices have options, other questions have none (section 2.4): two schemas that differ in `type`.
 * Without a discriminator: generators lose types where several of its values share a schema.
 */
const byType: Refinement = ({ properties, ...schema }) => {
  const { question, options, required } = properties;
  const variant = (choice: boolean, description: string, choices: object) => {
    const types = QUESTION_TYPES.filter((type) => isChoice(type) === choice);
    return {
      description,
      ...schema,
      properties: { type: { type: 'string', enum: types }, question, options: choices, required },
      required: ['type', 'question', ...(choice ? ['options'] : [])],
    };
  };
  return oneOf([
    [
      'ChoiceQuestion',
      variant(
        true,
        'A question with radio buttons (`single_choice`) or checkboxes (`multiple_choice`).',
        { ...options, description: 'At least two, all different.' },
      ),
    ],
    [
      'OpenQuestion',
      variant(false, 'A question for open text (`descriptive`) or short text (`text`).', {
        type: 'array',
        description: 'Absent or empty.',
        items: { type: 'string', maxLength: 0 },
        maxItems: 0,
      }),
    ],
  ]);
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

  /** At least two for `single_choice` and `multiple_choice`; none for the other types. */
  @TextArray({
    minimum: OPTIONS_MINIMUM,
    maximum: OPTIONS_MAXIMUM,
    length: OPTION_MAXIMUM,
    example: ['None', 'One or two', 'More'],
    optional: (question) => !isChoice(typeOf(question)),
    rule: (options, question) => checkOptionsFit(typeOf(question), options),
  })
  options?: string[];

  /** Whether respondents must answer the question; `true` by default. */
  @Flag({ optional: true })
  required?: boolean;
}

/** A choice and an open question; an example made of the schema would give options to both. */
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
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;

  /** The whole set, in order. It replaces the current one. */
  @Questions()
  questions!: QuestionDto[];
}

/** The kinds of question set (section 2.5). */
export const QUESTION_SET_TYPES = ['survey', 'ad'] as const;

export type QuestionSetType = (typeof QUESTION_SET_TYPES)[number];

/** The kind of question set that campaigns of a type have. */
export function questionSetType(type: CampaignType): QuestionSetType {
  return type === 'advertisement' ? 'ad' : 'survey';
}

export function ResponseQuestionId(): PropertyDecorator {
  return ResponseId('qset');
}

/** The question set that was stored (section 2.5). */
export class QuestionSetDto {
  /** The identifier of the question set. */
  @ResponseQuestionId()
  question_id!: string;

  @ResponsePostId()
  post_id!: string;

  /** The numeric identifier of the campaign. */
  @ResponseSequence()
  ad_id!: number;

  /** `survey` for survey questions, `ad` for an advertisement's feedback questions. */
  @ResponseEnum(QUESTION_SET_TYPES, 'QuestionSetType')
  question_type!: QuestionSetType;

  /** The number of questions. */
  @ResponseInteger()
  total_questions!: number;

  static from(
    set: Pick<QuestionSet, 'questionId' | 'campaignId' | 'totalQuestions'>,
    postId: string,
    type: CampaignType,
  ): QuestionSetDto {
    return {
      question_id: set.questionId,
      post_id: postId,
      ad_id: Number(set.campaignId),
      question_type: questionSetType(type),
      total_questions: set.totalQuestions,
    };
  }
}
