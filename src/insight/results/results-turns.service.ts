import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InterruptibleTurns } from '../../platform/limits/turns';

/**
 * The turns of everything that makes results or pages of them, so that other requests have their
 * turn after each portion of any.
 */
@Injectable()
export class ResultsTurns extends InterruptibleTurns implements OnModuleDestroy {
  constructor() {
    super('The results were interrupted. Send the request again.');
  }

  /** The shutdown does not wait for the questions that are still to come. */
  onModuleDestroy(): void {
    this.stop();
  }
}
