/** Tests of forged tokens: all are rejected identically, without a call to platform. */
import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock, newApiKey } from '@suite/chassis/gateway';
import { sendRequest } from '../../test/http-client.ts';
import { keysOf } from '../../test/keys.ts';
import { accessToken, claimsOf, type SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { credentialReader } from './credential.ts';

const { gateway, introspection, signIn } = await gatewayFixture();
let kim: SignedInUser;
beforeAll(() => {
  kim = signIn();
});

const whoami = (authorization?: string | string[]) =>
  sendRequest(gateway.url, '/api/user', authorization === undefined ? {} : { headers: { authorization } });

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const platform = keysOf('platform').private_key;
const publicPem = createPublicKey(platform).export({ type: 'spki', format: 'pem' }).toString();
const mallory = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const header = { alg: 'ES256', typ: 'at+jwt', kid: 'platform' };
const now = () => Math.floor(clock.now().getTime() / 1_000);

/** Returns a token signed with a real key, with any content. */
function signed(head: unknown, claims: unknown, key = platform): string {
  const text = `${encode(head)}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const unsigned = (head: unknown, signature = '') => `${encode(head)}.${encode(claimsOf(kim))}.${signature}`;
const hmac = (alg: string, secret: string, head: object = {}) => {
  const text = `${encode({ ...header, alg, ...head })}.${encode(claimsOf(kim))}`;
  return `${text}.${createHmac(`sha${alg.slice(2)}`, secret)
    .update(text)
    .digest('base64url')}`;
};
const partsOf = (token: string) => token.split('.') as [string, string, string];

const withHeader = (more: object) => signed({ ...header, ...more }, claimsOf(kim));
const withClaims = (more: object) => signed(header, { ...claimsOf(kim), ...more });
const withoutClaim = (claim: string) => {
  const { [claim]: _, ...rest } = claimsOf(kim);
  return signed(header, rest);
};

const forgedToken: Record<string, () => string> = {
  'alg none': () => unsigned({ ...header, alg: 'none' }),
  'alg None': () => unsigned({ ...header, alg: 'None' }),
  'alg nOnE': () => unsigned({ ...header, alg: 'nOnE' }),
  'alg NONE with a signature': () => unsigned({ ...header, alg: 'NONE' }, 'AAAA'),
  'no alg': () => unsigned({ typ: 'at+jwt', kid: 'platform' }),
  'alg null': () => unsigned({ ...header, alg: null }),
  'alg as a list': () => unsigned({ ...header, alg: ['ES256'] }),
  'HS256 with the public key': () => hmac('HS256', publicPem),
  'HS256 with the public key, trimmed': () => hmac('HS256', publicPem.trim()),
  'HS256 with an empty secret': () => hmac('HS256', ''),
  'HS384 with the public key': () => hmac('HS384', publicPem),
  'HS512 with the public key': () => hmac('HS512', publicPem),
  'RS256 with a key of their own': () => accessToken(kim, { key: rsa.privateKey, algorithm: 'RS256' }),
  'PS256 with a key of their own': () => accessToken(kim, { key: rsa.privateKey, algorithm: 'PS256' }),
  'ES256 with a key of their own': () => signed(header, claimsOf(kim), mallory.privateKey),
  "ES256 with the gateway's own key": () => signed(header, claimsOf(kim), keysOf('gateway').private_key),
  'ES256 said to be ES384': () => signed({ ...header, alg: 'ES384' }, claimsOf(kim)),
  'kid of another process': () => withHeader({ kid: 'crm' }),
  'kid of the gateway with its key': () =>
    signed({ ...header, kid: 'gateway' }, claimsOf(kim), keysOf('gateway').private_key),
  'kid as a path': () => hmac('HS256', '', { kid: '../../../../dev/null' }),
  'kid as SQL': () => withHeader({ kid: "platform' UNION SELECT 'secret" }),
  'kid empty': () => withHeader({ kid: '' }),
  'kid missing': () => signed({ alg: 'ES256', typ: 'at+jwt' }, claimsOf(kim)),
  'kid as a number': () => withHeader({ kid: 0 }),
  'typ JWT': () => withHeader({ typ: 'JWT' }),
  'typ internal': () => withHeader({ typ: 'internal' }),
  'typ missing': () => signed({ alg: 'ES256', kid: 'platform' }, claimsOf(kim)),
  'typ in capitals': () => withHeader({ typ: 'AT+JWT' }),
  'a service token': () => keysOf('platform').sign('gateway', null),
  jku: () => withHeader({ jku: 'https://mallory.test/keys' }),
  'jwk with their key': () =>
    signed({ ...header, jwk: mallory.publicKey.export({ format: 'jwk' }) }, claimsOf(kim), mallory.privateKey),
  'jwk with our key': () => withHeader({ jwk: createPublicKey(platform).export({ format: 'jwk' }) }),
  x5u: () => withHeader({ x5u: 'https://mallory.test/cert' }),
  x5c: () => withHeader({ x5c: ['AAAA'] }),
  crit: () => withHeader({ crit: ['exp'] }),
  'crit with an unknown extension': () => withHeader({ crit: ['suite'], suite: true }),
  'b64 false': () => withHeader({ b64: false, crit: ['b64'] }),
  'cty of a nested token': () => withHeader({ cty: 'JWT' }),
  'a nested token': () => signed(header, accessToken(kim)),
  'an empty signature': () => `${partsOf(accessToken(kim)).slice(0, 2).join('.')}.`,
  'no signature': () => partsOf(accessToken(kim)).slice(0, 2).join('.'),
  'a signature of zeros': () => unsigned(header, Buffer.alloc(64).toString('base64url')),
  'a signature of r = s = 1': () => {
    const one = Buffer.alloc(64);
    one[31] = 1;
    one[63] = 1;
    return unsigned(header, one.toString('base64url'));
  },
  'half a signature': () => {
    const [one, two, three] = partsOf(accessToken(kim));
    return `${one}.${two}.${three.slice(0, 43)}`;
  },
  'a DER signature': () => {
    const text = `${encode(header)}.${encode(claimsOf(kim))}`;
    return `${text}.${sign('sha256', Buffer.from(text), platform).toString('base64url')}`;
  },
  'the same signature, spelled otherwise': () => {
    const token = accessToken(kim);
    const last = token.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) + 1);
  },
  'the signature of another token': () => {
    const [one, two] = partsOf(accessToken(kim));
    return `${one}.${two}.${partsOf(accessToken(signIn()))[2]}`;
  },
  'claims that were changed': () => {
    const [one, , three] = partsOf(accessToken(kim));
    return `${one}.${encode({ ...claimsOf(kim), sub: randomUUID() })}.${three}`;
  },
  'a header that was changed': () => {
    const [, two, three] = partsOf(accessToken(kim));
    return `${encode({ ...header, alg: 'none' })}.${two}.${three}`;
  },
  'another issuer': () => withClaims({ iss: 'crm' }),
  'no issuer': () => withoutClaim('iss'),
  issuers: () => withClaims({ iss: ['platform'] }),
  'another audience': () => withClaims({ aud: 'crm' }),
  'no audience': () => withoutClaim('aud'),
  'two audiences': () => withClaims({ aud: ['gateway', 'crm'] }),
  over: () => withClaims({ exp: now() - 31 }),
  'over for long': () => withClaims({ iat: 1, nbf: 1, exp: 601 }),
  'no end': () => withoutClaim('exp'),
  'an end that is not a number': () => withClaims({ exp: '9999999999' }),
  'not begun': () => withClaims({ nbf: now() + 40 }),
  'no beginning': () => withoutClaim('nbf'),
  'no session': () => withoutClaim('sid'),
  'an invalid session ID': () => withClaims({ sid: '../x' }),
  'a session that is an object': () => withClaims({ sid: { $ne: null } }),
  'no user': () => withoutClaim('sub'),
  'no token id': () => withoutClaim('jti'),
  'claims that are a list': () => signed(header, [claimsOf(kim)]),
  'claims that are null': () => signed(header, 'null'),
  'claims that are not JSON': () => signed(header, 'sub=1'),
  'a claim twice, the good one first': () => {
    const text = JSON.stringify(claimsOf(kim)).replace('}', ',"aud":"crm"}');
    return signed(header, text);
  },
  'four parts': () => `${accessToken(kim)}.AAAA`,
  'five parts': () => `${accessToken(kim)}..AAAA`,
  'one part': () => 'token',
  'only dots': () => '..',
  padding: () => `${accessToken(kim)}=`,
  'twelve thousand characters': () => 'A'.repeat(12_000),
  'a good token with twelve thousand characters more': () => `${accessToken(kim)}${'A'.repeat(12_000)}`,
  'an API key with a wrong checksum': () => `${newApiKey().slice(0, -1)}${newApiKey().endsWith('0') ? '1' : '0'}`,
  'an API key that is too short': () => newApiKey().slice(0, -1),
  'an API key of another kind': () => newApiKey().replace('bms_', 'xms_'),
  'an API key in capitals': () => newApiKey().toUpperCase(),
};

describe('a forged token', () => {
  test('covers at least 60 kinds', () => {
    expect(Object.keys(forgedToken).length).toBeGreaterThanOrEqual(60);
  });

  test.each(Object.keys(forgedToken))('%s is rejected', async (kind) => {
    expect((await whoami(kim.authorization)).status).toBe(200);
    const asked = introspection.requests.length;
    const answer = await whoami(`Bearer ${forgedToken[kind]!()}`);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
    expect(answer.body).toEqual({
      message: expect.any(String),
      code: 'unauthenticated',
      docs_url: expect.stringContaining('/docs/errors#unauthenticated'),
      request_id: answer.headers['x-request-id'],
    });
    expect(introspection.requests.length).toBe(asked);
  });
});

describe('while the key of platform is rotated', () => {
  const next = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const read = credentialReader([createPublicKey(platform), next.publicKey]);

  test('accepts tokens of both keys', () => {
    const session = { kind: 'session', user_id: claimsOf(kim)['sub'] };
    expect(read(signed(header, claimsOf(kim)))).toMatchObject(session);
    expect(read(signed(header, claimsOf(kim), next.privateKey))).toMatchObject(session);
  });

  test('rejects tokens of a third key', () => {
    expect(read(signed(header, claimsOf(kim), mallory.privateKey))).toBeUndefined();
  });
});
