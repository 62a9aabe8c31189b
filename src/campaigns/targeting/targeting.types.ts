import type { Question } from '../questions/question.types';
import type { Condition } from '../questions/shown.rules';

/** What a company may know of a respondent, and how its values look. */
export const ATTRIBUTE_TYPES = ['select', 'number'] as const;

export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

/** A property of respondents, for which the platform vouches. */
export interface Attribute {
  name: string;
  type: AttributeType;
  /** The values of a `select` that the rules can name; any without them. */
  values?: string[];
}

/** Whole numbers, both ends included; an end that is missing is open. */
export interface NumberRange {
  from?: number;
  to?: number;
}

/** A value of a `select`, or numbers. */
export type Choice = string | NumberRange;

/** By attribute: a respondent matches who has one of the choices of each. */
export type When = Readonly<Record<string, readonly Choice[]>>;

export const CONDITION_OPERATORS = [
  'is',
  'is_not',
  'one_of',
  'none_of',
  'at_least',
  'at_most',
] as const;

export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** What an attribute must be. A respondent without the attribute never meets it. */
export interface AttributeCondition {
  attribute: string;
  op: ConditionOperator;
  value: string | number | string[];
  /** What a refusal calls it. */
  name?: string;
}

/** Who may begin: whoever meets all conditions, or any of them. */
export type Screening =
  { all: AttributeCondition[]; any?: undefined } | { any: AttributeCondition[]; all?: undefined };

/** What the answer to a screening question must be. */
export interface QualifyingCondition extends Condition {
  /** What a refusal calls it. */
  name?: string;
}

/** Whose answers qualify: conditions of which `all` or `any` must hold. It has one of the two. */
export interface Qualify {
  all?: QualifyingCondition[];
  any?: QualifyingCondition[];
}

/** How many of those who match may begin. */
export interface Quota {
  name: string;
  when: When;
  limit: number;
}

/** What becomes of a respondent who matches no quota, where there are quotas. */
export const OTHERS = ['admit', 'refuse'] as const;

export type Others = (typeof OTHERS)[number];

/** Nobody who has begun one of these campaigns, within so many days. */
export interface Exclude {
  campaigns: string[] | typeof ALL;
  within_days?: number;
}

/** Conditions on answers, of which `all` or `any` must hold. It has one of the two. */
export interface Answered {
  all?: Condition[];
  any?: Condition[];
}

/** Only those whom a campaign has paid, in one of these cohorts, for such answers. */
export interface Include {
  campaign: string;
  cohorts?: number[];
  answered?: Answered;
}

/** Only those with fewer responses to the campaigns of the company within so many days. */
export interface AtMost {
  responses: number;
  per_days: number;
}

/** All campaigns of a company. */
export const ALL = 'all';

/** The rules about what a respondent has done, with the `id` of each campaign that they name. */
export interface Audience {
  exclude: { campaigns: number[] | null; days: number | null } | null;
  include: { campaign: number; cohorts: number[] | null; answered: Answered | null } | null;
  at_most: { responses: number; days: number } | null;
}

/** The names of these rules, in the order in which they refuse. */
export const AUDIENCE_RULES = ['exclude', 'include', 'at_most'] as const;

export type AudienceRule = (typeof AUDIENCE_RULES)[number];

/** Whom a campaign asks. */
export interface Targeting {
  attributes: Attribute[];
  screening: Screening | null;
  /** Answered by whoever begins. */
  screening_questions: Question[];
  /** `null` without questions. */
  qualify: Qualify | null;
  /** What a respondent is paid whose answers do not qualify, as an exact decimal. */
  screen_out_reward: string | null;
  /** How many are paid that; `null` for all. */
  maximum_screen_outs: number | null;
  quotas: Quota[];
  other: Others;
  exclude: Exclude | null;
  include: Include | null;
  at_most: AtMost | null;
  /** How many may begin within an hour; `null` without a limit. */
  at_most_per_hour: number | null;
}

/** The rules of a campaign, with the number of the cell of each quota. */
export interface Rules {
  version: number;
  targeting: Targeting;
  cells: readonly number[];
  /** `null` if it does not matter what a respondent has done. */
  audience: Audience | null;
  /** Roughly how much memory they take. */
  bytes: number;
}

/** What a platform says about a respondent, by attribute. It is never stored. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Why rules refuse a respondent. */
export const REFUSAL_REASONS = ['screened_out', 'quota_full', 'pace_reached'] as const;

export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** The rule that refuses whoever matches no quota. */
export const NO_QUOTA = 'other';

/** The rule that refuses whoever would begin too soon. */
export const PACE = 'at_most_per_hour';

/** The rule that refuses whoever meets none of the conditions of which any would do. */
export const NO_CONDITION = 'any';

/** The rule that refuses whose answers meet none of the conditions of which any would do. */
export const NO_QUALIFYING_ANSWER = 'screening_questions';

/** The rule that refuses whoever was paid for answers that do not qualify, and comes again. */
export const SCREENED_OUT_BEFORE = 'screened_out_before';

/** The rules of a campaign that asks everybody. */
export const EVERYBODY: Targeting = {
  attributes: [],
  screening: null,
  screening_questions: [],
  qualify: null,
  screen_out_reward: null,
  maximum_screen_outs: null,
  quotas: [],
  other: 'admit',
  exclude: null,
  include: null,
  at_most: null,
  at_most_per_hour: null,
};

export const ATTRIBUTES_MAXIMUM = 20;
/** Attributes that a platform sends at once: more than one campaign has. */
export const RESPONDENT_ATTRIBUTES_MAXIMUM = 50;

export const VALUES_MAXIMUM = 100;
export const VALUE_LENGTH = 100;
export const CONDITIONS_MAXIMUM = 20;
export const SCREENING_QUESTIONS_MAXIMUM = 10;
/** How many may be paid for answers that do not qualify. */
export const SCREEN_OUTS = { minimum: 1, maximum: 10_000_000 } as const;
export const QUOTAS_MAXIMUM = 200;
export const QUOTA_NAME_LENGTH = 100;

/** Characters of what a refusal calls a condition without a name, of which there may be more. */
export const RULE_NAME_LENGTH = 200;

/** The numbers of attributes. */
export const ATTRIBUTE_NUMBER = { minimum: -1_000_000_000, maximum: 1_000_000_000 } as const;

export const EXCLUDED_MAXIMUM = 100;
export const DAYS = { minimum: 1, maximum: 3_650 } as const;
export const RESPONSES = { minimum: 1, maximum: 1_000 } as const;

/** How many may begin within an hour. */
export const PACE_LIMITS = { minimum: 1, maximum: 1_000_000 } as const;

/** How many rules can screen respondents out. */
export const SCREENING_RULES_MAXIMUM = 2 * CONDITIONS_MAXIMUM + 2 + AUDIENCE_RULES.length;

/** Bytes of the rules of a campaign as JSON. */
export const TARGETING_BYTES = 65_536;
