#!/usr/bin/env node
import { run } from './run.js';
import { EXIT } from './exit-codes.js';

const interrupted = new AbortController();
process.on('SIGINT', () => {
  // Whoever presses Ctrl-C twice does not want to wait for the end of the work.
  if (interrupted.signal.aborted) {
    process.exit(EXIT.interrupted);
  }
  interrupted.abort();
});
process.on('SIGTERM', () => interrupted.abort());

// A reader such as `head` closes the pipe when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interrupted.signal,
});
