import type { StoredId } from '../../platform/database/identifiers';

/** What becomes of a dispute. */
export const DISPUTE_STATES = ['open', 'accepted', 'declined'] as const;

export type DisputeState = (typeof DISPUTE_STATES)[number];

/** A dispute as it is stored. */
export interface Dispute {
  postId: string;
  participationId: StoredId;
  state: DisputeState;
  reason: string;
  note: string | null;
  openedAt: Date;
  lapsesAt: Date;
  decidedAt: Date | null;
  /** Whether it is stored as open although its time is over. */
  over: boolean;
}

/** Whether a decided dispute was declined by itself: exactly when its time was over. */
export const hasLapsed = ({ decidedAt, lapsesAt }: Pick<Dispute, 'decidedAt' | 'lapsesAt'>) =>
  decidedAt?.getTime() === lapsesAt.getTime();
