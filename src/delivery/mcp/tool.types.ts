import type { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import type { Mode } from '../../platform/caller/environment.rules';
import type { Principal } from '../../platform/caller/principal';
import type { Json, Schema, Schemas } from '../../platform/openapi/json-schema';
import type { AgentService } from './agent.service';
import type { InnerRequests } from './inner-requests';

type Scope = Parameters<typeof ApiKeyAuth>[number];

/** What a tool works with during one call. */
export interface ToolCall {
  caller: Principal;
  /** The operations of the service, with the key of the caller. */
  requests: InnerRequests;
  agents: AgentService;
}

/** What a client may assume about a tool. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** It changes nothing. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It reads what respondents have written. */
export const READS_STRANGERS: Annotations = { ...READS, openWorldHint: true };

/** It changes data within the service, and adds to it only. */
export const ADDS: Annotations = { ...READS, readOnlyHint: false };

/** It changes what respondents see. */
export const CHANGES: Annotations = { ...ADDS, openWorldHint: true };

/** It can commit money, or replace what was there. */
export const COMMITS: Annotations = { ...CHANGES, destructiveHint: true };

/** A task that an agent can give to the service. */
export interface Tool {
  name: string;
  title: string;
  /** Written for models. It never has a text of a user. */
  description: string;
  annotations: Annotations;
  /** A key without all of these scopes does not see the tool. */
  scopes: readonly Scope[];
  /** The only mode whose keys see the tool. */
  mode?: Mode;
  /** The arguments, as clients see them. */
  input: Schema;
  /** The result, where it is small. */
  output?: Schema;
  /** What is checked of the arguments before the call, if the operation itself checks more. */
  checked?: Schema;
  run: (args: Json, call: ToolCall) => Promise<object>;
}

interface TypedTool<Arguments> extends Omit<Tool, 'run'> {
  run: (args: Arguments, call: ToolCall) => Promise<object>;
}

/** Declares a tool, whose arguments are checked against its schema before it runs. */
export function defineTool<Arguments>(tool: TypedTool<Arguments>): Tool {
  return tool as unknown as Tool;
}

/** Returns the schema of the arguments of a tool. */
export function argumentsOf(properties: Schemas, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

export const CURSOR = {
  cursor: {
    type: 'string',
    maxLength: 1000,
    description: 'The next_cursor of the previous result, with the same other arguments.',
  },
} as const;

/** An identifier that can stand in the path of a request. */
export const IDENTIFIER = { type: 'string', maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' } as const;

export const POST_ID = {
  post_id: {
    ...IDENTIFIER,
    description: 'The campaign, such as post_01k9x2v8zdf3xbz0q4v5rk6t7m.',
  },
} as const;
