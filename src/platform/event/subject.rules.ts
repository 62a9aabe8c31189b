import { IdPrefix, printId, readId, StoredId } from '../database/identifiers';
import type { Event } from './event.entity';
import { EVENT_TYPES, EventType } from './event.types';

/** The kind of the identifier of what an event is about, by the first word of its type. */
const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  campaign: 'post',
  api_key: 'key',
  webhook: 'whk',
  response: 'part',
  participation: 'part',
  dispute: 'part',
  guardrail: 'grd',
  quota: 'quota',
  balance: 'co',
  approval: 'apr',
};

function prefixOf(type: EventType): IdPrefix {
  const prefix = PREFIXES[type.slice(0, type.indexOf('.'))];
  if (prefix === undefined) {
    throw new Error(`the subject of ${type} has no prefix`);
  }
  return prefix;
}

/** Returns the identifier of what an event is about, as clients see it. */
export function subjectOf({ type, subject }: Pick<Event, 'type' | 'subject'>): string {
  return printId(prefixOf(type), subject);
}

/** Which events a reader asks for. */
export interface TypesAndSubject {
  /** All of them if it is missing, and none if it is empty. */
  types?: readonly EventType[];
  subject?: StoredId;
}

/**
 * Returns the filter for a subject that a client names. What it names decides the types of its
 * events, so that a text that is no identifier has none.
 */
export function aboutSubject(
  types: readonly EventType[] | undefined,
  text: string | undefined,
): TypesAndSubject {
  if (text === undefined) {
    return { types };
  }
  const named = readId(text);
  const possible = EVENT_TYPES.filter((type) => prefixOf(type) === named?.prefix);
  return {
    types: possible.filter((type) => types?.includes(type) ?? true),
    subject: named?.id,
  };
}
