import { OmitType } from '@nestjs/swagger';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { PostId } from '../../campaigns/campaign/post-id.field';
import { Language, ResponseLanguage } from '../../campaigns/questions/question-set.dto';
import { PageOf } from '../../platform/openapi/page-of';
import { ResponseUrl } from '../../platform/openapi/response-fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import {
  ResultsLinkDto,
  ResultsLinkPathDto,
  RevokeResultsLinkDto,
} from '../results-page/results-link.dto';
import type { ResultsLink } from '../results-page/results-link.entity';

export class CreatePreviewLinkDto extends CampaignPathDto {
  /**
   * The language to begin in (BCP 47): what fits best is shown (RFC 4647). By default, that of the
   * questions. The page offers the others.
   */
  @Language({ optional: true, example: 'de' })
  language?: string;

  /** When the link stops working: at most 365 days from now, and in 30 days by default. */
  @Timestamp({ future: true, optional: true })
  expires_at?: Date;
}

/** Which links to list. */
export class PreviewLinkListQueryDto extends PageQueryDto {
  /** Only links to the preview of this campaign. */
  @PostId({ optional: true })
  post_id?: string;
}

export class PreviewLinkPathDto extends ResultsLinkPathDto {}
export class RevokePreviewLinkDto extends RevokeResultsLinkDto {}

/** A link to the preview of a campaign, without its secret URL. */
export class PreviewLinkDto extends OmitType(ResultsLinkDto, ['cohorts', 'show', 'compare']) {
  /** The language to begin in; absent for that of the questions. */
  @ResponseLanguage()
  language?: string;

  static from(link: ResultsLink): PreviewLinkDto {
    const { cohorts: _, show: __, compare: ___, ...shown } = ResultsLinkDto.from(link);
    return link.language === null ? shown : { ...shown, language: link.language };
  }
}

export class CreatedPreviewLinkDto extends PreviewLinkDto {
  /**
   * The address of the page. Whoever has it can read the questions, so share it like a password. It
   * is shown once and cannot be read again.
   */
  @ResponseUrl()
  url!: string;
}

export class PreviewLinkPageDto extends PageOf(() => PreviewLinkDto, {
  again: ', with the same filter,',
}) {}
