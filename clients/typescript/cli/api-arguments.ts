import { EXIT } from './exit-codes.js';
import { CommandError } from './failure.js';
import { parseObject, readText } from './files.js';
import type { OperationRoute } from './operations.js';
import type { Session } from './session.js';

/** What a command line of `campaign api` says. */
export interface Call {
  values: Record<string, unknown>;
  idempotencyKey?: string | undefined;
  ifMatch?: string | undefined;
  output: string;
  force: boolean;
}

/** Options besides the fields of the operation. Those without a value are `true`. */
const OPTIONS = ['data', 'idempotency-key', 'if-match', 'output', 'force'];
const SHORT: Readonly<Record<string, string>> = { '-d': '--data', '-o': '--output' };

/** Reads the options of an operation by the types of its fields. */
export async function readCall(
  session: Session,
  operation: string,
  route: OperationRoute,
  words: readonly string[],
): Promise<Call> {
  const options: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = SHORT[words[at] ?? ''] ?? words[at] ?? '';
    const [, name, inline] = /^--([\w-]+)(?:=([^]*))?$/.exec(word) ?? [];
    const field = name === undefined ? undefined : route.fields[name.replaceAll('-', '_')];
    if (name === undefined || (field === undefined && !OPTIONS.includes(name))) {
      throw new CommandError(
        `${operation} has no option ${word}.`,
        EXIT.usage,
        `Its options: campaign api ${operation} --help.`,
      );
    }
    const value = inline ?? (name === 'force' ? 'true' : words[(at += 1)]);
    if (value === undefined) {
      throw new CommandError(`${word} needs a value.`, EXIT.usage);
    }
    if (field === undefined) {
      options[name] = value;
    } else {
      values[name.replaceAll('-', '_')] = valueOf(word, value, field[1]);
    }
  }
  const data = options.data === undefined ? undefined : await readData(session, options.data);
  requireFields(operation, route, { ...data, ...values }, data !== undefined);
  return {
    values: { ...data, ...values },
    idempotencyKey: options['idempotency-key'],
    ifMatch: options['if-match'],
    output: options.output ?? '-',
    force: options.force !== undefined,
  };
}

/** The body: JSON, or after an @ the name of a file with it; - is standard input. */
async function readData(session: Session, data: string): Promise<object> {
  if (data === '-' || data.startsWith('@')) {
    const file = data.replace(/^@/, '');
    return parseObject(await readText(session, file), `--data ${data}`, EXIT.usage);
  }
  return parseObject(data, '--data', EXIT.usage);
}

/** Whether the password of an operation is asked for: others can read a command line. */
export const asksForPassword = (operation: string): boolean =>
  operation === 'logIn' || operation === 'registerCompany';

/** Names every option that is missing. What a body of JSON lacks, the service says. */
function requireFields(
  operation: string,
  { fields }: OperationRoute,
  values: Readonly<Record<string, unknown>>,
  hasData: boolean,
): void {
  const missing = Object.entries(fields)
    .filter(([name, [, , isRequired]]) => isRequired && values[name] === undefined)
    .filter(([, [place]]) => place !== 'body' || !hasData)
    .filter(([name]) => name !== 'password' || !asksForPassword(operation))
    .map(([name]) => `--${name}`);
  if (missing.length > 0) {
    throw new CommandError(
      `${operation} needs ${missing.join(', ')}.`,
      EXIT.usage,
      `Its options: campaign api ${operation} --help.`,
    );
  }
}

/** Reads a value as one of the types that its field can have. */
function valueOf(option: string, text: string, types: string): unknown {
  const known = types.split('|');
  if (known.includes('null') && text === 'null') {
    return null;
  }
  const isText = known.includes('string');
  if (isText && known.every((type) => type === 'string' || type === 'null')) {
    return text;
  }
  try {
    const value: unknown = JSON.parse(text);
    // A text such as 5 stays one, unless the field can also be a number.
    return typeof value === 'string' && !isText ? text : value;
  } catch {
    if (isText) {
      return text;
    }
    throw new CommandError(`${option} must be ${known.join(' or ')}, as JSON.`, EXIT.usage);
  }
}
