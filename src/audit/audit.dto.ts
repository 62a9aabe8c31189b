import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../http/cursor';
import type { AuditEvent, FieldChange } from './audit-event.entity';

const ACTIONS = ['created', 'updated'] as const;
const ACTOR_TYPES = ['api_key', 'account'] as const;

/** Who made a change. */
export class ActorDto {
  /** An API key, or the account itself with its own token. */
  @ApiProperty({ enum: ACTOR_TYPES })
  type!: (typeof ACTOR_TYPES)[number];

  /**
   * Its key_id or company_id.
   * @example "key_01k9x2v8zdf3xbz0q4v5rk6t7m"
   */
  id!: string;
}

/** A change, as it was made. */
export class ChangeDto {
  @ApiProperty({ enum: ACTIONS })
  action!: (typeof ACTIONS)[number];

  actor!: ActorDto;

  /** When the change was made. */
  created_at!: Date;

  /** Each field that changed, with its old and its new value. */
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['old', 'new'],
      properties: { old: {}, new: {} },
    },
    example: { reward_amount: { old: 100, new: 120 } },
  })
  changes!: Record<string, FieldChange>;

  static from({ action, actor, createdAt, changes }: AuditEvent): ChangeDto {
    return {
      action,
      actor: { type: actor.startsWith('key_') ? 'api_key' : 'account', id: actor },
      created_at: createdAt,
      changes,
    };
  }
}

export class ChangePageDto {
  /** Newest first. */
  items!: ChangeDto[];

  /** Send it as `cursor` for the next page; `null` on the last one. */
  next_cursor!: string | null;

  static from({ items, nextCursor }: Page<AuditEvent>): ChangePageDto {
    return { items: items.map((event) => ChangeDto.from(event)), next_cursor: nextCursor };
  }
}
