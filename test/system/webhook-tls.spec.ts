import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { temporaryDirectory } from '../support/databases';
import { runServiceForAll } from '../support/process';
import { Certificate, Receiver, verified } from '../support/receiver';

describe('webhooks over TLS', () => {
  const variables: NodeJS.ProcessEnv = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  let directory: string;
  let receivers: Receiver[] = [];
  const certificates: Record<string, Certificate> = {};

  /** Creates a certificate that signs itself, for a name or an address. */
  function createCertificate(subjectName: string): Certificate {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=receiver'],
        ...['-addext', `subjectAltName=${subjectName}`, '-keyout', key, '-out', cert],
      ],
      { stdio: 'pipe' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  }

  beforeAll(() => {
    directory = temporaryDirectory();
    certificates.good = createCertificate('IP:127.0.0.1');
    certificates.otherName = createCertificate('DNS:example.com');
    certificates.unknown = createCertificate('IP:127.0.0.1');
    variables.NODE_EXTRA_CA_CERTS = join(directory, 'trusted.pem');
    const trusted = certificates.good.cert + certificates.otherName.cert;
    writeFileSync(variables.NODE_EXTRA_CA_CERTS, trusted);
  }, 60_000);

  const service = runServiceForAll(variables);

  afterAll(async () => {
    await Promise.all(receivers.map((receiver) => receiver.stop()));
    rmSync(directory, { recursive: true });
  });

  it('reach a receiver whose certificate is valid, and no other', async () => {
    const company = await registerCompany(service.client);
    const created = [];
    for (const certificate of Object.values(certificates)) {
      const receiver = await Receiver.start(0, certificate);
      receivers = [...receivers, receiver];
      const { body } = await company.api.post('/svc/webhook/create', {
        url: receiver.url,
        event_types: ['campaign.created'],
      });
      created.push(body.data);
    }
    const { post_id } = await createSurvey(company.api);
    const [good, otherName, unknown] = created;
    const [message] = await receivers[0]!.until(1);
    expect(message!.body.data.subject).toBe(post_id);
    expect(verified(message!, good.secret)).toEqual(message!.body);
    for (const { webhook_id } of [otherName, unknown]) {
      let attempts: { error: string }[] = [];
      while (attempts.length === 0) {
        const { body } = await company.api.get(`/svc/webhook/${webhook_id}/deliveries`);
        attempts = body.data.items.flatMap((each: { attempts: object[] }) => each.attempts);
      }
      expect(attempts[0]).toMatchObject({ error: 'tls_failed' });
    }
    expect(receivers.slice(1).flatMap(({ messages }) => messages)).toEqual([]);
  }, 60_000);
});
