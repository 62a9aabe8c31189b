import { OneOf } from '../../platform/validation/fields/choice.fields';
import { FlagParameter } from '../../platform/validation/fields/query.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { CATEGORY } from './campaign.fields';
import {
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  CampaignStatus,
  CampaignType,
  SURVEY_FORMATS,
  SurveyFormat,
} from './campaign.types';

const SEARCH_LENGTH = 100;

/** Which campaigns to list. */
export class CampaignListQueryDto extends PageQueryDto {
  /** Only campaigns of this type. */
  @OneOf(CAMPAIGN_TYPES, 'CampaignType', { optional: true })
  type?: CampaignType;

  /** Only surveys of this format. */
  @OneOf(SURVEY_FORMATS, 'SurveyFormat', { optional: true })
  format?: SurveyFormat;

  /** Only started (`true`) or stopped (`false`) campaigns. */
  @FlagParameter()
  is_live?: boolean;

  /** Only campaigns with this status. */
  @OneOf(CAMPAIGN_STATUSES, 'CampaignStatus', { optional: true })
  status?: CampaignStatus;

  /** Only archived (`true`) campaigns, or only others (`false`, the default). */
  @FlagParameter()
  archived?: boolean;

  /** Only campaigns of exactly this category. */
  @Text({ ...CATEGORY, optional: true })
  category?: string;

  /**
   * Only campaigns whose `title` or `external_ref` contains this text, in upper or lower case. A page
   * reads at most 1,000 campaigns, so it can be short, or empty, although there is a next one.
   */
  @Text({ maximum: SEARCH_LENGTH, optional: true, example: 'coffee' })
  search?: string;

  /** Only campaigns created after this time. */
  @Timestamp({ optional: true, example: '2026-01-01T00:00:00Z' })
  created_after?: Date;

  /** Only campaigns created before this time. */
  @Timestamp({ roundUp: true, optional: true, example: '2099-01-01T00:00:00Z' })
  created_before?: Date;
}
