import { once } from 'node:events';
import { AddressInfo, connect, createServer, Server } from 'node:net';
import { SenderService } from '../../src/delivery/webhook/sender.service';
import { createSurvey } from '../support/builders';
import { eventually } from '../support/eventually';
import { registerCompany } from '../support/client';
import { DANGLING, NameServer, startNameServer } from '../support/name-server';
import { expectInvalid } from '../support/refusals';
import { startService, TestService } from '../support/service';

/** An address that is public, and that no test reaches. */
const PUBLIC = '93.184.216.34';

const INSIDE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[fd00:ec2::254]',
];

describe('the addresses of webhooks', () => {
  let service: TestService;
  let sender: SenderService;
  let names: NameServer;
  let inside: Server;
  let port: number;
  let connections: number;

  beforeAll(async () => {
    inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0);
    await once(inside, 'listening');
    ({ port } = inside.address() as AddressInfo);
    names = await startNameServer((name, query) => {
      switch (name) {
        case 'private.example.com':
          return '127.0.0.1';
        case 'changing.example.com':
          return query === 1 ? PUBLIC : '127.0.0.1';
        case 'alias.example.com':
          return DANGLING;
        default:
          return undefined;
      }
    });
    service = await startService({
      variables: {
        WEBHOOK_PORTS: `443,${port}`,
        WEBHOOK_RETRY_SECONDS: '1,1',
        WEBHOOK_TIMEOUT_SECONDS: '1',
      },
    });
    sender = service.app.get(SenderService);
  });

  beforeEach(() => {
    connections = 0;
  });

  afterAll(async () => {
    await service.close();
    await names.close();
    inside.close();
    await once(inside, 'close');
  });

  /** Resolves once the server has accepted every connection before this one. */
  async function allReceived(): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'close');
    connections -= 1;
  }

  const send = (url: string) => sender.send({ url, headers: {}, body: '{}' });

  it.each(INSIDE)('refuses %s without a connection', async (host) => {
    expect(await send(`https://${host}:${port}/`)).toEqual({
      status: null,
      error: 'address_not_allowed',
    });
    await allReceived();
    expect(connections).toBe(0);
  });

  it('refuses a name that has an address inside', async () => {
    expect(await send(`https://private.example.com:${port}/`)).toEqual({
      status: null,
      error: 'address_not_allowed',
    });
    expect(connections).toBe(0);
  });

  it('connects to the address that it checked, and looks the name up again the next time', async () => {
    const url = `https://changing.example.com:${port}/`;
    const { error } = await send(url);
    expect(['timeout', 'connection_failed']).toContain(error);
    expect(names.queries.filter((name) => name === 'changing.example.com')).toHaveLength(1);
    expect((await send(url)).error).toBe('address_not_allowed');
    expect(connections).toBe(0);
  });

  it.each(['missing', 'alias'])(
    'says that the name %s.example.com has no address',
    async (name) => {
      expect((await send(`https://${name}.example.com/`)).error).toBe('dns_failed');
    },
  );

  it.each([
    ['another scheme', () => `http://${PUBLIC}:${port}/`],
    ['another port', () => `https://${PUBLIC}:22/`],
    ['credentials', () => `https://user:secret@${PUBLIC}/`],
    ['no HTTP', () => `ftp://${PUBLIC}/`],
    ['a host that no URL can have', () => 'https://\u00c3\u00a8.example/'],
  ])('refuses %s, also of a URL that is stored already', async (_, url) => {
    expect((await send(url())).error).toBe('address_not_allowed');
  });

  it.each([
    ['http', () => `http://example.com:${port}/`],
    ['another port', () => 'https://example.com:22/'],
  ])('refuses to store a URL with %s', async (_, url) => {
    const { api } = await registerCompany(service.client);
    expectInvalid(await api.post('/svc/webhook/create', { url: url() }), { url: 'invalid_url' });
  });

  it('shows the refusal in the deliveries', async () => {
    const { api } = await registerCompany(service.client);
    const { body } = await api.post('/svc/webhook/create', { url: `https://127.0.0.1:${port}/` });
    const { webhook_id } = body.data;
    await createSurvey(api);
    await eventually(async () => {
      const { items } = (await api.get(`/svc/webhook/${webhook_id}/deliveries`)).body.data;
      const [attempt] = items.flatMap(({ attempts }: any) => attempts);
      expect(attempt).toMatchObject({ error: 'address_not_allowed' });
    });
    expect(connections).toBe(0);
  });
});
