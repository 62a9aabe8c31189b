/** Links of a campaign that work at the same time (`results_link_maximum`). */
export const LINKS_MAXIMUM = 20;

/** How long a link works, in days: by default, and at most (`results_link_lifetime`). */
export const DAYS_DEFAULT = 30;
export const DAYS_MAXIMUM = 365;
