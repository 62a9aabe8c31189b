import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { Content } from '../../platform/site/html';
import type { WaveMeansDto, WaveQuestionDto, WavesDto } from '../waves/waves.dto';
import type { ShareDto } from '../results/result-fields.dto';
import { between, counted, decimal, mean, moment, percent } from './figures.rules';
import { Table } from './table';
import { linkTo, View } from './view.rules';

/** Differences of so small a probability by chance are marked. */
const SIGNIFICANT = 0.05;

interface Props {
  view: View;
  earlier: Campaign;
  waves: WavesDto;
}

/** The questions that the campaign has in common with an earlier one, side by side. */
export function Waves({ view, earlier, waves }: Props) {
  const { questions } = waves;
  return (
    <section>
      <h2>Compared with an earlier campaign</h2>
      <p class="choices">
        <a href={linkTo(view, {})}>All answers</a>
      </p>
      <p dir="auto">
        {earlier.title}: {counted(waves.earlier.counted, 'response')} counted, as of{' '}
        {moment(waves.earlier.as_of)} UTC.
      </p>
      {questions.length === 0 && (
        <p class="nothing">The campaigns have no question of the same key and type.</p>
      )}
      {questions.map((question) => (
        <Compared {...question} />
      ))}
      {questions.length > 0 && (
        <p class="quiet">
          * A difference that chance alone would hardly make: its probability is below 5%, corrected
          for the number of answers to the question.
        </p>
      )}
    </section>
  );
}

function Compared({ text, row, rows, mean: means, answered, answered_earlier }: WaveQuestionDto) {
  return (
    <>
      <h3 dir="auto">{row === undefined ? text : `${text} ${row}`}</h3>
      <Table
        head={['Answer', 'Now', 'Earlier', 'Difference', '95% interval']}
        rows={[
          ...rows.map(
            (each) =>
              [
                each.text ?? each.value,
                shareOf(each.current),
                shareOf(each.earlier),
                marked(each, percent),
                between(each.difference_interval, percent),
              ] as const,
          ),
          ...(means === undefined ? [] : [meansOf(means)]),
          ['Answered', decimal(answered), decimal(answered_earlier), '', ''],
        ]}
        summary="The share and the number of each answer in both campaigns"
      />
    </>
  );
}

const meansOf = (means: WaveMeansDto) =>
  [
    'Mean',
    mean(means.current.mean),
    mean(means.earlier.mean),
    marked(means, mean),
    between(means.difference_interval, mean),
  ] as const;

const shareOf = ({ share, count }: ShareDto): Content => (
  <>
    {percent(share)} <small>{decimal(count)}</small>
  </>
);

/** A difference, with a star if chance alone would hardly make it. */
const marked = (
  { difference, p_value }: Pick<WaveMeansDto, 'difference' | 'p_value'>,
  format: (value: number | null) => string,
): string => `${format(difference)}${p_value !== null && p_value < SIGNIFICANT ? '*' : ''}`;
