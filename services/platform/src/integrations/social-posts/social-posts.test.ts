import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock } from '@suite/testing';
import sharp from 'sharp';
import { socialAccount } from '../../../test/social-account.ts';
import { platform as contents } from '../../platform.ts';
import { postLength } from './social-post.rules.ts';

const platform = await start({ ...contents, schedules: [] });
const { social, state, withToken, post, posts, publish, remove } = await socialAccount(platform);

describe('a post', () => {
  test('is published, and deleted on its server', async () => {
    expect((await post()).body.code).toBe('not_connected');
    await withToken();
    const { body } = await post({ text: 'Wir öffnen.', visibility: 'unlisted', language: 'de' });
    expect(body.data).toMatchObject({ status: 'queued', media: [], url: null });
    await publish();
    expect([...social.statuses.values()]).toMatchObject([
      { status: 'Wir öffnen.', visibility: 'unlisted', language: 'de', media_ids: [] },
    ]);
    const { id } = body.data;
    expect(await posts()).toMatchObject([{ id, status: 'published', url: expect.stringContaining('/@acme/') }]);
    expect(sortedStatuses([await remove(id), await remove(id)])).toEqual([200, 404]);
    expect(social.statuses.size).toBe(0);
  });

  test('is published once over several attempts', async () => {
    await withToken();
    const { id } = (await post()).body.data;
    await Promise.all([publish(), publish(), publish()]);
    expect(social.requests.filter(({ path }) => path === '/api/v1/statuses')).toMatchObject([
      { headers: { 'idempotency-key': id } },
    ]);
  });

  test("gets the server's result if it is being sent during a disconnection", async () => {
    const disconnect = () => state.owner.post('/api/socialpost/disconnect');
    await withToken();
    await post();
    social.meanwhile = disconnect;
    await publish();
    expect(await posts()).toMatchObject([
      { status: 'published', url: expect.stringContaining('/@acme/'), failure: null },
    ]);
    await withToken();
    const { id } = (await post({ text: 'Busy.' })).body.data;
    social.meanwhile = async () => {
      await disconnect();
      await withToken();
      social.queued_responses.push({ status: 503 });
    };
    await publish();
    await publish();
    expect((await posts())[0]).toMatchObject({ id, status: 'failed', failure_code: 'disconnected' });
    expect((await state.owner.get('/api/socialpost')).body.data).toMatchObject({
      status: 'connected',
      last_error: null,
    });
    expect([social.statuses.size, (await remove(id)).status]).toEqual([1, 200]);
  });

  test('is published at its scheduled time', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await withToken();
    for (const [scheduled_at, refused] of [
      ['2026-06-10T07:59:59Z', true],
      ['2028-01-01T00:00:00Z', true],
      ['2026-06-11T10:00:00+02:00', false],
    ])
      expect((await post({ scheduled_at })).status).toBe(refused ? 422 : 201);
    clock.goTo('2026-06-11T07:59:59Z');
    await publish();
    expect(social.statuses.size).toBe(0);
    clock.goTo('2026-06-11T08:00:00Z');
    await publish();
    expect(social.statuses.size).toBe(1);
  });

  test('is deleted without a request to the server before its publication', async () => {
    await withToken();
    const { id } = (await post({ scheduled_at: '2030-01-01T00:00:00Z' })).body.data ?? {};
    const queued = id ?? (await post()).body.data.id;
    const requestCount = social.requests.length;
    expect((await remove(queued)).status).toBe(200);
    await publish();
    expect(social.requests.length).toBe(requestCount);
  });

  test('remains if the server does not delete it', async () => {
    await withToken();
    const { id } = (await post()).body.data;
    await publish();
    social.queued_responses.push({ status: 503 });
    expect(await remove(id)).toMatchObject({ status: 502, body: { code: 'provider_failed' } });
    social.statuses.clear();
    expect((await remove(id)).status).toBe(200);
  });

  test('has redrawn images, each with its text', async () => {
    await withToken();
    const picture = async () => {
      const photo = sharp({ create: { width: 30, height: 20, channels: 3, background: '#336699' } });
      return new Blob([
        new Uint8Array(
          await photo
            .withExif({ IFD0: { Copyright: 'canary' } })
            .jpeg()
            .toBuffer(),
        ),
      ]);
    };
    const form = async (alt_texts: string[], count = 2) => {
      const parts = new FormData();
      parts.set('text', 'Look.');
      for (const alt of alt_texts) parts.append('alt_texts', alt);
      for (let at = 0; at < count; at += 1) parts.append('media', await picture(), `door-${at}.jpg`);
      return await state.owner.upload('/api/socialpost/post', parts);
    };
    expect(await form(['A door.'])).toMatchObject({
      status: 422,
      body: { errors: { alt_texts: [expect.any(String)] } },
    });
    expect((await form(Array(5).fill('A door.'), 5)).status).toBe(422);
    expect((await form(['A door.'], 1)).body.data.media).toEqual([
      { name: 'door-0.webp', mime: 'image/webp', alt: 'A door.' },
    ]);
    expect((await form(['A door.', 'A window.'])).status).toBe(201);
    social.busy_with_media = 1;
    await publish();
    expect([...social.media.values()].toSorted()).toEqual(['A door.', 'A door.', 'A window.']);
    expect(
      social.requests.filter(({ path }) => path === '/api/v2/media').some(({ body }) => body.includes('canary')),
    ).toBe(false);
    expect((await posts()).map(({ status }: { status: string }) => status).toSorted()).toEqual(['published', 'queued']);
    await platform.sql`UPDATE social_posts SET next_attempt_at = now() - interval '1 minute'`;
    await publish();
    expect((await posts()).map(({ status }: { status: string }) => status)).toEqual(['published', 'published']);
    expect(social.media.size).toBe(3);
    const [left] =
      await platform.sql`SELECT count(*)::int AS files FROM discarded_files WHERE workspace_id = ${state.acme.id}`;
    expect(left).toEqual({ files: 3 });
  });

  test("is limited by the server's count of visible characters", async () => {
    await withToken();
    expect((await post({ text: '👨‍👩‍👧'.repeat(300) })).status).toBe(201);
    expect(await post({ text: 'x'.repeat(301) })).toMatchObject({
      status: 422,
      body: { errors: { text: ['The server accepts at most 300 characters.'] } },
    });
    expect(postLength(`See https://example.com/${'a'.repeat(500)} now`, 23)).toBe('See  now'.length + 23);
  });

  test('is retried if the server is busy, and fails if the server rejects it', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await withToken();
    await post();
    social.queued_responses.push({ status: 429, headers: { 'retry-after': '120' } });
    await publish();
    expect(await posts()).toMatchObject([{ status: 'queued', attempts: 1, failure_code: 'server_busy' }]);
    clock.goTo('2026-06-10T08:02:00Z');
    await publish();
    expect(await posts()).toMatchObject([{ status: 'published', attempts: 2, failure: null }]);
    await post();
    social.queued_responses.push({ status: 422, json: { error: 'Validation failed' } });
    await publish();
    expect((await posts())[0]).toMatchObject({
      status: 'failed',
      failure: 'The server returned 422: Validation failed',
    });
  });

  test('shows server messages without scripts or invalid characters', async () => {
    await withToken();
    await post();
    social.queued_responses.push({ json: { id: '7\u0000', url: 'javascript:alert(1)' } });
    await publish();
    expect(await posts()).toMatchObject([{ status: 'published', url: null }]);
    await post();
    social.queued_responses.push({ status: 422, json: { error: 'No\u0000\ud83d.' } });
    await publish();
    expect((await posts())[0]).toMatchObject({ status: 'failed', failure: 'The server returned 422: No.' });
  });

  test('returns 409 for a deletion while an attempt is in progress', async () => {
    await withToken();
    const { id } = (await post()).body.data;
    await platform.sql`UPDATE social_posts SET claimed_until = now() + interval '1 minute' WHERE id = ${id}`;
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'being_published' } });
  });
});
