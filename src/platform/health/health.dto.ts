import type { DiskStatus } from './database-size.service';
import { ResponseEnum } from '../openapi/response-fields';

export class HealthDto {
  @ResponseEnum(['ok'], 'HealthStatus')
  status!: string;
}

export class ReadinessDto {
  /** What to do something about, while requests are still served. */
  @ResponseEnum(['ok', 'disk_nearly_full', 'disk_full'], 'ReadinessStatus')
  status!: DiskStatus;
}
