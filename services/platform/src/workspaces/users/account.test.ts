import { beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { start, eventTypesOf } from '@suite/testing';
import sharp from 'sharp';
import { platform as contents } from '../../platform.ts';
import { authenticate, openWorkspace, PASSWORD, signIn, type TestWorkspace } from '../../../test/workspace.ts';

const platform = await start(contents);
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const session = (id: string) => ({ $case: 'session_id' as const, value: id });

describe('the signed-in user', () => {
  test('sees their profile, permissions and workspace', async () => {
    const client = await acme.as('client');
    const { status, body, headers } = await client.get('/api/user');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: acme.users.client,
      kind: 'client',
      role: { id: acme.roles.client, key: 'client' },
      record_scopes: { deal: 'own' },
      workspace: { id: acme.id, fiscal_year_start: '01-01', week_start: 1 },
    });
    expect(body.data.permissions).toContain('deal.view');
    expect(body.data.permissions).not.toContain('lead.view');
    // A weak ETag, because a response of this length is compressed.
    expect(headers.get('etag')).toMatch(new RegExp(`^W/"${body.data.version}-`));
  });

  test('changes their profile', async () => {
    const agent = await acme.as('agent');
    const input = {
      name: '  Agathe  ',
      phone: '+43 1 234567',
      locale: 'de-AT',
      language: 'de',
      timezone: 'Europe/Vienna',
    };
    const { status, body } = await agent.post('/api/edit-profile', input);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...input, name: 'Agathe' });
    expect((await agent.post('/api/edit-profile', { name: 'Agnes', version: body.data.version - 1 })).status).toBe(412);
  });

  test('may send an empty request, which changes nothing', async () => {
    const hr = await acme.as('hr');
    const { status, body } = await hr.post('/api/edit-profile', {});
    expect(status).toBe(200);
    expect(body.data.name).toBe('hr example');
    expect(await eventTypesOf(platform, acme.users.hr)).toEqual([]);
  });

  test.each([
    'role_id',
    'kind',
    'status',
    'workspace_id',
    'id',
    'created_by',
    'permissions',
    'email_verified_at',
    'password',
  ])('cannot set their own %s', async (field) => {
    const reply = await (await acme.as('agent')).post('/api/edit-profile', { [field]: 'x' });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe('changing the password', () => {
  test('requires the current one, and ends all other sessions', async () => {
    const other = await openWorkspace(platform);
    const [here, there] = [await signIn(platform, other.email('staff')), await signIn(platform, other.email('staff'))];
    const password = 'another horse battery staple';
    expect((await here.post('/api/change-password', { current_password: PASSWORD, password })).status).toBe(200);
    await expect(authenticate(platform, session(here.caller.session_id!))).resolves.toBeDefined();
    await expect(authenticate(platform, session(there.caller.session_id!))).rejects.toMatchObject({ status: 401 });
    await expect(signIn(platform, other.email('staff'))).rejects.toThrow('wrong_credentials');
    await expect(signIn(platform, other.email('staff'), password)).resolves.toBeDefined();
    const mail = await platform.sql`SELECT letter, email FROM outgoing_mail WHERE user_id = ${other.users.staff}`;
    expect(mail).toEqual([{ letter: 'password_changed', email: other.email('staff') }]);
  });

  test('is rejected, logged and counted like a failed sign-in for a wrong password', async () => {
    const other = await openWorkspace(platform);
    const staff = await other.as('staff');
    const guess = () =>
      staff.post('/api/change-password', { current_password: 'a guess', password: 'another horse battery' });
    for (let at = 0; at < 10; at += 1)
      expect(await guess()).toMatchObject({
        status: 422,
        body: { errors: { current_password: [expect.any(String)] } },
      });
    expect(await guess()).toMatchObject({ status: 429 });
    const log =
      await platform.sql`SELECT FROM user_log WHERE user_id = ${other.users.staff} AND event = 'login_failed'`;
    expect(log).toHaveLength(10);
    expect((await signIn(platform, other.email('staff'))).caller.user_id).toBe(other.users.staff);
  });

  test.each([
    ['too short', { password: 'short' }, 'password'],
    ['all the same character', { password: 'aaaaaaaaaaaa' }, 'password'],
    ['endless', { password: 'ab cd'.repeat(50) }, 'password'],
    ['common', { password: 'Password123!' }, 'password'],
    ['their own name', { password: 'Staff-Example-1' }, 'password'],
    ['missing', { password: undefined }, 'password'],
    ['the present one', { password: PASSWORD }, 'password'],
  ])('is rejected if the new one is %s', async (_, input, field) => {
    const reply = await (await acme.as('hr')).post('/api/change-password', { current_password: PASSWORD, ...input });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });

  test('is rejected with an API key', async () => {
    const key = platform.member({
      workspace: acme.id,
      user_id: acme.users.staff,
      api_key_id: acme.users.staff,
      can: ['account.update'],
    });
    const reply = await key.post('/api/change-password', {
      current_password: PASSWORD,
      password: 'another horse battery',
    });
    expect(reply).toMatchObject({ status: 403, body: { code: 'session_required' } });
  });
});

describe('a photo', () => {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#d04030' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'canary-in-exif' } })
      .toBuffer();
  const form = (content: string | Buffer<ArrayBuffer>, type = 'image/jpeg', field = 'photo') => {
    const form = new FormData();
    form.set(field, new Blob([content], { type }), 'me.jpg');
    return form;
  };
  const stored = (user_id: string) => platform.sql`SELECT photo, photo_thumbnail FROM users WHERE id = ${user_id}`;

  test('is redrawn in two sizes, without hidden metadata', async () => {
    const sales = await acme.as('sales');
    const { status, body } = await sales.upload('/api/upload-photos', form(await picture(900, 600)));
    expect(status).toBe(200);
    for (const [url, size] of [
      [body.data.photo_url, 512],
      [body.data.photo_thumbnail_url, 96],
    ]) {
      const answer = await fetch(new URL(new URL(url).pathname, platform.url), {
        headers: { authorization: `Bearer ${platform.gateway.sign('platform', null)}` },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const content = Buffer.from(await answer.arrayBuffer());
      expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: size, height: size });
      expect(content.toString('latin1')).not.toContain('canary-in-exif');
    }
    const listed = await (await acme.as('owner')).get(`/api/users?id=${acme.users.sales}`);
    expect(listed.body.data[0].photo_url).toMatch(/^http:\/\/suite\.test\/api\/user-photo\//);
  });

  test('replaces the previous one, whose files are deleted', async () => {
    const hr = await acme.as('hr');
    const { photo_url } = (await hr.upload('/api/upload-photos', form(await picture(60, 60)))).body.data;
    const [before] = await stored(acme.users.hr);
    await hr.upload('/api/upload-photos', form(await picture(70, 70)));
    const [now] = await stored(acme.users.hr);
    expect((await platform.anonymous.get(photo_url)).status).toBe(404);
    expect(now!.photo).not.toBe(before!.photo);
    const queue = await platform.sql`SELECT key FROM discarded_files`;
    expect(new Set(queue.map(({ key }) => key))).toEqual(new Set([before!.photo, before!.photo_thumbnail]));
    const { discardFiles } = await import('../../identity/accounts/picture.ts');
    await discardFiles.work(platform.tools as never);
    expect(existsSync(join(platform.files_directory, before!.photo))).toBe(false);
    expect(existsSync(join(platform.files_directory, now!.photo))).toBe(true);
    expect(await platform.sql`SELECT FROM discarded_files`).toEqual([]);
  });

  test('has a shareable address until another photo replaces it', async () => {
    const hr = await acme.as('hr');
    const avatarOf = async () =>
      (
        await platform.sql`
        SELECT data ->> 'avatar_url' AS url FROM journal_events
        WHERE aggregate_id = ${acme.users.hr} AND type = 'platform.user.updated' ORDER BY position DESC LIMIT 1`
      )[0]!['url'];
    await hr.upload('/api/upload-photos', form(await picture(60, 60)));
    const first = await avatarOf();
    const answer = await fetch(platform.url + first, {
      headers: { authorization: `Bearer ${platform.gateway.sign('platform', null)}` },
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400, immutable');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({
      format: 'webp',
      width: 96,
    });
    expect((await hr.post('/api/edit-profile', { phone: '+49 30 1' })).status).toBe(200);
    expect(await avatarOf()).toBe(first);
    await hr.upload('/api/upload-photos', form(await picture(70, 70)));
    expect(await avatarOf()).not.toBe(first);
    for (const dead of [
      first,
      `/api/avatar/${acme.users.hr}`,
      `/api/avatar/${first.split('/').at(-1)!.replace('.', '/')}`,
    ])
      expect((await platform.anonymous.get(dead)).status).toBe(404);
  });

  test.each([
    ['a text that says it is an image', () => form('not an image'), 415, 'photo'],
    ['a page that could be run', () => form('<svg onload=alert(1)>', 'image/svg+xml'), 415, 'photo'],
    ['nothing', () => form(''), 422, 'photo'],
    ['a file in another field', () => form('x', 'image/png', 'avatar'), 422, 'avatar'],
    ['half an image', async () => form((await picture(300, 300)).subarray(0, 400)), 422, 'photo'],
    ['more than 5 MiB', () => form(Buffer.alloc(5 * 1024 * 1024 + 1)), 413, 'photo'],
  ])('is rejected and leaves nothing behind if it is %s', async (_, make, status, field) => {
    const manager = await acme.as('manager');
    const reply = await manager.upload('/api/upload-photos', await make());
    expect(reply.status).toBe(status);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
    expect(await stored(acme.users.manager)).toEqual([{ photo: null, photo_thumbnail: null }]);
  });

  test('is not opened by a forged or expired link', async () => {
    const { body } = await (await acme.as('sales')).upload('/api/upload-photos', form(await picture(60, 60)));
    const url: string = body.data.photo_url;
    expect((await platform.anonymous.get(`${url.slice(0, -2)}xx`)).status).toBe(403);
    expect((await platform.anonymous.get('/api/user-photo/nonsense')).status).toBe(403);
    expect((await platform.anonymous.get(url)).status).toBe(200);
  });
});
