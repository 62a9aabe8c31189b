import type { CampaignProgressDto } from './campaign-progress.dto';

/** The counters of a campaign that nobody has begun. */
export const NO_PROGRESS: Readonly<CampaignProgressDto> = {
  begun: 0,
  open: 0,
  submitted: 0,
  reversed: 0,
  abandoned: 0,
  expired: 0,
  screened_out: 0,
  spent: 0,
  screen_out_spent: 0,
  bonus_spent: 0,
  disputed: 0,
  held: 0,
};

/** The counters in a row `g` of `campaign_progress`, as JSON. */
export const COUNTERS = `json_build_object(
  'begun', g.taken + g.abandoned + g.expired, 'open', g.taken - g.answered,
  'submitted', g.answered, 'reversed', g.reversed, 'abandoned', g.abandoned,
  'expired', g.expired, 'screened_out', g.screened_out, 'spent', g.spent,
  'screen_out_spent', g.screen_out_spent, 'bonus_spent', g.bonus_spent, 'disputed', g.disputed,
  'held', g.held)`;

/**
 * The counters of a campaign as JSON; null if nothing was ever counted. For the table `campaign` of
 * a statement whose first parameter is the company: a cluster does not conclude it from the
 * campaign.
 */
export const PROGRESS = `(
  SELECT ${COUNTERS} FROM campaign_progress AS g
  WHERE g.company_id = $1 AND g.campaign_id = campaign.id
)`;
