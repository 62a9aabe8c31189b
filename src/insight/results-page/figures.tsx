import type { Content } from '../../platform/site/html';
import type { Interval } from '../../platform/statistics/interval.rules';
import { between } from './figures.rules';

/** A number with its name, and what else is to say about it. */
export type Figure = readonly [name: string, value: Content, note?: Content];

/** The most important numbers, each on a card. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export const intervalNote = (
  interval: Interval | null,
  format: (value: number) => string,
): Content => interval !== null && `95% interval ${between(interval, format)}`;
