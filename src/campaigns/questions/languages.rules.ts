import type { Scale } from '../campaign/image-survey.rules';
import { identityOf, optionsIn, rowsIn } from './option.rules';
import { keyOf } from './shown.rules';
import type { Option, Presentation, Question, QuestionTranslation } from './question.types';

/** Maximum number of characters of a language tag (RFC 5646, section 4.4.1). */
export const LANGUAGE_MAXIMUM = 35;

/** Maximum number of languages besides that of the questions. */
export const TRANSLATIONS_MAXIMUM = 100;

/** Returns a language tag (BCP 47) in its canonical form; nothing if it is not well-formed. */
export function canonicalLanguage(tag: string): string | undefined {
  if (tag.length > LANGUAGE_MAXIMUM) {
    return undefined;
  }
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/**
 * Returns the language that fits best among those that there are, by the lookup of RFC 4647,
 * section 3.4: the tag itself, and then without its last subtags. Returns nothing if none fits.
 *
 * @param wanted in its canonical form
 */
export function lookUp(wanted: string, available: readonly string[]): string | undefined {
  const subtags = wanted.split('-');
  while (subtags.length > 0) {
    const tag = subtags.join('-');
    if (available.includes(tag)) {
      return tag;
    }
    // A singleton announces the subtags after it, and is nothing without them.
    do {
      subtags.pop();
    } while (subtags.at(-1)?.length === 1);
  }
  return undefined;
}

/** The language in which a set is served: that of the set, unless another one fits better. */
export function servedLanguage(
  { language, translations }: Pick<Presentation, 'language' | 'translations'>,
  wanted: string | undefined,
): string | null {
  const available = [...(language === null ? [] : [language]), ...Object.keys(translations ?? {})];
  return (wanted === undefined ? undefined : lookUp(wanted, available)) ?? language;
}

/** A text of a question that can be translated, by its path in a translation. */
interface Translatable {
  path: string;
  isTranslated: (translation: QuestionTranslation) => boolean;
}

/** The scale of a question, if it has one. */
export function scaleOf(question: Question): Scale | undefined {
  return 'scale' in question ? question.scale : undefined;
}

/** Whether a question begins a section, so that its heading is translated here. */
export function beginsSection(questions: readonly Question[], index: number): boolean {
  const section = questions[index]?.section;
  return section !== undefined && section !== questions[index - 1]?.section;
}

function translatablesOf(questions: readonly Question[], index: number): Translatable[] {
  const question = questions[index];
  if (question === undefined) {
    return [];
  }
  const scale = scaleOf(question);
  const texts: ('question' | 'section' | 'min_label' | 'max_label' | 'unit')[] = [
    'question',
    ...(beginsSection(questions, index) ? (['section'] as const) : []),
    ...(scale?.min_label === undefined ? [] : (['min_label'] as const)),
    ...(scale?.max_label === undefined ? [] : (['max_label'] as const)),
    ...('unit' in question && question.unit !== undefined ? (['unit'] as const) : []),
  ];
  return [
    ...texts.map((path) => ({
      path,
      isTranslated: (translation: QuestionTranslation) => translation[path] !== undefined,
    })),
    ...(['options', 'rows'] as const).flatMap((path) =>
      (path === 'rows' ? rowsIn(question) : optionsIn(question)).map((option) => {
        const identity = identityOf(option);
        return {
          path: `${path}.${identity}`,
          isTranslated: (translation: QuestionTranslation) =>
            Object.hasOwn(translation[path] ?? {}, identity),
        };
      }),
    ),
  ];
}

/** Returns the paths of the texts that have no translation into a language, as it has them. */
export function untranslated(
  questions: readonly Question[],
  translations: Readonly<Record<string, QuestionTranslation>>,
): string[] {
  return questions.flatMap((question, index) => {
    const key = keyOf(question, index + 1);
    const translation = Object.hasOwn(translations, key) ? (translations[key] ?? {}) : {};
    return translatablesOf(questions, index)
      .filter(({ isTranslated }) => !isTranslated(translation))
      .map(({ path }) => `${key}.${path}`);
  });
}

/** Returns questions with the texts of a translation. What is not translated stays as it is. */
export function translated(
  questions: readonly Question[],
  translations: Readonly<Record<string, QuestionTranslation>>,
): Question[] {
  let heading: string | undefined;
  return questions.map((question, index) => {
    const key = keyOf(question, index + 1);
    const translation = Object.hasOwn(translations, key) ? (translations[key] ?? {}) : {};
    heading = beginsSection(questions, index) ? translation.section : heading;
    const scale = scaleOf(question);
    const { question: text = question.question, min_label, max_label, unit } = translation;
    return {
      ...question,
      question: text,
      ...(question.section === undefined ? {} : { section: heading ?? question.section }),
      ...(optionsIn(question).length === 0
        ? {}
        : { options: translatedOptions(optionsIn(question), translation.options) }),
      ...(rowsIn(question).length === 0
        ? {}
        : { rows: translatedOptions(rowsIn(question), translation.rows) }),
      ...(scale === undefined
        ? {}
        : {
            scale: {
              ...scale,
              ...(min_label === undefined ? {} : { min_label }),
              ...(max_label === undefined ? {} : { max_label }),
            },
          }),
      ...(unit === undefined ? {} : { unit }),
    };
  });
}

/** An option that is named by its text has it as its key where it is shown in another language. */
function translatedOptions(
  options: readonly Option[],
  translations: Readonly<Record<string, string>> = {},
): Option[] {
  return options.map((option) => {
    const key = identityOf(option);
    const text = Object.hasOwn(translations, key) ? translations[key] : undefined;
    if (text === undefined) {
      return option;
    }
    return { ...(typeof option === 'string' ? {} : option), text, key };
  });
}
