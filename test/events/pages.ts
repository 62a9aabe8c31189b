import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES } from '../../src/platform/event/event.types';
import { DELIVERY_ERRORS, DISABLED_REASONS } from '../../src/delivery/webhook/webhook.types';

/** The first columns of the rows of a page that begin with code. */
function rows(page: string): [code: string, text: string][] {
  const text = readFileSync(join(__dirname, '../../docs', page), 'utf8');
  return [...text.matchAll(/^\| `([\w.]+)` +\| (.+?) +\|/gm)].map(([, code, meaning]) => [
    code!,
    meaning!,
  ]);
}

describe('the pages about events', () => {
  it('list every type of event', () => {
    const listed = rows('events.md').map(([code]) => code);
    expect(listed.filter((code) => code.includes('.'))).toEqual([...EVENT_TYPES]);
  });

  it('list every error of an attempt with its meaning, and why a webhook is disabled', () => {
    const listed = rows('webhooks.md');
    const errors = Object.entries(DELIVERY_ERRORS);
    const start = listed.findIndex(([code]) => code === errors[0]![0]);
    expect(listed.slice(start, start + errors.length)).toEqual(errors);
    const codes = listed.slice(start + errors.length).map(([code]) => code);
    expect(codes.slice(0, 1 + DISABLED_REASONS.length)).toEqual([
      'disabled_reason',
      ...DISABLED_REASONS,
    ]);
  });
});
