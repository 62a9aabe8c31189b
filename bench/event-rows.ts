import type { Row } from './row.types';
import { pick } from './rows';

/** Events of a company that a page may begin after. */
const FEED_START_MAXIMUM = 100;

/** Work that only this service does. */
export const EVENT_ROWS = {
  feed: {
    title: 'feed page of 100',
    kind: 'read',
    status: 200,
    request: (accounts) => ({
      method: 'GET',
      path: `/svc/event/list?limit=100&after=${Math.floor(Math.random() * FEED_START_MAXIMUM)}`,
      headers: { 'x-api-key': pick(accounts).key },
    }),
    isRight: ({ data }) => (data?.items as unknown[] | undefined)?.length === 100,
  },
} satisfies Record<string, Row>;
