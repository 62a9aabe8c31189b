import fc from 'fast-check';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import { CampaignWalk } from './campaign-walk';
import type { Chunk } from './live-campaigns.service';
import { isBefore, NEWEST, Position, positionOf } from './position.rules';

interface Given {
  time: number;
  isOpen: boolean;
}

/** Campaigns with identifiers of their own, newest first. */
const sorted = (given: readonly Given[], source: number) =>
  given
    .map(({ time, isOpen }, index) => {
      const campaign = { id: String(index * 2 + source), createdAt: new Date(time) } as Campaign;
      return { campaign, isOpen };
    })
    .sort((a, b) => (isBefore(positionOf(a.campaign), positionOf(b.campaign)) ? -1 : 1));

const campaigns = fc.array(
  fc.record({ time: fc.integer({ min: 1, max: 9 }), isOpen: fc.boolean() }),
);

describe('CampaignWalk', () => {
  it('returns what is open once, newest first, and looks at a limited number per source', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(campaigns, campaigns),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.func(fc.integer({ min: 1, max: 4 })),
        async (given, maximum, count, chunkOf) => {
          const stored = given.map(sorted);
          const sources = stored.map((all) => (start: Position): Chunk => {
            const rest = all.filter(({ campaign }) => isBefore(start, positionOf(campaign)));
            const chunk = rest.slice(0, chunkOf(start.join(' ')));
            const last = rest.length > chunk.length ? chunk.at(-1) : undefined;
            return { campaigns: chunk, end: last === undefined ? null : positionOf(last.campaign) };
          });
          const found: Campaign[] = [];
          for (let position: Position | null = NEWEST; position !== null;) {
            const from: Position = position;
            const walk: CampaignWalk = new CampaignWalk(sources, from, maximum);
            for (
              let next = await walk.next(count);
              next.length > 0;
              next = await walk.next(count)
            ) {
              expect(next.length).toBeLessThanOrEqual(count);
              found.push(...next);
            }
            const { end } = walk;
            for (const all of stored) {
              const seen = all.filter(({ campaign }) => {
                const at = positionOf(campaign);
                return isBefore(from, at) && end !== null && !isBefore(end, at);
              });
              expect(seen.length).toBeLessThanOrEqual(maximum);
            }
            position = end;
          }
          const open = stored.flat().filter(({ isOpen }) => isOpen);
          expect(found).toEqual(
            open
              .map(({ campaign }) => campaign)
              .sort((a, b) => (isBefore(positionOf(a), positionOf(b)) ? -1 : 1)),
          );
        },
      ),
    );
  });
});
