import { once } from 'node:events';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { isPortInUse, PortInUseError } from '../config/port-in-use';
import { ConnectionShares } from '../limits/connection-shares';
import { driverOf } from '../private-members/typeorm';
import { collectProcessMetrics, PoolUse, registry } from './metrics.registry';

const PATH = '/metrics';

/**
 * Serves the metrics for Prometheus on a separate address and port, so that clients cannot read
 * them.
 */
@Injectable()
export class MetricsServer implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | undefined;

  constructor(
    private readonly env: Env,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly shares: ConnectionShares,
  ) {}

  async onModuleInit(): Promise<void> {
    const { METRICS_PORT, METRICS_HOST } = this.env;
    if (METRICS_PORT === undefined) {
      return;
    }
    collectProcessMetrics(() => this.poolUse());
    this.server = createServer((request, response) => {
      void this.answer(request, response);
    });
    this.server.listen(METRICS_PORT, METRICS_HOST);
    await once(this.server, 'listening').catch((error: unknown) => {
      throw isPortInUse(error)
        ? new PortInUseError('METRICS_PORT', METRICS_PORT, METRICS_HOST)
        : error;
    });
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  /** URL of the metrics; `undefined` while they are not served. */
  get url(): string | undefined {
    const place = this.server?.address() as AddressInfo | null | undefined;
    return place ? `http://${this.env.METRICS_HOST}:${place.port}${PATH}` : undefined;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      this.logger.error(error);
      response.writeHead(500).end();
    }
  }

  private poolUse(): PoolUse {
    const { master } = driverOf(this.dataSource);
    return {
      total: master?.totalCount ?? 0,
      idle: master?.idleCount ?? 0,
      waiting: this.shares.waiting + (master?.waitingCount ?? 0),
    };
  }
}
