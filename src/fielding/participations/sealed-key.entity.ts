import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that stays the same while `ENCRYPTION_KEY`, which encrypts it, may change. */
@Entity()
export class SealedKey {
  @PrimaryColumn('text')
  name!: string;

  @Column('bytea')
  sealed!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;
}
