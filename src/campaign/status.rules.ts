import { modeOf } from '../company/environment.rules';
import type { Campaign } from './campaign.entity';
import type { CampaignStatus, StatusReason, StopReason } from './campaign.types';

/** What a campaign's status depends on. */
export type Life = Pick<
  Campaign,
  | 'archived'
  | 'exhaustedBy'
  | 'startsAt'
  | 'endsAt'
  | 'dueAt'
  | 'isLive'
  | 'stopReason'
  | 'readAt'
  | 'blockedBy'
>;

/** Where a campaign is in its life, and why. */
export interface Standing {
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

/** The status as it is stored; the indexes of the lists have the same expression. */
function storedStatus(life: Life): CampaignStatus {
  const { startsAt, endsAt, dueAt } = life;
  if (life.archived) {
    return 'archived';
  }
  if (life.exhaustedBy !== null || (endsAt !== null && dueAt === null)) {
    return 'completed';
  }
  if (life.isLive) {
    return 'live';
  }
  if (dueAt !== null && dueAt.getTime() === startsAt?.getTime()) {
    return 'scheduled';
  }
  return life.stopReason === null ? 'draft' : 'paused';
}

/** The status at the time when the campaign was read, whether or not it is stored yet. */
function statusOf(life: Life): CampaignStatus {
  const stored = storedStatus(life);
  if (!isDue(life)) {
    return stored;
  }
  return stored === 'scheduled' && !isPast(life.endsAt, life.readAt) ? 'live' : 'completed';
}

/**
 * Derives where a campaign is in its life when it is read. An answer takes `is_live` and `status`
 * from here, so they never contradict each other.
 */
export function standingOf(life: Life): Standing {
  const status = statusOf(life);
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
  return isLive || (isDue(life) && storedStatus(life) === 'scheduled')
    ? 'ends_at_passed'
    : stopReason;
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
        ...(exhaustedBy === null ? [] : [exhaustedBy]),
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

/** Whether a campaign uses more than the specification knows, so that all responses show it. */
export function showsStanding({
  companyId,
  archived,
  startsAt,
  endsAt,
  maxResponses,
  budget,
  answerMinutes,
}: Pick<
  Campaign,
  'companyId' | 'archived' | 'startsAt' | 'endsAt' | 'maxResponses' | 'budget' | 'answerMinutes'
>): boolean {
  return (
    modeOf(companyId) === 'test' ||
    archived ||
    startsAt !== null ||
    endsAt !== null ||
    maxResponses !== null ||
    budget !== null ||
    answerMinutes !== null
  );
}
