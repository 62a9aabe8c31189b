import type { Campaign } from './campaign.entity';
import type { CampaignStatus, StatusReason, StopReason } from './campaign.types';

/** What a campaign's state depends on. */
type Life = Pick<
  Campaign,
  | 'status'
  | 'exhaustedBy'
  | 'startsAt'
  | 'endsAt'
  | 'dueAt'
  | 'isLive'
  | 'stopReason'
  | 'readAt'
  | 'blockedBy'
>;

/** Where a campaign is in its life when it is read, whether or not that is stored yet. */
export interface CurrentState {
  status: CampaignStatus;
  statusReasons: StatusReason[];
  isLive: boolean;
  stopReason: StopReason | null;
}

const isPast = (time: Date | null, now: Date) => time !== null && time <= now;

/** Whether the clock has changed a campaign's state since it was stored. */
export function isDue({ dueAt, readAt }: Pick<Life, 'dueAt' | 'readAt'>): boolean {
  return isPast(dueAt, readAt);
}

function currentStatus(life: Life): CampaignStatus {
  if (!isDue(life)) {
    return life.status;
  }
  return life.status === 'scheduled' && !isPast(life.endsAt, life.readAt) ? 'live' : 'completed';
}

/**
 * Derives the state of a campaign. A response takes `is_live` and `status` from here, so they never
 * contradict each other.
 */
export function currentStateOf(life: Life): CurrentState {
  const status = currentStatus(life);
  const stopReason = stopReasonOf(life, status);
  return {
    status,
    statusReasons: reasonsOf(life, status, stopReason),
    isLive: status === 'live',
    stopReason,
  };
}

function stopReasonOf(life: Life, status: CampaignStatus): StopReason | null {
  const { isLive, stopReason } = life;
  if (status === 'live') {
    return null;
  }
  // Its end has passed while it was live, and that is not stored yet.
  return isLive || (isDue(life) && life.status === 'scheduled') ? 'ends_at_passed' : stopReason;
}

function reasonsOf(
  { endsAt, exhaustedBy, readAt, blockedBy }: Life,
  status: CampaignStatus,
  stopReason: StopReason | null,
): StatusReason[] {
  switch (status) {
    case 'completed':
      return [
        ...(isPast(endsAt, readAt) ? (['ends_at_passed'] as const) : []),
        ...(exhaustedBy ?? []),
        ...(stopReason === 'known_enough' ? [stopReason] : []),
      ];
    case 'scheduled':
      return ['waiting_for_starts_at'];
    case 'live':
      return blockedBy == null ? [] : [blockedBy];
    case 'paused':
      return stopReason === null ? [] : [stopReason];
    default:
      return [];
  }
}
