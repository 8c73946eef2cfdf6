/** References in a body to records that the caller cannot see. They are rejected in the same way as unknown records. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member, Reply } from '@suite/testing';
import { everything, openCrm, type Shop } from '../test/fixture.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
let callers: Member[];
let hidden: Record<'lead' | 'deal' | 'opportunity' | 'quote', string>;
const hour = { start: '2027-01-01T10:00:00Z', end: '2027-01-01T11:00:00Z' };
const idOf = ({ body }: Reply): string => body.data.id;

beforeAll(async () => {
  shop = await openShop();
  const make = async (path: string, body: object) => idOf(await shop.owner.post(path, body));
  hidden = {
    lead: await make('/api/lead/create', { name: 'Secret', external_id: 'crm-7' }),
    deal: await make('/api/deal/create', { name: 'Secret', price: '10.00' }),
    opportunity: await make('/api/sales/opportunitity/store', { name: 'Secret' }),
    quote: await make('/api/sales/quotes/store', quoted()),
  };
  const nouns = ['lead', 'deal', 'opportunity', 'quote', 'sales_order', 'meeting'];
  const scoped = (scope: 'own' | 'team') => Object.fromEntries(nouns.map((noun) => [noun, scope]));
  const [salesman, mate] = [shop.hire(), shop.hire()];
  callers = [
    shop.member({ user_id: salesman, can: everything, record_scopes: scoped('own') }),
    shop.member({ user_id: mate, can: everything, record_scopes: scoped('team'), team: [mate, salesman] }),
  ];
});

const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
const called = { subject: 'Call', type: 'inbound', at: '2026-01-01T10:00:00Z', duration_seconds: 60 };
const quoted = () => ({ customer_id: shop.customer(), expiry_date: '2099-01-01', lines });

const bodies: [string, string, (id: string) => object, keyof typeof hidden][] = [
  ['/api/lead-call/store', 'lead_id', (lead_id) => ({ lead_id, ...called }), 'lead'],
  ['/api/deal-call/store', 'deal_id', (deal_id) => ({ deal_id, ...called }), 'deal'],
  ['/api/sales/quotes/store', 'opportunity_id', (opportunity_id) => ({ opportunity_id, ...quoted() }), 'opportunity'],
  ['/api/sales/sales-order/store', 'quote_id', (quote_id) => ({ quote_id }), 'quote'],
  ...(['lead', 'deal', 'opportunity', 'quote'] as const).map((parent_type): (typeof bodies)[number] => [
    '/api/sales/meeting/store',
    'parent_id',
    (parent_id) => ({ name: 'Talk', parent_type, parent_id, ...hour }),
    parent_type,
  ]),
];
const comparable = ({ status, body }: Reply) => ({ status, errors: body.errors, message: body.message });

describe('a reference to a hidden record', () => {
  test.each(bodies)('%s rejects a hidden %s in the same way as an unknown ID', async (path, field, body, kind) => {
    for (const caller of callers) {
      const refused = await caller.post(path, body(hidden[kind]));
      expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
      expect(comparable(refused)).toEqual(comparable(await caller.post(path, body(randomUUID()))));
    }
  });

  test.each(['/api/lead/lead-details', '/api/lead/lead-delete', '/api/lead/lead-create-update'])(
    '%s answers 404 for a lead that the caller must not see',
    async (path) => {
      for (const caller of callers)
        expect(await caller.post(path, { id: hidden.lead })).toMatchObject({
          status: 404,
          body: { code: 'not_found' },
        });
    },
  );

  test('neither changes nor reveals a lead with an external ID', async () => {
    for (const caller of callers) {
      const reply = await caller.post('/api/lead/lead-create-update', { external_id: 'crm-7', name: 'Mine now' });
      expect(reply).toMatchObject({ status: 409, body: { code: 'already_exists', details: { external_id: 'crm-7' } } });
      expect(JSON.stringify(reply.body)).not.toContain(hidden.lead);
    }
    expect((await shop.owner.get(`/api/lead/show/${hidden.lead}`)).body.data).toMatchObject({ name: 'Secret' });
  });

  test('reveals nothing else in an in_use error', async () => {
    const { id: label_id } = (await shop.owner.post('/api/label/create', { name: 'Warm' })).body.data;
    await shop.owner.post(`/api/lead/add-label/${hidden.lead}`, { label_ids: [label_id] });
    const [stage] = (await shop.owner.get('/api/lead-stages')).body.data;
    for (const caller of callers) {
      const replies = [
        await caller.delete(`/api/label/delete/${label_id}`),
        await caller.delete(`/api/lead-stage/delete/${stage.id}`),
      ];
      for (const reply of replies) expect(reply).toMatchObject({ status: 409, body: { details: { leads: 0 } } });
    }
  });
});
