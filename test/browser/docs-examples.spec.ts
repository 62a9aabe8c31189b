import { requestedApproval } from '../support/approvals';
import { Client } from '../support/client';
import { expectSuccess, openForEach, runDocs } from '../support/open-docs';
import { outputOf } from '../support/process';
import { EVERY_OPERATION_ID, NEEDS_TEST_KEY } from '../support/operation-order';

/** Their responses are files, with these texts. */
const DOWNLOADS: Record<string, string> = {
  exportResponses: '"count":1,',
  exportTransfers: 'created_at,post_id,',
  downloadSettlement: '"kind":"settle"',
};

/** The page describes it, and has no button to send it. */
const SENT_BY_THE_SERVICE = 'receiveEvent';

/** The operations whose response is a credential, and where the page takes it. */
const CREDENTIALS: Record<string, ['account_token' | 'api_key', string]> = {
  logIn: ['account_token', 'access_token'],
  generateApiKey: ['api_key', 'api_key'],
};

/** Maximum height of an expanded operation, in CSS pixels. */
const HEIGHT = 4_300;

describe('the documentation page in Chromium', () => {
  const opened = runDocs();
  openForEach(opened);

  it(`shows every operation in ${HEIGHT} pixels, with examples that work when sent unchanged`, async () => {
    const { docs, watched, platformKey } = opened;
    // Nothing is sent to an address that is not public.
    await watched.page.route('**/svc/webhook/{create,update}', (route) =>
      route.continue({
        postData: route.request().postData()!.replace('//example.com', '//127.0.0.1'),
      }),
    );
    await docs.authorise('platform_key', platformKey);
    let token = '';
    for (const id of EVERY_OPERATION_ID) {
      if (id === 'listSettlements') {
        // The operator's part.
        await outputOf('src/operations/settlement/command.js', opened.variables, 'close');
      }
      if (id === 'listApprovals') {
        // The part of a program that has another key.
        await requestedApproval(new Client(opened.service.url).withToken(token));
      }
      const operation = await docs.unfold(id);
      const { height } = (await operation.boundingBox())!;
      expect([id, height, height < HEIGHT]).toEqual([id, height, true]);
      let last: any;
      if (id === 'generateApiKey') {
        // Platforms show no campaigns of the test key that the page suggests.
        const body = operation.locator('.body-param__text');
        await body.fill((await body.inputValue()).replace('"test"', '"live"'));
      }
      if (id in DOWNLOADS) {
        const { status, text } = await docs.download(operation);
        expect([status, text]).toEqual([200, expect.stringContaining(DOWNLOADS[id]!)]);
      } else {
        // Choosing the example again would undo the change of its body.
        const isChanged = id === 'generateApiKey';
        for (const example of isChanged ? [undefined] : await docs.examplesOf(operation)) {
          last = expectSuccess(`${id} ${example ?? ''}`, await docs.execute(operation, example));
        }
      }
      await docs.fold(operation);
      token = id === 'logIn' ? last.access_token : token;
      const credential = CREDENTIALS[id];
      if (credential !== undefined) {
        await docs.authorise(credential[0], last[credential[1]]);
      }
    }
    const operations = watched.page.locator('.opblock');
    const ids = await operations.evaluateAll((each) => each.map(({ id }) => id.split('-').at(-1)));
    const known = [...EVERY_OPERATION_ID, NEEDS_TEST_KEY, SENT_BY_THE_SERVICE];
    expect([...new Set(known)].sort()).toEqual(ids.sort());
  });
});
