import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DataSource } from 'typeorm';
import { CampaignFieldsDto } from '../../src/campaigns/campaign/campaign-fields.dto';
import type { Campaign } from '../../src/campaigns/campaign/campaign.entity';
import { DueCampaignsService } from '../../src/campaigns/campaign/due-campaigns.service';
import { requiredFields } from '../../src/platform/openapi/resource-fields';
import type { Client } from './client';
import { tamper } from './tampering';

/** What a campaign says about its life. */
export interface CampaignStatus {
  is_live: boolean;
  status: string;
  status_reasons: string[];
  stop_reason: string | null;
}

/** What a campaign says about its life in a state, for a reason. */
export const inState = (status: string, reason?: string): CampaignStatus => ({
  is_live: status === 'live',
  status,
  status_reasons: reason === undefined ? [] : [reason],
  stop_reason: reason ?? null,
});

/** What every response says of the state of a campaign without times and limits. */
export const DRAFT = { mode: 'live', ...inState('draft') };
export const LIVE = { mode: 'live', ...inState('live') };
export const STOPPED = { mode: 'live', ...inState('paused', 'stopped_by_owner') };

/** The times and limits of a campaign that has none. */
export const UNLIMITED = {
  starts_at: null,
  ends_at: null,
  max_responses: null,
  budget: null,
  answer_minutes: null,
  review_days: null,
  maximum_dispute_share: null,
};

const REQUIRED: readonly string[] = requiredFields(CampaignFieldsDto);

/** What the service shows of the fields that a new campaign may leave out. */
export const LEFT_OUT = Object.fromEntries(
  Object.keys(CampaignFieldsDto.from({} as Campaign))
    .filter((name) => !REQUIRED.includes(name))
    .map((name) => [name, null]),
);

export async function campaignStatus(api: Client, postId: string): Promise<CampaignStatus> {
  const { body } = await api.get(`/svc/campaign/${postId}`);
  const { is_live, status, status_reasons, stop_reason } = body.data;
  return { is_live, status, status_reasons, stop_reason };
}

/** A time so many hours from now. */
export const inHours = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString();

/**
 * Keeps a service from storing starts and ends by itself; requests still take them into account.
 */
export function stopClock(app: NestFastifyApplication): jest.SpyInstance {
  return jest.spyOn(app.get(DueCampaignsService), 'find').mockResolvedValue([]);
}

/** Moves a campaign so many hours into the past, which is the same as letting time pass. */
export async function age(dataSource: DataSource, postId: string, hours: number): Promise<void> {
  const [row] = await dataSource.query(
    `SELECT company_id, starts_at - $2::interval AS starts_at, ends_at - $2::interval AS ends_at,
       due_at - $2::interval AS due_at
     FROM campaign WHERE post_id = $1`,
    [postId, `${hours} hours`],
  );
  await tamper(dataSource, (session) =>
    session.query(
      `UPDATE campaign SET starts_at = $3, ends_at = $4, due_at = $5
       WHERE company_id = $1 AND post_id = $2`,
      [row.company_id, postId, row.starts_at, row.ends_at, row.due_at],
    ),
  );
}
