import type { Topic } from './document-content';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME } from './responds-with';

/** The introduction of the documentation, in Markdown. */
export const INTRODUCTION = `Run paid survey and advertisement campaigns from your own programs.

### A first campaign at [/docs](/docs)

1. Send *Register a company*, or *Log in* if you have an account. Copy \`access_token\` from the response, press **Authorize** and paste it under \`${ACCOUNT_TOKEN_SCHEME}\`.
2. Send *Generate an API key*, which here makes a test key: no real respondent sees its campaigns, and nobody is paid. Copy \`api_key\`, press **Authorize** again and paste it under \`${API_KEY_SCHEME}\`.
3. Send *Create a survey campaign*, *Set a survey's questions*, *Forecast a campaign* to see what it will cost, then *Start or stop a campaign*. Every example works unchanged.
4. Send *Simulate respondents*, then *Read the results of a campaign*.

### How it works

- **[Authentication](/reference/basics#authentication).** The account token manages API keys and approves what they may not do alone; an API key in \`X-API-Key\` authenticates everything about campaigns.
- **[Responses](/reference/basics#responses).** Always JSON with \`success\`, \`message\` and \`data\`. A success is always status 200.
- **[Errors](/reference/basics#errors).** \`error.code\` is from a closed list. \`error.details\` names every invalid field, \`error.request_id\` identifies the request.
- **[Retries](/reference/basics#retries).** Send an \`Idempotency-Key\` with every POST, PATCH and PUT: sending the same request again returns the first outcome.
- **[Versions](/reference/basics#versions).** \`ETag\` is the version of a campaign; send it as \`If-Match\` to change only what you have read.
- **[Rate limits](/reference/basics#rate-limits).** \`RateLimit\` says what remains. After a 429, wait for the seconds in \`Retry-After\`.

The [documentation](/reference) has every operation with samples in curl, TypeScript and Python, and the guides. The [OpenAPI document](/openapi.json) is made for client generators.`;

/** The sections of operations, in the order in which a newcomer needs them. */
export const SECTIONS: readonly Topic[] = [
  { name: 'Company', description: 'Register, log in, and read your account.' },
  {
    name: 'API keys',
    description: 'Generated with the account token; needed for every section below.',
  },
  {
    name: 'Approvals',
    description: 'Requests of API keys that commit more than the key may by itself.',
  },
  { name: 'Surveys', description: 'Create survey campaigns.' },
  { name: 'Advertisements', description: 'Create advertisement campaigns.' },
  {
    name: 'Image surveys',
    description: 'Create a survey about images, with its content, in one call.',
  },
  {
    name: 'Questions',
    description: 'Attach questions to a survey, or feedback questions to an advertisement.',
  },
  { name: 'Campaigns', description: 'Read, list, edit, start and stop campaigns of every kind.' },
  { name: 'Cohort rewards', description: 'The reward of each of the five attention cohorts.' },
  {
    name: 'Targeting',
    description: 'Whom a campaign asks: attributes of respondents, screening and quotas.',
  },
  {
    name: 'Campaign documents',
    description: 'A whole campaign in one call, for keeping campaigns in version control.',
  },
  {
    name: 'Forecasts',
    description:
      'What a campaign will cost before it starts, and made-up respondents to try it with.',
  },
  {
    name: 'Guardrails',
    description: 'Rules that stop or report a campaign by what its responses are like.',
  },
  {
    name: 'Campaign responses',
    description: 'What respondents answered, and what each was paid.',
  },
  { name: 'Ledger', description: 'Every movement of money, and whether the books agree.' },
  {
    name: 'Events',
    description: 'Every change of your campaigns and API keys, numbered without a gap.',
  },
  { name: 'Webhooks', description: 'Events sent to your own endpoints, signed and retried.' },
  {
    name: 'Fielding',
    description:
      'For platforms that show campaigns to people, with a platform key. A test key can do the same in its own test campaigns.',
  },
  { name: 'Health', description: 'For load balancers and operators.' },
];
