import { listed } from './figures.rules';
import type { ResultsLink } from './results-link.entity';
import { cohortsOf, linkTo, View } from './view.rules';

interface Props {
  link: ResultsLink;
  view: View;
  /** Cohorts of the link that are too small to be shown by themselves. */
  small: readonly number[];
}

/** What the reader of a page can choose, as far as its link allows it. */
export function Choices({ link, view, small }: Props) {
  const cohorts = cohortsOf(link).filter((each) => !small.includes(each));
  return (
    <>
      {cohorts.length > 1 && (
        <nav class="choices" aria-label="Cohorts">
          Show{' '}
          <a
            href={linkTo(view, { cohort: null })}
            aria-current={view.cohort === null ? 'true' : undefined}
          >
            all cohorts
          </a>
          {cohorts.map((cohort) => (
            <a
              href={linkTo(view, { cohort })}
              aria-current={view.cohort === cohort ? 'true' : undefined}
            >
              cohort {cohort}
            </a>
          ))}
          {small.length > 0 && (
            <small>
              Too few responses to show {small.length === 1 ? 'cohort' : 'cohorts'} {listed(small)}{' '}
              alone.
            </small>
          )}
        </nav>
      )}
      {link.compare !== null && (
        <p class="choices">
          <a href={linkTo(view, { cohort: null, isComparing: true })}>
            Compare with the earlier campaign
          </a>
        </p>
      )}
      {link.show.includes('downloads') && (
        <p class="choices">
          <a href={linkTo(view, { format: 'csv' })} download>
            Download these results as CSV
          </a>
        </p>
      )}
    </>
  );
}
