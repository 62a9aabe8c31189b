import { DynamicModule, Module } from '@nestjs/common';
import { Env } from './env';

/** Makes the validated {@link Env} injectable everywhere. */
@Module({})
export class ConfigModule {
  static forRoot(env: Env): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Env, useValue: env }],
      exports: [Env],
    };
  }
}
