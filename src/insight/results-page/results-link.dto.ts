import { IntersectionType } from '@nestjs/swagger';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { PostId, ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { PageOf } from '../../platform/openapi/page-of';
import {
  ResponseEnums,
  ResponseId,
  ResponseIntegers,
  ResponseTime,
  ResponseUrl,
} from '../../platform/openapi/response-fields';
import { TextArray, WholeNumberArray } from '../../platform/validation/fields/array.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { ResultsLink, SHOWN_PARTS, ShownPart } from './results-link.entity';

/**
 * The link_id in the documentation's examples. On the documentation page it stands for the link
 * that was created there last.
 */
export const EXAMPLE_LINK_ID = 'link_01k9x2v8zdf3xbz0q4v5rk6t7m';

const COHORT = { minimum: 1, maximum: 5 } as const;
const COHORTS = [1, 2, 3, 4, 5];

export class CreateResultsLinkDto extends CampaignPathDto {
  /** When the link stops working: at most 365 days from now, and in 30 days by default. */
  @Timestamp({ future: true, optional: true })
  expires_at?: Date;

  /** Only count responses of these cohorts; of all by default. */
  @WholeNumberArray({ minimum: 1, maximum: 5, items: COHORT, optional: true, example: [3, 4, 5] })
  cohorts?: number[];

  /**
   * What the page shows besides the results, nothing by default: `crosstabs` one question by another
   * and the answers of single cohorts, `texts` the newest texts that respondents typed, `downloads`
   * the results as CSV.
   */
  @TextArray({
    minimum: 0,
    maximum: SHOWN_PARTS.length,
    length: 20,
    values: SHOWN_PARTS,
    name: 'ResultsLinkShow',
    optional: true,
    example: ['crosstabs', 'downloads'],
  })
  show?: ShownPart[];

  /** An earlier campaign of your company, by its `post_id`, with which the page can compare this one. */
  @Text({ maximum: ID_MAX_LENGTH, optional: true })
  compare?: string;
}

/** Which links to list. */
export class ResultsLinkListQueryDto extends PageQueryDto {
  /** Only links to the results of this campaign. */
  @PostId({ optional: true })
  post_id?: string;
}

export class RevokeResultsLinkDto {
  /** The link, by the `link_id` that its creation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_LINK_ID })
  link_id!: string;
}

/** Which link to read. */
export class ResultsLinkPathDto extends IntersectionType(CampaignPathDto, RevokeResultsLinkDto) {}

/** A link to the results page of a campaign, without its secret URL. */
export class ResultsLinkDto {
  @ResponseId('link')
  link_id!: string;

  @ResponsePostId()
  post_id!: string;

  /** The cohorts whose responses the page counts. */
  @ResponseIntegers({ minimum: 1, maximum: 5, items: COHORT })
  cohorts!: number[];

  /** What the page shows besides the results. */
  @ResponseEnums(SHOWN_PARTS, 'ResultsLinkShow', { minimum: 0 })
  show!: ShownPart[];

  /** The campaign that the page can compare with; `null` without one. */
  @ResponsePostId()
  compare!: string | null;

  @ResponseTime()
  created_at!: Date;

  /** When the link stops working. */
  @ResponseTime()
  expires_at!: Date;

  /** When the link was revoked; `null` if it was not. */
  @ResponseTime()
  revoked_at!: Date | null;

  static from(link: ResultsLink): ResultsLinkDto {
    return {
      link_id: link.linkId,
      post_id: link.postId,
      cohorts: link.cohorts ?? COHORTS,
      show: link.show,
      compare: link.compare,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      revoked_at: link.revokedAt,
    };
  }
}

export class CreatedResultsLinkDto extends ResultsLinkDto {
  /**
   * The address of the page. Whoever has it can read the results, so share it like a password. It
   * is shown once and cannot be read again.
   */
  @ResponseUrl()
  url!: string;
}

export class ResultsLinkPageDto extends PageOf(() => ResultsLinkDto, {
  again: ', with the same filter,',
}) {}
