import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { startPoolWait } from '../database/pool-waits';
import { poolOf } from '../private-members/typeorm';
import { AddRouteConfig } from '../protocol/add-route-config';
import { serviceUnavailable } from '../protocol/api-error';
import { FairQueue } from './fair-queue';
import { endTurn, Waiting, waitForTurn } from './wait-for-turn';

/** Milliseconds for which a company that has sent a request counts as active. */
const ACTIVE = 10_000;

/** The part of the connections that a company may use, and the part while no other is active. */
const PART = 0.5;
const PART_ALONE = 0.8;

/** Where there are few connections, a company still has two requests at once. */
const AT_LEAST = 2;

/**
 * Divides the connections to the database between companies. A request uses one at a time, so a
 * company has at most as many requests at work as half of the connections; while no other one is
 * active, four in five. Background work is not counted.
 */
@Injectable()
export class ConnectionShares extends FairQueue {
  /** The company that asked last, and when another one did before. */
  private readonly latest = { company: '', at: -Infinity, otherAt: -Infinity };

  /** Those of the pool, which stay when the data source has none any more. */
  private readonly options: Pool['options'];

  constructor(@InjectDataSource() dataSource: DataSource) {
    super({ ofOne: (company) => this.shareOf(company) });
    this.options = poolOf(dataSource).options;
  }

  /** Milliseconds that a request waits at most; `undefined` for no limit. */
  get timeout(): number | undefined {
    return this.options.connectionTimeoutMillis;
  }

  /** Notes that a company is active. */
  note(company: string): void {
    const { latest } = this;
    if (company !== latest.company) {
      latest.otherAt = latest.at;
      latest.company = company;
    }
    latest.at = performance.now();
  }

  private shareOf(company: string): number {
    const { latest } = this;
    const otherAt = company === latest.company ? latest.otherAt : latest.at;
    const part = performance.now() - otherAt > ACTIVE ? PART_ALONE : PART;
    return Math.max(AT_LEAST, Math.floor(this.options.max * part));
  }
}

/** A route whose requests wait for something else than the database. */
export function OutsideShares(): MethodDecorator {
  return AddRouteConfig({ outsideShares: true });
}

/**
 * Lets a request continue when its company may use one more connection. Heavy requests have a limit
 * of their own.
 *
 * @param companyOf the company whose rows a request uses, or another caller; `undefined` for none
 */
export function shareConnections(
  fastify: FastifyInstance,
  shares: ConnectionShares,
  companyOf: (request: FastifyRequest) => string | undefined | Promise<string>,
): void {
  const waiting: Waiting = {
    measure: startPoolWait,
    timeout: shares.timeout,
    late: () => serviceUnavailable('Too many of your requests are in progress. Try again shortly.'),
  };
  fastify.addHook('preHandler', (request, { raw: response }, done) => {
    const { heavy = false, outsideShares = false } = request.routeOptions.config;
    const company = heavy || outsideShares ? undefined : companyOf(request);
    const enter = (name: string) => {
      shares.note(name);
      waitForTurn(shares, name, request, response, done, waiting);
    };
    if (company === undefined) {
      done();
    } else if (typeof company === 'string') {
      enter(company);
    } else {
      company.then(enter, done);
    }
  });
  fastify.addHook('onSend', endTurn);
}
