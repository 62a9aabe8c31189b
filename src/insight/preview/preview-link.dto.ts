import { PostId, ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { Language, ResponseLanguage } from '../../campaigns/questions/question-set.dto';
import { PageOf } from '../../platform/openapi/page-of';
import { ResponseId, ResponseTime, ResponseUrl } from '../../platform/openapi/response-fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { EXAMPLE_LINK_ID } from '../results-page/results-link.dto';
import type { ResultsLink } from '../results-page/results-link.entity';

export class CreatePreviewLinkDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;

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

export class RevokePreviewLinkDto {
  /** The link, by the `link_id` that its creation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_LINK_ID })
  link_id!: string;
}

/** A link to the preview of a campaign, without its secret URL. */
export class PreviewLinkDto {
  @ResponseId('link')
  link_id!: string;

  @ResponsePostId()
  post_id!: string;

  /** The language to begin in; absent for that of the questions. */
  @ResponseLanguage()
  language?: string;

  @ResponseTime()
  created_at!: Date;

  /** When the link stops working. */
  @ResponseTime()
  expires_at!: Date;

  /** When the link was revoked; `null` if it was not. */
  @ResponseTime()
  revoked_at!: Date | null;

  static from(link: ResultsLink): PreviewLinkDto {
    return {
      link_id: link.linkId,
      post_id: link.postId,
      ...(link.language === null ? {} : { language: link.language }),
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      revoked_at: link.revokedAt,
    };
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
