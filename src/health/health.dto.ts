import { ApiProperty } from '@nestjs/swagger';

export class HealthDto {
  /** @example "ok" */
  @ApiProperty({ enum: ['ok'] })
  status!: string;
}
