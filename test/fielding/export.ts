import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { createImageSurvey, createSurvey, images } from '../support/builders';
import { appendEvents, copyResponse } from '../support/copied-responses';
import { eventually } from '../support/eventually';
import { begun, liveQuestionnaire, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { untilNumbered } from '../support/numbering';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { beginAs, quota, targetedSurvey, WOMEN } from '../support/targeting';
import { CampaignService } from '../../src/campaigns/campaign/campaign.service';
import { Participation } from '../../src/fielding/participations/participation.entity';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import type { Question } from '../../src/campaigns/questions/question.types';
import { ExportService } from '../../src/insight/responses/export.service';
import { SequencerService } from '../../src/platform/event/sequencer.service';
import { HeavyWork } from '../../src/platform/limits/heavy-work';
import { ResponsesService } from '../../src/insight/responses/responses.service';

const QUESTIONS: Question[] = [
  { type: 'text', question: 'Why?' },
  { type: 'multiple_choice', question: 'Which?', options: ['Tea', '=Milk'] },
];

describe('GET /svc/campaign/{post_id}/responses/export', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const pathOf = (postId: string, query = '') =>
    `/svc/campaign/${postId}/responses/export?${query}`;

  async function download(path: string): Promise<{ headers: Headers; text: string }> {
    const response = await fetch(company.api.url + path, { headers: company.api.headers });
    expect(response.status).toBe(200);
    // `text()` would drop a byte-order mark.
    const bytes = Buffer.from(await response.arrayBuffer());
    return { headers: response.headers, text: bytes.toString('utf8') };
  }

  /** Returns the rows and checks the last line. */
  async function rowsOf(path: string): Promise<{ rows: any[]; last: any; upTo: number }> {
    const { headers, text } = await download(path);
    const lines = text.trimEnd().split('\n');
    const last = JSON.parse(lines.pop()!);
    const content = lines.map((line) => `${line}\n`).join('');
    expect(last.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(last.count).toBe(lines.length);
    expect(headers.get('export-count')).toBe(String(last.count));
    expect(headers.get('export-up-to-seq')).toBe(String(last.covers.to));
    return { rows: lines.map((line) => JSON.parse(line)), last, upTo: last.covers.to };
  }

  /** A survey with a response of each of these scores, all of which have a number. */
  async function answered(scores: number[], value = 'Because'): Promise<string> {
    const post_id = await liveQuestionnaire(company, QUESTIONS);
    await answer(post_id, scores, value);
    return post_id;
  }

  async function answer(postId: string, scores: number[], value = 'Because'): Promise<void> {
    const { body } = await company.api.get('/svc/event/list?limit=1000');
    const before = body.data.last_seq;
    for (const score of scores) {
      const begin = await begun(platform, postId, `respondent ${Math.random()}`);
      const { status } = await submit(platform, begin, score, [
        { question: 1, value },
        { question: 2, value: ['=Milk'] },
      ]);
      expect(status).toBe(200);
    }
    await eventually(async () => {
      const { body: later } = await company.api.get(
        `/svc/event/list?after=${before}&types=response.submitted&limit=1000`,
      );
      expect(later.data.items).toHaveLength(scores.length);
    });
  }

  it('returns what the list returns, in the order of seq, and what the whole is', async () => {
    const post_id = await answered([1, 5, 9.5]);
    const { rows, last } = await rowsOf(pathOf(post_id));
    const { body } = await company.api.get(`/svc/campaign/${post_id}/responses`);
    expect(rows.map(({ seq: _, ...row }) => row).toReversed()).toEqual(body.data.items);
    expect(rows.map(({ seq }) => seq)).toEqual(
      rows.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );
    expect(last).toEqual({
      covers: { from: 1, to: expect.any(Number) },
      count: 3,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('names the quotas of each response, until it is reversed', async () => {
    const quotas = [quota('women', WOMEN, 9), quota('=old', { age: [{ from: 40 }] }, 9)];
    const post_id = await targetedSurvey(company, { quotas });
    const submitAs = async (who: string, attributes: object) => {
      const { data } = await beginAs(platform, post_id, `${post_id} ${who}`, { ...attributes });
      await submit(platform, data, 9);
      return data.participation_id as string;
    };
    await submitAs('both', { gender: 'female', age: 50 });
    const reversed = await submitAs('reversed', { gender: 'female', age: 20 });
    await submitAs('none', {});
    const quotasOf = async () => {
      const { rows } = await rowsOf(pathOf(post_id));
      return rows.map((row) => row.quotas);
    };
    await eventually(async () => {
      expect(await quotasOf()).toEqual([['women', '=old'], ['women'], undefined]);
    });
    const reason = 'Fraud';
    const reversal = { post_id, participation_id: reversed, reason };
    await platform.post('/svc/fielding/reverse', reversal);
    expect(await quotasOf()).toEqual([['women', '=old'], undefined, undefined]);
    const { text } = await download(pathOf(post_id, 'format=csv'));
    const [head, first] = text.split('\r\n');
    expect(head!.endsWith(',flags,quotas')).toBe(true);
    expect(first!.endsWith(',"women, =old"')).toBe(true);
  });

  it('continues after a row, and returns only what came later', async () => {
    const post_id = await answered([1, 5, 9.5]);
    const { rows, upTo } = await rowsOf(pathOf(post_id));
    const rest = await rowsOf(pathOf(post_id, `after_seq=${rows[0].seq}&up_to_seq=${upTo}`));
    expect(rest.rows).toEqual(rows.slice(1));
    expect((await rowsOf(pathOf(post_id, `after_seq=${upTo}`))).rows).toEqual([]);
    await answer(post_id, [7]);
    const later = await rowsOf(pathOf(post_id, `after_seq=${upTo}`));
    expect(later.rows.map(({ cohort }) => cohort)).toEqual([4]);
    expect(later.last.covers.from).toBe(upTo + 1);
    expect((await rowsOf(pathOf(post_id, `up_to_seq=${upTo}`))).rows).toEqual(rows);
  });

  it.each(['ndjson', 'csv'])(
    'has the bytes of the whole if it is joined from two parts at any row, in %s',
    async (format) => {
      const post_id = await answered([1, 5, 9.5, 5], 'one\ntwo, …日本語');
      const { rows, upTo } = await rowsOf(pathOf(post_id));
      const part = async (query: string) => {
        const path = pathOf(post_id, `format=${format}&${query}`);
        return (await download(path)).text.replace(/\{"covers":.*\n$/, '');
      };
      const whole = await part(`up_to_seq=${upTo}`);
      const head = format === 'csv' ? whole.slice(0, whole.indexOf('\r\n') + 2) : '';
      for (const { seq } of rows) {
        const rest = await part(`after_seq=${seq}&up_to_seq=${upTo}`);
        expect(rest.startsWith(head)).toBe(true);
        expect((await part(`up_to_seq=${seq}`)) + rest.slice(head.length)).toBe(whole);
      }
      const { body } = await company.api.get(`/svc/campaign/${post_id}/results`);
      expect(body.data.responses.counted).toBe(rows.length);
      expect(body.data.spending.spent).toBe(rows.reduce((sum, { reward }) => sum + reward, 0));
      expect(body.data.cohorts.map(({ responses }: any) => responses)).toEqual(
        [1, 2, 3, 4, 5].map((each) => rows.filter(({ cohort }) => cohort === each).length),
      );
    },
  );

  /** Does some work, and counts the statements that look for submissions. */
  async function statementsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
    const spy = jest.spyOn(service.dataSource, 'query');
    const found = await work();
    const statements = spy.mock.calls.map(([text]) => text);
    spy.mockRestore();
    return [found, statements.filter((text) => text.includes('archived_submission')).length];
  }

  it('looks at the responses of a small campaign, not at the whole log', async () => {
    const post_id = await answered([5]);
    await copyResponse(service.dataSource, company.companyId, 1_100);
    await answer(post_id, [1]);
    const { rows, upTo } = await rowsOf(pathOf(post_id));
    expect(rows).toHaveLength(1_102);
    await appendEvents(service.dataSource, company.companyId, 6_000);
    const [whole, statements] = await statementsOf(() => rowsOf(pathOf(post_id)));
    expect(statements).toBe(2);
    expect(whole.rows).toEqual(rows);
    expect(whole.upTo).toBeGreaterThanOrEqual(upTo + 6_000);
    const select = async (query: string) => (await rowsOf(pathOf(post_id, query))).rows;
    expect(await select(`after_seq=${rows[0].seq}`)).toEqual(rows.slice(1));
    expect(await select(`after_seq=${rows[700].seq}&version=1`)).toEqual(rows.slice(701));
    expect(await select('cohorts=1')).toEqual(rows.slice(-1));
    // A response whose event is in an archive.
    await service.dataSource.query(
      `INSERT INTO archived_submission (company_id, campaign_id, seq, participation_id, cohort)
       SELECT e.company_id, p.campaign_id, e.seq, e.subject, p.cohort
       FROM event AS e JOIN participation AS p
         ON p.company_id = e.company_id AND p.participation_id = e.subject
       WHERE e.company_id = $1 AND e.seq = $2`,
      [storedEnvironment(company.companyId), rows[1_050].seq],
    );
    await service.dataSource.query('DELETE FROM event WHERE company_id = $1 AND seq = $2', [
      storedEnvironment(company.companyId),
      rows[1_050].seq,
    ]);
    expect(await select('')).toEqual(rows);
  });

  it('filters by cohorts and by version', async () => {
    const post_id = await answered([1, 5, 9.5]);
    await company.api.post('/svc/survey/questions', { post_id, questions: QUESTIONS });
    await answer(post_id, [9]);
    const cohorts = async (query: string) =>
      (await rowsOf(pathOf(post_id, query))).rows.map(({ cohort }) => cohort);
    expect(await cohorts('cohorts=3,5')).toEqual([3, 5, 5]);
    expect(await cohorts('version=1')).toEqual([1, 3, 5]);
    expect(await cohorts('version=2')).toEqual([5]);
    expect(await cohorts('version=1&cohorts=5')).toEqual([5]);
    expectError(await company.api.get(pathOf(post_id, 'version=3')), 404, 'question_set_not_found');
  });

  it('writes a CSV with a column for each question and option, and no formula', async () => {
    const post_id = await answered([5], '=1+1, "two"\nlines');
    const { text, headers } = await download(pathOf(post_id, 'format=csv&bom=true'));
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${post_id}.csv"`);
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe(
      '\uFEFFseq,participation_id,respondent,question_id,version,attention_score,cohort,currency,' +
        'reward,begun_at,submitted_at,reversed_at,reversal_reason,answer_percentile,longest_run,' +
        'compared_answers,consistency,text_repeats,flags,1. Why?,2. Which? [Tea],2. Which? [=Milk]',
    );
    expect(lines.join('\r\n')).toMatch(
      /^\d+,part_\w+,resp_\w+,qset_\w+,1,5,3,USD,\d+,[-\d]+T[:.\d]+Z,[-\d]+T[:.\d]+Z,,,,,,,,,"'=1\+1, ""two""\nlines",0,1\r\n$/,
    );
    expect((await download(pathOf(post_id, 'format=csv'))).text.startsWith('seq,')).toBe(true);
  });

  it.each([
    ['a;=1+1\t+2\n-3\r\n@4', `"a;'=1+1\t'+2\n'-3\n'@4"`],
    ['a;"=1+1"', `"a;""'=1+1"""`],
    ['a;＝1', `a;'＝1`],
    ['a-b; -c=d@e+f', "a-b; '-c=d@e+f"],
  ])('has no formula where a program begins a cell within a text: %j', async (value, cell) => {
    const { text } = await download(pathOf(await answered([5], value), 'format=csv'));
    expect(text).toContain(`,${cell},0,1\r\n`);
  });

  it('has the columns of questions that are set while a CSV begins', async () => {
    const post_id = await answered([5]);
    const query = service.dataSource.query.bind(service.dataSource);
    const spy = jest.spyOn(service.dataSource, 'query');
    spy.mockImplementation(async (...parameters: [string]) => {
      if (parameters[0].includes('start_seq')) {
        spy.mockImplementation(query);
        const questions = [{ type: 'text', question: 'Why not?' }, QUESTIONS[1]];
        await company.api.post('/svc/survey/questions', { post_id, questions });
        await answer(post_id, [9], 'Later');
      }
      return query(...parameters);
    });
    const { text } = await download(pathOf(post_id, 'format=csv'));
    spy.mockRestore();
    expect(text.split('\r\n')[0]).toContain('1. Why not?');
    expect(text).toContain(',Later\r\n');
  });

  it('quotes every text with a line end, so that each line end ends a row', async () => {
    for (const value of ['one\ntwo', 'one\r\ntwo', 'one\ntwo, three']) {
      const { text } = await download(pathOf(await answered([5], value), 'format=csv'));
      expect(text).toContain(`,"${value.replace('\r', '')}",0,1\r\n`);
    }
  });

  it('has a column for each image or pair', async () => {
    const slider = await createImageSurvey(company.api, 'slider', {
      scale: { min: -5, max: 5, step: 1 },
    });
    const pairs = await createImageSurvey(company.api, 'round-robin', { images: images(3) });
    for (const { post_id } of [slider, pairs]) {
      await start(company.api, post_id);
    }
    const columns = async (postId: string) =>
      (await download(pathOf(postId, 'format=csv'))).text.trimEnd().split(',').slice(19);
    expect(await columns(slider.post_id)).toEqual(['Image 1', 'Image 2']);
    expect(await columns(pairs.post_id)).toEqual(['Image 1 or 2', 'Image 1 or 3', 'Image 2 or 3']);
    const begin = await begun(platform, slider.post_id, 'ann');
    await submit(platform, begin, 5, [
      { image: 1, value: -5 },
      { image: 2, value: 2 },
    ]);
    await eventually(async () => {
      const { text } = await download(pathOf(slider.post_id, 'format=csv'));
      expect(text).toMatch(/,-5,2\r\n$/);
    });
  });

  it('compresses on request', async () => {
    const post_id = await answered([5]);
    const path = company.api.url + pathOf(post_id);
    const get = async (accepted: string) => {
      return new Promise<[string | undefined, Buffer]>((resolve, reject) => {
        const headers = { ...company.api.headers, 'accept-encoding': accepted };
        request(path, { headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            resolve([response.headers['content-encoding'], Buffer.concat(chunks)]);
          });
        })
          .on('error', reject)
          .end();
      });
    };
    const [none, plain] = await get('identity');
    const [encoding, compressed] = await get('br, gzip;q=0.5');
    const [refused] = await get('gzip;q=0');
    expect([none, encoding, refused]).toEqual([undefined, 'gzip', undefined]);
    expect(gunzipSync(compressed).toString()).toBe(plain.toString());
  });

  it('refuses what it cannot export', async () => {
    const post_id = await answered([5]);
    for (const field of ['after_seq', 'up_to_seq']) {
      expectError(
        await company.api.get(pathOf(post_id, `${field}=999999`)),
        422,
        'feed_position_unknown',
        [expect.objectContaining({ field, code: 'too_large' })],
      );
    }
    for (const [query, wrong] of [
      ['format=xlsx', { format: 'not_allowed' }],
      ['cohorts=6', { cohorts: 'not_allowed' }],
      ['cohorts=1;2', { cohorts: 'not_allowed' }],
      ['after_seq=-1', { after_seq: 'too_small' }],
      ['bom=yes', { bom: 'invalid_type' }],
    ] as const) {
      expectInvalid(await company.api.get(pathOf(post_id, query)), wrong);
    }
  });

  it('gives places back, also those of refused exports', async () => {
    const post_id = await answered([5]);
    for (let round = 0; round < 4; round += 1) {
      expectError(
        await company.api.get(pathOf(post_id, 'version=9')),
        404,
        'question_set_not_found',
      );
      await rowsOf(pathOf(post_id));
    }
  });

  /** A campaign with these question sets. */
  async function asking(...sets: Question[][]): Promise<string> {
    const { post_id } = await createSurvey(company.api);
    for (const questions of sets) {
      const { status } = await company.api.post('/svc/survey/questions', { post_id, questions });
      expect(status).toBe(200);
    }
    return post_id;
  }

  /** So many choices of 250 options, which are so long. */
  const choices = (
    type: 'single_choice' | 'multiple_choice',
    count: number,
    length: number,
    name = '',
  ): Question[] =>
    Array.from({ length: count }, (_, question) => ({
      type,
      question: `Which of ${name}${question}?`,
      options: Array.from({ length: 250 }, (_, option) => String(option).padEnd(length, '.')),
    }));

  it('has no more than 20 question sets or 25,000 columns of several sets in a CSV', async () => {
    const whys = Array.from({ length: 20 }, (_, index) => `Why ${index}?`);
    const most = whys.map((question): Question[] => [{ type: 'text', question }]);
    const post_id = await asking(...most);
    const { text } = await download(pathOf(post_id, 'format=csv'));
    expect(text.trimEnd().split(',').slice(19)).toEqual(whys.map((question) => `1. ${question}`));
    const many = ['a', 'b'].map((name) => choices('multiple_choice', 51, 3, name));
    for (const refused of [await asking(...most, QUESTIONS), await asking(...many)]) {
      const path = pathOf(refused, 'format=csv');
      expectInvalid(await company.api.get(path), { version: 'required' });
      expect((await rowsOf(pathOf(refused))).rows).toEqual([]);
      await download(`${path}&version=2`);
    }
  });

  it('reads no question sets of more than 1 MiB in all, unless it is one', async () => {
    const sets = [choices('single_choice', 1, 3), choices('single_choice', 23, 200, 'long')];
    const post_id = await asking(...sets, sets[1]!);
    const spy = jest.spyOn(service.dataSource, 'query');
    expectInvalid(await company.api.get(pathOf(post_id, 'format=csv')), { version: 'required' });
    const results: unknown[] = await Promise.all(spy.mock.results.map(({ value }) => value));
    spy.mockRestore();
    expect(JSON.stringify(results).length).toBeLessThan(1_024 ** 2);
    for (const version of [1, 2, 3]) {
      const { text } = await download(pathOf(post_id, `format=csv&version=${version}`));
      expect(text.trimEnd().split(',')).toHaveLength(19 + (version === 1 ? 1 : 23));
    }
  });

  it('takes turns with other requests while it names columns, and can be interrupted', async () => {
    const post_id = await asking(choices('multiple_choice', 100, 3));
    const { last_seq } = (await company.api.get('/svc/event/list')).body.data;
    const exports = new ExportService(
      service.dataSource.getRepository(Participation),
      service.app.get(CampaignService),
      service.app.get(ResponsesService),
      service.app.get(HeavyWork),
      service.app.get(SequencerService),
    );
    const open = (turns: number) => {
      let taken = 0;
      const gone = {
        get aborted() {
          return (taken += 1) > turns;
        },
      } as AbortSignal;
      const query = { format: 'csv' as const, after_seq: last_seq };
      return exports.open(storedEnvironment(company.companyId)!, post_id, query, gone);
    };
    expect(await open(Infinity)).toMatchObject({ count: 0 });
    await expect(open(1)).rejects.toMatchObject({ code: 'request_timeout' });
    exports.onModuleDestroy();
    await expect(open(Infinity)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('is not counted any further when its client has gone', async () => {
    const post_id = await answered([5]);
    const open = (gone: AbortSignal) =>
      service.app.get(ExportService).open(storedEnvironment(company.companyId)!, post_id, {}, gone);
    expect(await open(new AbortController().signal)).toMatchObject({ count: 1 });
    await expect(open(AbortSignal.abort())).rejects.toMatchObject({ code: 'request_timeout' });
  });

  it('says which questions were not shown, whatever set a response is to', async () => {
    const cups: Question = { type: 'number', key: 'cups', question: 'Cups?' };
    const asking = (question: string): Question[] => [
      cups,
      {
        type: 'single_choice',
        question,
        options: ['Cow', { text: 'Other', key: 'other', other: true }],
        required: false,
        show_if: { all: [{ question: 'cups', op: 'at_least', value: 1 }] },
      },
    ];
    const post_id = await liveQuestionnaire(company, asking('Milk?'));
    const late = await begun(platform, post_id, 'late');
    const respond = async (part: typeof late, value: number, answers: object[] = []) => {
      const all = [{ question: 'cups', value }, ...answers];
      expect((await submit(platform, part, 9, all)).status).toBe(200);
    };
    await respond(await begun(platform, post_id, 'a'), 0);
    const other = { question: 2, value: 'other', other: 'Oat' };
    await respond(await begun(platform, post_id, 'b'), 2, [other]);
    const changed = { post_id, questions: [...asking('Which milk?'), QUESTIONS[0]] };
    expect((await company.api.post('/svc/survey/questions', changed)).status).toBe(200);
    const why = { question: 3, value: 'Because' };
    await respond(await begun(platform, post_id, 'c'), 0, [why]);
    await respond(late, 1);
    await untilNumbered(service.dataSource, company.companyId);
    const { rows } = await rowsOf(pathOf(post_id));
    expect(rows.map(({ version, not_shown }) => [version, not_shown])).toEqual([
      [1, [2]],
      [1, undefined],
      [2, [2]],
      [1, undefined],
    ]);
    const { text } = await download(pathOf(post_id, 'format=csv'));
    const cells = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(19));
    expect(cells).toEqual([
      ...[['1. Cups?', '2. Milk?', '2. Milk? (other)', '2. Which milk?']].map((head) => [
        ...head,
        '2. Which milk? (other)',
        '3. Why?',
      ]),
      ['0', 'not_shown', 'not_shown', '', '', ''],
      ['2', 'other', 'Oat', '', '', ''],
      ['0', '', '', 'not_shown', 'not_shown', 'Because'],
      ['1', '', '', '', '', ''],
    ]);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'a' });
    expect((await rowsOf(pathOf(post_id))).rows[0]).not.toHaveProperty('not_shown');
    expect((await download(pathOf(post_id, 'format=csv'))).text).not.toContain('0,not_shown,not');
  });

  it('says which options and rows were not shown', async () => {
    const ifMany = { show_if: { all: [{ question: 'q1', op: 'at_least', value: 2 }] } };
    const post_id = await liveQuestionnaire(company, [
      { type: 'number', question: 'Cups?' },
      {
        type: 'multiple_choice',
        question: 'With?',
        options: ['Sugar', { text: 'Milk', ...ifMany }],
      },
      {
        type: 'matrix',
        question: 'How?',
        rows: ['Home', { text: 'Work', ...ifMany }],
        options: ['Hot', { text: 'Iced', key: 'iced', ...ifMany }],
        several: true,
      },
    ]);
    const respond = async (who: string, cups: number, value: object) => {
      const part = await begun(platform, post_id, who);
      const answers = [cups, ['Sugar'], value].map((each, index) => ({
        question: index + 1,
        value: each,
      }));
      expect((await submit(platform, part, 9, answers)).status).toBe(200);
    };
    await respond('a', 1, { Home: ['Hot'] });
    await respond('b', 2, { Home: ['Hot'], Work: ['iced'] });
    await untilNumbered(service.dataSource, company.companyId);
    const { rows } = await rowsOf(pathOf(post_id));
    expect(rows.map(({ not_shown_options }) => not_shown_options)).toEqual([
      [
        { question: 2, options: ['Milk'] },
        { question: 3, options: ['iced'], rows: ['Work'] },
      ],
      undefined,
    ]);
    const { text } = await download(pathOf(post_id, 'format=csv'));
    const [, ...cells] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(20));
    const no = 'not_shown';
    expect(cells).toEqual([
      ['1', no, '1', no, no, no],
      ['1', '0', '1', '0', '0', '1'],
    ]);
  });

  it('has no answers of an erased respondent', async () => {
    const post_id = await answered([5], 'I am Ann');
    const begin = await begun(platform, post_id, 'bob, who is erased');
    await submit(platform, begin, 5, [
      { question: 1, value: 'I am Bob' },
      { question: 2, value: ['Tea'] },
    ]);
    const { status } = await platform.post('/svc/fielding/erase-respondent', {
      respondent_id: 'bob, who is erased',
    });
    expect(status).toBe(200);
    await eventually(async () => {
      const { rows } = await rowsOf(pathOf(post_id));
      expect(rows.map(({ answers, respondent }) => [answers.length, respondent])).toEqual([
        [2, expect.any(String)],
        [0, null],
      ]);
    });
    expect((await download(pathOf(post_id, 'format=csv'))).text).not.toContain('Bob');
  });
});
