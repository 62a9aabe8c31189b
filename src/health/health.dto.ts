import { ResponseEnum } from '../openapi/response-fields';

export class HealthDto {
  @ResponseEnum(['ok'], 'HealthStatus')
  status!: string;
}
