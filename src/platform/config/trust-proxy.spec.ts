import { fastify } from 'fastify';
import { InvalidEnvError, loadEnv } from './env';

/** The client address that a service with this setting finds for a request from 127.0.0.1. */
async function addressOf(trustProxy: string | undefined, forwardedFor: string): Promise<string> {
  const { TRUST_PROXY } = loadEnv({ TRUST_PROXY: trustProxy });
  const server = fastify({ trustProxy: TRUST_PROXY ?? false });
  server.get('/', ({ ip }) => ip);
  const headers = { 'x-forwarded-for': forwardedFor };
  return (await server.inject({ url: '/', headers, remoteAddress: '127.0.0.1' })).body;
}

describe('TRUST_PROXY', () => {
  it.each([
    ['loopback', '192.0.2.1'],
    ['127.0.0.1', '192.0.2.1'],
    ['127.0.0.0/8', '192.0.2.1'],
    ['uniquelocal, loopback', '192.0.2.1'],
    ['::1, 127.0.0.1,10.0.0.0/8', '192.0.2.1'],
    ['192.0.2.0/24, loopback', '203.0.113.7'],
    ['10.0.0.1', '127.0.0.1'],
    ['fd00::/8', '127.0.0.1'],
    [undefined, '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('takes the last address that is not a trusted proxy: %j', async (setting, address) => {
    expect(await addressOf(setting, '198.51.100.9, 203.0.113.7, 192.0.2.1')).toBe(address);
  });

  it.each(['1', '3', '0'])(
    'refuses the number %j and says what to write instead',
    (TRUST_PROXY) => {
      expect(() => loadEnv({ TRUST_PROXY })).toThrow(InvalidEnvError);
      expect(() => loadEnv({ TRUST_PROXY })).toThrow(
        /TRUST_PROXY must be a comma-separated list .*10\.0\.0\.0\/8.*; a number of proxies/,
      );
    },
  );

  it.each([
    ...['true', '*', 'private', 'proxy.example.com', '10.0.0', '10.0.0.1,', ',', ' '],
    ...['10.0.0.0/0', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', '::/129'],
  ])('refuses %j', (TRUST_PROXY) => {
    expect(() => loadEnv({ TRUST_PROXY })).toThrow(/TRUST_PROXY must be a comma-separated list/);
  });
});
