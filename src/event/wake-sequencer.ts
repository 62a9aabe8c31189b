import type { FastifyInstance } from 'fastify';
import type { SequencerService } from './sequencer.service';

/**
 * Wakes the sequencer after every write of a company. The transaction has ended before the response
 * is sent. A platform's credential does not say whose events it caused.
 */
export function wakeSequencer(fastify: FastifyInstance, sequencer: SequencerService): void {
  fastify.addHook('onResponse', ({ method, principal }, { statusCode }, done) => {
    const company = principal?.platform === undefined ? principal?.callerId : undefined;
    if (method !== 'GET' && company !== undefined && statusCode === 200) {
      sequencer.wake(company);
    }
    done();
  });
}
