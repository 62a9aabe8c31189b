import { applyDecorators } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  Field,
  isPlainObject,
  placed,
  Presence,
  Problem,
  problem,
} from '../../platform/validation/fields/field';
import { findProblems, toInstance } from '../../platform/validation/dto-rules';
import { checkText, TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import { normalizeText, visibleForm } from '../../platform/validation/fields/unicode';
import { KEY_PATTERN, OPTION_FLAGS, OPTION_LENGTH, OptionDto, OptionFlag } from './option.dto';
import { identityOf } from './option.rules';
import type { Option } from './question.types';

const KEY = new RegExp(KEY_PATTERN);

/** Returns the problems of a key. Objects by key must not have the members of all objects. */
export function checkKey(value: unknown): Problem[] {
  if (typeof value !== 'string') {
    return problem('invalid_type', 'must be a string');
  }
  if (!KEY.test(value)) {
    return problem(
      'not_allowed',
      'must consist of 1 to 40 lower-case letters from a to z, digits and underscores',
    );
  }
  return value in Object.prototype ? problem('not_allowed', 'is a reserved word') : [];
}

/** The key of a question. */
export function Key(presence: Presence = {}): PropertyDecorator {
  return Field(
    checkKey,
    { type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN, example: 'cups' },
    presence,
  );
}

interface OptionLimits extends Presence {
  minimum: number;
  maximum: number;
  /** What describes an option with more than its text. */
  option: typeof OptionDto;
  /** What describes when an option is shown. */
  showIf: new () => object;
  /** Whether answers are objects with the options as members. */
  areMembers?: boolean;
  example?: (string | object)[];
}

/** Options, each a text or an object, with different keys or texts. */
export function Options({
  minimum,
  maximum,
  option,
  showIf,
  areMembers = false,
  example,
  ...presence
}: OptionLimits): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((each) => normalized(each, showIf)) : value,
    ),
    Field(
      (value) => {
        if (!Array.isArray(value)) {
          return problem('invalid_type', 'must be an array');
        }
        if (value.length < minimum) {
          return problem(
            'too_few',
            `must have at least ${minimum} ${minimum === 1 ? 'entry' : 'entries'}`,
          );
        }
        if (value.length > maximum) {
          return problem('too_many', `must have at most ${maximum} entries`);
        }
        return checkOptions(value, option.flags, areMembers);
      },
      {
        type: 'array',
        items: {
          oneOf: [
            { type: 'string', minLength: 1, maxLength: OPTION_LENGTH, pattern: TEXT_PATTERN },
            { $ref: getSchemaPath(option) },
          ],
        },
        minItems: minimum,
        maxItems: maximum,
        uniqueItems: true,
        example,
      },
      presence,
    ),
  );
}

function normalized(option: unknown, showIf: OptionLimits['showIf']): unknown {
  const normal = (text: unknown) => (typeof text === 'string' ? normalizeText(text.trim()) : text);
  if (!isPlainObject(option)) {
    return normal(option);
  }
  const { show_if: condition } = option;
  return {
    ...option,
    ...('text' in option ? { text: normal(option.text) } : {}),
    ...(isPlainObject(condition) ? { show_if: toInstance(showIf, condition) } : {}),
  };
}

function checkOptions(
  options: readonly unknown[],
  flags: readonly OptionFlag[],
  areMembers: boolean,
): Problem[] {
  const seen = new Set<string>();
  let others = 0;
  return options.flatMap((option, index) => {
    const at = `[${index}]`;
    const wrong = isPlainObject(option)
      ? checkObject(option, flags)
      : checkText(option, OPTION_LENGTH);
    if (wrong.length > 0) {
      return placed(at, wrong);
    }
    const identity = identityOf(option as Option);
    const form = visibleForm(identity);
    if (seen.has(form)) {
      return problem('duplicate', 'must differ from the entries before it', at);
    }
    seen.add(form);
    if (areMembers && identity in Object.prototype) {
      return problem('not_allowed', 'is a reserved word, so it needs a key', at);
    }
    others += isPlainObject(option) && option.other === true ? 1 : 0;
    return others > 1 && isPlainObject(option) && option.other === true
      ? problem('duplicate', 'must be true for one option only', `${at}.other`)
      : [];
  });
}

function checkShowIf(showIf: unknown): Problem[] {
  return isPlainObject(showIf)
    ? findProblems(showIf).map(({ at, ...wrong }) => ({
        ...wrong,
        at: at === '' ? '.show_if' : `.show_if.${at}`,
      }))
    : problem('invalid_type', 'must be an object', '.show_if');
}

function checkObject(
  { text, key, show_if: showIf, ...rest }: Record<string, unknown>,
  flags: readonly OptionFlag[],
): Problem[] {
  return [
    ...(text === undefined
      ? problem('required', 'is required', '.text')
      : placed('.text', checkText(text, OPTION_LENGTH))),
    ...(key === undefined ? [] : placed('.key', checkKey(key))),
    ...(showIf === undefined ? [] : checkShowIf(showIf)),
    ...Object.entries(rest).flatMap(([name, value]) => {
      const at = `.${name.slice(0, 100)}`;
      if (!flags.includes(name as OptionFlag)) {
        return OPTION_FLAGS.includes(name as OptionFlag)
          ? problem('not_allowed', 'is not for questions of this type', at)
          : problem('unknown_field', 'is not a field of this request', at);
      }
      return typeof value === 'boolean' ? [] : problem('invalid_type', 'must be a boolean', at);
    }),
  ];
}
