import { indent, JAVASCRIPT, literal, PYTHON } from './literals';
import type { SampleRequest } from './sample-request';
import { sdkCall } from './sdk-calls';

/*
 * Samples take the address of the service and the credentials from the environment:
 * CAMPAIGN_URL, CAMPAIGN_TOKEN, CAMPAIGN_API_KEY and CAMPAIGN_PLATFORM_KEY.
 */

/** Returns the request as a call of curl, of the TypeScript SDK and in Python. */
export function codeSamples(request: SampleRequest) {
  return [
    { label: 'curl', source: curl(request) },
    { label: 'TypeScript', source: typescript(request) },
    { label: 'Python', source: python(request) },
  ];
}

function curl({ method, path, credential, body, isWrite }: SampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$CAMPAIGN_URL${path}"`,
    ...(credential === undefined
      ? []
      : [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`]),
    ...(isWrite ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}

function typescript(request: SampleRequest): string {
  const call = sdkCall(request);
  if (call === undefined) {
    return [
      `const response = await fetch(\`\${process.env.CAMPAIGN_URL}${request.path}\`);`,
      'console.log(await response.json());',
    ].join('\n');
  }
  const options = [
    'baseUrl: process.env.CAMPAIGN_URL!,',
    ...Object.entries(call.options).map(([name, value]) => `${name}: ${value},`),
  ];
  const args = [
    ...call.args.map((value) => literal(value, JAVASCRIPT)),
    ...(request.isWrite ? ['{ idempotencyKey: crypto.randomUUID() }'] : []),
  ];
  const line = args.join(', ');
  const list =
    line.length <= 40 && !line.includes('\n')
      ? line
      : `\n${args.map((each) => `${indent(each)},`).join('\n')}\n`;
  return [
    `import { ${call.client} } from 'campaign-service-client';`,
    '',
    `const client = new ${call.client}({`,
    indent(options.join('\n')),
    '});',
    `const result = await client.${call.method}(${list})${request.isDownload ? '.text()' : ''};`,
    'console.log(result);',
  ].join('\n');
}

function python(request: SampleRequest): string {
  const { method, path, credential, body, isWrite, isDownload } = request;
  const headers = [
    ...(credential === undefined
      ? []
      : [
          `"${credential.header}": ${
            credential.prefix === '' ? '' : `"${credential.prefix}" + `
          }os.environ["${credential.variable}"],`,
        ]),
    ...(isWrite ? [`"Idempotency-Key": str(uuid.uuid4()),`] : []),
  ];
  const call = [
    `os.environ["CAMPAIGN_URL"] + "${path}",`,
    ...(headers.length === 0 ? [] : ['headers={', indent(headers.join('\n'), 4), '},']),
    ...(body === undefined ? [] : [`json=${literal(body, PYTHON)},`]),
    'timeout=30,',
  ];
  return [
    'import os',
    ...(isWrite ? ['import uuid'] : []),
    '',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    indent(call.join('\n'), 4),
    ')',
    isDownload ? 'print(response.text)' : 'print(response.json())',
  ].join('\n');
}
