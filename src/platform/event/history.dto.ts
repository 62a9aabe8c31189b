import { ApiProperty } from '@nestjs/swagger';
import {
  NextCursor,
  ResponseEnum,
  ResponseFlag,
  ResponseList,
  ResponseObject,
  ResponseText,
  ResponseTime,
} from '../openapi/response-fields';
import { PAGE_LIMIT_MAXIMUM } from '../validation/page-query.dto';
import type { FieldChange, UnnumberedEvent } from './event.entity';
import { isCreation, SERVICE } from './event.types';
import type { History } from './history.service';

const ACTIONS = ['created', 'updated'] as const;
const ACTOR_TYPES = ['api_key', 'account', 'platform', 'service'] as const;

/** The kinds of keys, by the prefix of their identifiers. */
const KEYS: Readonly<Record<string, (typeof ACTOR_TYPES)[number]>> = {
  key: 'api_key',
  pkey: 'platform',
};

export type FieldChanges = Record<string, FieldChange>;

/** The fields that an event changed; before a creation they were `null`. */
export function fieldChangesOf({ type, changes }: UnnumberedEvent): FieldChanges {
  return isCreation(type)
    ? Object.fromEntries(
        Object.entries(changes).map(([field, value]) => [field, { old: null, new: value }]),
      )
    : (changes as FieldChanges);
}

/** Who made a change. */
export class ActorDto {
  /** An API key, the account with its own token, a platform, or the service itself. */
  @ResponseEnum(ACTOR_TYPES, 'ActorType')
  type!: (typeof ACTOR_TYPES)[number];

  /** The `key_id`, the `company_id`, or `service`. */
  @ResponseText({ maximum: 31 })
  id!: string;

  static from({ actor }: UnnumberedEvent): ActorDto {
    if (actor === SERVICE) {
      return { type: 'service', id: actor };
    }
    const [kind = ''] = actor.split('_');
    return { type: KEYS[kind] ?? 'account', id: actor };
  }
}

/** A change as it was made. */
export class ChangeDto {
  @ResponseEnum(ACTIONS, 'ChangeAction')
  action!: (typeof ACTIONS)[number];

  @ResponseObject(() => ActorDto)
  actor!: ActorDto;

  /** When the change was made. */
  @ResponseTime()
  created_at!: Date;

  /** Each field that changed, with its old and its new value. */
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['old', 'new'],
      properties: { old: {}, new: {} },
    },
  })
  changes!: FieldChanges;

  static from(event: UnnumberedEvent): ChangeDto {
    return {
      action: isCreation(event.type) ? 'created' : 'updated',
      actor: ActorDto.from(event),
      created_at: event.createdAt,
      changes: fieldChangesOf(event),
    };
  }
}

/** What every page of a history has besides its changes. */
export class HistoryPageDto {
  /** Send it as `cursor` for the next page; `null` on the last page. */
  @NextCursor()
  next_cursor!: string | null;

  /**
   * Whether the operator has moved earlier changes to an archive. Only the last page can say so.
   */
  @ResponseFlag()
  archived!: boolean;
}

export class ChangePageDto extends HistoryPageDto {
  /** Newest first. */
  @ResponseList(() => ChangeDto, { maximum: PAGE_LIMIT_MAXIMUM })
  items!: ChangeDto[];

  static from({ items, nextCursor, archived }: History): ChangePageDto {
    return {
      items: items.map((event) => ChangeDto.from(event)),
      next_cursor: nextCursor,
      archived,
    };
  }
}
