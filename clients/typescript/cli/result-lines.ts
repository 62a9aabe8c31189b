import type { ResponseData } from 'campaign-service-client';
import { bar, cut, indented, money, number, type Painter, percent, plural, table } from './text.js';

type Results = ResponseData<'getCampaignResults'>;
type QuestionResult = Results['questions'][number];
type Share = { count: number; share: number | null; interval: readonly number[] };

const LABEL_WIDTH = 40;

/** Results for people. */
export function resultLines(results: Results, paint: Painter): string[] {
  const { responses, funnel, spending, currency, attention, questions } = results;
  const mean = attention.mean === null ? '' : `, mean attention ${number(attention.mean)}`;
  return [
    `${paint.bold(plural(responses.counted, 'response'))} of ${plural(funnel.begun, 'respondent')}, ` +
      `${percent(funnel.completion_rate)} completed${mean}. ` +
      `Spent: ${money(spending.spent, currency)}.`,
    ...questions.flatMap((question) => ['', ...questionLines(question, paint)]),
  ];
}

function questionLines(question: QuestionResult, paint: Painter): string[] {
  const base = 'answered' in question ? paint.dim(` (${question.answered} answered)`) : '';
  const heading = `${question.question}. ${paint.bold(cut(question.text, 100))}${base}`;
  return [heading, ...indented(answerLines(question), 3)];
}

function answerLines(question: QuestionResult): string[] {
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice':
      return shareLines(question.options.map((option) => [nameOf(option), option]));
    case 'rating':
      return [meanLine(question), ...histogramLines(question.histogram)];
    case 'nps':
      return [
        `NPS ${question.score === null ? '–' : number(question.score)}, ${intervalOf(question.interval)}`,
        ...shareLines([
          ['Promoters', question.promoters],
          ['Passives', question.passives],
          ['Detractors', question.detractors],
        ]),
      ];
    case 'number':
      return [meanLine(question), `median ${textOf(question.median)}`];
    case 'date':
      return shareLines(question.periods.map((period) => [period.period, period]));
    case 'ranking':
      return table(
        ['Option', 'Mean rank', 'First'],
        question.options.map((option) => [
          cut(nameOf(option), LABEL_WIDTH),
          option.mean_rank,
          percent(option.first.share),
        ]),
      );
    case 'matrix':
      return question.rows.flatMap((row) => [
        `${cut(nameOf(row), LABEL_WIDTH)}:`,
        ...indented(
          row.options === undefined
            ? [meanLine(row)]
            : shareLines(row.options.map((option) => [nameOf(option), option])),
        ),
      ]);
    case 'checkbox':
      return shareLines([['Ticked', question.ticked]]);
    case 'binary':
      return shareLines(question.images.map((image) => [imageOf(image), image]));
    case 'round_robin':
      return table(
        ['Image', 'Rank', 'Wins'],
        question.images.map((image) => [imageOf(image), image.rank, image.wins]),
      );
    case 'image_slider':
      return table(
        ['Image', 'Mean', 'Ratings'],
        question.images.map((image) => [imageOf(image), image.mean, image.n]),
      );
    case 'text':
    case 'descriptive':
      return ['texts: campaign export'];
    case 'statement':
      return [];
  }
}

/** An option without a text of its own is its value. */
function nameOf({ text, value }: { text?: string; value: string }): string {
  return text ?? value;
}

function imageOf({ image, label }: { image: number; label?: string | null }): string {
  return cut(label ?? `Image ${image}`, LABEL_WIDTH);
}

function shareLines(shares: readonly (readonly [label: string, share: Share])[]): string[] {
  return table(
    ['', '', '', '', ''],
    shares.map(([label, { count, share, interval }]) => [
      cut(label, LABEL_WIDTH),
      bar(share),
      percent(share),
      count,
      intervalOf(
        interval.map((each) => 100 * each),
        ' %',
      ),
    ]),
  ).slice(1);
}

function histogramLines(histogram: readonly { value: number; count: number }[]): string[] {
  const total = histogram.reduce((sum, { count }) => sum + count, 0);
  return table(
    ['', '', ''],
    histogram.map(({ value, count }) => [value, bar(total === 0 ? 0 : count / total), count]),
  ).slice(1);
}

function meanLine({
  mean,
  interval,
}: {
  mean?: number | null | undefined;
  interval?: readonly number[] | null | undefined;
}): string {
  return mean === null || mean === undefined
    ? 'no mean'
    : `mean ${number(mean)}${interval ? `, ${intervalOf(interval)}` : ''}`;
}

function intervalOf([from = 0, to = 0]: readonly number[], unit = ''): string {
  const short = (value: number) => number(Math.round(value * 10) / 10);
  return `95 %: ${short(from)} to ${short(to)}${unit}`;
}

const textOf = (value: number | null) => (value === null ? '–' : number(value));
