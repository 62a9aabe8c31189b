import { ApiProperty } from '@nestjs/swagger';
import { SCHEMAS } from '../../platform/openapi/json-schema';
import { TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import type { ShowIf } from './shown.rules';

export const OPTION_LENGTH = 500;

/** A name that an author gives to a question, an option or a row. */
export const KEY_PATTERN = '^[a-z0-9_]{1,40}$';

export const OPTION_FLAGS = ['other', 'exclusive', 'fixed'] as const;

export type OptionFlag = (typeof OPTION_FLAGS)[number];

/** An option or a row with more than its text. */
export class OptionDto {
  static readonly flags: readonly OptionFlag[] = ['fixed'];

  @ApiProperty({ type: 'string', minLength: 1, maxLength: OPTION_LENGTH, pattern: TEXT_PATTERN })
  text!: string;

  /** What answers, conditions and translations name the option by; its text by default. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN })
  key?: string;

  /** `shuffle` leaves it at its place. */
  @ApiProperty({ type: 'boolean' })
  fixed?: boolean;

  /** When the option is shown to those who are shown the question; always, by default. */
  @ApiProperty({ allOf: [{ $ref: `${SCHEMAS}ShowIf` }] })
  show_if?: ShowIf;
}

/** An option of a `single_choice` with more than its text. */
export class SingleChoiceOptionDto extends OptionDto {
  static override readonly flags: readonly OptionFlag[] = ['other', 'fixed'];

  /** The respondent adds a text of their own. At most one option of a question. */
  @ApiProperty({ type: 'boolean' })
  other?: boolean;
}

/** An option of a `multiple_choice` with more than its text. */
export class MultipleChoiceOptionDto extends SingleChoiceOptionDto {
  static override readonly flags: readonly OptionFlag[] = OPTION_FLAGS;

  /** Cannot be ticked together with another option. */
  @ApiProperty({ type: 'boolean' })
  exclusive?: boolean;
}
