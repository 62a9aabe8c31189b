import type { Type } from '@nestjs/common';
import type { ErrorCode } from '../protocol/error-codes';
import type { Json } from './json-schema';

/** A heading with text, in Markdown. */
export interface Topic {
  name: string;
  description: string;
}

/** A response body. */
export type RecordedBody = Json;

/** Response bodies recorded from a run of the service. */
export interface RecordedExamples {
  /** An error for each code. */
  errors: Partial<Record<ErrorCode, RecordedBody>>;
  /** Examples for each operation, by its id. */
  operations: Partial<
    Record<
      string,
      {
        /** The success for each example of the request, by its name. */
        successes: Record<string, RecordedBody>;
        /** Errors that differ from the one in `errors`. */
        errors: Partial<Record<ErrorCode, RecordedBody>>;
      }
    >
  >;
  /** Bodies that the service sent to receivers, by name. */
  messages: Record<string, RecordedBody>;
}

/** A request that the service sends to its clients: an operation of OpenAPI's `webhooks`. */
export interface SentRequest extends Json {
  /** The DTO of its body. */
  body: Type;
  /** What each status of the response means to the service. */
  responses: Readonly<Record<string, { description: string }>>;
}

/** The texts that the application contributes to the document. */
export interface DocumentContent {
  title: string;
  /** The introduction, in Markdown. */
  introduction: string;
  /** What applies to every operation, one topic each. */
  topics: readonly Topic[];
  /** The sections of operations, in the order in which a newcomer needs them. */
  sections: readonly Topic[];
  /** The requests that the service sends to its clients, by name. */
  webhooks: Readonly<Record<string, SentRequest>>;
}
