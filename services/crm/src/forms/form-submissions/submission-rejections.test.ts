import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reply } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { PAGE, visitorsOf } from '../../../test/visitor.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
const { widget, load, filled, send, wait, counters } = visitorsOf(serving, () => shop);
const codeOf = ({ status, body }: Reply) => [status, body.code];

describe('a form', () => {
  test.each([
    ['from a foreign page', { origin: 'https://evil.example' }],
    ['without an origin', { origin: '' }],
    ['from a page without one', { origin: 'null' }],
    ['from nearly the right page', { origin: `${PAGE}.evil.example` }],
  ])('is rejected %s', async (_, from) => {
    const asked = await widget();
    const form = await load(asked);
    wait(5_000);
    expect(codeOf(await send(filled(form, { name: 'Ada' }), from))).toEqual([403, 'origin_not_allowed']);
    expect(await counters(asked)).toMatchObject({ submitted: 0, refused: 1 });
    for (const origin of ['https://a.shop.example', 'http://suite.test'])
      expect((await send(filled(form, { name: 'Ada' }), { origin })).status).toBe(201);
  });

  test('is rejected with the names of its invalid fields', async () => {
    const form = await load(await widget());
    wait(5_000);
    const reply = await send(filled(form, { email: 'x', size: 'huge', owner_id: 'me' }));
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([
      422,
      ['fields.owner_id', 'fields.name', 'fields.email', 'fields.size'],
    ]);
    const corrected = await send(filled(form, { name: 'Ada', size: 'large' }));
    expect(corrected.status).toBe(201);
  });

  test('is rejected if too early, too late, forged, changed, or without consent', async () => {
    const asked = await widget();
    const form = await load(asked);
    const sent = (more: object = {}) => send(filled(form, { name: 'Ada' }, more));
    wait(1_000);
    const early = await sent();
    expect([...codeOf(early), early.headers.get('retry-after')]).toEqual([422, 'too_fast', '2']);
    wait(1_000);
    expect(codeOf(await sent({ consent: undefined }))).toEqual([422, 'consent_required']);
    expect(codeOf(await sent({ consent: { accepted: false, version: 1 } }))).toEqual([422, 'consent_required']);
    expect(codeOf(await sent({ form_token: form.form_token.replace(/.$/, '_') }))).toEqual([422, 'form_expired']);
    const other = await load(await widget());
    wait(3_000);
    expect(codeOf(await sent({ form_token: other.form_token }))).toEqual([422, 'form_expired']);
    await shop.owner.post(`/api/widget/update/${asked.id}`, { consent: { text: 'I agree to all.' } });
    expect(codeOf(await sent())).toEqual([422, 'form_changed']);
    const fresh = await load(asked);
    wait(24 * 3_600_000 + 1);
    expect(codeOf(await send(filled(fresh, { name: 'Ada' })))).toEqual([422, 'form_expired']);
  });

  test('is rejected with an unknown token, as with a revoked one', async () => {
    const asked = await widget();
    const form = await load(asked);
    await shop.owner.post(`/api/widget/revoke/${asked.id}`, {});
    wait(5_000);
    for (const token of [form.token, `wgt_${'x'.repeat(43)}`, 'x'])
      expect(codeOf(await send(filled({ ...form, token }, { name: 'Ada' })))).toEqual([404, 'not_found']);
  });

  test('is rejected after 200 an hour with one token, not counting malformed forms', async () => {
    const asked = await widget();
    const form = await load(asked);
    wait(5_000);
    const [{ id }] = (await serving.sql`SELECT id FROM widget_tokens WHERE widget_id = ${asked.id}`) as [
      { id: string },
    ];
    expect((await send(filled(form, { name: 'Ada' }))).status).toBe(201);
    await serving.sql`UPDATE widget_hits SET hits = 199 WHERE token_id = ${id}`;
    const malformed = await send({ ...filled(form, { name: 'Ada' }), submission_id: 'one' });
    expect([malformed.status, Object.keys(malformed.body.errors)]).toEqual([422, ['submission_id']]);
    expect((await send(filled(form, { name: 'Ada' }))).status).toBe(201);
    const often = await send(filled(form, { name: 'Ada' }));
    expect([...codeOf(often), often.headers.get('retry-after')]).toEqual([429, 'rate_limited', '3600']);
    wait(3_600_000);
    expect((await send(filled(form, { name: 'Ada' }))).status).toBe(201);
  });

  test.each([
    ['a form of HTML', 'text/plain', JSON.stringify({}), 415, 'unsupported_media_type'],
    ['a form as browsers send it', 'application/x-www-form-urlencoded', 'token=x', 415, 'unsupported_media_type'],
    ['more than 32 KiB', 'application/json', JSON.stringify({ token: 'x'.repeat(33_000) }), 413, 'payload_too_large'],
    ['half of JSON', 'application/json', '{"token":', 422, 'malformed_json'],
  ])('is rejected as %s', async (_, type, body, status, code) => {
    const reply = await serving.anonymous.send('POST', '/api/widget/lead', body, {
      'content-type': type,
      origin: PAGE,
    });
    expect(codeOf(reply)).toEqual([status, code]);
  });
});
