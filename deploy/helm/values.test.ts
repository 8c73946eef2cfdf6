import { describe, expect, test } from '@jest/globals';
import { template } from './test/helm-program.ts';

const BUCKET = { FILES_S3_BUCKET: 'files', FILES_S3_REGION: 'eu-central-1' };

/** Values that the chart rejects, and a part of the message. */
const REJECTED: readonly (readonly [values: object, message: RegExp])[] = [
  [{ process: { replicas: 0 } }, /\/process\/replicas.*minimum: got 0, want 1/],
  [{ process: { replica: 3 } }, /\/process.*additional properties 'replica' not allowed/],
  [{ process: { replicas: 'three' } }, /\/process\/replicas.*got string, want integer/],
  [{ processes: { payroll: {} } }, /\/processes.*additional properties 'payroll' not allowed/],
  [{ processes: { crm: { keysSecret: '' } } }, /\/processes\/crm\/keysSecret.*must be 'a name such as/],
  [
    { processes: { crm: { databaseSecret: 'My Secret' } } },
    /\/processes\/crm\/databaseSecret.*must be 'a name such as/,
  ],
  [{ publicUrl: 'suite.example.com' }, /\/publicUrl': value must be 'an address such as https:/],
  [{ publicUrl: null }, /missing property 'publicUrl'/],
  [{ settings: { services: { DATABASE_CONNECTION: 8 } } }, /additional properties 'DATABASE_CONNECTION' not allowed/],
  [{ settings: { services: { DATABASE_CONNECTIONS: 0 } } }, /DATABASE_CONNECTIONS.*minimum: got 0, want 1/s],
  [{ settings: { processes: { LOG_LEVEL: 'loud' } } }, /LOG_LEVEL.*value must be one of/s],
  [{ settings: { processes: { HOST: '127.0.0.1' } } }, /additional properties 'HOST' not allowed/],
  [
    { settings: { services: { SMTP_URL: 'smtp://user:password@host' } } },
    /SMTP_URL': value must be 'the key of a Secret, such as/,
  ],
  [{ settings: { services: { SMTP_URL: { secret: 'smtp' } } } }, /SMTP_URL.*missing property 'key'/],
  [{ settings: { services: { FILE_SCAN_URL: 'scanner' } } }, /FILE_SCAN_URL': value must be 'an address such as http:/],
  [
    { processes: { hr: { settings: { STRIPE_LIVE_KEY: { secret: 's', key: 'k' } } } } },
    /'STRIPE_LIVE_KEY' not allowed/,
  ],
  [{ nats: { replicas: 2 } }, /\/nats\/replicas.*value must be one of/],
  [
    { settings: { services: { NATS_REPLICAS: 3 } } },
    /NATS_REPLICAS is set, but the chart installs NATS\. Set nats\.replicas/,
  ],
  [{ settings: { services: { DATABASE_WAIT_MS: { secret: 'a', key: 'b' } } } }, /got object, want integer/],
  [
    { settings: { services: { FILE_SCAN_URL: 'http://scan/' } } },
    /FILE_SCAN_URL is set for platform, but no network policy/,
  ],
  [
    { route: { enabled: true }, publicUrl: 'https://10.0.0.7' },
    /publicUrl is https:\/\/10\.0\.0\.7, but a route needs a host/,
  ],
  [{ nats: { enabled: false } }, /nats\.url is missing\. Enter the address of your NATS server/],
  [{ postgres: { kind: 'sqlite' } }, /\/postgres\/kind.*value must be one of/],
  [{ postgres: { storage: { size: 'big' } } }, /\/postgres\/storage\/size': value must be 'an amount such/],
  [{ postgres: { backup: { enabled: true } } }, /postgres\.backup\.destinationPath is missing\. Enter a bucket/],
  [{ files: { accessMode: 'ReadWriteOnce' } }, /platform has several replicas, but files\.accessMode is ReadWriteOnce/],
  [
    { settings: { services: { FILES_S3_BUCKET: 'files' } } },
    /FILES_S3_REGION is missing for platform\. Enter the region/,
  ],
  [
    { settings: { services: { ...BUCKET, FILES_S3_ENDPOINT: 'http://s3.internal:9000' } } },
    /FILES_S3_ENDPOINT of platform uses the port 9000, but no network policy allows/,
  ],
  [
    { settings: { services: { ...BUCKET, FILES_S3_ENDPOINT: 'http://s3.internal' } } },
    /FILES_S3_ENDPOINT of platform uses the port 80, but no network policy allows/,
  ],
  [{ settings: { services: { AWS_SECRET_ACCESS_KEY: 'secret' } } }, /'AWS_SECRET_ACCESS_KEY' not allowed/],
  [
    { process: { autoscaling: { minReplicas: 9 } } },
    /autoscaling of platform has minReplicas 9, more than maxReplicas 4/,
  ],
  [{ externalSecrets: { enabled: true } }, /externalSecrets\.store\.name is missing/],
  [{ route: { enabled: true } }, /route\.parentRefs is empty\. Enter the Gateway/],
  [{ route: { enabled: true, gateway: { create: true } } }, /route\.gateway\.className is missing/],
  [{ route: { enabled: true }, publicUrl: 'http://suite.example.com' }, /publicUrl is http:.*but the route uses TLS/],
];

describe('values that are wrong', () => {
  test.each(REJECTED)('are rejected with a reason: %j', (values, message) => {
    const { status, stdout, stderr } = template([], JSON.stringify(values));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(message);
    // One sentence, below the title of Helm.
    expect(stderr.split('\n').filter((line) => /^- at|^Error: exec/.test(line))).toHaveLength(1);
  });

  test('include a release name that is too long', () => {
    const { stderr } = template([], '{}', 'a-release-with-a-name-that-is-too-long');
    expect(stderr).toContain('is too long. Choose a name of at most 30 characters.');
  });
});
