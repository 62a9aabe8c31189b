import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { PublicRoute } from '../http/public-route';
import { HealthDto } from './health.dto';
import { HealthService } from './health.service';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /**
   * Liveness
   *
   * @remarks Whether the process runs. It does not ask the database: a restart would not mend that.
   */
  @Get('live')
  @PublicRoute()
  @Answers(HealthDto, { input: 'none' })
  getLiveness(): Envelope<HealthDto> {
    return success('The service is alive.', { status: 'ok' });
  }

  /**
   * Readiness
   *
   * @remarks Whether requests can be served: the database answers, its schema is this version's, and the
   * process is not about to stop.
   */
  @Get('ready')
  @PublicRoute()
  @Answers(HealthDto, { input: 'none' })
  async getReadiness(): Promise<Envelope<HealthDto>> {
    await this.health.requireReady();
    return success('The service is ready.', { status: 'ok' });
  }
}
