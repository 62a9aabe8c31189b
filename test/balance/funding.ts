import { balanceOf, fund, operate, prepay } from '../support/balance';
import { registerCompany } from '../support/client';
import { violated } from '../support/constraints';
import { feedPage } from '../support/feed';
import { companyForEach } from '../support/fixtures';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const NOTHING = {
  is_prepaid: false,
  currency: 'USD',
  available: 0,
  allotted: 0,
  held: 0,
  paid: 0,
  funded: 0,
  postpaid: 0,
  is_low: false,
};

describe('npm run balance', () => {
  const company = companyForEach();
  const refusal = (...args: string[]) =>
    Promise.resolve()
      .then(() => operate(args))
      .then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
  const own = (action: string, amount: string, reference: string) => [
    action,
    '--company',
    company.companyId,
    '--amount',
    amount,
    '--reference',
    reference,
  ];

  it('funds a balance once for each reference', async () => {
    expect(await balanceOf(company.api)).toEqual(NOTHING);
    const first = await operate(own('fund', '250.5', 'invoice 7'));
    expect(first).toBe(
      `Added to the balance of ${company.companyId}: 250.5 USD (invoice 7). Available: 250.50 USD.\n`,
    );
    expect(await operate(own('fund', '250.50', ' invoice 7'))).toBe(
      'invoice 7 was done before: nothing changed. Available: 250.50 USD.\n',
    );
    const reused = '--reference was used before, for another amount or the other command.';
    expect(await refusal(...own('fund', '250', 'invoice 7'))).toBe(reused);
    expect(await refusal(...own('refund', '250.50', 'invoice 7'))).toBe(reused);
    expect(await balanceOf(company.api)).toEqual({ ...NOTHING, available: 250.5, funded: 250.5 });
  });

  it('funds once when the same command runs ten times at once', async () => {
    const outputs = await Promise.all(
      Array.from({ length: 10 }, () => operate(own('fund', '10', 'twice'))),
    );
    expect(outputs.filter((output) => output.startsWith('Added'))).toHaveLength(1);
    expect((await balanceOf(company.api)).funded).toBe(10);
  });

  it('refunds what is available, and no more', async () => {
    await fund(company, 100);
    expect(await refusal(...own('refund', '100.01', 'back'))).toBe(
      '--amount is more than the balance has available. Nothing was changed.',
    );
    await operate(own('refund', '99.99', 'back'));
    expect(await balanceOf(company.api)).toMatchObject({ available: 0.01, funded: 0.01 });
    const { items } = await feedPage(company.api, { types: 'balance.funded,balance.refunded' });
    expect(items).toMatchObject([
      {
        type: 'balance.funded',
        subject: company.companyId,
        version: 1,
        actor: { type: 'service' },
        changes: { amount: { old: null, new: 100 }, available: { old: null, new: 100 } },
      },
      {
        type: 'balance.refunded',
        version: 2,
        changes: { amount: { new: 99.99 }, reference: { new: 'back' }, available: { new: 0.01 } },
      },
    ]);
  });

  it.each([
    ['0', '--amount needs'],
    ['-5', '--amount'],
    ['1.005', '--amount needs'],
    ['1e3', '--amount needs'],
    ['1000000000.01', '--amount needs'],
  ])('refuses an amount of %s', async (amount, message) => {
    const args = ['fund', '--company', company.companyId, `--amount=${amount}`, '--reference', 'x'];
    expect(await refusal(...args)).toContain(message);
    expect(await balanceOf(company.api)).toEqual(NOTHING);
  });

  it('names everything that is wrong with its arguments', async () => {
    expect(await refusal('fund', '--company', 'acme', '--amount', 'ten')).toBe(
      [
        '--company needs a company, such as co_… or test_….',
        '--amount needs a number above 0 and up to 1000000000, with two decimals at most.',
        '--reference needs 1 to 200 characters.',
      ].join('\n'),
    );
    expect(await refusal('spend')).toContain('balance needs one of fund, refund');
    expect(await refusal('show', '--company', company.companyId, '--amount', '5')).toBe(
      'show takes no --amount and no --reference.',
    );
    const nobody = 'co_01k9x2v8zdf3xbz0q4v5rk6t7m';
    expect(await refusal('prepaid', '--company', nobody)).toBe(`There is no company ${nobody}.`);
  });

  it('refuses cents of a currency that has none', async () => {
    const { companyId, api } = await registerCompany(service.client, { currency: 'JPY' });
    await expect(fund({ companyId }, '10.5')).rejects.toThrow(
      '--amount must be a whole number, because JPY has no decimals.',
    );
    await fund({ companyId }, '10');
    expect(await balanceOf(api)).toMatchObject({ currency: 'JPY', available: 10 });
  });

  it('shows a balance and its latest movements', async () => {
    await prepay(company, 100);
    await operate(own('refund', '20', 'invoice x'));
    const shown = await operate(['show', '--company', company.companyId]);
    expect(shown).toContain(`${company.companyId} is prepaid.\navailable 80.00 USD\n`);
    expect(shown).toMatch(/refund {2}20\.00 USD {2}invoice x\n/);
  });

  it('never changes or deletes what was funded', async () => {
    await fund(company, 100);
    const change = (statement: string) =>
      service.dataSource.query(`${statement} WHERE company_id = $1`, [
        storedEnvironment(company.companyId),
      ]);
    expect(await violated(change('UPDATE funding SET amount = 1'))).toBe('funding_permanent');
    expect(await violated(change('DELETE FROM funding'))).toBe('funding_permanent');
    expect(await violated(change('UPDATE balance SET available = -1'))).toBe(
      'balance_available_not_negative',
    );
  });
});
