import { applyDecorators } from '@nestjs/common';
import { PostId, EXAMPLE_POST_ID } from '../campaign/post-id.field';
import { Field, problem } from '../../platform/validation/fields/field';
import { QuestionConditionDto } from '../questions/show-if.dto';
import { CONDITIONS_MAXIMUM } from '../questions/question.types';
import { AllOrAny } from '../../platform/openapi/all-or-any';
import {
  checkTexts,
  NestedObject,
  ObjectArray,
  WholeNumberArray,
} from '../../platform/validation/fields/array.fields';
import { WholeNumber } from '../../platform/validation/fields/number.fields';
import {
  ID_MAX_LENGTH,
  Normalized,
  TEXT_PATTERN,
} from '../../platform/validation/fields/text.fields';
import { ALL, DAYS, EXCLUDED_MAXIMUM, RESPONSES } from './targeting.types';

const CAMPAIGNS = { minimum: 1, maximum: EXCLUDED_MAXIMUM, length: ID_MAX_LENGTH } as const;

/** Campaigns of the company, or the word for all of them. */
function Campaigns(): PropertyDecorator {
  return applyDecorators(
    Normalized(),
    Field(
      (value) => {
        if (typeof value !== 'string') {
          return checkTexts(value, CAMPAIGNS);
        }
        return value === ALL ? [] : problem('not_allowed', `must be an array or ${ALL}`);
      },
      {
        oneOf: [
          { type: 'string', enum: [ALL] },
          {
            type: 'array',
            items: {
              type: 'string',
              minLength: 1,
              maxLength: ID_MAX_LENGTH,
              pattern: TEXT_PATTERN,
            },
            minItems: CAMPAIGNS.minimum,
            maxItems: CAMPAIGNS.maximum,
            uniqueItems: true,
          },
        ],
        example: [EXAMPLE_POST_ID],
      },
    ),
  );
}

/** Refuses whoever has begun one of some campaigns, whatever came of it. */
export class ExcludeDto {
  /** Campaigns of yours, or `all` of them. */
  @Campaigns()
  campaigns!: string[] | typeof ALL;

  /** Only beginnings in the last so many days; whenever by default. */
  @WholeNumber({ ...DAYS, optional: true, example: 30 })
  within_days?: number;
}

/** What the answers to the questions of a campaign must be. */
@AllOrAny('Answered', ['Answers that meet all conditions.', 'Answers that meet any condition.'])
export class AnsweredDto {
  @ObjectArray(() => QuestionConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  all?: QuestionConditionDto[];

  @ObjectArray(() => QuestionConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  any?: QuestionConditionDto[];
}

/** Refuses whoever has not submitted a campaign, or whose reward was taken back. */
export class IncludeDto {
  /** A campaign of yours. */
  @PostId()
  campaign!: string;

  /** Only those whose attention score was in one of these cohorts; any by default. */
  @WholeNumberArray({
    minimum: 1,
    maximum: 5,
    items: { minimum: 1, maximum: 5 },
    optional: true,
    example: [4, 5],
  })
  cohorts?: number[];

  /** Only those whose answers meet these conditions; any answers by default. */
  @NestedObject(() => AnsweredDto, { optional: true })
  answered?: AnsweredDto;
}

/** Refuses whoever has as many responses to your campaigns, those under way included. */
export class AtMostDto {
  @WholeNumber({ ...RESPONSES, example: 2 })
  responses!: number;

  /** Only those that were begun in the last so many days. */
  @WholeNumber({ ...DAYS, example: 30 })
  per_days!: number;
}
