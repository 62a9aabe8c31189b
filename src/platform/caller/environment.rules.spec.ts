import { readId } from '../database/identifiers';
import { companyOf, environmentOf, modeOf, printEnvironment } from './environment.rules';

describe('the environments of a company', () => {
  const company = readId('co_01k9x2v8zdf3xbz0q4v5rk6t7m')!.id;
  const test = environmentOf(company, 'test');

  it('are printed alike, with different prefixes', () => {
    expect(printEnvironment(environmentOf(company, 'live'))).toBe('co_01k9x2v8zdf3xbz0q4v5rk6t7m');
    expect(printEnvironment(test)).toBe('test_01k9x2v8zdf3xbz0q4v5rk6t7m');
  });

  it('are stored apart, and each tells its mode and the company', () => {
    expect(test).not.toBe(company);
    expect([modeOf(company), modeOf(test)]).toEqual(['live', 'test']);
    expect([companyOf(company), companyOf(test)]).toEqual([company, company]);
  });
});
