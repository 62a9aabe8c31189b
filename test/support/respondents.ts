import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Answer, Client } from './client';
import { eventually } from './eventually';
import { begin, Begun, submit } from './fielding';
import { beginAs } from './targeting';

/** Cents of a reward of 100 with its default ladder, by cohort. */
const LADDER = [3, 40, 60, 80, 100];

/** Milliseconds before a request that nobody answered is sent again. */
const PAUSE = 100;

/** Milliseconds that respondents may take to be paid, also while instances are killed. */
const DEADLINE = 120_000;

interface Options {
  postId: string;
  /** How many respondents are under way at once. */
  lanes: number;
  /** How often each request is sent at once. */
  copies?: number;
  /** What the platform knows of the respondent with a number; nothing by default. */
  attributesOf?: (number: number) => Record<string, string | number>;
  /** Whether connections may break, because a process may be killed. */
  broken?: boolean;
}

/** What a respondent was paid. */
export interface Paid {
  respondent: string;
  participation_id: string;
  reward: number;
}

/**
 * Brings respondents to a campaign until nobody can begin any more or it is stopped, and records
 * what each was paid.
 * Every request is sent several times at once, over all instances.
 */
export class RespondentLoad {
  readonly paid: Paid[] = [];
  /** Responses that no platform should receive. */
  readonly faults: string[] = [];
  private next = 0;
  private done = false;

  constructor(
    private instances: Client[],
    private readonly options: Options,
  ) {}

  /** What all of them were paid. */
  get spent(): number {
    return this.paid.reduce((sum, { reward }) => sum + reward, 0);
  }

  /** Resolves once this many respondents have been paid. */
  untilPaid(count: number): Promise<void> {
    return eventually(
      () => {
        expect(this.paid.length).toBeGreaterThanOrEqual(count);
      },
      { deadline: DEADLINE },
    );
  }

  /** Resolves once they have been paid more than an amount. */
  untilSpent(amount: number): Promise<void> {
    return eventually(
      () => {
        expect(this.spent).toBeGreaterThan(amount);
      },
      { deadline: DEADLINE },
    );
  }

  /** Sends requests to other instances from now on. */
  moveTo(instances: Client[]): void {
    this.instances = instances;
  }

  /** Brings nobody else; who has begun still submits. */
  stop(): void {
    this.done = true;
  }

  /** Resolves once it is stopped or the campaign is completed, and all who began have submitted. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.lanes }, () => this.lane()));
  }

  private async lane(): Promise<void> {
    const { postId, attributesOf } = this.options;
    while (!this.done) {
      this.next += 1;
      const respondent = `respondent ${this.next}`;
      const attributes = attributesOf?.(this.next);
      const answer = await this.send((api) =>
        attributes === undefined
          ? begin(api, postId, respondent)
          : beginAs(api, postId, respondent, attributes),
      );
      const code = answer.body.error?.code;
      if (code === 'fully_held' || code === 'quota_full') {
        await delay(20);
      } else if (code === 'campaign_completed') {
        this.done = true;
      } else if (answer.status === 200) {
        await this.submit(respondent, answer.body.data as Begun);
      } else {
        this.faults.push(`begin: ${answer.status} ${code}`);
      }
    }
  }

  private async submit(respondent: string, begun: Begun): Promise<void> {
    const score = randomInt(0, 1001) / 100;
    const { status, body } = await this.send((api) => submit(api, begun, score));
    const expected = LADDER[Math.min(4, Math.floor(score / 2))];
    if (status !== 200 || body.data.reward !== expected) {
      this.faults.push(`submit ${score}: ${status} ${JSON.stringify(body)}`);
      return;
    }
    const { participation_id, reward } = body.data;
    this.paid.push({ respondent, participation_id, reward });
  }

  /**
   * Sends copies of a request to all instances in turn, and expects one answer. A service without a
   * free connection asks for the request again (503), which is none.
   */
  private async send(request: (api: Client) => Promise<Answer>): Promise<Answer> {
    const { copies = 1, broken = false } = this.options;
    for (;;) {
      const answers = await Promise.all(
        Array.from({ length: copies }, async (_, copy) => {
          const api = this.instances[copy % this.instances.length]!;
          try {
            const answer = await request(api);
            const none = answer.status === 503 || (answer.status >= 500 && broken);
            return none ? undefined : answer;
          } catch (error) {
            if (!broken) {
              this.faults.push(String((error as Error).cause));
            }
            return undefined;
          }
        }),
      );
      const received = answers.filter((answer) => answer !== undefined);
      const succeeded = received.filter(({ status }) => status === 200);
      const bodies = new Set(succeeded.map(({ body }) => JSON.stringify(withoutStatus(body.data))));
      const refused = received.filter(({ status }) => status !== 200);
      // One copy may find no place before another one is given back.
      const wrong = refused.filter(({ body }) => body.error?.code !== 'fully_held');
      if (bodies.size > 1 || (succeeded.length > 0 && wrong.length > 0)) {
        const codes = wrong.map(({ body }) => body.error?.code);
        this.faults.push(`copies differ: ${[...bodies, ...codes].join(' ')}`);
      }
      const answer = succeeded[0] ?? received[0];
      if (answer !== undefined) {
        return answer;
      }
      await delay(PAUSE);
    }
  }
}

/** A copy of a beginning may already see a later status. */
function withoutStatus(data: Record<string, unknown>): unknown {
  return { ...data, status: undefined };
}
