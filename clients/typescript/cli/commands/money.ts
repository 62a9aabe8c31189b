import type { ApiKey, ResponseData } from 'campaign-service-client';
import type { Command } from 'commander';
import { addCommand } from '../command.js';
import type { Session } from '../session.js';
import { money, pairs, table } from '../text.js';

/** Adds `balance`, `spending` and `settlements`. */
export function addMoney(program: Command, session: Session): void {
  const plain = (command: Command) => command;

  addCommand(
    program,
    session,
    'balance',
    'Show what was paid in advance, and where it is',
    plain,
    async () => {
      const balance = await session.client().ledger.balance(session.call);
      const { currency } = balance;
      if (!balance.is_prepaid && balance.funded === 0) {
        session.result(balance, () => [
          'Your company does not pay in advance: responses are paid after the fact.',
        ]);
        return;
      }
      session.result(balance, () =>
        pairs({
          Prepaid: balance.is_prepaid ? 'yes' : 'no: responses are paid after the fact',
          Available: money(balance.available, currency),
          Allotted: money(balance.allotted, currency),
          Held: money(balance.held, currency),
          Paid: money(balance.paid, currency),
          Funded: money(balance.funded, currency),
          Low: balance.is_low ? 'yes: live campaigns can cost more' : undefined,
        }),
      );
    },
  );

  addCommand(
    program,
    session,
    'spending [key_id]',
    'Show what API keys have committed of their spending limits (with CAMPAIGN_TOKEN)',
    plain,
    async (_, keyId) => {
      const { keys } = session.account();
      const listed = await keys.list({}, session.call).toArray({ limit: 1_000 });
      const wanted = listed.filter(({ key_id, revoked_at }) =>
        keyId === undefined ? revoked_at === null : key_id === keyId,
      );
      const found: (ResponseData<'getApiKeySpending'> &
        Pick<ApiKey, 'name' | 'prefix' | 'approval_above'>)[] = [];
      for (const { key_id, name, prefix, approval_above } of wanted) {
        found.push({
          name,
          prefix,
          approval_above,
          ...(await keys.spending(key_id, session.call)),
        });
      }
      session.result(found, () =>
        table(
          ['Key', 'Name', 'Limit', 'Committed', 'Left', 'Begins again', 'Approval above'],
          found.map(({ key_id, name, spending_limit, currency, resets_at, ...key }) => {
            const amount = (value: number | null) =>
              value === null ? null : money(value, currency);
            return [
              key_id,
              name,
              spending_limit && `${amount(spending_limit.amount)} per ${spending_limit.per}`,
              amount(key.committed),
              amount(key.left),
              resets_at,
              amount(key.approval_above),
            ];
          }),
        ),
      );
    },
  );

  addCommand(
    program,
    session,
    'settlements [settlement_id]',
    'List what the operator has settled with platforms, or show the campaigns of one settlement',
    plain,
    async (_, id) => {
      const { settlements } = session.client();
      if (id !== undefined) {
        const pages = settlements.get(id, {}, session.call);
        const { settlement } = await pages;
        const items = await pages.toArray({ limit: 10_000 });
        session.result({ settlement, items }, () =>
          table(
            ['Campaign', 'Payments', 'Net'],
            items.map(({ post_id, payments, net }) => [
              post_id,
              payments,
              money(net, settlement.currency),
            ]),
          ),
        );
        return;
      }
      const found = await settlements.list({}, session.call).toArray({ limit: 1_000 });
      session.result(found, () =>
        found.length === 0
          ? ['There are no settlements yet.']
          : table(
              ['Settlement', 'Platform', 'State', 'Payments', 'Net', 'Closed'],
              found.map(
                ({ settlement_id, platform, state, payments, net, currency, closed_at }) => [
                  ...[settlement_id, platform, state, payments, money(net, currency), closed_at],
                ],
              ),
            ),
      );
    },
  );
}
