import { untranslated } from './languages.rules';
import { findPaths, Paths } from './paths.rules';
import { pipesOf } from './question-set.rules';
import type { SetContent } from './question.types';

/** A doubt about a set that can be asked, but perhaps not as it is meant. */
export interface Doubt {
  code: 'condition_always_holds' | 'condition_never_holds' | 'untranslated';
  message: string;
}

/** What the author of a set may not know about it. */
export interface SetReview {
  doubts: Doubt[];
  paths: Pick<Paths, 'shortest' | 'longest' | 'exact'>;
}

/** How many doubts of a kind, and texts in one, are named. */
const NAMED = 20;

/** Returns the doubts about a stored set, and how long its paths are. */
export function reviewSet({ questions, translations }: SetContent): SetReview {
  const { always, conditions, ...paths } = findPaths(questions, pipesOf(questions));
  const found = questions.flatMap((question, index) => {
    const at = `questions[${index}]`;
    if (question.show_if !== undefined && always[index] === true) {
      return [doubt('condition_always_holds', `${at}.show_if holds for every respondent.`)];
    }
    return (conditions[index] ?? []).flatMap(({ path, outcome }) =>
      outcome === undefined
        ? []
        : [doubt(`condition_${outcome}_holds`, `${at}.${path} ${outcome} holds.`)],
    );
  });
  const languages = Object.entries(translations ?? {}).flatMap(([tag, byKey]) => {
    const left = untranslated(questions, byKey);
    const others = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
    return left.length === 0
      ? []
      : [
          doubt(
            'untranslated',
            `Not translated into ${tag}: ${left.slice(0, NAMED).join(', ')}${others}.`,
          ),
        ];
  });
  const { shortest, longest, exact } = paths;
  return { doubts: [...found.slice(0, NAMED), ...languages], paths: { shortest, longest, exact } };
}

const doubt = (code: Doubt['code'], message: string): Doubt => ({ code, message });
