import { beforeEach, describe, expect, test } from '@jest/globals';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let lead_id: string;
beforeEach(async () => {
  shop = await openShop();
  lead_id = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data.id;
});

const hour = { start: '2026-10-25T00:30:00Z', end: '2026-10-25T01:30:00Z' };
const store = (body: object = {}, by = shop.owner) =>
  by.post('/api/sales/meeting/store', { name: 'Demo', parent_type: 'lead', parent_id: lead_id, ...hour, ...body });
const createMeeting = async (body: object = {}) => (await store(body)).body.data;
const update = (id: string, body: object, by = shop.owner) => by.post(`/api/sales/meeting/update/${id}`, body);
const list = async (query = '', by = shop.owner) => (await by.get(`/api/sales/meetings${query}`)).body.data;

describe('a meeting', () => {
  test('has a record, users and contacts, and defaults to the workspace time zone', async () => {
    const user_id = shop.hire({ name: 'Robin' });
    const attendees = [{ user_id }, { name: 'Grace', email: 'grace@example.com', response: 'accepted' }, { user_id }];
    const { status, body } = await store({ attendees, location: 'Room 1' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      parent_type: 'lead',
      parent_id: lead_id,
      parent_name: 'Ada',
      status: 'planned',
      timezone: 'Europe/Berlin',
      start: '2026-10-25T00:30:00.000Z',
      attendees: [
        { user_id, name: 'Robin', response: 'pending' },
        { user_id: null, name: 'Grace', email: 'grace@example.com', response: 'accepted' },
      ],
      allowed_actions: ['hold', 'miss', 'cancel', 'update', 'delete'],
    });
    expect(await createMeeting({ timezone: 'Asia/Tokyo' })).toMatchObject({ timezone: 'Asia/Tokyo', attendees: [] });
  });

  test('keeps the responses of remaining attendees', async () => {
    const [one, two] = [shop.hire(), shop.hire()];
    const { id } = await createMeeting({ attendees: [{ user_id: one, response: 'accepted' }] });
    const { attendees } = (await update(id, { attendees: [{ user_id: one }, { user_id: two }] })).body.data;
    const responses = attendees.map((who: { user_id: string; response: string }) => [who.user_id, who.response]);
    expect(Object.fromEntries(responses)).toEqual({ [one]: 'accepted', [two]: 'pending' });
    expect((await update(id, { attendees: [] })).body.data.attendees).toEqual([]);
  });

  test('can be about each kind of record, and about a customer in finance', async () => {
    const sales = salesSteps(shop);
    const deal = (await shop.owner.post('/api/deal/create', { name: 'Engines' })).body.data.id;
    const opportunity = (await shop.owner.post('/api/sales/opportunitity/store', { name: 'Chance' })).body.data.id;
    const parents = {
      deal,
      opportunity,
      customer: sales.customer_id,
      quote: (await sales.quote()).id,
      order: (await sales.order()).id,
    };
    for (const [parent_type, parent_id] of Object.entries(parents)) {
      const found = (await store({ parent_type, parent_id })).body.data;
      expect(found).toMatchObject({ parent_type, parent_id, parent_name: expect.any(String) });
      expect(await list(`?parent_type=${parent_type}&parent_id=${parent_id}`)).toMatchObject([{ id: found.id }]);
    }
  });

  test.each([
    ['an end before its beginning', () => ({ end: hour.start }), 'end'],
    ['a parent who is unknown', () => ({ parent_id: crypto.randomUUID() }), 'parent_id'],
    ['a parent of another kind', () => ({ parent_type: 'deal' }), 'parent_id'],
    ['a customer who is unknown', () => ({ parent_type: 'customer' }), 'parent_id'],
    ['a zone that there is not', () => ({ timezone: 'Mars/Base' }), 'timezone'],
    ['an attendee who is unknown', () => ({ attendees: [{ user_id: crypto.randomUUID() }] }), 'attendees.0.user_id'],
    ['an attendee without user and contact', () => ({ attendees: [{}] }), 'attendees.0.user_id'],
    ['a state', () => ({ status: 'held' }), 'status'],
  ])('is rejected with %s', async (_, body, field) => {
    expect(await store(body())).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('cannot be about a record that its creator cannot see', async () => {
    const seller = shop.member({ can: everything, record_scopes: { lead: 'own' } });
    expect(await store({}, seller)).toMatchObject({ status: 422, body: { errors: { parent_id: expect.any(Array) } } });
    const elsewhere = await openShop();
    expect(await store({}, elsewhere.owner)).toMatchObject({ status: 422 });
  });

  test('is held, not held or cancelled once, and then only accepts minutes', async () => {
    const { id } = await createMeeting();
    expect((await update(id, { status: 'held', description: 'They like it.' })).body.data).toMatchObject({
      status: 'held',
      description: 'They like it.',
      allowed_actions: ['update', 'delete'],
    });
    expect(await update(id, { status: 'held' })).toMatchObject({ status: 200 });
    expect(await update(id, { status: 'cancelled' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await update(id, { location: 'Room 2' })).toMatchObject({ status: 409, body: { code: 'meeting_is_over' } });
    expect(await update(id, { description: 'They buy.' })).toMatchObject({ status: 200 });
  });

  test('moves to another record only if both kind and ID are given', async () => {
    const { id } = await createMeeting();
    const deal = (await shop.owner.post('/api/deal/create', { name: 'Engines' })).body.data.id;
    expect(await update(id, { parent_id: deal })).toMatchObject({
      status: 422,
      body: { errors: { parent_type: expect.any(Array) } },
    });
    expect(await update(id, { parent_type: 'deal' })).toMatchObject({
      status: 422,
      body: { errors: { parent_id: expect.any(Array) } },
    });
    expect((await update(id, { parent_type: 'deal', parent_id: deal })).body.data).toMatchObject({
      parent_type: 'deal',
      parent_name: 'Engines',
    });
  });

  test('is visible to its organiser and attendees with the record scope "own"', async () => {
    const own = { can: everything, record_scopes: { meeting: 'own' } } as const;
    const [guest, outsider] = [shop.member({ ...own, user_id: shop.hire() }), shop.member(own)];
    const { id } = await createMeeting({ attendees: [{ user_id: guest.caller.user_id }] });
    expect([await list('', guest), await list('', outsider)]).toMatchObject([[{ id }], []]);
    expect(await update(id, { name: 'Mine' }, outsider)).toMatchObject({ status: 404 });
  });

  test('is listed by start time with its attendees, in few statements', async () => {
    const first = await createMeeting({ start: '2026-01-01T10:00:00Z', end: '2026-01-01T11:00:00Z' });
    const second = await createMeeting();
    const before = serving.database.statements;
    const found = await list('?sort=start&expand=attendees&status=planned&start[gte]=2020-01-01T00:00:00Z');
    expect(serving.database.statements - before).toBeLessThanOrEqual(3);
    expect(found.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  });

  test('is deleted alone, and together with the record that it is about', async () => {
    const { id } = await createMeeting();
    expect(await shop.owner.delete(`/api/sales/meeting/destroy/${id}`)).toMatchObject({ status: 200 });
    await createMeeting();
    await shop.owner.delete(`/api/lead/delete/${lead_id}`);
    expect(await list()).toEqual([]);
  });
});
