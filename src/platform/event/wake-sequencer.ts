import type { AtEnd } from '../protocol/request-end';
import type { SequencerService } from './sequencer.service';

/**
 * Wakes the sequencer at the end of every write of a company. Its transaction has ended by then. A
 * platform's credential does not say whose events it caused.
 */
export function wakeSequencer(sequencer: SequencerService): AtEnd {
  return ({ method, principal }, { statusCode }) => {
    const company = principal?.platform === undefined ? principal?.callerId : undefined;
    if (method !== 'GET' && company !== undefined && statusCode === 200) {
      sequencer.wake(company);
    }
  };
}
