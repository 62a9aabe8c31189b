import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.setup';
import { Client, registerCompany } from '../support/client';
import { createTestDatabase, withDatabase } from '../support/databases';
import { testEnv } from '../support/env';
import { generateKey } from '../support/keys';
import { eventually } from '../support/eventually';

describe('last_used_at when the service stops', () => {
  it('is written for requests that finished during the shutdown', async () => {
    const database = await createTestDatabase();
    const app = await createApp(testEnv(database.variables), pino({ level: 'silent' }));
    await app.listen(0, '127.0.0.1');
    const client = new Client(await app.getUrl());
    const { account } = await registerCompany(client);
    const { key_id, api_key } = await generateKey(account, client);
    const { hostname, port } = new URL(client.url);

    // A request whose body is incomplete when the service is told to stop.
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const body = JSON.stringify({ reward_amount: 100 });
    socket.write(
      'POST /svc/campaign/cohort-rewards/preview HTTP/1.1\r\nhost: x\r\nconnection: close\r\n' +
        `content-type: application/json\r\nx-api-key: ${api_key}\r\n` +
        `content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    // The server handles this after what was sent above.
    await client.get('/health/live');
    const closed = app.close();
    await eventually(async () => {
      expect(await accepts(Number(port), hostname)).toBe(false);
    });
    let answer = '';
    socket.on('data', (part) => (answer += String(part)));
    socket.write(body.slice(5));
    await once(socket, 'close');
    expect(answer).toContain('HTTP/1.1 200');
    await closed;

    const [row] = await withDatabase(database.variables, (dataSource) =>
      dataSource.query('SELECT last_used_at FROM api_key WHERE key_id = $1', [key_id]),
    );
    await database.drop();
    expect(row.last_used_at).toEqual(expect.any(Date));
  });
});

async function accepts(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
