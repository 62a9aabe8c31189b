import type { Json } from '../../platform/openapi/json-schema';

/** Types of questions that respondents answer in their own words. */
const OPEN = new Set(['text', 'descriptive']);

/** The most characters of a text that is shown. */
const SHOWN = 500;

const LEFT_OUT = '(text left out)';

/** What a list shows of a response besides its answers. */
function headOf(response: Json): Json {
  const { participation_id, version, submitted_at, cohort, attention_score } = response;
  const { reward, bonus, currency, reversed_at } = response;
  const head = { participation_id, version, submitted_at, cohort, attention_score };
  return { ...head, reward, bonus, currency, reversed_at };
}

/**
 * Returns a function that shows responses without what respondents wrote in their own words.
 *
 * @param current the campaign's questions
 */
export function withoutTexts(current: Json): (response: Json) => Json {
  const types = (current.questions as Json[]).map(({ type }) => String(type));
  return (response) => {
    // Of other questions than the current ones, no text is known to be that of an option.
    const isKnown = response.question_id === current.question_id;
    const answers = (response.answers as Json[]).map(({ question, key, image, images, value }) => {
      const isOpen = !isKnown || OPEN.has(types[Number(question) - 1] ?? '');
      return { question, key, image, images, value: isOpen ? hideTexts(value) : value };
    });
    return { ...headOf(response), answers };
  };
}

/** Shows a response with what the respondent wrote, cut. */
export function withTexts(response: Json): Json {
  const answers = (response.answers as Json[]).map(({ value, other, comment, ...answer }) => ({
    ...answer,
    value: cut(value),
    other: cut(other),
    comment: cut(comment),
  }));
  return { ...headOf(response), answers };
}

/** Returns a value without the texts in it. */
function hideTexts(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? value : LEFT_OUT;
}

function cut(value: unknown): unknown {
  return typeof value === 'string' && value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
}
