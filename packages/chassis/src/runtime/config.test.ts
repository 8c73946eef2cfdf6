import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { deadline, processSettings, readSettings, serviceConfig } from './config.ts';

const complete = {
  OPERATIONS_PORT: '4022',
  NATS_URL: 'nats://127.0.0.1:4091',
  KEYS_DIR: '/keys/crm',
  HTTP_PORT: '4020',
  GRPC_PORT: '4021',
  DATABASE_URL: 'postgres://crm:x@127.0.0.1:4090/crm',
  FILES_DIR: '/files',
  MAIL_DIR: '/mail',
  PUBLIC_URL: 'http://localhost:4000',
  RPC_PLATFORM: 'platform:4011',
};
const read = (changes: NodeJS.ProcessEnv = {}) => serviceConfig(['platform'], { ...complete, ...changes });

describe('the configuration of a service', () => {
  test('is read from the environment, with sensible defaults', () => {
    expect(read({ SOMETHING_ELSE: 'ignored' })).toEqual({
      ...complete,
      OPERATIONS_PORT: 4022,
      HTTP_PORT: 4020,
      GRPC_PORT: 4021,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_MS: 5_000,
      DEADLINE_FACTOR: 1,
      DATABASE_CONNECTIONS: 8,
      DATABASE_WAIT_MS: 2_000,
      JOURNAL_CHANGES_DAYS: 3_650,
      JOURNAL_EVENTS_DAYS: 30,
      DISCARDED_FILES_DAYS: 14,
      MAIL_FROM: 'Suite <suite@localhost>',
      FILE_SCAN_TIMEOUT_MS: 10_000,
      FILE_SCAN_ON_FAILURE: 'refuse',
      OUTGOING_TRUSTED_HOSTS: [],
      addresses: { platform: 'platform:4011' },
    });
  });

  test.each(Object.keys(complete).filter((name) => name !== 'MAIL_DIR'))('reports that %s is missing', (name) => {
    expect(() => read({ [name]: undefined })).toThrow(`The settings are not right: ${name} is missing.`);
  });

  test('requires a way to send e-mails', () => {
    expect(() => read({ MAIL_DIR: undefined })).toThrow('The settings are not right: SMTP_URL or MAIL_DIR is missing.');
    expect(read({ MAIL_DIR: undefined, SMTP_URL: 'smtps://mail.example.com' }).SMTP_URL).toBe(
      'smtps://mail.example.com',
    );
  });

  test.each(['https://suite.example.com', 'https://suite.example.com/', 'https://example.com/suite/'])(
    'contains %s without a slash at the end, since paths are appended to it',
    (PUBLIC_URL) => {
      expect(`${read({ PUBLIC_URL }).PUBLIC_URL}/`).toBe(PUBLIC_URL.endsWith('/') ? PUBLIC_URL : `${PUBLIC_URL}/`);
    },
  );

  test('requires the addresses of the called services only', () => {
    expect(serviceConfig([], { ...complete, RPC_PLATFORM: undefined }).addresses).toEqual({});
  });

  test('accepts the addresses of several NATS servers', () => {
    const NATS_URL = 'nats://a:4222,tls://b:4222';
    expect(read({ NATS_URL, NATS_REPLICAS: '3' })).toMatchObject({ NATS_URL, NATS_REPLICAS: 3 });
  });

  test.each([
    ['OPERATIONS_PORT', '65536'],
    ['HTTP_PORT', 'http'],
    ['HTTP_PORT', ''],
    ['NATS_URL', 'http://127.0.0.1:4222'],
    ['GRPC_PORT', '40.5'],
    ['NATS_URL', '127.0.0.1'],
    ['NATS_URL', 'nats://a:4222,b:4222'],
    ['NATS_REPLICAS', '0'],
    ['DATABASE_DIRECT_URL', 'mysql://127.0.0.1/crm'],
    ['KEYS_DIR', ''],
    ['FILES_DIR', ''],
    ['MAIL_DIR', ''],
    ['DATABASE_URL', 'mysql://127.0.0.1/crm'],
    ['DATABASE_CONNECTIONS', '0'],
    ['DATABASE_WAIT_MS', '0'],
    ['FILE_SCAN_URL', 'icap://scanner'],
    ['FILE_SCAN_TIMEOUT_MS', '0'],
    ['FILE_SCAN_ON_FAILURE', 'ignore'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['PUBLIC_URL', 'localhost'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE_MS', '-1'],
    ['DEADLINE_FACTOR', '0'],
    ['DEADLINE_FACTOR', '1.5'],
    ['RPC_PLATFORM', 'http://platform:4011'],
  ])('reports that %s is not valid as "%s"', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(
      new RegExp(`^The settings are not right: ${name} is not valid \\([^\\n]+\\)\\.$`),
    );
  });

  test('reports all errors in one sentence', () => {
    expect(() => read({ HTTP_PORT: 'abc', FILES_DIR: undefined, MAIL_DIR: undefined })).toThrow(
      'The settings are not right: HTTP_PORT is not valid (write a whole number from 0 to 65535); FILES_DIR is missing; SMTP_URL or MAIL_DIR is missing.',
    );
  });
});

test("reads a process's own settings in addition to the common ones", () => {
  const settings = readSettings({ ...processSettings, PORT: z.coerce.number() }, { ...complete, PORT: '4000' });
  expect(settings).toMatchObject({ PORT: 4000, OPERATIONS_PORT: 4022, HOST: '127.0.0.1' });
});

test('multiplies a deadline by the factor in the settings', () => {
  expect(deadline(2_000, {})).toBe(2_000);
  expect(deadline(2_000, { DEADLINE_FACTOR: '5' })).toBe(10_000);
});
