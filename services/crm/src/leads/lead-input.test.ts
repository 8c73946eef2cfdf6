import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
let id: string;
beforeAll(async () => {
  shop = await openShop();
  id = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data.id;
});

const wrong: [string, unknown][] = [
  ['name', ''],
  ['name', 'x'.repeat(201)],
  ['name', 7],
  ['name', ['Ada']],
  ['name', { contains: '' }],
  ['email', 'not-an-address'],
  ['phone', 'call me'],
  ['website', 'javascript:alert(1)'],
  ['website', 'ftp://example.com'],
  ['owner_id', 'not-an-id'],
  ['expected_value', '-1'],
  ['expected_value', 100],
  ['expected_value', '1e3'],
  ['expected_value', '1.00001'],
  ['expected_value', '1'.repeat(16)],
  ['next_follow_up', '2027-02-29'],
  ['next_follow_up', '2027-13-01'],
  ['next_follow_up', 'tomorrow'],
  ['next_follow_up', '2027-01-01T00:00:00Z'],
  ['score', 101],
  ['score', -1],
  ['score', 1.5],
  ['notes', 'x'.repeat(10_001)],
  ['label_ids', 'not-a-list'],
  ['label_ids', Array.from({ length: 51 }, () => crypto.randomUUID())],
  ['stage_id', null],
  ['lost_reason', ''],
];

describe.each(['/api/lead/create', '/api/lead/update/'])('POST %s', (route) => {
  const path = () => (route.endsWith('/') ? route + id : route);

  test.each(wrong)('rejects %s = %j and names the field', async (field, value) => {
    const { status, body } = await shop.owner.post(path(), { name: 'Ada', [field]: value });
    expect(status).toBe(422);
    expect(Object.keys(body.errors).map((name) => name.split('.')[0])).toEqual([field]);
    expect(body.message).toEqual(expect.any(String));
  });

  test.each([
    ['a list', '[]'],
    ['a string', '"Ada"'],
    ['a number', '1'],
    ['null', 'null'],
    ['a polluted object', '{"__proto__":{"name":"Ada"}}'],
  ])('rejects %s as its body', async (_, body) => {
    const reply = await shop.owner.send('POST', path(), body, { 'content-type': 'application/json' });
    expect(reply.status).toBe(422);
  });

  test('stores any text unchanged', async () => {
    const name = `'; DROP TABLE leads; -- <script>=1+1 \u{1f600}`;
    const reply = await shop.owner.post(path(), { name });
    expect(reply.body.data.name).toBe(name);
  });

  test('rejects a character that is invalid in text', async () => {
    const reply = await shop.owner.post(path(), { name: 'A\u0000da' });
    expect(reply.status).toBe(422);
  });
});

test.each(['pipeline', 'lead-stage', 'lead'])(
  'a new %s takes no version, because no user has seen one',
  async (noun) => {
    const body = { name: crypto.randomUUID(), version: 1 };
    expect(await shop.owner.post(`/api/lead/${noun}-create-update`, body)).toMatchObject({
      status: 422,
      body: { errors: { version: [expect.any(String)] } },
    });
  },
);
