import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, others, platform, shop: openShop } = await openCrm({ replicas: 2 });
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const lead = async (body: object = {}) =>
  (await shop.owner.post('/api/lead/create', { name: 'Ada', ...body })).body.data;
const convert = (id: string, body: object = {}, by = shop.owner) => by.post(`/api/lead/convert-to-deal/${id}`, body);
const show = async (kind: string, id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
const dealsOf = (id: string) => serving.sql`SELECT id FROM deals WHERE lead_id = ${id}`;
const countClientRequests = () => platform.calls.filter((call) => call.startsWith('ensureClientUser')).length;
const newClient = (more: object = {}) => ({
  name: 'Clara',
  email: `clara.${crypto.randomUUID()}@example.com`,
  ...more,
});

describe('converting a lead', () => {
  test('creates a deal in the pipeline of the lead, with its expected value', async () => {
    const robin = shop.hire({ name: 'Robin' });
    const { id } = await lead({ expected_value: '1234.5', phone: '+49 30 999', user_ids: [robin] });
    const { status, body } = await convert(id);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Ada',
      price: '1234.50',
      currency: 'EUR',
      phone: '+49 30 999',
      status: 'open',
      lead_id: id,
      pipeline_id: shop.pipeline.id,
      stage_id: shop.dealStages['qualification'],
    });
    expect(await show('lead', id)).toMatchObject({
      status: 'converted',
      converted_deal_id: body.data.id,
      converted_at: expect.any(String),
      position: null,
      allowed_actions: ['add_note'],
    });
    const deal = await show('deal', body.data.id);
    expect(deal.users.map(({ name }: { name: string }) => name)).toEqual(['Kim Example', 'Robin']);
    expect(deal.stage_history).toMatchObject([{ from_name: null, to_name: 'Qualification' }]);
    const events = await serving.sql`
      SELECT type, data FROM journal_events WHERE aggregate_id IN (${id}, ${body.data.id}) ORDER BY position`;
    expect(events.map(({ type }) => type)).toEqual(['crm.lead.created', 'crm.deal.created', 'crm.lead.converted']);
    expect(events[2]?.data).toEqual({ lead_id: id, deal_id: body.data.id, client_ids: [] });
  });

  test('uses the given name, price, currency and pipeline', async () => {
    const { body: made } = await shop.owner.post('/api/pipeline/create', { name: `Partners ${crypto.randomUUID()}` });
    const { id } = await lead();
    const conversion = { deal_name: 'Engines', price: '10', currency: 'USD', pipeline_id: made.data.id };
    expect((await convert(id, conversion)).body.data).toMatchObject({
      name: 'Engines',
      price: '10.00',
      currency: 'USD',
      pipeline_id: made.data.id,
    });
  });

  test('returns 200 with the same deal when repeated', async () => {
    const { id } = await lead();
    const first = await convert(id, { client: newClient() });
    const second = await convert(id, { deal_name: 'Another', client: newClient() });
    expect(second).toMatchObject({ status: 200, body: { data: { id: first.body.data.id, name: 'Ada' } } });
    expect(await dealsOf(id)).toHaveLength(1);
  });

  test('creates one deal and one client from fifty concurrent requests to two replicas', async () => {
    const { id } = await lead();
    const client = newClient();
    const door = others[0]?.member({
      ...shop.owner.caller,
      workspace: shop.workspace,
      can: shop.owner.caller.permissions,
    });
    const replies = await runConcurrently(50, (at) =>
      convert(id, { client, copy: ['calls'] }, at % 2 ? door : shop.owner),
    );
    expect(sortedStatuses(replies)).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await dealsOf(id)).toHaveLength(1);
    expect([...platform.residents.values()].filter(({ email }) => email === client.email)).toHaveLength(1);
    expect(await serving.sql`SELECT type FROM journal_events WHERE aggregate_id = ${id}`).toHaveLength(2);
  });

  test('has one outcome when the lead is concurrently moved to lost', async () => {
    const { id } = await lead();
    const lose = { stage_id: shop.leadStages['lost'], lost_reason: 'Too dear' };
    const [lost, converted] = await Promise.all([shop.owner.post(`/api/lead/update/${id}`, lose), convert(id)]);
    expect([`${lost.status} ${converted.status}`]).toContainEqual(expect.stringMatching(/^(200 409|409 201)$/));
    const { status } = await show('lead', id);
    expect(status).toBe(converted.status === 201 ? 'converted' : 'lost');
    expect(await dealsOf(id)).toHaveLength(converted.status === 201 ? 1 : 0);
  });

  test('rejects a lost lead until it is reopened', async () => {
    const { id } = await lead({ stage_id: shop.leadStages['lost'], lost_reason: 'Too dear' });
    const before = countClientRequests();
    expect(await convert(id, { client: newClient() })).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        details: { from: 'lost', action: 'convert', allowed: ['reopen', 'add_note', 'update', 'move', 'delete'] },
      },
    });
    expect(countClientRequests()).toBe(before);
  });

  test('returns 404 for a lead of another workspace, and creates no client', async () => {
    const { id } = await lead();
    const before = countClientRequests();
    expect(await convert(id, { client: newClient() }, otherShop.owner)).toMatchObject({ status: 404 });
    expect(await convert(crypto.randomUUID(), { client: newClient() })).toMatchObject({ status: 404 });
    expect(countClientRequests()).toBe(before);
  });

  test.each([
    ['a client who is unknown', () => ({ client: { id: crypto.randomUUID() } }), 'client'],
    ['a client who is a colleague', () => ({ client: { id: shop.hire() } }), 'client'],
    ['a client of another workspace', () => ({ client: { id: otherShop.hire({ kind: 'client' }) } }), 'client'],
    ['a stage of another pipeline', () => ({ stage_id: otherShop.dealStages['won'] }), 'stage_id'],
    ['a lead stage', () => ({ stage_id: shop.leadStages['new'] }), 'stage_id'],
    ['a negative price', () => ({ price: '-1' }), 'price'],
    ['something that cannot be copied', () => ({ copy: ['tasks'] }), 'copy.0'],
    ['a client with half an address', () => ({ client: { name: 'Clara', email: 'clara' } }), 'client.email'],
  ])('is rejected with %s, and changes nothing', async (_, body, field) => {
    const { id } = await lead();
    expect(await convert(id, body())).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    expect(await show('lead', id)).toMatchObject({ status: 'open', version: 1 });
    expect(await dealsOf(id)).toEqual([]);
  });
});

describe('the client of a converted lead', () => {
  const clientsOf = async (body: { data: { id: string } }) => (await show('deal', body.data.id)).clients;
  const known = async (more: object) => {
    const id = shop.hire({ kind: 'client', name: 'Known', ...more });
    await shop.owner.post('/api/deal/create', { name: 'Before', client_ids: [id] });
    return id;
  };

  test('is the given client', async () => {
    const id = await known({});
    const { body } = await convert((await lead()).id, { client: { id } });
    expect(await clientsOf(body)).toEqual([{ id, name: 'Known', kind: 'client' }]);
  });

  const announced = async (id: string) => {
    const [event] =
      await serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'crm.lead.converted'`;
    return event?.data;
  };

  test('is created by platform if unknown, and is notified of the conversion', async () => {
    const { id } = await lead();
    const client = newClient({ phone: '+49 30 1' });
    const { body } = await convert(id, { client });
    const [{ id: user_id }] = await clientsOf(body);
    expect(await clientsOf(body)).toMatchObject([{ name: 'Clara', kind: 'client' }]);
    expect(await announced(id)).toEqual({
      lead_id: id,
      deal_id: body.data.id,
      client_ids: [user_id],
      new_client: { ...client, user_id, idempotency_key: expect.any(String) },
    });
  });

  test.each([
    ['an unknown stage', () => ({ stage_id: crypto.randomUUID() }), 'stage_id'],
    ['an unknown pipeline', () => ({ pipeline_id: crypto.randomUUID() }), 'pipeline_id'],
    ['products in another currency', () => ({ copy: ['products'], currency: 'USD' }), 'copy'],
  ])('is not requested from platform for a rejected conversion: %s', async (_, wrong, field) => {
    const { id } = await lead();
    const [first, second] = [newClient(), newClient({ name: 'Berta' })];
    const before = countClientRequests();
    expect(await convert(id, { client: first, ...wrong() })).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    expect(countClientRequests()).toBe(before);
    expect(await show('lead', id)).toMatchObject({ status: 'open', version: 1 });
    expect(await serving.sql`SELECT FROM journal_events WHERE aggregate_id = ${id}`).toHaveLength(1);
    const { status, body } = await convert(id, { client: second });
    expect([status, (await clientsOf(body)).map(({ name }: { name: string }) => name)]).toEqual([201, ['Berta']]);
    expect([...platform.residents.values()].filter(({ email }) => email === first.email)).toEqual([]);
  });

  test('is the known client with the address in any spelling, never by phone number', async () => {
    const by_number = await known({ phone: '+49 (30) 555-01' });
    const by_address = await known({ email: 'otto@example.com' });
    const before = countClientRequests();
    const one = await convert((await lead()).id, {
      client: { name: 'Otto', email: 'Otto@Example.com', phone: '+493055501' },
    });
    expect(await clientsOf(one.body)).toMatchObject([{ id: by_address }]);
    const { id } = await lead({ phone: '0049 30 55501' });
    expect((await show('lead', id)).possible_clients).toEqual([{ id: by_number, name: 'Known', kind: 'client' }]);
    const two = await convert(id);
    expect(await clientsOf(two.body)).toEqual([]);
    expect(countClientRequests()).toBe(before);
  });

  test.each([
    ['crm knows', true],
    ['only platform knows', false],
  ])('keeps their own password: a client who %s', async (_, isCopied) => {
    const email = `otto.${crypto.randomUUID()}@example.com`;
    if (isCopied) await known({ email });
    else shop.hire({ kind: 'client', email });
    const { id } = await lead();
    const reply = await convert(id, { client: newClient({ email, password: 'chosen by sales 77' }) });
    expect(reply).toMatchObject({ status: 422, body: { code: 'client_has_account' } });
    expect(await show('lead', id)).toMatchObject({ status: 'open', version: 1 });
    expect(await dealsOf(id)).toEqual([]);
  });

  test('is missing if the request has none and none is known', async () => {
    const { body } = await convert((await lead({ email: 'new@example.com' })).id);
    expect(await clientsOf(body)).toEqual([]);
  });

  test('cannot be a staff user with the same address', async () => {
    const email = `boss.${crypto.randomUUID()}@example.com`;
    shop.hire({ email });
    const { id } = await lead();
    expect(await convert(id, { client: newClient({ email }) })).toMatchObject({
      status: 422,
      body: { errors: { 'client.email': [expect.any(String)] } },
    });
    expect(await dealsOf(id)).toEqual([]);
    const client = newClient();
    const { status, body } = await convert(id, { client });
    expect(status).toBe(201);
    expect(await announced(id)).toMatchObject({ deal_id: body.data.id, new_client: { email: client.email } });
  });
});
