import { Instances } from '../support/instances';
import { service } from '../support/service';

describe('the well-known addresses', () => {
  const instances = new Instances();

  afterAll(() => instances.drop());

  it('have the keys of receipts as a plain key set', async () => {
    const response = await fetch(`${service.client.url}/.well-known/jwks.json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
    const { data } = await service.client.get('/svc/fielding/receipt-keys');
    expect(await response.json()).toEqual(data);
  });

  it('have a security.txt if the operator has a contact', async () => {
    const path = '/.well-known/security.txt';
    expect((await fetch(service.client.url + path)).status).toBe(404);
    const { client } = await instances.start({
      ...(await instances.database()),
      SECURITY_CONTACT: 'mailto:security@example.com',
    });
    const response = await fetch(client.url + path);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const fields = (await response.text())
      .trim()
      .split('\n')
      .map((line) => /^([\w-]+): (.+)$/.exec(line)!.slice(1));
    expect(fields).toEqual([
      ['Contact', 'mailto:security@example.com'],
      ['Expires', expect.any(String)],
      ['Preferred-Languages', 'en'],
      ['Canonical', client.url + path],
      ['Policy', `${client.url}/guides/security`],
    ]);
    const [, [, expires]] = fields as [string[], string[]];
    const days = (Date.parse(expires!) - Date.now()) / 86_400_000;
    expect([days > 80, days < 365]).toEqual([true, true]);
  });
});
