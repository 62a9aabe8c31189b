import { newStoredId } from '../database/identifiers';
import { ExportPlaces } from './export-places';

describe('the places of exports', () => {
  it('are two for a company', () => {
    const places = new ExportPlaces();
    const company = newStoredId();
    const giveBack = places.take(company);
    places.take(company);
    expect(() => places.take(company)).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'retry-after': '10' } }),
    );
    places.take(newStoredId());
    giveBack();
    places.take(company);
  });

  it('are 20 for all companies together', () => {
    const places = new ExportPlaces();
    const given = Array.from({ length: 10 }, newStoredId).flatMap((company) => [
      places.take(company),
      places.take(company),
    ]);
    const another = newStoredId();
    const refused = expect.objectContaining({
      code: 'service_unavailable',
      headers: { 'retry-after': '10' },
    });
    for (const giveBack of given) {
      expect(() => places.take(another)).toThrow(refused);
      giveBack();
      places.take(another)();
      places.take(newStoredId());
    }
    expect(() => places.take(another)).toThrow(refused);
  });
});
