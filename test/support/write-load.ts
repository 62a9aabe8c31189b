import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { survey } from './builders';
import { Answer, Client } from './client';
import { eventually } from './eventually';
import { pagesOf } from './pages';

/** The fields of a list item that a write changes. */
interface State {
  title: string;
  category: string;
  is_live: boolean;
}

/** A write that is safe to repeat: by its key, or because repeating it changes nothing. */
interface Write {
  method: 'POST' | 'PATCH';
  path: string;
  body: Record<string, unknown>;
  key: string | undefined;
  acknowledge(answer: Answer): void;
}

interface Tolerance {
  /** Whether connections may break, because the service may be killed. */
  broken?: boolean;
  /** Whether `service_unavailable` is an expected response. */
  unavailable?: boolean;
}

/** Milliseconds before a lane continues after a failed write, and between two attempts. */
const PAUSE = 200;

/** Attempts at a write in doubt, because an earlier attempt may still be running for a while. */
const ATTEMPTS = 50;

const UPDATE = '/svc/campaign/update';
const TOGGLE = '/svc/campaign/toggle-live';

/**
 * Creates, updates and toggles campaigns in several concurrent lanes and records what was
 * acknowledged, to read all of it back afterwards. A write that was neither acknowledged nor
 * refused is in doubt: it is repeated later and must be done exactly once.
 */
export class WriteLoad {
  acknowledged = 0;
  unavailable = 0;
  /** Writes in doubt that turned out to have been done, and those that had not. */
  replayed = 0;
  redone = 0;
  /** Milliseconds of the slowest request. */
  slowest = 0;
  /** Responses that no client should receive. */
  readonly faults: string[] = [];
  private readonly campaigns = new Map<string, State>();
  /** Titles of creations without a key that are in doubt: there may be one campaign or none. */
  private readonly possible = new Set<string>();
  private doubtful: Write[] = [];
  private lanes: Promise<void>[] = [];
  private running = false;
  private sent = 0;

  constructor(
    private api: Client,
    private readonly tolerance: Tolerance,
  ) {}

  /** Sends requests to another URL from now on. */
  moveTo(url: string): void {
    this.api = new Client(url, this.api.headers);
  }

  start(lanes = 8): void {
    this.running = true;
    this.lanes = Array.from({ length: lanes }, () => this.lane());
  }

  /** Resolves once no request is in flight. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lanes);
  }

  /** Resolves once this many more writes have been acknowledged. */
  async acknowledge(more: number): Promise<void> {
    const goal = this.acknowledged + more;
    await eventually(
      () => {
        expect(this.acknowledged).toBeGreaterThanOrEqual(goal);
      },
      { deadline: 120_000 },
    );
  }

  /** Repeats every write in doubt until it is acknowledged. */
  async resolve(): Promise<void> {
    for (const write of this.doubtful) {
      let answer: Answer | undefined;
      for (let attempt = 0; attempt < ATTEMPTS && answer === undefined; attempt += 1) {
        answer = await this.attempt(write, true);
        await (answer ?? delay(PAUSE));
      }
      if (answer === undefined) {
        this.faults.push(`in doubt for good: ${write.method} ${write.path}`);
      } else if (write.key !== undefined) {
        if (answer.headers.get('idempotency-replayed') === 'true') {
          this.replayed += 1;
        } else {
          this.redone += 1;
        }
      }
    }
    this.doubtful = [];
  }

  /** Expects the company to have exactly the acknowledged campaigns in their last state. */
  async expectAllStored(): Promise<void> {
    expect(this.faults).toEqual([]);
    const stored = new Map<string, State>();
    // Each may be stored once.
    const possible = new Set(this.possible);
    const pages = await pagesOf(this.api, '/svc/campaign/list?limit=100');
    for (const { post_id, title, category, is_live } of pages.flatMap(({ items }) => items)) {
      if (!this.campaigns.has(post_id) && possible.delete(title)) {
        continue;
      }
      stored.set(post_id, { title, category, is_live });
    }
    expect(difference(this.campaigns, stored)).toEqual([]);
  }

  private async lane(): Promise<void> {
    while (this.running) {
      const campaign: State & { post_id?: string } = {
        title: randomUUID(),
        category: 'new',
        is_live: false,
      };
      const done =
        (await this.write(
          'POST',
          '/svc/survey/create',
          survey({ ...campaign, is_live: undefined }),
          (answer) => {
            campaign.post_id = answer.body.data.post_id;
            this.campaigns.set(campaign.post_id!, campaign);
          },
        )) &&
        (await this.change(campaign, UPDATE, { category: 'changed' })) &&
        (await this.change(campaign, TOGGLE, { is_live: true })) &&
        (await this.change(campaign, UPDATE, { category: 'changed again' }));
      if (!done) {
        await delay(PAUSE);
      }
    }
  }

  private async change(
    campaign: State & { post_id?: string },
    path: string,
    fields: Partial<State>,
  ): Promise<boolean> {
    return this.write('PATCH', path, { post_id: campaign.post_id, ...fields }, () => {
      Object.assign(campaign, fields);
    });
  }

  /** Sends a write, every third without a key. Returns whether it was acknowledged. */
  private async write(
    method: Write['method'],
    path: string,
    body: Write['body'],
    acknowledge: Write['acknowledge'],
  ): Promise<boolean> {
    if (!this.running) {
      return false;
    }
    this.sent += 1;
    const key = this.sent % 3 === 0 ? undefined : randomUUID();
    const write = { method, path, body, key, acknowledge };
    if ((await this.attempt(write, false)) !== undefined) {
      return true;
    }
    if (method === 'POST' && key === undefined) {
      this.possible.add(String(body.title));
    } else {
      this.doubtful.push(write);
    }
    return false;
  }

  /** Returns the response if it acknowledges the write. */
  private async attempt(write: Write, again: boolean): Promise<Answer | undefined> {
    const { method, path, body, key } = write;
    const started = performance.now();
    let answer: Answer;
    try {
      const api = key === undefined ? this.api : this.api.with({ 'idempotency-key': key });
      answer = await api.send(method, path, body);
    } catch (error) {
      if (this.tolerance.broken !== true) {
        this.faults.push(`no answer to ${method} ${path}: ${String((error as Error).cause)}`);
      }
      return undefined;
    } finally {
      this.slowest = Math.max(this.slowest, performance.now() - started);
    }
    if (answer.status === 200) {
      this.acknowledged += 1;
      write.acknowledge(answer);
      return answer;
    }
    const inProgress = again && answer.body.error?.code === 'idempotency_in_progress';
    if (isUnavailable(answer)) {
      this.unavailable += 1;
    }
    if (!inProgress && !(this.tolerance.unavailable === true && isUnavailable(answer))) {
      this.faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return undefined;
  }
}

/** Whether a response is `service_unavailable` in every detail. */
export function isUnavailable({ status, headers, body }: Answer): boolean {
  return (
    status === 503 &&
    /^[1-9]\d*$/.test(headers.get('retry-after') ?? '') &&
    !body.success &&
    body.data === null &&
    body.message !== '' &&
    body.error?.code === 'service_unavailable' &&
    body.error.request_id === headers.get('x-request-id') &&
    body.error.details.length === 0
  );
}

function difference(expected: Map<string, State>, stored: Map<string, State>): string[] {
  const lost = [...expected].filter(([id]) => !stored.has(id)).map(([id]) => `${id} is lost`);
  const others = [...stored].flatMap(([id, state]) => {
    const { title, category, is_live } = expected.get(id) ?? {};
    const wanted = JSON.stringify({ title, category, is_live });
    return JSON.stringify(state) === wanted
      ? []
      : [`${id} is ${JSON.stringify(state)}, not ${wanted}`];
  });
  return [...lost, ...others];
}
