import type { QuestionResultOf } from '../results/question-results.dto';
import type { Drawn } from './drawn.types';
import { Shares } from './shares';
import { TextList, textsOf } from './texts';
import { anchorOf, linkTo, ORDERS, View } from './view.rules';

/** The most frequent of a list that is too long for a page, and whether it was cut. */
export function mostFrequent<Line extends { count: number }>(
  lines: readonly Line[],
  maximum: number,
): readonly Line[] {
  return lines.length > maximum ? byCount(lines).slice(0, maximum) : lines;
}

const byCount = <Line extends { count: number }>(lines: readonly Line[]): readonly Line[] =>
  lines.toSorted((a, b) => b.count - a.count);

/** Options of which the order is easy to see. */
const SHORT = 5;

type Props = QuestionResultOf<'single_choice' | 'multiple_choice'> & Drawn;

/** `single_choice` and `multiple_choice`: the share of each option. */
export function Choice(choice: Props) {
  const { question, type, options, others = 0, comments = 0, maximum, view, texts } = choice;
  const found = mostFrequent(options, maximum);
  const shown = view.order === 'share' ? byCount(found) : found;
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
      {options.length > SHORT && <Orders view={view} anchor={`#${anchorOf(choice)}`} />}
      <Shares
        name="The share of each option"
        head={['Option', 'Answers']}
        shares={shown.map(({ value, text, ...share }) => ({ name: text ?? value, ...share }))}
      />
      <TextList
        texts={textsOf(texts, question, 'other')}
        all={others}
        name={['text of their own', 'texts of their own']}
      />
      <TextList
        texts={textsOf(texts, question, 'comment')}
        all={comments}
        name={['comment', 'comments']}
      />
    </>
  );
}

/** Links to the orders that options can be in. */
function Orders({ view, anchor }: { view: View; anchor: string }) {
  return (
    <p class="choices">
      Order:{' '}
      {ORDERS.map((order) => (
        <a
          href={linkTo(view, { order }, anchor)}
          aria-current={order === view.order ? 'true' : undefined}
        >
          {ORDER_NAMES[order]}
        </a>
      ))}
    </p>
  );
}

const ORDER_NAMES = { questionnaire: 'as in the questionnaire', share: 'by share' } as const;
