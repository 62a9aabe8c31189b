import { context, Span, SpanKind, trace } from '@opentelemetry/api';
import { isSampled, isTracing, markFailed, tracer } from '../tracing/tracing';
import { statementName } from './statement-name';

type Query = (...args: unknown[]) => unknown;

const BEGIN = /^(START TRANSACTION|BEGIN)\b/;
const END = /^(COMMIT|ROLLBACK)(?! TO)\b/;

/** Maximum number of statements whose names are kept. */
const NAMES_MAXIMUM = 500;

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = statementName(text);
    if (names.size < NAMES_MAXIMUM) {
      names.set(text, name);
    }
  }
  return name;
}

/**
 * Makes a span of each statement of a connection, and of each transaction around its statements.
 * The spans have the text of the statement, and never its values. A trace that is not sampled has
 * none.
 */
export function traceStatements(query: Query): Query {
  if (!isTracing) {
    return query;
  }
  let transaction: Span | undefined;
  const endTransaction = () => {
    transaction?.end();
    transaction = undefined;
  };
  return (...args) => {
    const [text] = args;
    if (typeof text !== 'string' || (transaction === undefined && !isSampled())) {
      return query(...args);
    }
    if (BEGIN.test(text)) {
      endTransaction();
      transaction = tracer.startSpan('transaction');
    }
    const outer = context.active();
    const span = tracer.startSpan(
      nameOf(text),
      {
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
      },
      transaction === undefined ? outer : trace.setSpan(outer, transaction),
    );
    const isLast = END.test(text);
    const end = () => {
      span.end();
      if (isLast) {
        endTransaction();
      }
    };
    const result = query(...args);
    if (!(result instanceof Promise)) {
      end();
      return result;
    }
    return result.then(
      (rows: unknown) => {
        end();
        return rows;
      },
      (error: unknown) => {
        markFailed(span, error);
        if (transaction !== undefined) {
          markFailed(transaction, error);
        }
        end();
        throw error;
      },
    );
  };
}
