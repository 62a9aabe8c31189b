import fc from 'fast-check';
import type { DueEndpoint } from './delivery-queue.service';
import type { StoredId } from '../../platform/database/identifiers';
import { environmentOf, Mode } from '../../platform/caller/environment.rules';
import { SendingPlaces, Turn } from './sending-places';

const companyNumbered = (company: number) =>
  `01990000-0000-7000-8000-${String(company).padStart(12, '0')}` as unknown as StoredId;

const endpoint = (company: number, webhook = 1, mode: Mode = 'live'): DueEndpoint => ({
  companyId: environmentOf(companyNumbered(company), mode),
  webhookId: `whk_${mode}_${company}_${webhook}`,
  currency: 'EUR',
});

/** Lets endpoints wait, and gives every turn that there is. */
function serve(places: SendingPlaces, endpoints: readonly DueEndpoint[]): Turn[] {
  endpoints.forEach((each) => {
    places.add(each);
  });
  const turns: Turn[] = [];
  for (let turn = places.next(); turn !== undefined; turn = places.next()) {
    turns.push(turn);
  }
  return turns;
}

const sum = (turns: readonly Turn[]) => turns.reduce((total, turn) => total + turn.places, 0);

const many = (count: number, make: (index: number) => DueEndpoint) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the places for attempts', () => {
  it('are at most 5 for an endpoint, and at most 20 for a company in both modes', () => {
    const places = new SendingPlaces();
    const live = serve(places, [endpoint(1), endpoint(1)]);
    expect(live).toEqual([{ endpoint: endpoint(1), places: 5 }]);
    expect(serve(places, [endpoint(1)])).toEqual([]);
    expect(
      sum(
        serve(
          places,
          many(20, (index) => endpoint(1, 2 + index)),
        ),
      ),
    ).toBe(15);
    expect(serve(places, [endpoint(1, 1, 'test')])).toEqual([]);
  });

  it('are left for a company that comes later, and balance as attempts end', () => {
    const places = new SendingPlaces();
    const hogs = many(30 * 20, (index) => endpoint(index % 30, Math.floor(index / 30)));
    const turns = serve(places, hogs);
    const late = serve(places, [endpoint(30)]);
    expect(sum(late)).toBeGreaterThan(0);

    // Every attempt ends, and every endpoint has more.
    const held = new Map<StoredId, number>();
    const take = ({ endpoint: { companyId }, places: count }: Turn) =>
      held.set(companyId, (held.get(companyId) ?? 0) + count);
    turns.forEach(take);
    for (const turn of turns) {
      for (let place = 0; place < turn.places; place += 1) {
        places.release(turn.endpoint, 1);
        take({ ...turn, places: -1 });
        take({ ...turn, places: places.takeAgain(turn.endpoint) });
        serve(places, [turn.endpoint]).forEach(take);
      }
    }
    const shares = [...held.values()];
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(5);
    expect(sum(serve(places, [endpoint(31)]))).toBe(5);
  });

  it('go to every company in turn where there are too few', () => {
    const places = new SendingPlaces(3, 3);
    const companies = many(10, (index) => endpoint(index));
    const served: StoredId[] = [];
    let running = serve(places, companies);
    for (let round = 0; round < 20; round += 1) {
      const [{ endpoint: ending, places: count }, ...rest] = running as [Turn, ...Turn[]];
      served.push(ending.companyId);
      places.release(ending, count);
      expect(places.takeAgain(ending)).toBe(0);
      running = [...rest, ...serve(places, [ending])];
    }
    const expected = companies.map(({ companyId }) => companyId);
    expect(served.slice(0, 10).toSorted()).toEqual(expected);
    expect(served.slice(10).toSorted()).toEqual(expected);
  });

  it('go to the endpoints of a company in turn', () => {
    const places = new SendingPlaces(100, 5);
    const [first] = serve(places, [endpoint(1, 1), endpoint(1, 2)]) as [Turn];
    places.release(first.endpoint, 1);
    expect(places.takeAgain(first.endpoint)).toBe(0);
    expect(serve(places, [first.endpoint])).toEqual([{ endpoint: endpoint(1, 2), places: 1 }]);
  });

  it('stay with an endpoint while no other waits', () => {
    const places = new SendingPlaces();
    const [turn] = serve(places, [endpoint(1)]) as [Turn];
    places.release(turn.endpoint, 2);
    expect(places.takeAgain(turn.endpoint)).toBe(2);
  });

  it('are never more than there are, nor more for a company than its limit, and are all returned', () => {
    const step = fc.record({
      company: fc.nat(8),
      webhook: fc.nat(4),
      ends: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 10 }),
        fc.array(step, { maxLength: 100 }),
        (total, ofCompany, steps) => {
          const places = new SendingPlaces(total, ofCompany);
          let running: Turn[] = [];
          for (const { company, webhook, ends } of steps) {
            if (ends && running.length > 0) {
              const [first, ...rest] = running as [Turn, ...Turn[]];
              places.release(first.endpoint, first.places);
              const again = places.takeAgain(first.endpoint);
              running = again > 0 ? [...rest, { ...first, places: again }] : rest;
            }
            running.push(...serve(places, [endpoint(company, webhook)]));
            expect(sum(running)).toBeLessThanOrEqual(total);
            for (let each = 0; each <= 8; each += 1) {
              const { companyId } = endpoint(each);
              const own = running.filter((turn) => turn.endpoint.companyId === companyId);
              expect(sum(own)).toBeLessThanOrEqual(ofCompany);
              // A company that waits without a place waits for lack of any.
              if (own.length === 0 && places.waitingCompanyIds.includes(companyId)) {
                expect(sum(running)).toBe(total);
              }
            }
          }
          running.forEach((turn) => {
            places.release(turn.endpoint, turn.places);
          });
          while (
            serve(places, []).map((turn) => places.release(turn.endpoint, turn.places)).length
          );
          expect(places.waitingCompanyIds).toEqual([]);
          expect(sum(serve(places, [endpoint(9)]))).toBe(
            Math.min(5, ofCompany, Math.ceil(total / 5)),
          );
        },
      ),
    );
  });
});
