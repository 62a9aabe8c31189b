import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A key that stays the same while `ENCRYPTION_KEY`, which encrypts it, may change. */
@Entity({ comment: 'local' })
export class SealedKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sealed_key_pkey' })
  name!: string;

  @Column('bytea')
  sealed!: Buffer;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
