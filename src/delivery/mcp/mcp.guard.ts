import { ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { CredentialKeysService } from '../../access/credential-keys/credential-keys.service';
import { CredentialGuard, wasAuthenticatedBy } from '../../platform/caller/credential';
import type { Principal } from '../../platform/caller/principal';
import { ApiError } from '../../platform/protocol/api-error';

const BEARER = /^bearer +(\S+) *$/i;

/** Returns the API key of a request, in `X-API-Key` or as the bearer token of an MCP client. */
export function apiKeyOf({ authorization, ...headers }: IncomingHttpHeaders): string {
  const [, token = ''] = BEARER.exec(authorization ?? '') ?? [];
  return String(headers['x-api-key'] ?? token);
}

/** Accepts a request with a valid API key of a company. Each tool needs scopes of its own. */
@Injectable()
export class McpGuard implements CredentialGuard {
  constructor(private readonly keys: CredentialKeysService) {}

  async authenticate({ headers }: FastifyRequest): Promise<Principal> {
    const principal = await this.keys.authenticate({ 'x-api-key': apiKeyOf(headers) });
    if (principal.platform !== undefined) {
      throw new ApiError('insufficient_scope', "This route takes a company's API key.");
    }
    return principal;
  }

  canActivate(context: ExecutionContext): boolean {
    return wasAuthenticatedBy(McpGuard, context);
  }
}
