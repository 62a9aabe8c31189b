import { ApiError } from '../http/api-error';

export const campaignNotFound = () =>
  new ApiError('campaign_not_found', 'There is no campaign with this post_id.');

export const campaignNotOwned = () =>
  new ApiError('campaign_not_owned', 'This campaign belongs to another company.');

export const nothingToUpdate = () =>
  new ApiError(
    'nothing_to_update',
    'At least one field besides post_id must be present in an update.',
  );

export const advertisementFieldsOnSurvey = () =>
  new ApiError(
    'wrong_campaign_type',
    'video_url, thumbnail_url and duration_seconds are fields of advertisements; this campaign is a survey.',
  );
