import type { Json } from '../../platform/openapi/json-schema';
import { documentationTool } from './documentation-tool';
import { fittingPage, pageOf, partOf } from './tool-result';
import type { ToolSchemas } from './tool-schema';
import {
  argumentsOf,
  CURSOR,
  defineTool,
  IDENTIFIER,
  POST_ID,
  READS,
  Tool,
  ToolCall,
} from './tool.types';

interface EventArguments {
  after?: number;
  types?: string;
  post_id?: string;
}

interface ApprovalArguments {
  approval_id?: string;
  state?: string;
  cursor?: string;
}

async function identify({ agents, caller, requests }: ToolCall): Promise<object> {
  const identity = await agents.identify(caller);
  const mayRead = caller.scopes?.includes('ledger:read') === true;
  return mayRead ? { ...identity, balance: await requests.get('/svc/balance') } : identity;
}

async function listEvents({ requests }: ToolCall, { after = 0, ...query }: EventArguments) {
  const last = { seq: after, hasMore: false };
  const { items } = await fittingPage(async (limit) => {
    const page = await requests.get('/svc/event/list', { ...query, after, limit });
    last.seq = (page.covers as { to: number }).to;
    last.hasMore = page.has_more === true;
    return { items: page.items as Json[], next: undefined };
  });
  return { items, after: last.seq, has_more: last.hasMore };
}

async function readApprovals({ agents, caller, requests }: ToolCall, query: ApprovalArguments) {
  const { approval_id: id, ...rest } = query;
  return id === undefined
    ? fittingPage(async (limit) =>
        pageOf(
          (await agents.listApprovals(caller, { ...rest, limit } as object)) as unknown as Json,
        ),
      )
    : requests.get(`/svc/approval/${id}`);
}

/** The tools about the key, its company, and what has happened. */
export function accountTools(schemas: ToolSchemas): Tool[] {
  return [
    defineTool<object>({
      name: 'who_am_i',
      title: 'Who am I',
      description:
        'Returns the company of the API key, whether the key is live or test, what it may do ' +
        '(scopes), above which cost it needs an approval, its spending limit, and what is left of ' +
        'it. Call this first.',
      annotations: READS,
      scopes: [],
      input: argumentsOf({}),
      run: (_, call) => identify(call),
    }),
    documentationTool,
    defineTool<{ post_id?: string; cursor?: string }>({
      name: 'list_guardrails',
      title: 'List guardrails',
      description:
        'Lists the rules that stop or report campaigns by themselves, and whether they have ' +
        'fired. Guardrails of one campaign are set with plan_campaign and apply_campaign.',
      annotations: READS,
      scopes: ['campaigns:read'],
      input: argumentsOf({ ...POST_ID, ...CURSOR }),
      run: async ({ cursor, ...query }, { requests }) => {
        const { items } = await requests.get('/svc/guardrail/list', query);
        return partOf(items as Json[], cursor);
      },
    }),
    defineTool<EventArguments>({
      name: 'list_events',
      title: 'List what has happened',
      description:
        'Lists the changes since an event, oldest first: who started, changed or stopped what, ' +
        'responses, guardrails, approvals. Send the after of the previous result for later ones; ' +
        '0 begins at the first event.',
      annotations: READS,
      scopes: ['events:read'],
      input: argumentsOf(schemas.parameters('/svc/event/list', 'after', 'types', 'post_id')),
      run: (query, call) => listEvents(call, query),
    }),
    defineTool<{ cursor?: string }>({
      name: 'check_ledger',
      title: 'Check the ledger',
      description:
        'Compares every payment with the participations of the campaigns. No differences means ' +
        'that the money adds up. With next_cursor there is more to compare.',
      annotations: READS,
      scopes: ['ledger:read'],
      input: argumentsOf(CURSOR),
      run: async (query, { requests }) => requests.get('/svc/ledger/reconcile', query),
    }),
    defineTool<ApprovalArguments>({
      name: 'get_approvals',
      title: 'Read approvals',
      description:
        'Returns one approval by its approval_id, or lists those of the company, newest first. A ' +
        'request waits in the state pending until a person approves or refuses it; approved means ' +
        'that it was carried out. No tool can approve anything.',
      annotations: READS,
      scopes: ['campaigns:read'],
      input: argumentsOf({
        approval_id: IDENTIFIER,
        ...schemas.parameters('/svc/approval/list', 'state'),
        ...CURSOR,
      }),
      run: (query, call) => readApprovals(call, query),
    }),
  ];
}
