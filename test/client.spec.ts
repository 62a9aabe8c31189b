import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript';
import { createCampaignClient, ErrorCode } from '../clients/typescript/src/index';
import { temporaryDirectory } from './support/databases';
import { startService, TestService } from './support/service';

const root = join(__dirname, '..');
const scratch = temporaryDirectory();

afterAll(() => rmSync(scratch, { recursive: true }));

describe('The TypeScript client', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.close());

  it('is the one that openapi.json makes; `npm run client` makes it anew', () => {
    const file = join(scratch, 'schema.ts');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', file, '--alphabetize'],
      { cwd: root, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    const committed = readFileSync(join(root, 'clients/typescript/src/schema.ts'), 'utf8');
    expect(readFileSync(file, 'utf8')).toBe(committed);
  }, 120_000);

  it('takes a campaign through its life, from registration to toggling (section 1)', async () => {
    const baseUrl = service.client.url;
    const registered = await createCampaignClient({ baseUrl }).POST('/api/company/create', {
      body: { name: 'A Company', email: 'client@example.com', password: 'a long enough password' },
    });
    const accessToken = registered.data!.data.access_token;
    const generated = await createCampaignClient({ baseUrl, accessToken }).POST(
      '/svc/api-key/generate',
    );
    const api = createCampaignClient({ baseUrl, apiKey: generated.data!.data.api_key });

    const created = await api.POST('/svc/survey/create', {
      body: { title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100 },
    });
    const { post_id, is_live } = created.data!.data;
    expect(is_live).toBe(false);

    const questions = await api.POST('/svc/survey/questions', {
      body: {
        post_id,
        questions: [
          { type: 'single_choice', question: 'How many?', options: ['One', 'More'] },
          { type: 'text', question: 'Which?' },
        ],
      },
    });
    expect(questions.data?.data.total_questions).toBe(2);

    const updated = await api.PATCH('/svc/campaign/update', {
      body: { post_id, reward_amount: 99.99 },
    });
    expect(updated.data?.data.cohort_rewards?.cohort_3_reward).toBe(59.99);

    const refused = await api.PATCH('/svc/campaign/cohort-rewards', {
      body: {
        post_id,
        cohort_1_reward: 5,
        cohort_2_reward: 35,
        cohort_3_reward: 55.5,
        cohort_4_reward: 75,
        cohort_5_reward: 80,
      },
    });
    const code: ErrorCode | undefined = refused.error?.error.code;
    expect([refused.response.status, code]).toEqual([422, 'cohort_reward_mismatch']);

    const toggled = await api.PATCH('/svc/campaign/toggle-live', {
      body: { post_id, is_live: true },
    });
    expect(toggled.data).toMatchObject({ success: true, data: { post_id, is_live: true } });

    const read = await api.GET('/svc/campaign/{post_id}', { params: { path: { post_id } } });
    expect(read.data?.data.is_live).toBe(true);
  });

  it('lets a program switch over error.code, and the compiler say what it forgets', () => {
    const all = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')).components.schemas
      .ErrorCode.enum as string[];
    const program = (cases: string[]) =>
      [
        "import type { ErrorCode } from '../src/index.js';",
        'export function advice(code: ErrorCode): string {',
        '  switch (code) {',
        ...cases.map((code) => `    case '${code}': return 'x';`),
        '  }',
        '}',
      ].join('\n');
    expect(compile(program(all))).toEqual('');
    expect(compile(program(all.slice(1)))).toContain('lacks ending return statement');
    expect(compile(program([...all, 'no_such_code']))).toContain('not comparable');
  }, 120_000);
});

/** What the compiler says of a program beside the client. */
function compile(program: string): string {
  const file = join(root, 'clients/typescript/check/program.ts');
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: typescript.ModuleKind.NodeNext,
    moduleResolution: typescript.ModuleResolutionKind.NodeNext,
    target: typescript.ScriptTarget.ES2022,
  };
  const host = typescript.createCompilerHost(options);
  const original = { ...host };
  host.fileExists = (name) => name === file || original.fileExists(name);
  host.readFile = (name) => (name === file ? program : original.readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? typescript.createSourceFile(name, program, rest[0])
      : original.getSourceFile(name, ...rest);
  const diagnostics = typescript.getPreEmitDiagnostics(
    typescript.createProgram([file], options, host),
  );
  return typescript.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
}
