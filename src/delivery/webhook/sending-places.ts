import { companyOf } from '../../platform/caller/environment.rules';
import { AT_ONCE, DueEndpoint } from './delivery-queue.service';
import type { StoredId } from '../../platform/database/identifiers';

/** Attempts of this process that run at once, in all and for one company in both of its modes. */
const PLACES = 500;
const PLACES_OF_COMPANY = 20;

/** Free places that there must be for each one that a company holds, so that it gets another. */
const FREE_FOR_EACH = 4;

/** An endpoint whose turn it is, and how many places were taken for it. */
export interface Turn {
  endpoint: DueEndpoint;
  places: number;
}

/**
 * The places for attempts that run at once, and the endpoints that wait for one. Companies take
 * turns, and so do the endpoints of a company.
 *
 * A company's limit follows what is free (Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", 1998): the more companies hold places, the fewer each of them
 * gets, and some stay free for a company that has none.
 */
export class SendingPlaces {
  private free: number;
  /** Places that each company and each endpoint holds, by the identifier of either. */
  private readonly held = new Map<StoredId | string, number>();
  /** The endpoints that wait, of each company, both in the order of their turns. */
  private readonly waiting = new Map<StoredId, Map<string, DueEndpoint>>();

  constructor(
    places = PLACES,
    private readonly ofCompany = PLACES_OF_COMPANY,
  ) {
    this.free = places;
  }

  /** The `company_id`s of the endpoints that wait. */
  get waitingCompanyIds(): StoredId[] {
    const endpoints = [...this.waiting.values()].flatMap((each) => [...each.values()]);
    return [...new Set(endpoints.map(({ companyId }) => companyId))];
  }

  /** Lets an endpoint wait for its turn, unless it holds as many places as it may. */
  add(endpoint: DueEndpoint): void {
    const { companyId, webhookId, currency } = endpoint;
    if (this.heldBy(webhookId) < AT_ONCE) {
      const company = companyOf(companyId);
      const endpoints = this.waiting.get(company) ?? new Map<string, DueEndpoint>();
      this.waiting.set(company, endpoints.set(webhookId, { companyId, webhookId, currency }));
    }
  }

  /** Takes places for the endpoint whose turn it is; `undefined` if none can have any. */
  next(): Turn | undefined {
    for (const [company, endpoints] of this.waiting) {
      for (const endpoint of endpoints.values()) {
        const places = this.takeFor(endpoint);
        if (places > 0) {
          endpoints.delete(endpoint.webhookId);
          // The company's next turn comes after those of all others.
          this.waiting.delete(company);
          if (endpoints.size > 0) {
            this.waiting.set(company, endpoints);
          }
          return { endpoint, places };
        }
        break;
      }
    }
    return undefined;
  }

  /** Takes places for an endpoint that has just released one; none if another waits for it. */
  takeAgain(endpoint: DueEndpoint): number {
    for (const company of this.waiting.keys()) {
      if (this.shareOf(company) > 0) {
        return 0;
      }
    }
    return this.takeFor(endpoint);
  }

  release({ companyId, webhookId }: DueEndpoint, places: number): void {
    this.change(companyOf(companyId), -places);
    this.change(webhookId, -places);
    this.free += places;
  }

  private takeFor({ companyId, webhookId }: DueEndpoint): number {
    const company = companyOf(companyId);
    const places = Math.min(AT_ONCE - this.heldBy(webhookId), this.shareOf(company));
    this.change(company, places);
    this.change(webhookId, places);
    this.free -= places;
    return places;
  }

  /** Returns how many further places a company can have. */
  private shareOf(company: StoredId): number {
    const held = this.heldBy(company);
    // Each place that the company takes is also one fewer that is free.
    const share = Math.ceil((this.free - FREE_FOR_EACH * held) / (FREE_FOR_EACH + 1));
    return Math.max(0, Math.min(this.ofCompany - held, share));
  }

  private heldBy(id: StoredId | string): number {
    return this.held.get(id) ?? 0;
  }

  private change(id: StoredId | string, places: number): void {
    const held = this.heldBy(id) + places;
    if (held === 0) {
      this.held.delete(id);
    } else {
      this.held.set(id, held);
    }
  }
}
