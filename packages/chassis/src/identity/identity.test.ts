import { createHmac, generateKeyPairSync, type KeyObject, sign as signature } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { keysOf, temporaryDirectory } from '../../test/fixture.ts';
import { type Caller, fingerprints, loadKeys } from './identity.ts';

const { gateway, crm } = keysOf('gateway', 'crm') as Record<'gateway' | 'crm', ReturnType<typeof loadKeys>>;
const stranger = keysOf('gateway')['gateway']!;
const caller = { user_id: 'kim', workspace_id: 'w', permissions: [] } as unknown as Caller;
const now_s = () => Math.floor(Date.now() / 1000);

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const ecdsa = (text: string, key: KeyObject) =>
  signature('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
const HEADER = { alg: 'ES256', typ: 'internal', kid: 'gateway' };
const claims = (changes: object = {}) => ({
  iss: 'gateway',
  aud: 'crm',
  sub: 'kim',
  iat: now_s(),
  exp: now_s() + 60,
  caller,
  ...changes,
});
/** Creates a valid token with these changes, and with a valid signature unless one is passed. */
function forge(
  header: object = {},
  changes: object = {},
  seal = (text: string) => ecdsa(text, gateway.private_key),
): string {
  const text = `${part({ ...HEADER, ...header })}.${part(claims(changes))}`;
  return `${text}.${seal(text)}`;
}
const expectRefusal = (token: string, audience = 'crm') =>
  expect(() => crm.verify(token, audience)).toThrow(expect.objectContaining({ status: 401, code: 'unauthenticated' }));

afterEach(() => void jest.useRealTimers());

describe('a token', () => {
  test('identifies the caller and the issuer to its audience', () => {
    expect(crm.verify(gateway.sign('crm', caller), 'crm')).toMatchObject({ issuer: 'gateway', caller });
    expect(crm.verify(gateway.sign('crm', null), 'crm')).toMatchObject({ issuer: 'gateway', caller: null });
    expect(crm.verify(forge(), 'crm')).toMatchObject({ issuer: 'gateway', caller });
  });

  test('is rejected by every other audience, even after its own accepted it', () => {
    const token = gateway.sign('crm', caller);
    expectRefusal(token, 'platform');
    crm.verify(token, 'crm');
    expectRefusal(token, 'platform');
  });

  test('is valid for a minute plus five seconds of clock skew, even if cached', () => {
    jest.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
    const [known, fresh] = [gateway.sign('crm', caller), gateway.sign('crm', null)];
    const at = (seconds: number) => jest.setSystemTime(new Date(Date.UTC(2026, 10, 21, 12, 0, seconds)));
    expect(crm.verify(known, 'crm').caller).toEqual(caller);
    at(59);
    expect(crm.verify(known, 'crm').caller).toEqual(caller);
    at(64);
    expect(crm.verify(known, 'crm').caller).toEqual(caller);
    expect(crm.verify(fresh, 'crm').caller).toBeNull();
    at(66);
    expectRefusal(known);
    expectRefusal(fresh);
  });

  test('is accepted by its own issuer like any other', () => {
    expect(crm.verify(crm.sign('crm', null), 'crm').issuer).toBe('crm');
  });

  test('encodes all permissions of a caller in a short form', () => {
    const nouns = Array.from({ length: 60 }, (_, at) => `noun_${at}`);
    const permissions = nouns.flatMap((noun) =>
      ['view', 'create', 'update', 'delete'].map((verb) => `${noun}.${verb}`),
    );
    const token = gateway.sign('crm', { ...caller, permissions });
    expect(crm.verify(token, 'crm').caller).toEqual({ ...caller, permissions });
    expect(token.length).toBeLessThan(1_500);
  });

  test('is accepted with spelled-out permissions from an earlier gateway', () => {
    const permissions = ['lead.view', 'lead.create'];
    const spelled = forge({}, { caller: { ...caller, permissions } });
    expect(crm.verify(spelled, 'crm').caller).toEqual({ ...caller, permissions });
    expect(crm.verify(gateway.sign('crm', { ...caller, permissions }), 'crm').caller).toEqual({
      ...caller,
      permissions,
    });
  });

  test('keeps callers of different workspaces with the same permissions apart', () => {
    const [one, two] = ['v', 'w'].map((workspace_id) => ({ ...caller, workspace_id, permissions: ['lead.view'] }));
    const read = [one, two].map((each) => crm.verify(gateway.sign('crm', each as Caller), 'crm').caller);
    expect(read).toEqual([one, two]);
    expect(crm.verify(gateway.sign('crm', { ...one, permissions: ['deal.view'] } as Caller), 'crm').caller).toEqual({
      ...one,
      permissions: ['deal.view'],
    });
  });
});

const spki = gateway.trusted.get('gateway')![0]!.export({ format: 'pem', type: 'spki' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const edwards = generateKeyPairSync('ed25519').privateKey;
const hmac = (secret: string | Buffer) => (text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');
const nothing = () => '';
const split = (token: string) => token.split('.') as [string, string, string];

const forged: [string, () => string][] = [
  ...['none', 'None', 'nOnE', 'NONE', ''].map((alg): [string, () => string] => [
    `alg "${alg}"`,
    () => forge({ alg }, {}, nothing),
  ]),
  ['alg none with a true signature', () => forge({ alg: 'none' })],
  ['no alg', () => forge({ alg: undefined })],
  ['HS256 with the public key as PEM', () => forge({ alg: 'HS256' }, {}, hmac(spki))],
  [
    'HS256 with the public key as DER',
    () =>
      forge({ alg: 'HS256' }, {}, hmac(gateway.trusted.get('gateway')![0]!.export({ format: 'der', type: 'spki' }))),
  ],
  ['HS256 with no secret', () => forge({ alg: 'HS256' }, {}, hmac(''))],
  [
    'RS256 with a key of its own',
    () => forge({ alg: 'RS256' }, {}, (text) => signature('sha256', Buffer.from(text), rsa).toString('base64url')),
  ],
  [
    'EdDSA with a key of its own',
    () => forge({ alg: 'EdDSA' }, {}, (text) => signature(null, Buffer.from(text), edwards).toString('base64url')),
  ],
  ['ES384 over our curve', () => forge({ alg: 'ES384' })],
  ['alg that is a list', () => forge({ alg: ['ES256'] })],
  ['the key of an unknown process named gateway', () => stranger.sign('crm', caller)],
  [
    'the key of another process in the name of the gateway',
    () => forge({}, {}, (text) => ecdsa(text, crm.private_key)),
  ],
  ['an issuer that is not its kid', () => forge({ kid: 'gateway' }, { iss: 'crm' })],
  ['a kid that is not its issuer', () => forge({ kid: 'crm' })],
  ['no kid', () => forge({ kid: undefined })],
  ['an unknown kid', () => forge({ kid: 'finance' }, { iss: 'finance' })],
  ...['../trusted/gateway', '/dev/null', "x' OR 1=1 --", '__proto__', 'constructor', '', 'GATEWAY'].map(
    (kid): [string, () => string] => [`the kid ${kid}`, () => forge({ kid }, { iss: kid })],
  ),
  ['a kid that is a list', () => forge({ kid: ['gateway'] })],
  [
    'a key of its own in jwk',
    () =>
      forge({ jwk: stranger.trusted.get('gateway')![0]!.export({ format: 'jwk' }) }, {}, (text) =>
        ecdsa(text, stranger.private_key),
      ),
  ],
  ['a key at jku', () => forge({ jku: 'https://evil.example/keys' }, {}, (text) => ecdsa(text, stranger.private_key))],
  ['a key at x5u', () => forge({ x5u: 'https://evil.example/keys' }, {}, (text) => ecdsa(text, stranger.private_key))],
  ['the typ of an access token', () => forge({ typ: 'at+jwt' })],
  ['the typ JWT', () => forge({ typ: 'JWT' })],
  ['no typ', () => forge({ typ: undefined })],
  ['another typ in capitals', () => forge({ typ: 'INTERNAL' })],
  ['another audience', () => forge({}, { aud: 'platform' })],
  ['no audience', () => forge({}, { aud: undefined })],
  ['a list of other audiences', () => forge({}, { aud: ['platform', 'gateway'] })],
  ['no issuer', () => forge({}, { iss: undefined })],
  ['an end that is past', () => forge({}, { iat: now_s() - 60, exp: now_s() - 6 })],
  ['an end that is a text', () => forge({}, { exp: '9999999999' })],
  ['a beginning that is to come', () => forge({}, { nbf: now_s() + 60 })],
  ['a beginning that is a text', () => forge({}, { nbf: 'now' })],
  ['no end, an hour ago', () => forge({}, { exp: undefined, iat: now_s() - 3_600 })],
  ['an end in a year, an hour ago', () => forge({}, { exp: now_s() + 31_536_000, iat: now_s() - 3_600 })],
  ['no time at all', () => forge({}, { exp: undefined, iat: undefined })],
  ['no signature', () => forge({}, {}, nothing)],
  [
    'a signature in DER',
    () => forge({}, {}, (text) => signature('sha256', Buffer.from(text), gateway.private_key).toString('base64url')),
  ],
  ['a signature of zeros', () => forge({}, {}, () => Buffer.alloc(64).toString('base64url'))],
  ['the signature of another token', () => forge({}, {}, () => split(gateway.sign('crm', null))[2])],
  [
    'claims that were changed afterwards',
    () => {
      const [header, , seal] = split(gateway.sign('crm', caller));
      return `${header}.${part(claims({ caller: { ...caller, permissions: ['*'] } }))}.${seal}`;
    },
  ],
  [
    'rights that were changed afterwards',
    () => {
      const [header, body, seal] = split(gateway.sign('crm', { ...caller, permissions: ['lead.view'] }));
      const said = JSON.parse(Buffer.from(body, 'base64url').toString());
      return `${header}.${part({ ...said, rights: 'view,delete|lead.0' })}.${seal}`;
    },
  ],
  ...['view,delete', 'view|lead.7', '', 7, null, ['lead.view']].map((rights): [string, () => string] => [
    `unreadable rights: ${JSON.stringify(rights)}`,
    () => forge({}, { rights }),
  ]),
  [
    'rights that another process gives',
    () => forge({ kid: 'crm' }, { iss: 'crm', rights: 'view|lead.0' }, (text) => ecdsa(text, crm.private_key)),
  ],
  [
    'a header that was changed afterwards',
    () => {
      const [, body, seal] = split(gateway.sign('crm', caller));
      return `${part({ ...HEADER, crit: [] })}.${body}.${seal}`;
    },
  ],
  [
    'claims that are a text',
    () => {
      const text = `${part(HEADER)}.${part('kim')}`;
      return `${text}.${ecdsa(text, gateway.private_key)}`;
    },
  ],
  [
    'claims that are a list',
    () => {
      const text = `${part(HEADER)}.${part([claims()])}`;
      return `${text}.${ecdsa(text, gateway.private_key)}`;
    },
  ],
  ['claims that are not JSON, of the typ JWT', () => `${part({ ...HEADER, typ: 'JWT' })}.${part('{"sub":')}.AAAA`],
  ['a header that is not JSON', () => `${part('{')}.${part(claims())}.AAAA`],
  ['a header that is null', () => `${part('null')}.${part(claims())}.AAAA`],
  ['nothing', () => ''],
  ['two dots', () => '..'],
  ['five parts', () => `${forge()}.AAAA.AAAA`],
  ['something before it', () => ` ${forge()}`],
  ['a megabyte', () => forge({}, { padding: 'x'.repeat(1_000_000), aud: 'platform' })],
  ['a token within a token', () => forge({ cty: 'JWT' }, { aud: 'platform', token: forge() })],
];

describe('rejects a forged token', () => {
  test.each(forged)('%s', (_, make) => expectRefusal(make()));
});

test('reads a private key and the keys of trusted processes from a directory', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'trusted'));
  writeFileSync(join(directory, 'private.pem'), crm.private_key.export({ format: 'pem', type: 'pkcs8' }));
  writeFileSync(join(directory, 'trusted/gateway.pem'), spki);
  writeFileSync(join(directory, 'trusted/README'), 'Here are keys.');
  const loaded = loadKeys('crm', directory);
  expect([...loaded.trusted.keys()]).toEqual(['gateway']);
  expect(loaded.verify(gateway.sign('crm', caller), 'crm').caller).toEqual(caller);
  expect(crm.verify(loaded.sign('crm', null), 'crm').issuer).toBe('crm');
  expect(() => loadKeys('crm', join(directory, 'nowhere'))).toThrow('private.pem');
  rmSync(directory, { recursive: true });
});

test('fingerprints match across replicas, differ by request and need the key', () => {
  const [first, twin, other] = [fingerprints(crm), fingerprints(crm), fingerprints(gateway)];
  expect(first({ body: 1 })).toBe(twin({ body: 1 }));
  expect(first({ body: 1 })).not.toBe(first({ body: 2 }));
  expect(first({ body: 1 })).not.toBe(other({ body: 1 }));
});
