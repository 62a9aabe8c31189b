import type { Json } from './json-schema';

/** Address in the samples; the reference page replaces it with its own. */
export const SAMPLE_BASE_URL = 'https://campaigns.example.com';

/** A request to show in several languages. */
export interface SampleRequest {
  method: string;
  /** The path, with the values of its parameters. */
  path: string;
  /** The header of the credential, and the environment variable that holds it. */
  credential?: { header: string; prefix: string; variable: string };
  body?: Json;
}

/** A sample in the format of documentation pages. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Returns the request as a call of curl, in TypeScript and in Python. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ];
}

function curl({ method, path, credential, body }: SampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(SAMPLE_BASE_URL + path)}`,
    ...(credential === undefined
      ? []
      : [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}

function typescript({ method, path, credential, body }: SampleRequest): string {
  const value = (name: string) => `process.env.${name}`;
  const headers = [
    ...(credential === undefined
      ? []
      : [`'${credential.header}': \`${credential.prefix}\${${value(credential.variable)}}\`,`]),
    ...(body === undefined
      ? []
      : [`'Content-Type': 'application/json',`, `'Idempotency-Key': crypto.randomUUID(),`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['headers: {', ...headers.map((line) => `  ${line}`), '},']),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, JAVASCRIPT)}),`]),
  ];
  const url = `'${SAMPLE_BASE_URL}${path}'`;
  return [
    `const response = await fetch(${url}${options.length === 0 ? '' : `, {\n${indent(options.join('\n'))}\n}`});`,
    'const { message, data, error } = await response.json();',
    'console.log(message, data ?? error);',
  ].join('\n');
}

function python({ method, path, credential, body }: SampleRequest): string {
  const headers = [
    ...(credential === undefined
      ? []
      : [
          `"${credential.header}": ${
            credential.prefix === '' ? '' : `"${credential.prefix}" + `
          }os.environ["${credential.variable}"],`,
        ]),
    ...(body === undefined ? [] : [`"Idempotency-Key": str(uuid.uuid4()),`]),
  ];
  const call = [
    `"${SAMPLE_BASE_URL}${path}",`,
    ...(headers.length === 0 ? [] : ['headers={', indent(headers.join('\n'), 4), '},']),
    ...(body === undefined ? [] : [`json=${literal(body, PYTHON)},`]),
    'timeout=30,',
  ];
  return [
    ...(credential === undefined ? [] : ['import os']),
    ...(body === undefined ? [] : ['import uuid']),
    ...(headers.length === 0 ? [] : ['']),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    indent(call.join('\n'), 4),
    ')',
    'print(response.json())',
  ].join('\n');
}

/** The literals of a language. */
interface Syntax {
  indentation: number;
  key: (name: string) => string;
  text: (text: string) => string;
  words: Readonly<Record<string, string>>;
}

const JAVASCRIPT: Syntax = {
  indentation: 2,
  key: (name) => name,
  text: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  words: { true: 'true', false: 'false', null: 'null' },
};

const PYTHON: Syntax = {
  indentation: 4,
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
};

/** Formats a JSON value as a literal of a language. */
function literal(value: unknown, syntax: Syntax): string {
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((item) => literal(item, syntax)),
      ']',
      syntax,
    );
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${syntax.key(name)}: ${literal(member, syntax)}`,
    );
    return block('{', members, '}', syntax);
  }
  return typeof value === 'string'
    ? syntax.text(value)
    : (syntax.words[String(value)] ?? String(value));
}

function block(open: string, lines: string[], close: string, { indentation }: Syntax): string {
  return lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `${indent(line, indentation)},`).join('\n')}\n${close}`;
}

function indent(text: string, width = 2): string {
  return text.replaceAll(/^/gm, ' '.repeat(width));
}
