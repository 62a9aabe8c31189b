import { OPTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { ofType } from '../../campaigns/questions/question-fields.dto';
import { SCHEMAS } from '../../platform/openapi/json-schema';
import {
  ResponseInteger,
  ResponseList,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { BinaryResultDto, ImageSliderResultDto, RoundRobinResultDto } from './image-results.dto';
import { MatrixResultDto, RankingResultDto } from './list-results.dto';
import {
  DateResultDto,
  NpsResultDto,
  NumberResultDto,
  RatingResultDto,
} from './measure-results.dto';
import {
  AnsweredResultDto,
  CheckedResultDto,
  OptionResultDto,
  QUESTION_RESULT_TYPES,
  QuestionResultFieldsDto,
  QuestionResultType,
  ShareDto,
  ShownResultDto,
  SizedResultDto,
} from './result-fields.dto';

/** The result of open texts. */
@ofType('descriptive')
export class DescriptiveResultDto extends AnsweredResultDto {}

/** The result of short texts. */
@ofType('text')
export class TextResultDto extends AnsweredResultDto {}

/** What the results of choices have. */
export class ChoiceResultDto extends CheckedResultDto {
  /** Each option, as a share of those who answered. */
  @ResponseList(() => OptionResultDto, { maximum: OPTIONS_MAXIMUM })
  options!: OptionResultDto[];

  /** How many wrote a text of their own; absent without an option that asks for one. */
  @ResponseInteger()
  others?: number;

  /** How many wrote a comment; absent if none could be written. */
  @ResponseInteger()
  comments?: number;
}

/** The result of a choice of one option. */
@ofType('single_choice')
export class SingleChoiceResultDto extends ChoiceResultDto {}

/** The result of a choice of several options. */
@ofType('multiple_choice')
export class MultipleChoiceResultDto extends ChoiceResultDto {}

/** The result of a box to tick. */
@ofType('checkbox')
export class CheckboxResultDto extends SizedResultDto {
  /** Those who ticked the box; the others answered `false`. */
  @ResponseObject(() => ShareDto)
  ticked!: ShareDto;
}

/** The result of a text without an answer. */
@ofType('statement')
export class StatementResultDto extends ShownResultDto {}

/** The class of the result of each type of question, and of each format of image survey. */
export const QUESTION_RESULT_DTOS = {
  descriptive: DescriptiveResultDto,
  text: TextResultDto,
  single_choice: SingleChoiceResultDto,
  multiple_choice: MultipleChoiceResultDto,
  rating: RatingResultDto,
  nps: NpsResultDto,
  number: NumberResultDto,
  date: DateResultDto,
  ranking: RankingResultDto,
  matrix: MatrixResultDto,
  checkbox: CheckboxResultDto,
  statement: StatementResultDto,
  round_robin: RoundRobinResultDto,
  binary: BinaryResultDto,
  image_slider: ImageSliderResultDto,
} as const satisfies Record<QuestionResultType, new () => QuestionResultFieldsDto>;

type Dtos = typeof QUESTION_RESULT_DTOS;

export type QuestionResultOf<Type extends QuestionResultType> = InstanceType<Dtos[Type]> & {
  type: Type;
};

/** The result of a question, told apart by its type. */
export type QuestionResult = {
  [Type in QuestionResultType]: QuestionResultOf<Type>;
}[QuestionResultType];

const schemaOf = (type: QuestionResultType) =>
  SCHEMAS + QUESTION_RESULT_DTOS[type].name.replace(/Dto$/, '');

/** The result of a question. Its type decides what else it has. */
@RefineSchema(({ description }) => ({
  description,
  oneOf: QUESTION_RESULT_TYPES.map((type) => ({ $ref: schemaOf(type) })),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(QUESTION_RESULT_TYPES.map((type) => [type, schemaOf(type)])),
  },
}))
export class QuestionResultDto extends QuestionResultFieldsDto {}
