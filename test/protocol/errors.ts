import { survey } from '../support/builders';
import { Answer } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { postInChunks } from '../support/wire';

const LIMIT = 256 * 1024;
const CREATE = '/svc/survey/create';

/** A valid survey of exactly this many bytes. */
const padded = (bytes: number) => JSON.stringify(survey()).padEnd(bytes, ' ');

describe('an error (sections 2.1 and 7)', () => {
  const company = companyForAll();

  const create = (body: unknown): Promise<Answer> => company.api.post(CREATE, body);

  /** Sends bytes with the given headers only. */
  const sendBody = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Answer> => {
    const response = await fetch(service.client.url + CREATE, {
      method: 'POST',
      headers: { ...company.api.headers, ...headers },
      body,
    });
    const answered = (await response.json()) as Answer['body'];
    return new Answer(response.status, response.headers, answered);
  };

  describe('x-request-id', () => {
    it.each(['abc', 'a.b:c/d+e=f@g-h_i', '7', 'x'.repeat(128)])('is echoed: %s', async (id) => {
      const client = company.api.with({ 'x-request-id': id });
      const refused = await client.post(CREATE, {});
      expect(refused.headers.get('x-request-id')).toBe(id);
      expect(refused.body.error?.request_id).toBe(id);
      const done = await client.post(CREATE, survey());
      expect(done.headers.get('x-request-id')).toBe(id);
    });

    it.each(['', 'two words', '"quoted"', '<b>', 'ä', 'a,b', '{"a":1}', 'x'.repeat(129)])(
      'is replaced if invalid: %s',
      async (id) => {
        const { headers, body } = await company.api.with({ 'x-request-id': id }).post(CREATE, {});
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
        expect(body.error?.request_id).toBe(headers.get('x-request-id'));
      },
    );

    it('is generated for each request without one', async () => {
      const answers = await Promise.all([create(survey()), create(survey()), create({})]);
      expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
    });
  });

  describe('the request body', () => {
    it.each([
      '{',
      '{"title": }',
      "{'title': 'x'}",
      '{"title": "x",}',
      'title=x',
      '{} {}',
      'undefined',
      'NaN',
      '{"reward_amount": 01}',
      '{"reward_amount": .5}',
      '{"reward_amount": Infinity}',
      '// comment\n{}',
      '\ufeff\ufeff{}',
      '"\u0001"',
    ])('is refused if it is not JSON: %j', async (text) => {
      expectError(await create(text), 400, 'malformed_json');
    });

    it('is refused if it is not UTF-8', async () => {
      const text = Buffer.from(JSON.stringify(survey({ title: '#' })), 'latin1');
      for (const byte of [0xff, 0xe4, 0xc0]) {
        const bytes = Buffer.from(text);
        bytes[bytes.indexOf('#')] = byte;
        expectError(await sendBody(bytes), 400, 'malformed_json');
      }
    });

    it.each([
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `{"title": ${'{"a":'.repeat(50)}1${'}'.repeat(50)}}`,
    ])('is refused if its structure is hostile: %.40s', async (text) => {
      expectError(await create(text), 400, 'malformed_json');
    });

    it.each(['[]', '[{}]', '"text"', '5', 'true', 'null'])(
      'is refused if it is not an object: %s',
      async (text) => {
        expectInvalid(await create(text), { '': 'invalid_type' });
      },
    );

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/json5',
      'text/json',
      'application/vnd.api+json',
      'nonsense',
      'application/json; charset=utf-16',
      'application/json;charset="ISO-8859-1"',
      'application/json; charset=utf-8; charset=latin1',
    ])('is refused as %s (section 4)', async (type) => {
      const answer = await sendBody(padded(300), { 'content-type': type });
      expectError(answer, 415, 'unsupported_media_type');
    });

    it('is refused without a Content-Type (section 4)', async () => {
      const answer = await sendBody(Buffer.from(padded(300)), {});
      expectError(answer, 415, 'unsupported_media_type');
    });

    it.each([
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
    ])('is accepted as %s', async (type) => {
      const { status } = await sendBody(padded(300), { 'content-type': type });
      expect(status).toBe(200);
    });

    it.each(['gzip', 'br', 'GZIP, identity', 'x'])(
      'is refused if it is encoded as %s',
      async (coding) => {
        const answer = await sendBody(padded(300), {
          'content-type': 'application/json',
          'content-encoding': coding,
        });
        expectError(answer, 415, 'unsupported_media_type');
        expect(answer.headers.get('accept-encoding')).toBe('identity');
      },
    );

    it('is accepted with the coding identity, and after a byte-order mark', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' };
      expect((await sendBody(`\ufeff${padded(300)}`, headers)).status).toBe(200);
    });

    it('is accepted up to 256 KiB for a survey and refused with one byte more without a Content-Length', async () => {
      const headers = { ...company.api.headers, 'content-type': 'application/json' };
      const url = service.client.url + CREATE;
      const [first, rest] = [padded(LIMIT).slice(0, 1000), padded(LIMIT).slice(1000)];
      expect((await postInChunks(url, headers, [first, rest])).status).toBe(200);
      expectError(await postInChunks(url, headers, [first, rest, ' ']), 413, 'payload_too_large');
    });
  });

  describe('the path or method', () => {
    it.each([
      '/svc',
      '/svc/survey',
      '/svc/survey/create/',
      '/SVC/survey/create',
      '/svc/survey/create/1',
      '/svc//survey/create',
      '/api/company',
      `/${'x'.repeat(8000)}`,
    ])('is refused if there is no such path: %.40s', async (path) => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
        expectError(await company.api.send(method, path), 404, 'route_not_found');
      }
    });

    it.each(['caf%E9', '%c0%af', '%ED%A0%80', '%', '%zz', 'x&limit=%ff'])(
      'is refused if the query cannot be decoded: %s',
      async (text) => {
        const answer = await company.api.get(`/svc/campaign/list?category=${text}`);
        expectInvalid(answer, { query: 'invalid_characters' });
      },
    );

    it.each(['/svc/%zz', '/svc/%', '/%ff', '/svc/survey/%c0%af'])(
      'is refused if the path cannot be decoded: %s',
      async (path) => {
        const answer = await company.api.with({ 'x-request-id': 'mine' }).get(path);
        expectInvalid(answer, { path: 'invalid_characters' });
        expect(answer.headers.get('x-request-id')).toBe('mine');
      },
    );

    it.each(['/docs/nothing', '/docs/%2e%2e/package.json', `/docs/${'x'.repeat(3000)}`])(
      'is refused if the documentation has no such file: %.40s',
      async (path) => {
        expectError(await service.client.get(path), 404, 'route_not_found');
      },
    );

    it('is refused at no more cost if the path has thousands of parts', async () => {
      const split = jest.spyOn(String.prototype, 'split');
      try {
        expectError(await service.client.get('/'.repeat(8_000)), 404, 'route_not_found');
        const parts = split.mock.results.map(({ value }) => (value as string[]).length);
        expect(parts.filter((length) => length > 1_000)).toHaveLength(1);
      } finally {
        split.mockRestore();
      }
    });

    it('is refused without a body for HEAD', async () => {
      const response = await fetch(service.client.url + CREATE, { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([405, '']);
    });
  });
});
