import { ExpiryService } from '../../src/fielding/participations/expiry.service';
import { expectReconciled, expire, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { service } from '../support/service';
import { beginAs, countsOf, quota, setTargeting, targetedSurvey } from '../support/targeting';
import { THOROUGH } from '../support/thorough';

const STEPS = THOROUGH ? 600 : 120;
const GENDERS = ['female', 'male', 'other'];
const AGES = [17, 18, 25, 34, 35, 50];

/** A respondent, and the quotas that the model counts the respondent in. */
interface Person {
  id: string;
  place?: { post_id: string; participation_id: string };
  state: 'new' | 'open' | 'submitted' | 'gone';
  counted: string[];
}

interface ModelQuota {
  name: string;
  gender?: string;
  from: number;
  to: number;
  limit: number;
}

/** A small generator, so that a failure can be repeated with its seed. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const wire = ({ name, gender, from, to, limit }: ModelQuota) =>
  quota(name, { ...(gender && { gender: [gender] }), age: [{ from, to }] }, limit);

describe('the cells of quotas, compared with a model,', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it.each(THOROUGH ? [1, 2, 3, 4, 5] : [1])('agree after every step (seed %i)', async (seed) => {
    const random = randomOf(seed);
    const pick = <T>(all: readonly T[]): T => all[random(all.length)]!;
    const people: Person[] = [];
    const counted = (name: string, ...states: string[]) =>
      people.filter((each) => states.includes(each.state) && each.counted.includes(name)).length;
    const takenIn = (name: string) => counted(name, 'open', 'submitted');

    const newQuotas = (): ModelQuota[] =>
      Array.from({ length: 1 + random(4) }, (_, index) => {
        const from = pick([0, 18, 25]);
        return {
          name: `quota ${(index + random(2)) % 5}`,
          ...(random(2) === 0 ? { gender: pick(GENDERS) } : {}),
          from,
          to: from + pick([7, 16, 40]),
          limit: 1 + random(4),
        };
      }).filter((each, index, all) => all.findIndex(({ name }) => name === each.name) === index);
    let quotas = newQuotas();
    let other = 'admit';
    const postId = await targetedSurvey(company, { quotas: quotas.map(wire) });

    const begin = async () => {
      const person: Person = { id: `${seed} ${people.length}`, state: 'new', counted: [] };
      const gender = pick(GENDERS);
      const age = pick(AGES);
      const matching = quotas.filter(
        (each) =>
          (each.gender === undefined || each.gender === gender) &&
          age >= each.from &&
          age <= each.to,
      );
      const full = matching.find(({ name, limit }) => takenIn(name) >= limit);
      const { status, body } = await beginAs(platform, postId, person.id, { gender, age });
      const refused = matching.length === 0 && other === 'refuse' ? 'other' : full?.name;
      expect([status, body.error?.rule]).toEqual([refused === undefined ? 200 : 422, refused]);
      if (refused === undefined) {
        const names = matching.map(({ name }) => name);
        people.push({ ...person, place: body.data, state: 'open', counted: names });
      }
    };
    const some = (state: Person['state']) => people.find((each) => each.state === state);
    const post = (path: string, body: unknown) => platform.post(`/svc/fielding/${path}`, body);
    const placeOf = ({ place }: Person) => ({
      post_id: place!.post_id,
      participation_id: place!.participation_id,
    });
    const steps: (() => Promise<void>)[] = [
      begin,
      begin,
      begin,
      async () => {
        const person = some('open');
        if (person) {
          expect((await submit(platform, person.place!, random(10))).status).toBe(200);
          person.state = 'submitted';
        }
      },
      async () => {
        const person = some('open');
        if (person) {
          expect((await post('abandon', placeOf(person))).status).toBe(200);
          person.state = 'gone';
        }
      },
      async () => {
        const person = some('open');
        if (person) {
          await expire(service.dataSource, person.place!.participation_id);
          await service.app.get(ExpiryService, { strict: false }).look();
          person.state = 'gone';
        }
      },
      async () => {
        const person = some('submitted');
        if (person) {
          const reversed = await post('reverse', { ...placeOf(person), reason: 'x' });
          expect(reversed.status).toBe(200);
          person.state = 'gone';
        }
      },
      async () => {
        const person = pick(people.filter(({ state }) => state !== 'gone'));
        if ((person as Person | undefined) !== undefined) {
          expect((await post('erase-respondent', { respondent_id: person.id })).status).toBe(200);
          person.state = 'gone';
        }
      },
      async () => {
        const changed = newQuotas();
        const others = pick(['admit', 'refuse']);
        const isBelow = changed.some(({ name, limit }) => takenIn(name) > limit);
        const { status } = await setTargeting(company.api, postId, {
          quotas: changed.map(wire),
          other: others,
        });
        expect(status).toBe(isBelow ? 422 : 200);
        if (!isBelow) {
          quotas = changed;
          other = others;
        }
      },
    ];
    for (let step = 0; step < STEPS; step += 1) {
      await pick(steps)();
      expect([step, await countsOf(company.api, postId)]).toEqual([
        step,
        Object.fromEntries(
          quotas.map(({ name, limit }) => [
            name,
            [takenIn(name), counted(name, 'submitted'), limit - takenIn(name)],
          ]),
        ),
      ]);
      await expectReconciled(company.api);
    }
    expect(people.filter(({ state }) => state === 'gone').length).toBeGreaterThan(5);
  });
});
