import { Writable } from 'node:stream';
import { eventually } from './eventually';

/** The log of a service under test. */
export class TestLog extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  lines(): any[] {
    return this.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** Returns the one line about a request, which is written a moment after its response. */
  requestLine(requestId: string): Promise<any> {
    return eventually(() => {
      const lines = this.lines().filter(
        ({ request_id, msg }) => request_id === requestId && msg === 'request',
      );
      expect(lines).toHaveLength(1);
      return lines[0];
    });
  }
}
