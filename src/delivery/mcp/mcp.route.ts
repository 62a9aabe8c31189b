import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MIB } from '../../platform/limits/body-limit';
import { fieldError } from '../../platform/protocol/api-error';
import { accountTools } from './account-tools';
import type { AgentService } from './agent.service';
import { campaignTools } from './campaign-tools';
import { InnerRequests } from './inner-requests';
import { McpServers } from './mcp-server';
import { apiKeyOf, McpGuard } from './mcp.guard';
import { planTools } from './plan-tools';
import { resultTools } from './result-tools';
import { ToolSchemas } from './tool-schema';

/** Where MCP clients connect. */
export const MCP_PATH = '/mcp';

/** A document may have 2 MiB, and the message around it is short. */
const BODY_LIMIT = 3 * MIB;

/** The most characters of a client's name in the log. */
const CLIENT_MAXIMUM = 80;

/** Fields whose whole schema would take more room in the context of a model than the rest. */
const SHORTER = {
  show_if: {
    type: 'object',
    description:
      'When it is shown: { "all" or "any": [ { "question": key, "op", "value" } ] }, about earlier ' +
      'questions. op is is, is_not, includes, excludes, at_least, at_most, answered or not_answered.',
  },
  targeting: {
    type: ['object', 'null'],
    description:
      'Whom it asks. Read /guides/targeting with search_documentation before you use it.',
  },
  guardrails: {
    type: 'array',
    items: { type: 'object' },
    description:
      'Rules that stop the campaign by themselves. Read /guides/guardrails with ' +
      'search_documentation before you use it.',
  },
  translations: {
    type: 'object',
    description: 'Texts in other languages, by language and then by key.',
  },
};

/** What the library hands from a request to its server. */
interface Extra extends Record<string, unknown> {
  request: FastifyRequest;
}

const UNPRINTABLE = /[^\x20-\x7e]/g;

/** The name that a client gives itself, as the log has it. */
function clientOf(request: FastifyRequest, stated: string | undefined): string {
  const name = stated ?? request.headers['user-agent'] ?? 'unknown';
  return name.replaceAll(UNPRINTABLE, '?').slice(0, CLIENT_MAXIMUM);
}

/** The headers that the protocol's library reads. */
function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(entry[0]),
  );
  return Object.fromEntries(kept);
}

/**
 * Serves the tools for agents over the Model Context Protocol, revision 2026-07-28, and without
 * sessions to clients of the revisions of 2025. Nothing is kept between two requests, so that any
 * instance can serve each. The protocol's library is loaded at the first request.
 */
export function serveMcp(
  fastify: FastifyInstance,
  document: OpenAPIObject,
  agents: AgentService,
): void {
  let made: Promise<McpHttpHandler> | undefined;
  // It waits for requests to other routes, which have their own shares of the connections.
  const config = { credential: McpGuard, bodyLimit: BODY_LIMIT, outsideShares: true };
  fastify.post(MCP_PATH, { config }, async (request, reply) => {
    if (Array.isArray(request.body)) {
      // One request would count as one, however many calls it has.
      throw fieldError('', 'invalid_type', 'The body must be one message, not an array.');
    }
    const { fetch } = await (made ??= makeHandler(fastify, document, agents));
    const sent = new Request(`http://localhost${MCP_PATH}`, {
      method: 'POST',
      headers: headersOf(request),
    });
    const extra: Extra = { request };
    const authInfo = { token: '', clientId: '', scopes: [], extra };
    const response = await fetch(sent, { parsedBody: request.body, authInfo });
    // The text is short and complete: no tool sends anything before its result.
    const text = await response.text();
    return reply.status(response.status).headers(Object.fromEntries(response.headers)).send(text);
  });
}

async function makeHandler(
  fastify: FastifyInstance,
  document: OpenAPIObject,
  agents: AgentService,
): Promise<McpHttpHandler> {
  const library = await import('@modelcontextprotocol/server');
  const schemas = new ToolSchemas(document, SHORTER);
  const { title, version } = document.info;
  const servers = new McpServers(library, { name: 'campaign-service', title, version }, [
    ...accountTools(schemas),
    ...campaignTools(schemas),
    ...planTools(schemas),
    ...resultTools(schemas),
  ]);
  return library.createMcpHandler(
    ({ authInfo }) => {
      const { request } = authInfo?.extra as Extra;
      const { principal: caller, headers, log } = request;
      if (caller === undefined) {
        throw new Error('the pipeline has not authenticated this request');
      }
      return servers.make(caller, log, (tool, args, stated) => {
        const client = clientOf(request, stated);
        const via = { via: 'mcp', client, tool: tool.name } as const;
        const requests = new InnerRequests(fastify, request, apiKeyOf(headers), via);
        return tool.run(args, { caller, requests, agents });
      });
    },
    // The list of tools never changes, so that nobody needs to listen for a change.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  );
}
