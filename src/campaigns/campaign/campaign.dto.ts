import { Flag } from '../../platform/validation/fields/choice.fields';
import { ChangeOf, CreationOf } from '../../platform/openapi/resource-fields';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import {
  AdvertisementFieldsDto,
  CampaignContentDto,
  CampaignFieldsDto,
} from './campaign-fields.dto';
import { PostId } from './post-id.field';

/** The fields of every new campaign (section 4.1). */
export class CreateCampaignDto extends CreationOf(CampaignFieldsDto) {}

export class CreateSurveyDto extends CreateCampaignDto {}

export class CreateAdvertisementDto extends CreationOf(CampaignContentDto) {}

// The campaign and at least one change (section 7).
@RefineSchema((schema) => ({ ...schema, minProperties: 2 }))
export class UpdateCampaignDto extends ChangeOf(AdvertisementFieldsDto, 'update') {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;
}

export class ToggleLiveDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;

  /** `true` starts the campaign, `false` stops it. */
  @Flag({ example: true })
  is_live!: boolean;
}
