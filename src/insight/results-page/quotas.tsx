import type { QuotaProgressDto } from '../../campaigns/targeting/quotas.dto';
import { decimal } from './figures.rules';
import { Table } from './table';

/** How many respondents each quota of the campaign has. */
export function QuotaSection({ quotas }: { quotas: readonly QuotaProgressDto[] }) {
  return (
    <section>
      <h2>Quotas</h2>
      <p class="quiet">
        A respondent counts in every quota that matches. Those who are answering now have a place
        too. Reversed and erased responses count in none.
      </p>
      <Table
        head={['Quota', 'Limit', 'Taken', 'Submitted']}
        rows={quotas.map(({ name, limit, taken, submitted }) => [
          name,
          decimal(limit),
          decimal(taken),
          decimal(submitted),
        ])}
      />
    </section>
  );
}
