import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Member, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';

const platform = await start({ ...contents, schedules: [] });
const { anonymous } = platform;
let acme: TestWorkspace;
let owner: Member;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  owner = await acme.as('owner');
});

const input = { name: 'Nadir & Sons', tier: 'gold', since: '2024-05-01', url: 'https://nadir.example' };
const make = async (more: object = {}) => {
  const { status, body } = await owner.post('/api/partner/create', { ...input, ...more });
  expect(status).toBe(201);
  return body.data;
};
const badgeOf = ({ token }: { token: string }, query = '') => `/api/badge/${token}${query}`;
const readBadge = (path: string, headers: Record<string, string> = {}) => anonymous.get(path, { headers });

describe('a partner', () => {
  test('has a badge from the start, with a token that cannot be guessed', async () => {
    const partner = await make({ verified: true });
    expect(partner).toMatchObject({
      ...input,
      verified: true,
      status: 'active',
      revoked_at: null,
      token: expect.stringMatching(/^bdg_[\w-]{43}$/),
      badge_url: `http://suite.test/api/badge/${partner.token}`,
      allowed_actions: ['update', 'rotate', 'revoke'],
      version: 1,
    });
    expect((await make()).token).not.toBe(partner.token);
    const listed = await owner.get(`/api/partners?id=${partner.id}`);
    expect(listed.body.data).toEqual([partner]);
    expect((await owner.get('/api/partners?q=nadir&tier=gold&sort=name')).body.meta.total).toBeGreaterThan(0);
  });

  test('is managed by owners and managers only', async () => {
    const { id } = await make();
    expect((await (await acme.as('manager')).post(`/api/partner/update/${id}`, { tier: 'silver' })).status).toBe(200);
    for (const role of ['sales', 'accountant', 'client', 'vendor'] as const) {
      const person = await acme.as(role);
      const replies = [await person.get('/api/partners'), await person.post('/api/partner/create', input)];
      expect(sortedStatuses(replies)).toEqual([403, 403]);
    }
    const elsewhere = await (await openWorkspace(platform)).as('owner');
    expect((await elsewhere.get('/api/partners')).body.data).toEqual([]);
    expect((await elsewhere.post(`/api/partner/revoke/${id}`, {})).status).toBe(404);
  });

  test('is changed, and returns 412 for an outdated version', async () => {
    const { id } = await make();
    const path = `/api/partner/update/${id}`;
    expect((await owner.post(path, { since: '2023-01-31', url: null, version: 1 })).body.data).toMatchObject({
      since: '2023-01-31',
      url: null,
      name: input.name,
      version: 2,
    });
    expect((await owner.post(path, { name: 'Late', version: 1 })).status).toBe(412);
  });

  test('can be deleted after its badge is revoked', async () => {
    const { id } = await make();
    expect(await owner.delete(`/api/partner/delete/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'active', action: 'delete' } },
    });
    const replies = await runConcurrently(20, () => owner.post(`/api/partner/revoke/${id}`, {}));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(replies[0]!.body.data).toMatchObject({ status: 'revoked', allowed_actions: ['delete'] });
    for (const verb of ['update', 'rotate'])
      expect((await owner.post(`/api/partner/${verb}/${id}`, {})).body.code).toBe('invalid_transition');
    expect((await owner.delete(`/api/partner/delete/${id}`)).status).toBe(200);
    expect((await owner.delete(`/api/partner/delete/${id}`)).status).toBe(404);
  });

  test.each([
    ['no name', { name: ' ' }, 'name'],
    ['an unknown tier', { tier: 'bronze' }, 'tier'],
    ['a day that is none', { since: '2024-02-30' }, 'since'],
    ['a day that is far away', { since: '2924-02-01' }, 'since'],
    ['an address that runs', { url: 'javascript:alert(1)' }, 'url'],
    ['a token of its own', { token: 'bdg_mine' }, 'token'],
    ['a state', { status: 'revoked' }, 'status'],
  ])('is rejected with %s', async (_, more, field) => {
    const { status, body } = await owner.post('/api/partner/create', { ...input, ...more });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});

describe('a badge', () => {
  test('shows all visitors the public facts of the partner, and nothing else', async () => {
    const partner = await make();
    const { status, body, headers } = await readBadge(badgeOf(partner));
    expect([status, body.data]).toEqual([
      200,
      {
        partner: { ...input, verified: false },
        issuer: 'Acme',
        image_url: `http://suite.test/api/badge/${partner.token}?format=svg`,
        valid: true,
      },
    ]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const again = await readBadge(badgeOf(partner), { 'if-none-match': String(headers.get('etag')) });
    expect([again.status, again.content.length]).toEqual([304, 0]);
    await owner.post(`/api/partner/update/${partner.id}`, { verified: true });
    const changed = await readBadge(badgeOf(partner), { 'if-none-match': String(headers.get('etag')) });
    expect([changed.status, changed.body.data.partner.verified]).toEqual([200, true]);
  });

  test.each([
    ['by its parameter', '?format=svg', {}],
    ['by what an image accepts', '', { accept: 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8' }],
    ['in another look', '?format=svg&style=for-the-badge', {}],
  ])('is an image without scripts %s', async (_, query, headers) => {
    const partner = await make({ name: '<script>alert("x")</script>', verified: true });
    const { status, content, headers: payload } = await readBadge(badgeOf(partner, query), headers);
    const svg = Buffer.from(content).toString();
    expect([status, payload.get('content-type'), payload.get('content-security-policy')]).toEqual([
      200,
      expect.stringMatching(/^image\/svg\+xml/),
      "default-src 'none'",
    ]);
    expect([payload.get('x-content-type-options'), payload.get('cache-control')]).toEqual([
      'nosniff',
      'public, max-age=300',
    ]);
    expect(payload.get('vary')).toContain('Accept');
    expect(svg).toMatch(/^<svg /);
    expect(svg).not.toMatch(/<script/i);
    expect(svg.toLowerCase()).toContain('&lt;script&gt;');
    const again = await readBadge(badgeOf(partner, query), {
      ...headers,
      'if-none-match': String(payload.get('etag')),
    });
    expect(again.status).toBe(304);
  });

  test('is a valid image for a name with characters that XML forbids', async () => {
    const partner = await make();
    // Simulates a name stored before such names were rejected.
    await platform.sql`UPDATE partners SET name = ${'Na\u0001dir\uFFFE'} WHERE id = ${partner.id}`;
    const { content } = await readBadge(badgeOf(partner, '?format=svg'));
    const svg = Buffer.from(content).toString();
    expect(svg).toContain('Na dir');
    expect(svg).not.toMatch(/[\u0001\uFFFE]/);
  });

  test('returns the same 404 if unknown, malformed, rotated, revoked or suspended', async () => {
    const [rotated, revoked] = [await make(), await make()];
    const { body } = await owner.post(`/api/partner/rotate/${rotated.id}`, {});
    expect(body.data.token).not.toBe(rotated.token);
    expect((await readBadge(badgeOf(body.data))).status).toBe(200);
    await owner.post(`/api/partner/revoke/${revoked.id}`, {});
    const other = await openWorkspace(platform);
    const suspended = (await (await other.as('owner')).post('/api/partner/create', input)).body.data;
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${other.id}`;
    const unknown = [`bdg_${'x'.repeat(43)}`, 'x', 'y'.repeat(3_000), '%00', '%0A'];
    const tokens = [rotated.token, revoked.token, suspended.token, ...unknown];
    const replies = await Promise.all(tokens.map((token) => readBadge(badgeOf({ token }))));
    for (const { status, body: text } of replies)
      expect([status, text.code, text.message]).toEqual([404, 'not_found', 'Record not found.']);
  });

  test.each([
    ['?format=png', 'format'],
    ['?style=plastic', 'style'],
    ['?size=2', 'size'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await readBadge(badgeOf(await make(), query));
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});
