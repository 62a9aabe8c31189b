import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '../../platform/config/env';
import { jwtSecret } from '../../platform/config/jwt-secret';
import { AccessTokenService, TOKEN_AUDIENCE, TOKEN_ISSUER } from './access-token.service';
import { AccountGuard } from './account.guard';
import { CompanyController } from './company.controller';
import { Company } from './company.entity';
import { CompanyService } from './company.service';
import { HashingQueue } from './hashing-queue';

@Module({
  imports: [
    TypeOrmModule.forFeature([Company]),
    JwtModule.registerAsync({
      inject: [Env],
      useFactory: (env: Env) => ({
        secret: jwtSecret(env),
        signOptions: { algorithm: 'HS256', issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE },
        verifyOptions: { algorithms: ['HS256'], issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE },
      }),
    }),
  ],
  controllers: [CompanyController],
  providers: [CompanyService, HashingQueue, AccessTokenService, AccountGuard],
  exports: [AccessTokenService, AccountGuard, CompanyService],
})
export class CompanyModule {}
