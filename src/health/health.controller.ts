import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RespondsWith } from '../openapi/responds-with';
import { Envelope, success } from '../http/envelope';
import { PublicRoute } from '../http/public-route';
import { Unlimited } from '../rate-limit/route-limits.decorator';
import { HealthDto } from './health.dto';
import { HealthService } from './health.service';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

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
   * version, and the process is not about to stop.
   */
  @Get('ready')
  @PublicRoute()
  @Unlimited()
  @RespondsWith(HealthDto, 'The service can serve requests.', { input: 'none' })
  async getReadiness(): Promise<Envelope<HealthDto>> {
    await this.health.requireReady();
    return success('The service is ready.', { status: 'ok' });
  }
}
