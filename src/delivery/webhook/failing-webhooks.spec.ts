import type { Logger } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { FailingWebhooks } from './failing-webhooks';

const companyId = '01990000-0000-7000-8000-000000000001' as unknown as StoredId;

const fail = { status: 500, error: 'status' } as const;

describe('the log of failing webhooks', () => {
  const warn = jest.fn();
  const webhooks = new FailingWebhooks({ warn } as unknown as Logger);
  const note = (webhookId: string, outcome: Parameters<FailingWebhooks['note']>[1]) => {
    warn.mockClear();
    webhooks.note({ companyId, webhookId, currency: 'EUR' }, outcome);
    return warn.mock.calls.length;
  };

  it('names a webhook once until it succeeds, however many were deleted while they failed', () => {
    for (let deleted = 0; deleted < 20_000; deleted += 1) {
      note(`whk_${deleted}`, fail);
    }
    expect(note('whk_new', fail)).toBe(1);
    expect(note('whk_new', fail)).toBe(0);
    expect(note('whk_new', { status: 204, error: null })).toBe(1);
    expect(note('whk_new', { status: 204, error: null })).toBe(0);
  });
});
