import { RECONCILE_COMMAND } from './reconcile.commands';

describe('the arguments of the reconcile command', () => {
  const COMPANY = 'co_01k9x2v8zdf3xbz0q4v5rk6t7z';

  it.each([
    ['no company', [], /^reconcile needs one company/],
    ['two companies', [COMPANY, COMPANY], /^reconcile needs one company/],
    ['what is no company', ['post_01k9x2v8zdf3xbz0q4v5rk6t7z'], /^There is no company post_/],
    ['an unknown option', [COMPANY, '--all'], /^Unknown option '--all'/],
  ])('are refused: %s', (_, args, message) => {
    expect(() => RECONCILE_COMMAND.read(args, '.')).toThrow(message);
  });

  it('are a company, or its test data', () => {
    for (const company of [COMPANY, COMPANY.replace('co_', 'test_')]) {
      expect(RECONCILE_COMMAND.read([company], '.')).toBeInstanceOf(Function);
    }
  });
});
