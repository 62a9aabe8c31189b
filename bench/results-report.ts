import type { UnreadExports, WholeExport } from './exports';
import { describeMachine, table, withSpread, writeResults } from './report';
import { Spread, spreadOf } from './statistics';
import type { Folding, KeepingUp } from './tally';
import type { Round } from './work';

/** Milliseconds of many requests. */
export interface Times extends Spread {
  p99: number;
}

export function timesOf(milliseconds: readonly number[]): Times {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
  return { ...spreadOf(sorted), p99 };
}

/** Everything that `npm run bench -- results` measures. Times are in milliseconds. */
export interface ResultsFigures {
  /** Stored responses of the larger campaign. */
  responses: number;
  rounds: number;
  seconds: number;
  fold: Folding;
  /** In batches of 100 events. */
  foldSlowly: Folding;
  submits: Record<string, Round[]>;
  /** Reads of results, by the number of responses. */
  reads: Record<string, Times>;
  /** Reads while responses arrive, and how many of those per second. */
  busyReads: { milliseconds: Times; arriving: number };
  keepingUp: KeepingUp;
  exported: WholeExport;
  unread: UnreadExports;
  page: PageFigures;
}

/** The results page. CPU is in milliseconds of the service for each. */
export interface PageFigures {
  bytes: number;
  milliseconds: Times;
  serverCpu: number;
}

const counted = (count: number) => count.toLocaleString('en');

function readRows({ reads, busyReads, responses }: ResultsFigures): string[][] {
  return [
    ...Object.entries(reads).map(([count, spread]) => [
      `${counted(Number(count))} responses`,
      withSpread(spread, 1),
      spread.p99.toFixed(1),
    ]),
    [
      `${counted(responses)} responses, while ${busyReads.arriving.toFixed(0)}/s arrive`,
      withSpread(busyReads.milliseconds, 1),
      busyReads.milliseconds.p99.toFixed(1),
    ],
  ];
}

function submitRows({ submits }: ResultsFigures): string[][] {
  return Object.entries(submits).map(([name, rounds]) => [
    name,
    ...(['perSecond', 'serverCpu', 'postgresCpu'] as const).map((figure) =>
      withSpread(spreadOf(rounds.map((round) => round[figure])), 0),
    ),
  ]);
}

/** Prints the figures and writes them to `bench/results`. */
export function reportResults(
  name: string,
  figures: ResultsFigures,
  postgres: Record<string, string>,
): void {
  const { fold, keepingUp, exported, unread, page, responses, rounds, seconds } = figures;
  const markdown = [
    '# Results',
    '',
    `Responses of five questions; medians with the least and the most. ${describeMachine(postgres)}`,
    '',
    `One connection folds ${counted(fold.responses)} responses in batches of 1,000: ` +
      `${fold.cpu.toFixed(1)} µs of PostgreSQL's CPU for each, ${counted(Math.round(fold.perSecond))} per second; in batches of 100, ` +
      `${figures.foldSlowly.cpu.toFixed(1)} µs. ` +
      `While ${keepingUp.perSecond.toFixed(0)} responses per second are stored for ${rounds * seconds} s, at most ` +
      `${counted(keepingUp.most)} events are not in the tally, ${counted(keepingUp.atEnd)} at the end, and none ` +
      `${keepingUp.drained.toFixed(1)} s later.`,
    '',
    table(['work', 'per second', 'server CPU, µs', 'PostgreSQL CPU, µs'], submitRows(figures)),
    '',
    table(['results of a campaign with', 'ms', '99th percentile'], readRows(figures)),
    '',
    `The export of ${counted(exported.rows)} responses has ${exported.megabytes.toFixed(0)} MB and takes ` +
      `${exported.seconds.toFixed(0)} s: ${counted(Math.round(exported.perSecond))} rows per second, ` +
      `${exported.serverCpu.toFixed(0)} µs of the server's and ${exported.postgresCpu.toFixed(0)} µs of ` +
      `PostgreSQL's CPU for each. The memory of a process with a heap of at most 160 MiB is ${exported.before.toFixed(0)} MiB before it and at ` +
      `most ${exported.most.toFixed(0)} MiB during it. Two exports of ${counted(responses)} responses of which ` +
      `nothing is read take up to ${unread.growth.toFixed(0)} MiB and ${unread.busy} connections to the database, ` +
      `and are closed after ${unread.closedAfter.toFixed(0)} s.`,
    '',
    `A results page of 20 questions has ${(page.bytes / 1000).toFixed(0)} kB. A request for it takes ` +
      `${withSpread(page.milliseconds, 1)} ms, and ${page.serverCpu.toFixed(1)} ms of the server's CPU.`,
    '',
  ].join('\n');
  writeResults(name, markdown, { postgres, ...figures });
}
