import { createHash } from 'node:crypto';
import { TypeID } from 'typeid-js';
import type { Event } from './event.entity';
import { subjectOf } from './subject.rules';
import { printEnvironment } from '../caller/environment.rules';

/*
 * Of a UUIDv7, 74 bits are neither time nor version nor variant: 12 in its first half and 62 in the
 * second. They hold 40 bits of the event's number and 34 of the hash.
 */
const SEQ_IN_SECOND_HALF = 2 ** 28;
const SEQ_IN_FIRST_HALF = 2 ** 12;

/**
 * Returns the identifier of an event, such as `evt_01k9x2v8zdf3xbz0q4v5rk6t7m`: a UUIDv7 of
 * the event's time, its number, and a hash of what it is about. It is computed and not stored, so
 * it costs a write nothing. It never changes, because its parts do not.
 */
export function eventId({
  companyId,
  subject,
  version,
  type,
  seq,
  createdAt,
}: Pick<Event, 'companyId' | 'subject' | 'version' | 'type' | 'seq' | 'createdAt'>): string {
  const about = `${printEnvironment(companyId)} ${subjectOf({ type, subject })} ${version} ${type}`;
  const hash = createHash('sha256').update(about).digest();
  const number = Number(seq);
  const uuid = Buffer.allocUnsafe(16);
  uuid.writeUIntBE(createdAt.getTime(), 0, 6);
  uuid.writeUInt16BE(0x7000 + (Math.floor(number / SEQ_IN_SECOND_HALF) % SEQ_IN_FIRST_HALF), 6);
  uuid.writeUInt32BE(0x80000000 + (number % SEQ_IN_SECOND_HALF) * 4 + (hash.readUInt8(3) % 4), 8);
  hash.copy(uuid, 12, 4, 8);
  return TypeID.fromUUIDBytes('evt', uuid).toString();
}

/**
 * Returns the number in an event's identifier. The identifier may be invented: compare it with the
 * one of the event that has the number.
 *
 * @returns `undefined` if the text is not an identifier of an event
 */
export function seqInEventId(id: string): number | undefined {
  let uuid: Buffer;
  try {
    uuid = Buffer.from(TypeID.fromString(id, 'evt').toUUIDBytes());
  } catch {
    return undefined;
  }
  return (
    (uuid.readUInt16BE(6) % SEQ_IN_FIRST_HALF) * SEQ_IN_SECOND_HALF +
    Math.floor((uuid.readUInt32BE(8) % 2 ** 30) / 4)
  );
}
