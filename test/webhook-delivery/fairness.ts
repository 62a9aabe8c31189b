import type { ServerResponse } from 'node:http';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { Receiver, status } from '../support/receiver';
import { serviceForAll } from '../support/service';

/** More companies than there are places for, if each took as many as a company can have. */
const SLOW_COMPANIES = 30;
const WEBHOOKS = 4;
const EVENTS = 5;

/** Attempts that are running before the bystander's first event. */
const RUNNING = 400;

const BYSTANDER_EVENTS = 20;

describe('the places for attempts', () => {
  const service = serviceForAll({
    variables: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '60' },
  });
  let slow: Receiver;
  let fast: Receiver;

  beforeAll(async () => {
    slow = await Receiver.start();
    fast = await Receiver.start();
  });

  afterAll(async () => {
    await slow.stop();
    await fast.stop();
  });

  async function subscribe(api: Client, { url }: Receiver, count = 1): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const event_types = ['campaign.created'];
      expect((await api.post('/svc/webhook/create', { url, event_types })).status).toBe(200);
    }
  }

  it(`leave some for a company beside ${SLOW_COMPANIES} whose receivers succeed slowly`, async () => {
    const held: ServerResponse[] = [];
    slow.respond = (_, response) => held.push(response);
    const bystander = await registerCompany(service.client);
    await subscribe(bystander.api, fast);
    const slowCompany = async () => {
      const { api } = await registerCompany(service.client);
      await subscribe(api, slow, WEBHOOKS);
      for (let event = 0; event < EVENTS; event += 1) {
        await createSurvey(api);
      }
    };
    await Promise.all(Array.from({ length: SLOW_COMPANIES }, slowCompany));
    await slow.until(RUNNING);

    // None of the slow attempts ends in the meantime.
    for (let sent = 1; sent <= BYSTANDER_EVENTS; sent += 1) {
      await createSurvey(bystander.api);
      await fast.until(sent);
    }

    slow.respond = status(204);
    held.forEach((response) => response.writeHead(204).end());
    const expected = SLOW_COMPANIES * WEBHOOKS * EVENTS;
    expect(await slow.until(expected)).toHaveLength(expected);
  });
});
