import { PLATFORM_KEY_COMMAND } from './platform-key.commands';

describe('the arguments of the platform-key command', () => {
  it.each([
    ['no command', [], /^Usage: /],
    ['an unknown command', ['rotate'], /^Unknown command "rotate"/],
    ['an unknown option', ['list', '--all'], /^Unknown option '--all'/],
    ['an argument too many', ['list', 'all'], /^Unexpected argument 'all'/],
    ['no name', ['generate'], /^generate needs --name/],
    ['an option without its value', ['generate', '--name'], /--name/],
    ['no key to revoke', ['revoke'], /^revoke needs the key_id of one key/],
    ['two keys to revoke', ['revoke', 'pkey_1', 'pkey_2'], /^revoke needs the key_id of one key/],
  ])('are refused: %s', (_, args, message) => {
    expect(() => PLATFORM_KEY_COMMAND.read(args, '.')).toThrow(message);
  });
});
