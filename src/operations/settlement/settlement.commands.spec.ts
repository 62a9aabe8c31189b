import { SETTLEMENT_COMMAND } from './settlement.commands';

describe('the arguments of the settlement command', () => {
  it.each([
    ['no command', [], /^Usage: /],
    ['an unknown command', ['reopen'], /^Unknown command "reopen"/],
    ['an unknown option', ['close', '--all'], /^Unknown option '--all'/],
    ['a company that is none', ['close', '--company', 'co_x'], /^There is no company co_x/],
    ['a number without a company', ['close', '--to', '12'], /^--to needs/],
    [
      'a number that is none',
      ['close', '--company', 'co_01k9x2v8zdf3xbz0q4v5rk6t7m', '--to', '-1'],
      /--to/,
    ],
    [
      'the number 0',
      ['close', '--company', 'co_01k9x2v8zdf3xbz0q4v5rk6t7m', '--to', '0'],
      /^--to needs/,
    ],
    ['no reference', ['paid', '--settlement', 'stl_1'], /^paid needs --settlement and --reference/],
    ['an unknown state', ['list', '--state', 'open'], /^--state is closed or paid/],
    ['no settlement', ['show'], /^show needs the settlement_id of one settlement/],
    ['two settlements', ['show', 'stl_1', 'stl_2'], /^show needs the settlement_id of one/],
  ])('are refused: %s', (_, args, message) => {
    expect(() => SETTLEMENT_COMMAND.read(args, '.')).toThrow(message);
  });
});
