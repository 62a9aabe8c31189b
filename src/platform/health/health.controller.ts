import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RespondsWith } from '../openapi/responds-with';
import { Envelope, success } from '../protocol/envelope';
import { PublicRoute } from '../caller/public-route';
import { Unlimited } from '../rate-limit/route-limits.decorator';
import { DatabaseSize, DiskStatus } from './database-size.service';
import { HealthDto, ReadinessDto } from './health.dto';
import { HealthService } from './health.service';

const READY: Readonly<Record<DiskStatus, string>> = {
  ok: 'The service is ready.',
  disk_nearly_full: 'The service is ready. The disk of its database is nearly full.',
  disk_full: 'The service is ready for reads. The disk of its database is full.',
};

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly size: DatabaseSize,
  ) {}

  /**
   * Liveness
   *
   * @remarks Whether the process runs. It does not check the database, as a restart would not fix that.
   */
  @Get('live')
  @PublicRoute()
  @Unlimited()
  @RespondsWith(HealthDto, 'The process runs.', { input: 'none' })
  getLiveness(): Envelope<HealthDto> {
    return success('The service is alive.', { status: 'ok' });
  }

  /**
   * Readiness
   *
   * @remarks Whether the service can serve requests: the database responds, its schema matches this
   * version, and the process is not about to stop. `status` says whether the disk of the database
   * is nearly full, or full: then reads still work, and most writes do not.
   */
  @Get('ready')
  @PublicRoute()
  @Unlimited()
  @RespondsWith(ReadinessDto, 'The service can serve requests.', { input: 'none' })
  async getReadiness(): Promise<Envelope<ReadinessDto>> {
    await this.health.requireReady();
    const status = this.size.diskStatus;
    return success(READY[status], { status });
  }
}
