import { keyCredential, requireCredential } from './credentials.js';
import { FileDownload, type SettlementFile } from './export.js';
import { Transport, type TransportOptions } from './transport.js';
import { type SettlementStatement, verifySettlement } from './settlement.js';
import type {
  CallOptions,
  Fields,
  Query,
  RequestBody,
  RequestOptions,
  ResponseData,
  WriteOptions,
} from './types.js';

export interface PlatformClientOptions extends TransportOptions {
  /**
   * A platform key. With a company's test key, every method works on the company's own test
   * campaigns.
   */
  platformKey?: string | undefined;
}

/** What a platform knows of a respondent, and vouches for, by attribute. */
export type RespondentAttributes = NonNullable<RequestBody<'beginParticipation'>['attributes']>;

type BeginOptions = WriteOptions &
  Partial<
    Pick<
      RequestBody<'beginParticipation'>,
      'attributes' | 'screening_answers' | 'language' | 'supports'
    >
  >;

/** Names a participation. What `begin` returns is one. */
export type Participation = Pick<
  RequestBody<'submitParticipation'>,
  'post_id' | 'participation_id'
>;

/** A client of the Campaign Service, for a platform that shows campaigns to people. */
export class PlatformClient {
  readonly #options: PlatformClientOptions;
  readonly #transport: Transport;

  /** @throws TypeError if an option is invalid, or there is no platform key */
  constructor(options: PlatformClientOptions) {
    requireCredential(options, ['platformKey']);
    this.#options = options;
    const credentials = { platform_key: keyCredential(String(options.platformKey)) };
    this.#transport = new Transport(options, credentials);
  }

  /** Returns a client with other options. */
  withOptions(changes: Partial<PlatformClientOptions>): PlatformClient {
    return new PlatformClient({ ...this.#options, ...changes });
  }

  /** Sends a request to a route that this version has no method for, and returns its `data`. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions) {
    return this.#transport.request<T>(method, path, options);
  }

  /**
   * Lists the live campaigns of all companies that a respondent can begin, newest first.
   *
   * @param respondentId your own identifier of the respondent
   */
  list(
    respondentId: string,
    filters?: Omit<Query<'listFielding'>, 'respondent_id'>,
    options?: CallOptions,
  ) {
    const query = { ...filters, respondent_id: respondentId };
    return this.#transport.list('listFielding', { query }, options);
  }

  /**
   * Lists the campaigns that ask a respondent with these attributes, newest first. They are in the
   * body of the request, so that no proxy writes them to its log.
   */
  listFor(
    respondentId: string,
    attributes: RespondentAttributes,
    filters?: Omit<Fields<'listFieldingFor', 'respondent_id'>, 'attributes'>,
    options?: CallOptions,
  ) {
    const body = { ...filters, respondent_id: respondentId, attributes };
    return this.#transport.list('listFieldingFor', { body }, options);
  }

  /**
   * Takes a place. A respondent who has begun the campaign gets the same participation again.
   *
   * @param options also what you know of the respondent, the answers to the screening questions, the
   *   language, and what you can show
   */
  begin(postId: string, respondentId: string, options: BeginOptions = {}) {
    const { attributes, screening_answers, language, supports, ...rest } = options;
    const body = {
      post_id: postId,
      respondent_id: respondentId,
      ...(attributes && { attributes }),
      ...(screening_answers && { screening_answers }),
      ...(language !== undefined && { language }),
      ...(supports && { supports }),
    };
    return this.#transport.call('beginParticipation', { body }, rest);
  }

  /** Returns a participation: its status and times, what was promised, and what it earned. */
  participation(participationId: string, options?: CallOptions) {
    const path = { participation_id: participationId };
    return this.#transport.call('getParticipation', { path }, options);
  }

  /**
   * Lists what a respondent has begun, the newest campaign first. The first page also has the
   * `earnings` in all.
   */
  respondent(
    respondentId: string,
    paging?: Omit<Query<'getRespondent'>, 'respondent_id'>,
    options?: CallOptions,
  ) {
    const query = { ...paging, respondent_id: respondentId };
    return this.#transport.pages<'getRespondent', ResponseData<'getRespondent'>>(
      'getRespondent',
      { query },
      options,
      ({ next_cursor: cursor }) => (cursor === null ? null : { cursor }),
    );
  }

  /** Submits the answers; the attention score decides what the respondent is paid. */
  submit(
    participation: Participation,
    submission: Fields<'submitParticipation', keyof Participation>,
    options?: WriteOptions,
  ) {
    const body = { ...submission, ...named(participation) };
    return this.#transport.call('submitParticipation', { body }, options);
  }

  /** Gives the place back. The respondent cannot begin this campaign again. */
  abandon(participation: Participation, options?: WriteOptions) {
    const body = named(participation);
    return this.#transport.call('abandonParticipation', { body }, options);
  }

  /** Takes the reward of a submitted participation back. The response still counts. */
  reverse(
    participation: Participation,
    reversal: Fields<'reverseParticipation', keyof Participation>,
    options?: WriteOptions,
  ) {
    const body = { ...reversal, ...named(participation) };
    return this.#transport.call('reverseParticipation', { body }, options);
  }

  /** Lists what companies dispute of your respondents' responses, newest first. */
  disputes(filters?: Query<'listFieldingDisputes'>, options?: CallOptions) {
    return this.#transport.list('listFieldingDisputes', { query: filters }, options);
  }

  /** Accepts a dispute, which reverses the participation, or declines it. */
  decideDispute(
    participation: Participation,
    decision: Fields<'decideDispute', keyof Participation>,
    options?: WriteOptions,
  ) {
    const body = { ...decision, ...named(participation) };
    return this.#transport.call('decideDispute', { body }, options);
  }

  /** Deletes the respondent's answers and identity in all campaigns. Amounts stay. */
  eraseRespondent(respondentId: string, options?: WriteOptions) {
    const body = { respondent_id: respondentId };
    return this.#transport.call('eraseRespondent', { body }, options);
  }

  /** Lists what your respondents were paid, as the operator settles it, newest first. */
  settlements(filters?: Query<'listSettlements'>, options?: CallOptions) {
    return this.#transport.list('listSettlements', { query: filters }, options);
  }

  /** Returns a settlement, with a page of its campaigns. */
  settlement(settlementId: string, paging?: Query<'getSettlement'>, options?: CallOptions) {
    const path = { settlement_id: settlementId };
    return this.#transport.pages<'getSettlement', ResponseData<'getSettlement'>>(
      'getSettlement',
      { path, query: paging },
      options,
      ({ next_cursor: cursor }) => (cursor === null ? null : { cursor }),
    );
  }

  /** Returns the file of a settlement, in NDJSON: iterate over the bytes. */
  downloadSettlement(settlementId: string, options: CallOptions = {}): SettlementFile {
    const path = { settlement_id: settlementId };
    return new FileDownload('downloadSettlement', () =>
      this.#transport.download('downloadSettlement', { path }, options),
    );
  }

  /**
   * Downloads a settlement, and verifies its statement and its file with the keys of the service.
   *
   * @throws SettlementVerificationError if one of them is not to be trusted
   */
  async verifySettlement(
    settlementId: string,
    options: CallOptions = {},
  ): Promise<SettlementStatement> {
    const { settlement } = await this.settlement(settlementId, { limit: 1 }, options);
    const keys = await this.receiptKeys(options);
    const file = this.downloadSettlement(settlementId, options);
    return verifySettlement(settlement.statement, file, keys);
  }

  /** Returns the public keys that receipts are checked with, as a JSON Web Key Set. */
  receiptKeys(options?: CallOptions) {
    return this.#transport.call('getReceiptKeys', {}, options);
  }
}

/** Leaves out the other fields of what `begin` returned. */
function named({ post_id, participation_id }: Participation): Participation {
  return { post_id, participation_id };
}
