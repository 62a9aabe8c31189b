import type { Question } from '../../campaigns/questions/question.types';
import { positionsByKey } from '../../campaigns/questions/answer.rules';
import { identitiesOf } from '../../campaigns/questions/option.rules';
import { keyOf } from '../../campaigns/questions/shown.rules';
import { categoriesOf } from '../crosstab/categories.rules';
import {
  compareColumns,
  compareMeans,
  compareShares,
  Difference,
  measureMean,
  MeasuredMean,
  measureShare,
} from '../crosstab/comparison.rules';
import { headingOf } from '../crosstab/columns.rules';
import { answeredIn, Group } from '../crosstab/groups.rules';
import { findItem, UNCOUNTED } from '../crosstab/plan.rules';
import { scaleOf } from '../crosstab/table.rules';
import { shownMean } from '../results/shares.rules';
import type { CampaignResults } from '../results/results.types';
import type { WaveMeansDto, WaveQuestionDto, WaveRowDto } from './waves.dto';

/** The questions that two campaigns have by the same key and type; rows of a matrix one by one. */
export function* compareWaves(
  current: CampaignResults,
  earlier: CampaignResults,
): Generator<WaveQuestionDto> {
  const positions = positionsByKey(earlier.questions);
  for (const [index, question] of (current.questions ?? []).entries()) {
    const key = keyOf(question, index + 1);
    const position = positions.get(key) ?? 0;
    const other = earlier.questions?.[position - 1];
    if (other?.type !== question.type || UNCOUNTED.includes(question.type)) {
      continue;
    }
    const rows = question.type === 'matrix' ? identitiesOf(question.rows) : [undefined];
    for (const row of rows) {
      const groups = [
        groupOf(current, question, index + 1, row),
        groupOf(earlier, other, position, row),
      ] as const;
      if (groups[1].length > 0) {
        yield {
          key,
          type: question.type,
          text: question.question,
          ...(row === undefined ? {} : { row }),
          ...compareAnswers(question, ...groups),
        };
      }
    }
  }
}

function groupOf(
  { tallied }: CampaignResults,
  question: Question,
  position: number,
  row: string | undefined,
): Group {
  const item = findItem(question, position, row);
  return item === undefined ? [] : [{ tallied, item }];
}

function compareAnswers(question: Question, current: Group, earlier: Group) {
  const categories = categoriesOf(question, [...current, ...earlier]) ?? [];
  const sides = categories.map((category) => ({
    inside: measureShare(current, category),
    outside: measureShare(earlier, category),
  }));
  const differences = compareColumns(
    sides.map((side) => [side]),
    compareShares,
    false,
  );
  const scale = scaleOf(question);
  return {
    answered: answeredIn(current).count,
    answered_earlier: answeredIn(earlier).count,
    rows: categories.map(({ value, text }, index) => ({
      ...headingOf({ value, text }),
      current: sides[index]?.inside.share,
      earlier: sides[index]?.outside.share,
      ...differenceOf(differences[index]),
    })) as WaveRowDto[],
    ...(scale === null
      ? {}
      : { mean: meansOf(measureMean(current, scale), measureMean(earlier, scale)) }),
  };
}

function differenceOf([found]: readonly Difference[] = []) {
  const { difference = null, difference_interval = null, p_value = null } = found ?? {};
  return { difference, difference_interval, p_value };
}

function meansOf(inside: MeasuredMean, outside: MeasuredMean): WaveMeansDto {
  const [differences] = compareColumns([[{ inside, outside }]], compareMeans, false);
  return { current: shownMean(inside), earlier: shownMean(outside), ...differenceOf(differences) };
}
