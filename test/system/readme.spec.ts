import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceForAll } from '../support/service';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** Returns the contents of the fenced blocks of a language, in order. */
const blocksOf = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, content]) => content!,
  );

/**
 * Replaces what differs from run to run: identifiers, addresses, times, cursors, and how fast a
 * response was.
 */
const stable = (output: string): string =>
  output
    .replace(/\b(post|part|resp|qset|crl)_[0-9A-Za-z]{20,}/g, '$1_…')
    .replace(/http:\/\/127\.0\.0\.1:\d+/, 'http://127.0.0.1:3000')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"2026-11-22T09:30:00.000Z"')
    .replace(/"next_cursor": "[\w-]+"/, '"next_cursor": "…"')
    .replace(/"answer_percentile": (null|[\d.]+)/, '"answer_percentile": …');

describe('the first campaign of the README', () => {
  const service = serviceForAll();

  it('prints what is shown', async () => {
    const [script] = blocksOf(README, 'bash');
    const [output] = blocksOf(README, 'text');
    const { url } = service.client;
    const pasted = script!.replace('http://127.0.0.1:3000', url);
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', pasted]);
    expect(stderr).toBe('');
    expect(stable(stdout)).toBe(stable(output!));
  });
});
