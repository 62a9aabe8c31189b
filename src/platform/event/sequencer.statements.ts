/** Returns no row while another process numbers the company's events. */
export const NUMBER = 'SELECT numbered, reached FROM number_events($1, $2)';

/** Whether a company has events without a number. */
export const WAITS = 'SELECT EXISTS (SELECT FROM unnumbered_event WHERE company_id = $1) AS waits';

/** Maximum number of events that one look reads. */
export const LOOK_MAXIMUM = 10_000;

/** Reads the companies after $1, without a join, so that Citus runs it on every shard. */
export const LOOK = `
  SELECT company_id, count(*)::integer AS waiting,
    extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS age
  FROM (
    SELECT company_id, created_at FROM unnumbered_event WHERE company_id > $1
    ORDER BY company_id, created_at LIMIT ${LOOK_MAXIMUM}
  ) AS unnumbered
  GROUP BY company_id ORDER BY company_id`;
