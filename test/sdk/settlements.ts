import { begun, liveSurvey, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { generatePlatformKey } from '../support/platforms';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';
import { settleOne, storedCompany } from '../support/settlements';

describe('the SDK verifies a settlement', () => {
  const company = companyForAll();
  let sdk: Sdk;
  let platform: InstanceType<Sdk['PlatformClient']>;
  let id: string;
  let statement: string;
  let receipt: string;
  let file: string;
  let keys: Awaited<ReturnType<InstanceType<Sdk['PlatformClient']>['receiptKeys']>>;

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    const { secret: platformKey } = await generatePlatformKey(service.dataSource);
    platform = new sdk.PlatformClient({ baseUrl: service.client.url, platformKey });
    const place = await begun(
      service.client.withKey(platformKey),
      await liveSurvey(company),
      'ann',
    );
    ({ receipt } = (await submit(service.client.withKey(platformKey), place, 9)).data);
    id = await settleOne(service.dataSource, storedCompany(company.companyId));
    ({ statement } = (await platform.settlement(id)).settlement);
    file = await platform.downloadSettlement(id).text();
    keys = await platform.receiptKeys();
  }, 180_000);

  it('in one call, and from what is stored, in chunks or whole', async () => {
    const stated = await platform.verifySettlement(id);
    expect(stated).toMatchObject({ settlement_id: id, payments: 1, net: 100, currency: 'USD' });
    const bytes = new TextEncoder().encode(file);
    async function* chunks() {
      yield bytes.subarray(0, 10);
      yield await Promise.resolve(bytes.subarray(10));
    }
    for (const content of [file, bytes, chunks()]) {
      expect(await sdk.verifySettlement(statement, content, keys)).toEqual(stated);
    }
  });

  it('and refuses another file, statement, signature or key, and a receipt', async () => {
    const [head, body, signature] = statement.split('.') as [string, string, string];
    const changed = Buffer.from(
      Buffer.from(body, 'base64url').toString().replace('"net":100', '"net":900'),
    ).toString('base64url');
    const [key] = keys.keys;
    for (const [reason, stated, content, trusted] of [
      ['wrong_file', statement, file.replace('100', '900'), keys],
      ['wrong_file', statement, '', keys],
      ['wrong_signature', `${head}.${changed}.${signature}`, file, keys],
      ['wrong_signature', `${head}.${body}.`, file, keys],
      ['wrong_signature', `${head}.${body}.!`, file, keys],
      ['wrong_signature', receipt, file, keys],
      ['unknown_key', statement, file, { keys: [] }],
      ['unknown_key', 'nothing', file, keys],
      ['wrong_signature', statement, file, { keys: [{ ...key!, x: 'A'.repeat(43) }] }],
    ] satisfies [string, string, string, { keys: typeof keys.keys }][]) {
      const verified = sdk.verifySettlement(stated, content, trusted);
      await expect(verified).rejects.toBeInstanceOf(sdk.SettlementVerificationError);
      await expect(verified).rejects.toMatchObject({ reason });
    }
  });

  it('and a receipt, and refuses a changed one and a settlement', async () => {
    expect(await sdk.verifyReceipt(receipt, keys)).toMatchObject({
      ...{ iss: 'campaign-service', mode: 'live', currency: 'USD' },
      ...{ attention_score: 9, cohort: 5, reward: 100 },
    });
    const [head, body] = receipt.split('.') as [string, string];
    for (const [reason, signed, trusted] of [
      ['wrong_signature', statement, keys],
      ['wrong_signature', `${head}.${body}.AAAA`, keys],
      ['unknown_key', receipt, { keys: [] }],
    ] satisfies [string, string, { keys: typeof keys.keys }][]) {
      const verified = sdk.verifyReceipt(signed, trusted);
      await expect(verified).rejects.toBeInstanceOf(sdk.ReceiptVerificationError);
      await expect(verified).rejects.toMatchObject({ reason });
    }
  });
});
