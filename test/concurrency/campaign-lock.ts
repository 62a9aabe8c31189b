import { itOnOneServer } from '../support/engines';
import { registerCompany } from '../support/client';
import { begin, begun, expire, liveSurvey, submit } from '../support/fielding';
import { createSurvey } from '../support/builders';
import { eventually } from '../support/eventually';
import { companyForEach, platformForAll } from '../support/fixtures';
import { stopClock } from '../support/life';
import { untilLockWait } from '../support/lock-waits';
import { untilNumbered } from '../support/numbering';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { CampaignClockService } from '../../src/campaigns/life/campaign-clock.service';
import { ExpiryService } from '../../src/fielding/participations/expiry.service';
import { storedId } from '../../src/platform/database/identifiers';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** Milliseconds after which the database ends a statement, whatever it waits for. */
const STATEMENT_TIMEOUT = 4_000;

describe('the lock of a campaign', () => {
  const platform = platformForAll();
  const company = companyForEach();

  /** Holds a lock while something happens; returns the database's time just before its end. */
  async function during(
    [statement, parameter]: [statement: string, parameter: unknown],
    happens: () => Promise<void>,
  ): Promise<Date> {
    const holder = service.dataSource.createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query(statement, [parameter]);
      await happens();
      const [{ now }] = (await holder.query('SELECT clock_timestamp() AS now')) as [{ now: Date }];
      await holder.commitTransaction();
      return now;
    } finally {
      // Back in the pool, an open transaction would fail the next tests.
      if (holder.isTransactionActive) {
        await holder.rollbackTransaction();
      }
      await holder.release();
    }
  }

  const campaignLock = (postId: string): [string, string] => [
    'SELECT FROM campaign WHERE post_id = $1 FOR UPDATE',
    postId,
  ];

  itOnOneServer('is free while a reversal waits for the tally', async () => {
    const postId = await liveSurvey(company);
    const { participation_id } = await begun(platform, postId, 'ann');
    await submit(platform, { post_id: postId, participation_id }, 9);
    await resultsOf(service.dataSource, company, postId);
    let reversal: Promise<{ status: number }> | undefined;
    await during(
      [
        'SELECT FROM tally_position WHERE company_id = $1 FOR UPDATE',
        storedEnvironment(company.companyId),
      ],
      async () => {
        const reason = 'Too fast';
        reversal = platform.post('/svc/fielding/reverse', {
          post_id: postId,
          participation_id,
          reason,
        });
        await untilLockWait(service.dataSource, 'reverse_participation');
        expect((await begin(platform, postId, 'bob')).status).toBe(200);
      },
    );
    expect((await reversal)?.status).toBe(200);
  });

  itOnOneServer('is what an expiry waits for, with no place of it hidden meanwhile', async () => {
    const postId = await liveSurvey(company, { max_responses: 1 });
    const { participation_id } = await begun(platform, postId, 'ann');
    const [{ id }] = await service.dataSource.query<[{ id: string }]>(
      'SELECT id FROM campaign WHERE post_id = $1',
      [postId],
    );
    let beginning: Promise<{ status: number }> | undefined;
    let expiry: Promise<unknown> | undefined;
    await during(campaignLock(postId), async () => {
      // By hand, so that nothing else expires it first.
      await service.dataSource.query(
        `UPDATE participation SET begun_at = begun_at - interval '1 day',
           expires_at = expires_at - interval '1 day' WHERE participation_id = $1`,
        [storedId('part', participation_id)],
      );
      beginning = begin(platform, postId, 'bob');
      await untilLockWait(service.dataSource, 'begin_participation');
      expiry = service.dataSource.query('SELECT expire_participations($1, $2)', [
        storedEnvironment(company.companyId),
        id,
      ]);
      await untilLockWait(service.dataSource, 'expire_participations');
    });
    expect((await beginning)?.status).toBe(200);
    await expiry;
  });

  itOnOneServer(
    'of one company keeps the expiries of others waiting for a moment only',
    async () => {
      const other = await registerCompany(service.client);
      const locked: string[] = [];
      while (locked.length < 3) {
        locked.push(await liveSurvey(company));
      }
      const places = [];
      for (const postId of [...locked, await liveSurvey(other)]) {
        places.push(await begun(platform, postId, 'ann'));
      }
      const holder = service.dataSource.createQueryRunner();
      try {
        await holder.startTransaction();
        const lock =
          'SELECT clock_timestamp() AS now FROM campaign WHERE post_id = ANY ($1) FOR UPDATE';
        const [{ now }] = (await holder.query(lock, [locked])) as [{ now: Date }];
        // Only now, because the service looks by itself too.
        for (const { participation_id } of places) {
          await expire(service.dataSource, participation_id);
        }
        const look = service.app.get(ExpiryService, { strict: false }).look();
        await expect(look).rejects.toThrow('lock timeout');
        const ids = places.map(({ participation_id }) => storedId('part', participation_id));
        const rows = await service.dataSource.query<{ state: string; closed_at: Date | null }[]>(
          `SELECT state, closed_at FROM participation WHERE participation_id = ANY ($1)
           ORDER BY array_position($1, participation_id)`,
          [ids],
        );
        const states = rows.map(({ state }) => state);
        expect(states).toEqual([...locked.map(() => 'open'), 'expired']);
        expect(rows.at(-1)!.closed_at!.getTime() - now.getTime()).toBeLessThan(STATEMENT_TIMEOUT);
      } finally {
        await holder.rollbackTransaction();
        await holder.release();
      }
    },
  );

  itOnOneServer('of one company does not keep the starts of others waiting', async () => {
    const stopped = stopClock(service.app);
    const other = await registerCompany(service.client);
    const postIds: string[] = [];
    for (const { api } of [company, company, other]) {
      const { post_id } = await createSurvey(api, { starts_at: new Date(Date.now() + 1_000) });
      postIds.push(post_id);
    }
    const statuses = async () => {
      const rows = await service.dataSource.query<{ status: string; is_due: boolean }[]>(
        `SELECT status, due_at <= clock_timestamp() AS is_due FROM campaign
         WHERE post_id = ANY ($1) ORDER BY array_position($1, post_id)`,
        [postIds],
      );
      return rows;
    };
    await eventually(async () => {
      expect((await statuses()).every(({ is_due }) => is_due)).toBe(true);
    });
    const clock = service.app.get(CampaignClockService, { strict: false });
    const locked: [string, unknown] = [
      'SELECT FROM campaign WHERE post_id = ANY ($1) FOR UPDATE',
      postIds.slice(0, 2),
    ];
    // The service looks by itself too, and may have the third one locked for a moment.
    const expectStored = (...expected: string[]) =>
      eventually(async () => {
        await clock.look();
        expect((await statuses()).map(({ status }) => status)).toEqual(expected);
      });
    await during(locked, async () => {
      stopped.mockRestore();
      await expectStored('scheduled', 'scheduled', 'live');
    });
    await expectStored('live', 'live', 'live');
  });

  itOnOneServer('comes before the time of a submission in the log', async () => {
    const postId = await liveSurvey(company);
    const place = await begun(platform, postId, 'ann');
    let submission: Promise<{ status: number }> | undefined;
    const free = await during(campaignLock(postId), async () => {
      submission = submit(platform, place, 9);
      await untilLockWait(service.dataSource, 'submit_participation');
      // A date has milliseconds.
      await service.dataSource.query('SELECT pg_sleep(0.005)');
    });
    expect((await submission)?.status).toBe(200);
    await untilNumbered(service.dataSource, company.companyId);
    const [{ created_at }] = await service.dataSource.query<[{ created_at: Date }]>(
      `SELECT created_at FROM event WHERE subject = $1 AND type = 'response.submitted'`,
      [storedId('part', place.participation_id)],
    );
    expect(created_at.getTime()).toBeGreaterThanOrEqual(free.getTime());
  });
});
