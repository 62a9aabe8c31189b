/** A live survey of two questions. */
export interface LiveCampaign {
  id: number;
  postId: string;
}

/** A company that sends requests, and some of its campaigns. */
export interface Account {
  key: string;
  /** As it is stored. */
  companyId: string;
  /** Surveys. */
  postIds: string[];
  /** The key of a platform, and campaigns it has respondents for, if the filling has some. */
  platformKey?: string;
  live?: LiveCampaign[];
}
