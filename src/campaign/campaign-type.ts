/** The kinds of campaign (section 2.2). */
export const CAMPAIGN_TYPES = ['survey', 'advertisement'] as const;

export type CampaignType = (typeof CAMPAIGN_TYPES)[number];

/** How a survey asks: a question set, or one question about images. */
export const SURVEY_FORMATS = ['questionnaire', 'round_robin', 'binary', 'image_slider'] as const;

export type SurveyFormat = (typeof SURVEY_FORMATS)[number];

/** The formats that are about images; their content is fixed at creation. */
export type ImageSurveyFormat = Exclude<SurveyFormat, 'questionnaire'>;
