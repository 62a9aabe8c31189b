import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** A registered client company: one account. Its email address is unique regardless of case. */
@Entity({ comment: 'reference' })
@Index('company_email_unique', { synchronize: false })
@Check('company_name_length', `char_length(name) BETWEEN 1 AND 200`)
export class Company {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'company_pkey' })
  companyId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  /** Argon2id, in PHC string format. */
  @Column('text')
  passwordHash!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
