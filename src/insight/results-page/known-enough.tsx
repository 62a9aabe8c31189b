import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { ResultsDto } from '../results/results.dto';
import type { PrecisionDto, StopWhenDto } from '../results/stop-when.dto';
import { counted, decimal, listed } from './figures.rules';

interface KnownEnoughProps {
  campaign: Pick<Campaign, 'maxResponses'>;
  results: Pick<ResultsDto, 'stop_when' | 'questions'>;
}

/** How well the answers are known that end the campaign once they are known well enough. */
export function KnownEnough({ campaign, results }: KnownEnoughProps) {
  return (
    <>
      {results.stop_when.map((each) => (
        <p class="notice" dir="auto">
          {sentenceOf(each, campaign.maxResponses)}
        </p>
      ))}
    </>
  );
}

function sentenceOf({ known, reached }: StopWhenDto, maximum: number | null): string {
  const responses = Math.max(...known.map((each) => each.responses));
  const names = listed(known.map((each) => `${subjectOf(each)} is known to ${halfOf(each)}`));
  if (reached === null) {
    const wanted = listed(known.map((each) => halfOf(each, each.width)));
    return `Ends when it is known to ${wanted}: after ${counted(responses, 'answer')}, ${names}.`;
  }
  const of = maximum === null ? '' : ` of ${decimal(maximum)}`;
  return `${reached.stopped ? 'Stopped' : 'Known well enough'} at ${decimal(responses)}${of}: ${names}.`;
}

const subjectOf = ({ question, option, row }: PrecisionDto): string =>
  option === null
    ? `the mean of ${row === null ? question : `“${row}” in ${question}`}`
    : `the share of “${option}” in ${question}`;

/** Half of the interval: points of a share, or the unit of the mean. */
function halfOf({ option, interval }: PrecisionDto, width = interval[1] - interval[0]): string {
  const half = option === null ? width / 2 : 50 * width;
  return `±${decimal(half)}${option === null ? '' : ' points'}`;
}
