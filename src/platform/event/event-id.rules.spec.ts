import { TypeID } from 'typeid-js';
import { readId } from '../database/identifiers';
import { eventId, seqInEventId } from './event-id.rules';

const stored = (id: string) => readId(id)!.id;

const EVENT = {
  companyId: stored('co_01k9x2v8zdf3xbz0q4v5rk6t7m'),
  subject: stored('post_01k9x2v8zdf3xbz0q4v5rk6t7m'),
  version: 3,
  type: 'campaign.updated' as const,
  seq: '7',
  createdAt: new Date('2026-01-15T09:30:00.123Z'),
};

describe('the identifier of an event', () => {
  it('is a UUIDv7 of its time in the form of the other identifiers', () => {
    const id = eventId(EVENT);
    expect(id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    const uuid = TypeID.fromString(id).toUUID();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
    expect(new Date(time)).toEqual(EVENT.createdAt);
  });

  it('is the one that clients have stored', () => {
    expect(eventId(EVENT)).toBe('evt_01kf0fv2hve00800003mn3e9yj');
  });

  it('is the same each time, and differs if any part of the event does', () => {
    const others = [
      EVENT,
      { ...EVENT, companyId: stored('co_01k9x2v8zdf3xbz0q4v5rk6t7n') },
      { ...EVENT, subject: stored('post_01k9x2v8zdf3xbz0q4v5rk6t7n') },
      { ...EVENT, version: 4 },
      { ...EVENT, type: 'campaign.started' as const },
      { ...EVENT, seq: '8' },
      { ...EVENT, seq: '1000000000000' },
      { ...EVENT, createdAt: new Date('2026-01-15T09:30:00.124Z') },
    ].map((event) => eventId(event));
    expect(new Set(others).size).toBe(others.length);
    expect(eventId({ ...EVENT })).toBe(others[0]);
  });

  it('sorts by time, then by number', () => {
    const later = new Date(EVENT.createdAt.getTime() + 1);
    const ids = [
      EVENT,
      { ...EVENT, seq: '8' },
      { ...EVENT, seq: '999999999999' },
      { ...EVENT, seq: '1', createdAt: later },
    ].map((event) => eventId(event));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('contains the number', () => {
    for (const seq of [1, 7, 123_456_789, 2 ** 40 - 1]) {
      expect(seqInEventId(eventId({ ...EVENT, seq: String(seq) }))).toBe(seq);
    }
    for (const wrong of [
      '',
      'evt_',
      'post_01k9x2v8zdf3xbz0q4v5rk6t7m',
      'evt_ü',
      'evt_'.repeat(9),
    ]) {
      expect(seqInEventId(wrong)).toBeUndefined();
    }
  });
});
