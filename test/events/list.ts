import { anyPostId, createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { allEvents, askFeed, FeedEvent, feedPage } from '../support/feed';
import { begun, liveSurvey, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** A company's events: its key, then these campaigns, each created, renamed and started. */
const CAMPAIGNS = 6;
const EVENTS = 1 + 3 * CAMPAIGNS;

describe('GET /svc/event/list', () => {
  const company = companyForAll();
  let postIds: string[];
  let events: FeedEvent[];

  beforeAll(async () => {
    postIds = [];
    for (let number = 0; number < CAMPAIGNS; number += 1) {
      const { post_id } = await createSurvey(company.api);
      await company.api.patch('/svc/campaign/update', { post_id, title: `Title ${number}` });
      await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
      postIds.push(post_id);
    }
    events = await allEvents(company.api, EVENTS);
  });

  it('returns everything from the beginning, oldest first', async () => {
    expect(await feedPage(company.api)).toEqual({
      items: events,
      covers: { from: 1, to: EVENTS },
      last_seq: EVENTS,
      has_more: false,
    });
    const byCampaign = events.filter(({ subject }) => subject === postIds[2]);
    expect(byCampaign.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('returns a page after a number, and continues with covers.to', async () => {
    const seen: FeedEvent[] = [];
    for (let after = 0; after < EVENTS;) {
      const page = await feedPage(company.api, { after, limit: 4 });
      const to = Math.min(after + 4, EVENTS);
      expect(page).toEqual({
        items: events.slice(after, to),
        covers: { from: after + 1, to },
        last_seq: EVENTS,
        has_more: to < EVENTS,
      });
      seen.push(...page.items);
      after = page.covers.to;
    }
    expect(seen).toEqual(events);
  });

  it('covers nothing after the last event', async () => {
    expect(await feedPage(company.api, { after: EVENTS })).toEqual({
      items: [],
      covers: { from: EVENTS + 1, to: EVENTS },
      last_seq: EVENTS,
      has_more: false,
    });
  });

  it('is empty for a company without numbered events', async () => {
    const other = await registerCompany(service.client);
    await allEvents(other.api, 1);
    await service.dataSource.query('DELETE FROM event WHERE company_id = $1', [
      storedEnvironment(other.companyId),
    ]);
    await service.dataSource.query('DELETE FROM event_sequence WHERE company_id = $1', [
      storedEnvironment(other.companyId),
    ]);
    expect(await feedPage(other.api)).toEqual({
      items: [],
      covers: { from: 1, to: 0 },
      last_seq: 0,
      has_more: false,
    });
  });

  it('refuses a position beyond the last event', async () => {
    const answer = await askFeed(company.api, { after: EVENTS + 1, wait_seconds: 5 });
    expectError(answer, 422, 'feed_position_unknown', [
      { field: 'after', code: 'too_large', message: expect.stringContaining(`${EVENTS}`) },
    ]);
  });

  describe('with filters', () => {
    it('returns the types asked for, and covers the others', async () => {
      const types = 'campaign.started,api_key.generated';
      const wanted = events.filter(({ type }) => types.includes(type));
      expect(wanted).toHaveLength(CAMPAIGNS + 1);
      expect(await feedPage(company.api, { types })).toEqual({
        items: wanted,
        covers: { from: 1, to: EVENTS },
        last_seq: EVENTS,
        has_more: false,
      });
    });

    it('covers up to the last item of a page that the limit cuts', async () => {
      const seen: FeedEvent[] = [];
      for (let after = 0, more = true; more;) {
        const page = await feedPage(company.api, { after, limit: 2, types: 'campaign.updated' });
        expect(page.covers.from).toBe(after + 1);
        expect(page.covers.to).toBe(page.has_more ? page.items.at(-1)?.seq : EVENTS);
        seen.push(...page.items);
        after = page.covers.to;
        more = page.has_more;
      }
      expect(seen).toEqual(events.filter(({ type }) => type === 'campaign.updated'));
    });

    it('returns the events of one campaign, of some types if asked', async () => {
      const [subject] = postIds;
      const own = events.filter((event) => event.subject === subject);
      expect((await feedPage(company.api, { subject })).items).toEqual(own);
      const types = 'campaign.updated,campaign.started';
      expect((await feedPage(company.api, { subject, types })).items).toEqual(own.slice(1));
      expect(await feedPage(company.api, { subject: 'post_unknown' })).toMatchObject({
        items: [],
        covers: { from: 1, to: EVENTS },
      });
    });

    it('returns the events of one campaign with its responses, of some types if asked', async () => {
      const own = await registerCompany(service.client);
      const platform = await platformClient(service);
      const [mine, other] = [await liveSurvey(own), await liveSurvey(own)];
      for (const post_id of [mine, other]) {
        const place = await begun(platform, post_id, 'ann');
        await submit(platform, place, 5);
        const { participation_id } = place;
        const reason = 'A bot';
        await platform.post('/svc/fielding/reverse', { post_id, participation_id, reason });
      }
      const all = await allEvents(own.api, 9);
      const isMine = ({ subject, changes }: FeedEvent) =>
        subject === mine || changes.post_id?.new === mine;
      const page = await feedPage(own.api, { post_id: mine });
      expect(page).toMatchObject({ covers: { from: 1, to: 9 }, has_more: false });
      expect(page.items).toEqual(all.filter(isMine));
      expect(page.items.map(({ type }) => type)).toEqual([
        'campaign.created',
        'campaign.started',
        'response.submitted',
        'response.reversed',
      ]);
      const types = 'response.submitted,campaign.started';
      const some = await feedPage(own.api, { post_id: mine, types });
      expect(some.items.map(({ type }) => type)).toEqual([
        'campaign.started',
        'response.submitted',
      ]);
      const { subject } = page.items[2]!;
      expect((await feedPage(own.api, { post_id: other, subject })).items).toEqual([]);
      const unknown = await own.api.get('/svc/event/list?post_id=post_unknown');
      expectError(unknown, 404, 'campaign_not_found');
      const foreign = await company.api.get(`/svc/event/list?post_id=${mine}`);
      expectError(foreign, 403, 'campaign_not_owned');
    });

    it('looks at a limited number of events for one page', async () => {
      const many = anyPostId();
      const rare = await registerCompany(service.client);
      await allEvents(rare.api, 1);
      // The last 1,500 are numbered by the service, which takes it two statements.
      await service.dataSource.query(
        `WITH numbered AS (
           UPDATE event_sequence SET last_seq = 4501 WHERE company_id = $1
         )
         INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
         SELECT $1, stored_id($2), n, 'campaign.updated', n + 1, 'key_x', '{"title": {}}', now()
         FROM generate_series(1, 4500) AS n`,
        [storedEnvironment(rare.companyId), many],
      );
      await service.dataSource.query(
        `INSERT INTO unnumbered_event
           (company_id, subject, version, type, actor, changes, created_at)
         SELECT $1, stored_id($2), n, 'campaign.updated', 'key_x', '{"title": {}}', now()
         FROM generate_series(4501, 6000) AS n`,
        [storedEnvironment(rare.companyId), many],
      );
      await createSurvey(rare.api);
      await eventually(async () => {
        expect((await feedPage(rare.api)).last_seq).toBe(6_002);
      });
      const types = 'campaign.created';
      expect(await feedPage(rare.api, { after: 1, types })).toEqual({
        items: [],
        covers: { from: 2, to: 5_001 },
        last_seq: 6_002,
        has_more: true,
      });
      const next = await feedPage(rare.api, { after: 5_001, types, wait_seconds: 5 });
      expect(next).toMatchObject({
        items: [{ type: 'campaign.created' }],
        covers: { from: 5_002, to: 6_002 },
      });
      const versions = (await allEvents(rare.api, 6_002))
        .filter(({ subject }) => subject === many)
        .map(({ version }) => version);
      expect(versions).toEqual(Array.from({ length: 6_000 }, (_, index) => index + 1));
    });
  });

  it('cuts a page at 1 MiB, and covers what it returns', async () => {
    const large = await registerCompany(service.client);
    const descriptions = Array.from({ length: 80 }, (_, index) => index);
    const { post_id } = await createSurvey(large.api);
    for (const number of descriptions) {
      const description = `${number}`.padEnd(5_000, '\u00e9');
      await large.api.patch('/svc/campaign/update', { post_id, description });
    }
    const count = 2 + descriptions.length;
    const all = await allEvents(large.api, count);
    const page = await feedPage(large.api, { limit: 1_000 });
    expect(page.items.length).toBeLessThan(count);
    expect(page).toEqual({
      items: all.slice(0, page.items.length),
      covers: { from: 1, to: page.items.length },
      last_seq: count,
      has_more: true,
    });
    const bytes = Buffer.byteLength(JSON.stringify(page.items));
    expect(bytes).toBeGreaterThan(900_000);
    expect(bytes).toBeLessThan(1_100_000);
  });

  it("returns no other company's events", async () => {
    const other = await registerCompany(service.client);
    await createSurvey(other.api);
    expect(await allEvents(other.api, 2)).toHaveLength(2);
    const page = await feedPage(other.api, { subject: postIds[0] });
    expect(page).toMatchObject({ items: [], covers: { from: 1, to: 2 }, last_seq: 2 });
  });

  it('reports every invalid parameter', async () => {
    const answer = await askFeed(company.api, {
      after: -1,
      types: 'campaign.created,campaign.deleted',
      subject: 'x'.repeat(101),
      post_id: 'x'.repeat(101),
      limit: 1_001,
      wait_seconds: 21,
      cursor: 'x',
    });
    expectInvalid(answer, {
      after: 'too_small',
      types: 'not_allowed',
      subject: 'too_long',
      post_id: 'too_long',
      limit: 'too_large',
      wait_seconds: 'too_large',
      cursor: 'unknown_field',
    });
    for (const types of ['', ',', 'campaign.created,']) {
      expectInvalid(await askFeed(company.api, { types }), { types: 'not_allowed' });
    }
  });
});
