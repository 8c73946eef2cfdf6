import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { formSettings, visitorsOf } from '../../../test/visitor.ts';

const { serving, shop: openShop } = await openCrm();
const { anonymous } = serving;
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
const { widget, wait } = visitorsOf(serving, () => shop);
const create = (more: object) => shop.owner.post('/api/widget/create', { ...formSettings, ...more });
const formStatus = async (token: string) => (await anonymous.get(`/api/widget/${token}`)).status;

describe('a widget', () => {
  test('has a public token and a tag to paste', async () => {
    const made = await widget();
    expect(made).toMatchObject({
      name: 'Contact',
      status: 'active',
      language: 'en',
      pipeline_id: shop.pipeline.id,
      stage_id: shop.leadStages['new'],
      owner_id: shop.owner.caller.user_id,
      token: expect.stringMatching(/^wgt_[\w-]{43}$/),
      consent: { ...formSettings.consent, required: true },
      colors: { accent: '#1d4ed8', text: '#111827', background: '#ffffff' },
      counters: { submitted: 0, merged: 0, spam: 0, refused: 0 },
      allowed_actions: ['update', 'rotate', 'revoke'],
      form_version: 1,
    });
    const shown = (await shop.owner.get(`/api/widget/show/${made.id}`)).body.data;
    expect(shown).toEqual({
      ...made,
      page_url: `http://suite.test/api/widget/${made.token}`,
      snippet: `<script src="http://suite.test/api/widget/${made.token}/embed.js" async></script>`,
    });
    expect((await shop.owner.get(`/api/widgets?id=${made.id}&q=contact`)).body.data).toEqual([made]);
  });

  test("changes its owner only for callers who can see its current owner's leads", async () => {
    const { id } = await widget();
    const can = ['widget.view', 'widget.update', 'lead.view'];
    const own = shop.member({ user_id: shop.hire(), can, record_scopes: { lead: 'own' } });
    const all = shop.member({ user_id: shop.hire(), can });
    const path = `/api/widget/update/${id}`;
    expect(await own.post(path, { owner_id: own.caller.user_id })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { noun: 'lead', record_scope: 'all' } },
    });
    expect(await own.post(path, { name: 'Contact us' })).toMatchObject({ status: 200 });
    expect(await all.post(path, { owner_id: own.caller.user_id })).toMatchObject({ status: 200 });
    expect(await own.post(path, { owner_id: all.caller.user_id })).toMatchObject({ status: 200 });
  });

  test('requires the permission, and belongs to one workspace', async () => {
    const { id } = await widget();
    const colleague = shop.member({ can: ['widget.view'] });
    expect((await colleague.get(`/api/widget/show/${id}`)).status).toBe(200);
    const refused = [
      await colleague.post('/api/widget/create', formSettings),
      await colleague.post(`/api/widget/update/${id}`, {}),
      await colleague.post(`/api/widget/rotate/${id}`, {}),
      await colleague.post(`/api/widget/revoke/${id}`, {}),
      await shop.member({ modules: ['sales'] }).get('/api/widgets'),
    ];
    expect(sortedStatuses(refused)).toEqual([403, 403, 403, 403, 403]);
    const elsewhere = (await openShop()).owner;
    expect((await elsewhere.get(`/api/widget/show/${id}`)).status).toBe(404);
    expect((await elsewhere.post(`/api/widget/revoke/${id}`, {})).status).toBe(404);
  });

  test('is updated fully or partly, and rejects a stale version', async () => {
    const { id } = await widget();
    const path = `/api/widget/update/${id}`;
    const { stage_id } = { stage_id: shop.leadStages['contacted'] };
    const changed = await shop.owner.post(path, { name: 'Fair', stage_id, version: 1 });
    expect(changed.body.data).toMatchObject({ name: 'Fair', stage_id, form_version: 2, version: 2 });
    expect((await shop.owner.post(path, { name: 'Late', version: 1 })).status).toBe(412);
  });

  test('rotates its token, and the previous one works during the given overlap', async () => {
    const { id, token } = await widget();
    const rotate = async (body: object = {}) => (await shop.owner.post(`/api/widget/rotate/${id}`, body)).body.data;
    const second = await rotate({ overlap_hours: 2 });
    expect([second.token === token, second.version, second.form_version]).toEqual([false, 2, 1]);
    expect([await formStatus(token), await formStatus(second.token)]).toEqual([200, 200]);
    wait(2 * 3_600_000);
    expect([await formStatus(token), await formStatus(second.token)]).toEqual([404, 200]);
    const third = await rotate();
    expect([await formStatus(second.token), await formStatus(third.token)]).toEqual([404, 200]);
    expect((await shop.owner.post(`/api/widget/rotate/${id}`, { overlap_hours: 169 })).status).toBe(422);
  });

  test('stays revoked for good', async () => {
    const { id, token } = await widget();
    for (const time of [1, 2]) {
      const reply = await shop.owner.post(`/api/widget/revoke/${id}`, {});
      expect([time, reply.status, reply.body.data.status]).toEqual([time, 200, 'revoked']);
    }
    expect(await formStatus(token)).toBe(404);
    for (const verb of ['update', 'rotate'])
      expect((await shop.owner.post(`/api/widget/${verb}/${id}`, {})).body.code).toBe('invalid_transition');
  });

  const [name] = formSettings.fields;
  test.each([
    ['no origin that is one', { allowed_origins: ['www.example.com'] }, 'allowed_origins.0'],
    ['an origin without TLS', { allowed_origins: ['http://www.example.com'] }, 'allowed_origins.0'],
    ['an origin with a path', { allowed_origins: ['https://www.example.com/'] }, 'allowed_origins.0'],
    ['an origin that is half of the world', { allowed_origins: ['https://*.com'] }, 'allowed_origins.0'],
    ['an origin that smuggles', { allowed_origins: ['https://a.example; script-src *'] }, 'allowed_origins.0'],
    ['too many origins', { allowed_origins: Array(21).fill('https://a.example') }, 'allowed_origins'],
    ['no fields', { fields: [] }, 'fields'],
    ['nothing to call a lead by', { fields: [{ ...name, required: false }] }, 'fields'],
    ['a field twice', { fields: [name, name] }, 'fields.1.name'],
    ['an e-mail address of another type', { fields: [name, { name: 'email', type: 'text', label: 'E' }] }, 'fields.1'],
    ['nothing to choose from', { fields: [name, { name: 'size', type: 'select', label: 'S' }] }, 'fields.1'],
    ['a field that is called wrongly', { fields: [{ ...name, name: '__proto__' }] }, 'fields.0.name'],
    ['no texts in its language', { language: 'fr' }, 'texts'],
    ['a language that is none', { texts: { Klingon: formSettings.texts.en } }, 'texts.Klingon'],
    ['a stage of another pipeline', { stage_id: randomUUID() }, 'stage_id'],
    ['an owner who is unknown', { owner_id: randomUUID() }, 'owner_id'],
    ['a source that is unknown', { source_id: randomUUID() }, 'source_id'],
    ['a label that is unknown', { label_ids: [randomUUID()] }, 'label_ids'],
    ['an address that runs', { redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
    ['a token of its own', { token: 'wgt_mine' }, 'token'],
  ])('is rejected with %s', async (_, more, field) => {
    const { status, body } = await create(more);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test('rejects a lost stage as the first stage of its leads', async () => {
    const { status, body } = await create({ stage_id: shop.leadStages['lost'] });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['stage_id']]);
  });

  test.each([
    [{ text: '#777777', accent: '#1d4ed8', background: '#ffffff' }, { text: 4.47 }],
    [{ text: '#111827', accent: '#ffff00', background: '#ffffff' }, { accent: 1.07 }],
  ])('rejects colours with low contrast: %j', async (colors, contrasts) => {
    expect(await create({ colors })).toMatchObject({
      status: 422,
      body: { code: 'contrast_too_low', details: { contrasts, needed: 4.5 } },
    });
  });
});
