import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { TransactionContext } from './transaction-context';

/** The connection pool. It opens before the application is created and closes with it. */
@Module({})
export class DatabaseModule {
  static forRoot(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({}),
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
      ],
      providers: [TransactionContext],
      exports: [TransactionContext],
    };
  }
}
