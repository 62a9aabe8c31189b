import type { QuestionResultOf } from '../results/question-results.dto';
import { counted } from './figures.rules';
import { Shares } from './shares';

/** The most frequent of a list that is too long for a page, and whether it was cut. */
export function mostFrequent<Line extends { count: number }>(
  lines: readonly Line[],
  maximum: number,
): readonly Line[] {
  return lines.length > maximum
    ? lines.toSorted((a, b) => b.count - a.count).slice(0, maximum)
    : lines;
}

/** `single_choice` and `multiple_choice`: the share of each option. */
export function Choice({
  type,
  options,
  others = 0,
  comments = 0,
  maximum,
}: QuestionResultOf<'single_choice' | 'multiple_choice'> & { maximum: number }) {
  const shown = mostFrequent(options, maximum);
  const typed = [
    ...(others > 0 ? [counted(others, 'text of their own', 'texts of their own')] : []),
    ...(comments > 0 ? [counted(comments, 'comment')] : []),
  ];
  return (
    <>
      {shown.length < options.length && (
        <p class="quiet">
          The {maximum} most frequent of {options.length} options.
        </p>
      )}
      {type === 'multiple_choice' && (
        <p class="quiet">
          Shares of those who answered. They chose as many as they liked, so shares can add up to
          more than 100%.
        </p>
      )}
      <Shares
        name="The share of each option"
        head={['Option', 'Answers']}
        shares={shown.map(({ value, text, ...share }) => ({ name: text ?? value, ...share }))}
      />
      {typed.length > 0 && (
        <p class="quiet">Respondents wrote {typed.join(' and ')}, which are not on this page.</p>
      )}
    </>
  );
}
