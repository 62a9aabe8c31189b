import type { FastifyRequest } from 'fastify';
import { Asset } from '../openapi/asset';
import { originOf } from '../protocol/origin-of';

/** Where samples expect the service, before they are served. */
export const LOCAL_ADDRESS = 'http://127.0.0.1:3000';

/** What takes the address in a sample. */
const SAMPLE = new RegExp(`(?<=\\b(?:CAMPAIGN_URL|base)=)${LOCAL_ADDRESS}\\b`);
const SAMPLES = new RegExp(SAMPLE, 'g');

/** Addresses whose pages are kept: whoever sends a request chooses its `Host`. */
const ADDRESSES_MAXIMUM = 4;

/** A page whose samples, if it has any, use the address that serves it. */
export class AddressedPage {
  private readonly assets = new Map<string, Asset>();
  private made: string | undefined;

  /** @param publicUrl the address, if it is not that of each request */
  constructor(
    private readonly type: string,
    private readonly make: () => string,
    private readonly publicUrl: string | undefined,
  ) {}

  of(request: FastifyRequest): Asset {
    const text = (this.made ??= this.make());
    const address = SAMPLE.test(text) ? (this.publicUrl ?? addressOf(request)) : '';
    const known = this.assets.get(address);
    if (known !== undefined) {
      return known;
    }
    const asset = new Asset(this.type, () => text.replaceAll(SAMPLES, () => address));
    if (this.assets.size < ADDRESSES_MAXIMUM) {
      this.assets.set(address, asset);
    }
    return asset;
  }
}

/** The address of a request; a page is read under a wrong one too. */
function addressOf(request: FastifyRequest): string {
  try {
    return originOf(request);
  } catch {
    return LOCAL_ADDRESS;
  }
}
