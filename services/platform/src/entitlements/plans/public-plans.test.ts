import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import type { Database } from '@suite/chassis/database';
import { plansCommand } from '../../cli/plans.ts';
import type { Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const operator = (...words: string[]) => plansCommand(words, { database: platform.database as Database<Db> });
const price = (code: string, currency: string, interval: string, amount: string, ...more: string[]) =>
  operator('price', '--code', code, '--currency', currency, '--interval', interval, '--amount', amount, ...more);
const ask = (query = '', headers: Record<string, string> = {}) =>
  platform.anonymous.get(`/api/public/plans${query}`, { headers });
const codes = async (query = '') => (await ask(query)).body.data.map(({ code }: { code: string }) => code);

beforeEach(async () => {
  await price('starter', 'EUR', 'month', '9.00');
  await price('business', 'EUR', 'month', '49.00', '--per-user');
  await price('business', 'EUR', 'year', '490.00');
  await price('business', 'USD', 'month', '55.00');
});
afterEach(async () => {
  await platform.sql`DELETE FROM plans WHERE code IN ('tiny', 'secret')`;
});

describe('the price list', () => {
  test('shows all callers every offered plan in display order', async () => {
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    expect(body.meta.total).toBe(3);
    expect(body.data.map(({ code }: { code: string }) => code)).toEqual(['starter', 'business', 'enterprise']);
    expect(body.data[1]).toEqual({
      code: 'business',
      name: 'Business',
      description: expect.any(String),
      features: [],
      modules: expect.arrayContaining(['crm', 'invoicing']),
      prices: [
        { price_id: expect.any(String), currency: 'EUR', interval: 'month', amount: '49.00', per_user: true },
        { price_id: expect.any(String), currency: 'EUR', interval: 'year', amount: '490.00', per_user: false },
        { price_id: expect.any(String), currency: 'USD', interval: 'month', amount: '55.00', per_user: false },
      ],
      trial_days: 14,
      limits: { users: 25, customers: null, storage_mb: null, api_rpm: null },
      recommended: false,
    });
    expect(body.data[2].prices).toEqual([]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(JSON.stringify(body)).not.toContain('wholesale');
  });

  test('returns 304 until a price has changed', async () => {
    const { headers } = await ask();
    const etag = headers.get('etag')!;
    expect((await ask('', { 'if-none-match': etag })).status).toBe(304);
    await price('starter', 'EUR', 'month', '10.00');
    const again = await ask('', { 'if-none-match': etag });
    expect(again.status).toBe(200);
    expect(again.body.data[0].prices).toMatchObject([{ amount: '10.00' }]);
  });

  test.each([
    ['?currency=EUR', ['starter', 'business']],
    ['?currency=USD', ['business']],
    ['?currency=CHF', []],
    ['?interval=year', ['business', 'enterprise']],
    ['?currency=USD&interval=year', []],
    ['?module=invoicing', ['business', 'enterprise']],
    ['?module=hrm&currency=EUR', []],
  ])('responds to %s with the plans %p', async (query, expected) => {
    expect(await codes(query)).toEqual(expected);
  });

  test('filters the prices by currency and interval', async () => {
    const { body } = await ask('?currency=EUR&interval=year');
    expect(body.data).toMatchObject([{ code: 'business', prices: [{ amount: '490.00' }] }]);
    expect(body.data[0].prices).toHaveLength(1);
  });

  test.each([
    ['currency', '?currency=euro'],
    ['currency', '?currency=XXY'],
    ['interval', '?interval=week'],
    ['module', '?module=moon'],
    ['locale', '?locale=!'],
    ['page', '?page=2'],
  ])('rejects an invalid %s: %s', async (field, query) => {
    expect(await ask(query)).toMatchObject({ status: 422, body: { errors: { [field]: expect.anything() } } });
  });

  test('uses the nearest available translation of a plan', async () => {
    const tiny = ['--code', 'tiny', '--name', 'Tiny', '--description', 'A little.', '--modules', 'crm'];
    await operator('add', ...tiny, '--feature', 'leads=Leads', '--feature', 'deals=Deals', '--position', '0');
    await operator('text', '--code', 'tiny', '--locale', 'de', '--name', 'Klein', '--feature', 'leads=Kontakte');
    await operator('text', '--code', 'tiny', '--locale', 'de-AT', '--description', 'A bisserl.');
    const first = async (query: string) => (await ask(query)).body.data[0];
    expect(await first('?locale=de-AT')).toMatchObject({
      name: 'Klein',
      description: 'A bisserl.',
      features: [
        { key: 'leads', text: 'Kontakte' },
        { key: 'deals', text: 'Deals' },
      ],
    });
    expect(await first('?locale=de-CH')).toMatchObject({ name: 'Klein', description: 'A little.' });
    expect(await first('?locale=fr')).toMatchObject({ name: 'Tiny' });
  });

  test('excludes hidden and retired plans', async () => {
    const secret = ['--code', 'secret', '--name', 'Secret', '--description', 'For friends.', '--modules', 'crm,sales'];
    await operator('add', ...secret, '--hidden');
    expect(await codes()).not.toContain('secret');
    await operator('offer', '--code', 'secret', '--public', 'yes');
    expect(await codes()).toContain('secret');
    await operator('retire', '--code', 'secret');
    expect(await codes()).not.toContain('secret');
  });
});
