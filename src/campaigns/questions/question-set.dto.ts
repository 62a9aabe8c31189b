import { applyDecorators } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import { Flag } from '../../platform/validation/fields/choice.fields';
import {
  Field,
  isPlainObject,
  Presence,
  Problem,
  problem,
} from '../../platform/validation/fields/field';
import {
  checkText,
  Text,
  TEXT_PATTERN,
  Trimmed,
} from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';
import { canonicalLanguage, LANGUAGE_MAXIMUM, TRANSLATIONS_MAXIMUM } from './languages.rules';
import { OPTION_LENGTH } from './option.dto';
import { QuestionDto } from './question.dto';
import { QUESTION_LENGTH, SECTION_LENGTH, UNIT_LENGTH } from './question-fields.dto';
import { Question, QUESTIONS_MAXIMUM, QUESTIONS_MINIMUM, Translations } from './question.types';

/** A choice and an open question; an example made of the schema would give options to both. */
const EXAMPLE: QuestionDto[] = [
  {
    type: 'single_choice',
    question: 'How many cups do you drink a day?',
    options: ['None', 'One or two', 'More'],
  },
  { type: 'descriptive', question: 'What makes a good cup?' },
] as QuestionDto[];

/** A whole question set, in order. */
export function Questions(presence: { optional?: boolean } = {}): PropertyDecorator {
  return ObjectArray(() => QuestionDto, QUESTIONS_MINIMUM, QUESTIONS_MAXIMUM, {
    ...presence,
    example: EXAMPLE,
  });
}

/** Brings a language tag into its canonical form; what is no tag stays as it is. */
const toCanonical = (tag: unknown): unknown =>
  typeof tag === 'string' ? (canonicalLanguage(tag) ?? tag) : tag;

/** A language tag (BCP 47), in its canonical form. */
export function Language(presence: Presence & { example?: string } = {}): PropertyDecorator {
  const { example = 'en', ...rest } = presence;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toCanonical(value)),
    Trimmed(),
    Field(
      (value) => {
        if (typeof value !== 'string') {
          return problem('invalid_type', 'must be a string');
        }
        return canonicalLanguage(value) === undefined ? notALanguage() : [];
      },
      { type: 'string', minLength: 2, maxLength: LANGUAGE_MAXIMUM, example },
      rest,
    ),
  );
}

const notALanguage = (at?: string) =>
  problem('invalid_language', 'must be a language tag like de or pt-BR', at);

/** The heading of consecutive questions, with what holds for them together. */
export class SectionDto {
  /** The heading, as the questions have it. */
  @Text({ maximum: SECTION_LENGTH, example: 'About you' })
  section!: string;

  /** Whether each respondent sees the questions of the section in another order. */
  @Flag({ optional: true })
  shuffle?: boolean;
}

export function Sections(): PropertyDecorator {
  return ObjectArray(() => SectionDto, 0, QUESTIONS_MAXIMUM, {
    distinctBy: 'section',
    optional: true,
  });
}

/** Maximum number of characters of each text of a translation. */
const TEXTS = {
  question: QUESTION_LENGTH,
  section: SECTION_LENGTH,
  min_label: SECTION_LENGTH,
  max_label: SECTION_LENGTH,
  unit: UNIT_LENGTH,
} as const;

const LISTS = ['options', 'rows'] as const;

function TranslatedText(maximum: number): PropertyDecorator {
  return ApiProperty({ type: 'string', minLength: 1, maxLength: maximum, pattern: TEXT_PATTERN });
}

function TranslatedTexts(): PropertyDecorator {
  return ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: OPTION_LENGTH },
  });
}

/** The texts of a question in another language. */
export class QuestionTranslationDto {
  @TranslatedText(TEXTS.question)
  question?: string;

  /** The heading of the section, at its first question only. */
  @TranslatedText(TEXTS.section)
  section?: string;

  /** The texts of options, by their keys, or by their texts if they have none. */
  @TranslatedTexts()
  options?: Record<string, string>;

  /** The texts of the rows of a matrix, by their keys, or by their texts if they have none. */
  @TranslatedTexts()
  rows?: Record<string, string>;

  @TranslatedText(TEXTS.min_label)
  min_label?: string;

  @TranslatedText(TEXTS.max_label)
  max_label?: string;

  @TranslatedText(TEXTS.unit)
  unit?: string;
}

/** The documentation of translations: by language, then by the key of the question. */
export const TRANSLATIONS_SCHEMA = {
  type: 'object',
  maxProperties: TRANSLATIONS_MAXIMUM,
  additionalProperties: {
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(QuestionTranslationDto) },
  },
} as const;

export function ResponseLanguage(): PropertyDecorator {
  return ApiProperty({ type: 'string', minLength: 2, maxLength: LANGUAGE_MAXIMUM });
}

export function ResponseTranslations(): PropertyDecorator {
  return ApiProperty(TRANSLATIONS_SCHEMA);
}

export function TranslationsField(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => normalized(value)),
    Field(
      checkTranslations,
      {
        ...TRANSLATIONS_SCHEMA,
        example: { de: { q1: { question: 'Wie viele Tassen trinken Sie am Tag?' } } },
      },
      { optional: true },
    ),
  );
}

/** Brings languages into their canonical form, unless two would be the same, and texts into NFC. */
function normalized(value: unknown): unknown {
  if (!isPlainObject(value)) {
    return value;
  }
  const byLanguage = new Map<string, unknown>();
  for (const [tag, byKey] of Object.entries(value)) {
    const canonical = toCanonical(tag) as string;
    byLanguage.set(byLanguage.has(canonical) ? tag : canonical, normalizedTexts(byKey));
  }
  return Object.fromEntries(byLanguage);
}

function normalizedTexts(value: unknown): unknown {
  if (typeof value === 'string') {
    return normalizeText(value.trim());
  }
  return isPlainObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, each]) => [normalizeText(name), normalizedTexts(each)]),
      )
    : value;
}

function checkTranslations(value: unknown): Problem[] {
  if (!isPlainObject(value)) {
    return problem('invalid_type', 'must be an object');
  }
  const languages = Object.entries(value);
  if (languages.length > TRANSLATIONS_MAXIMUM) {
    return problem('too_many', `must have at most ${TRANSLATIONS_MAXIMUM} languages`);
  }
  return languages.flatMap(([tag, byKey]) => {
    const at = `.${tag.slice(0, 100)}`;
    const canonical = canonicalLanguage(tag);
    if (canonical === undefined) {
      return notALanguage(at);
    }
    if (canonical !== tag) {
      return problem('duplicate', 'is the same language as another one', at);
    }
    return isPlainObject(byKey)
      ? Object.entries(byKey).flatMap(([key, translation]) =>
          checkTranslation(translation, `${at}.${key.slice(0, 100)}`),
        )
      : problem('invalid_type', 'must be an object', at);
  });
}

function checkTranslation(translation: unknown, at: string): Problem[] {
  if (!isPlainObject(translation)) {
    return problem('invalid_type', 'must be an object', at);
  }
  return Object.entries(translation).flatMap(([field, value]) => {
    const path = `${at}.${field.slice(0, 100)}`;
    if (Object.hasOwn(TEXTS, field)) {
      return placed(path, checkText(value, TEXTS[field as keyof typeof TEXTS]));
    }
    if (!LISTS.includes(field as (typeof LISTS)[number])) {
      return problem('unknown_field', 'is not a field of this request', path);
    }
    return isPlainObject(value)
      ? Object.entries(value).flatMap(([key, text]) =>
          placed(`${path}[${JSON.stringify(key.slice(0, 100))}]`, checkText(text, OPTION_LENGTH)),
        )
      : problem('invalid_type', 'must be an object', path);
  });
}

const placed = (at: string, problems: Problem[]) => problems.map((each) => ({ ...each, at }));

/** What a set consists of, as it is sent or as it is stored. */
export interface QuestionSetContentDto {
  questions: readonly (QuestionDto | Question)[];
  language?: string | null;
  translations?: Translations | null;
  sections?: readonly SectionDto[] | null;
}
