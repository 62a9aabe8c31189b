import { ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** What a program has printed. */
export interface Printed {
  stdout: string;
  stderr: string;
}

/** Runs each program that it reads, one per line of JSON, and prints a line with its output. */
const PYTHON = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    task = json.loads(line)
    os.environ.update(task['variables'])
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(compile(task['source'], 'program', 'exec'), {'__name__': '__main__'})
        except Exception:
            traceback.print_exc()
    print(json.dumps({'stdout': out.getvalue(), 'stderr': err.getvalue()}), flush=True)
`;

const JAVASCRIPT = `
import { createInterface } from 'node:readline';
import { format } from 'node:util';
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { source, variables } = JSON.parse(line);
  Object.assign(process.env, variables);
  const printed = { stdout: '', stderr: '' };
  console.log = (...values) => { printed.stdout += format(...values) + '\\n'; };
  try {
    // A module of the same text would not run again.
    const text = encodeURIComponent(source + '\\n// ' + (count += 1));
    await import('data:text/javascript,' + text);
  } catch (error) {
    printed.stderr = format(error);
  }
  process.stdout.write(JSON.stringify(printed) + '\\n');
}
`;

/** A process that runs programs one after the other: to start one for each takes far longer. */
export class Interpreter {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly lines: Interface;

  private constructor(file: string, args: string[]) {
    this.child = spawn(file, args, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.lines = createInterface({ input: this.child.stdout });
  }

  static readonly python = () => new Interpreter('python3', ['-c', PYTHON]);

  static readonly javascript = () =>
    new Interpreter(process.execPath, ['--input-type=module', '--eval', JAVASCRIPT]);

  /** Runs a program with these variables in its environment. */
  async run(source: string, variables: Record<string, string>): Promise<Printed> {
    const printed = once(this.lines, 'line');
    this.child.stdin.write(`${JSON.stringify({ source, variables })}\n`);
    const [line] = await printed;
    return JSON.parse(line) as Printed;
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.stdin.end();
    await exit;
  }
}
