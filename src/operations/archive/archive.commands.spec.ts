import { join } from 'node:path';
import { ARCHIVE_COMMAND } from './archive.commands';

const BEFORE = '2026-01-01T00:00:00Z';

/** Does what the command does before it opens a database. */
async function read(...args: string[]): Promise<unknown> {
  const verified = ARCHIVE_COMMAND.readLocal?.(args, __dirname);
  return verified === undefined ? ARCHIVE_COMMAND.read(args, __dirname) : verified();
}

describe('the arguments of the archive command', () => {
  it.each([
    ['none', [], /--before and --to/],
    ['no folder', ['--before', BEFORE], /--before and --to/],
    ['a time without a zone', ['--before', '2026-01-01T00:00:00', '--to', 'x'], /RFC 3339/],
    ['a date', ['--before', '2026-01-01', '--to', 'x'], /RFC 3339/],
    ['no such day', ['--before', '2026-13-01T00:00:00Z', '--to', 'x'], /RFC 3339/],
    ['an unknown option', ['--all'], /Unknown option '--all'/],
    ['verify without a folder', ['verify'], /verify needs one folder/],
    ['verify of what does not exist', ['verify', join(__dirname, 'nowhere')], /no such file/],
  ])('are refused: %s', async (_, args, message) => {
    await expect(read(...args)).rejects.toThrow(message);
  });

  it('are accepted', async () => {
    await expect(read('--before', BEFORE, '--to', 'x')).resolves.toBeInstanceOf(Function);
  });
});
