import { describe, expect, test } from '@jest/globals';
import { gatewayConfig } from './config.ts';

const complete = {
  PORT: '4000',
  OPERATIONS_PORT: '4001',
  NATS_URL: 'nats://127.0.0.1:4091',
  KEYS_DIR: '/keys',
  UPSTREAM_CRM: 'http://127.0.0.1:4020',
  UPSTREAM_PLATFORM: 'http://127.0.0.1:4010',
  RPC_PLATFORM: '127.0.0.1:4011',
};
const read = (environment: Record<string, string | undefined>) => gatewayConfig(['platform', 'crm'], environment);

describe('the configuration', () => {
  test('has an upstream for each service, and sensible defaults', () => {
    expect(read(complete)).toMatchObject({
      PORT: 4_000,
      upstreams: { platform: 'http://127.0.0.1:4010', crm: 'http://127.0.0.1:4020' },
      RATE_LIMITS: {},
      TRUST_PROXY: 0,
      CORS_ORIGINS: [],
      SHUTDOWN_GRACE_MS: 5_000,
    });
  });

  test('accepts other limits, upstream proxies and allowed sites', () => {
    const more = {
      RATE_LIMITS: '{"token": 6000, "login": 5}',
      TRUST_PROXY: '2',
      CORS_ORIGINS: 'https://a.test, http://localhost:3000, http://127.0.0.1:*',
      RATE_LIMIT_DATABASE_URL: 'postgres://gateway@db/limits',
    };
    expect(read({ ...complete, ...more })).toMatchObject({
      RATE_LIMITS: { token: 6_000, login: 5 },
      TRUST_PROXY: 2,
      CORS_ORIGINS: ['https://a.test', 'http://localhost:3000', 'http://127.0.0.1:*'],
      RATE_LIMIT_DATABASE_URL: 'postgres://gateway@db/limits',
    });
  });

  test.each([
    ['PORT', undefined, 'PORT is missing'],
    ['PORT', 'eighty', 'PORT is not valid (write a whole number from 0 to 65535)'],
    ['PORT', '70000', 'PORT is not valid'],
    ['UPSTREAM_CRM', undefined, 'UPSTREAM_CRM is missing'],
    ['UPSTREAM_CRM', 'crm:80', 'UPSTREAM_CRM is not valid'],
    ['UPSTREAM_CRM', 'https://crm', 'UPSTREAM_CRM is not valid'],
    ['RPC_PLATFORM', 'platform', 'RPC_PLATFORM is not valid (write host:port)'],
    ['RATE_LIMITS', '{', 'RATE_LIMITS is not valid (write JSON like {"token": 6000})'],
    ['RATE_LIMITS', '[]', 'RATE_LIMITS is not valid (write JSON'],
    ['RATE_LIMITS', '{"nobody": 1}', 'unknown limit "nobody"; use token, workspace, login'],
    ['RATE_LIMITS', '{"token": -1}', 'RATE_LIMITS is not valid ("token" must be a whole number of at least 1)'],
    ['RATE_LIMITS', '{"token": 1.5}', 'RATE_LIMITS is not valid'],
    ['RATE_LIMIT_DATABASE_URL', 'mysql://db', 'RATE_LIMIT_DATABASE_URL is not valid'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY is not valid'],
    ['TRUST_PROXY', '-1', 'TRUST_PROXY is not valid'],
    ['CORS_ORIGINS', 'https://a.test/path', 'CORS_ORIGINS is not valid'],
    ['CORS_ORIGINS', '*', 'CORS_ORIGINS is not valid'],
    ['CORS_ORIGINS', 'http://*:*', 'CORS_ORIGINS is not valid'],
    ['CORS_ORIGINS', 'https://a.test:*:*', 'CORS_ORIGINS is not valid'],
    ['CONNECTIONS_PER_ADDRESS', '0', 'CONNECTIONS_PER_ADDRESS is not valid'],
  ])('reports the fault when %s is %j', (name, value, sentence) => {
    expect(() => read({ ...complete, [name]: value })).toThrow(sentence);
  });
});
