import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { printId } from '../../platform/database/identifiers';
import { HeavyWork } from '../../platform/limits/heavy-work';
import { turns } from '../../platform/limits/turns';
import { lineOf, Query, readPayments } from './payment-log';
import type { Settlement } from './settlement.entity';
import type { Payment } from './settlement.types';

/** About how many characters of JSON are written in one turn of the event loop. */
const LENGTH_AT_ONCE = 65_536;

/** Makes the files of settlements again from the log, byte for byte as they were when closed. */
@Injectable()
export class SettlementFiles {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly heavy: HeavyWork,
  ) {}

  /**
   * Returns the file of a settlement, a line for each payment. Each window of the log is read when
   * the one before has been taken: the first one in the turn of heavy work that the request has,
   * and each other one, when the response has begun, in one of its own. The last part is returned
   * only if the whole file has the hash that the settlement states.
   *
   * @param queue the name under which the caller waits for turns
   */
  async open(settlement: Settlement, queue: string): Promise<AsyncIterable<string>> {
    const { companyId, fromSeq, toSeq, platform } = settlement;
    let isFirst = true;
    const query: Query = (...statement) => {
      const read = () => this.dataSource.query<Payment[]>(...statement);
      const found = isFirst ? read() : this.heavy.run(queue, read);
      isFirst = false;
      return found;
    };
    const range = { companyId, from: Number(fromSeq), to: Number(toSeq), platform };
    const windows = readPayments(query, range);
    const first = await windows.next();
    return checked(settlement, partsOf(first.done === true ? [] : first.value, windows));
  }
}

/** The lines of windows, in parts that are written at once. */
async function* partsOf(
  first: readonly Payment[],
  others: AsyncIterable<readonly Payment[]>,
): AsyncGenerator<string> {
  yield* linesOf(first);
  for await (const window of others) {
    yield* linesOf(window);
  }
}

async function* linesOf(payments: readonly Payment[]): AsyncGenerator<string> {
  let lines = '';
  for (const payment of payments) {
    lines += lineOf(payment);
    if (lines.length >= LENGTH_AT_ONCE) {
      yield lines;
      lines = '';
      await turns.next();
    }
  }
  yield lines;
}

/** @throws Error before the last part, if the parts do not have the hash of the settlement */
async function* checked(
  { settlementId, sha256 }: Settlement,
  parts: AsyncIterable<string>,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let last = '';
  for await (const part of parts) {
    if (part !== '') {
      hash.update(part);
      if (last !== '') {
        yield last;
      }
      last = part;
    }
  }
  if (!hash.digest().equals(sha256)) {
    throw new Error(
      `the payments of ${printId('stl', settlementId)} are not those that it was closed with`,
    );
  }
  yield last;
}
