import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const lead = async (body: object = {}) =>
  (await shop.owner.post('/api/lead/create', { name: 'Ada', ...body })).body.data;
const convert = (id: string, body: object = {}) => shop.owner.post(`/api/lead/convert-to-deal/${id}`, body);
const show = async (kind: string, id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;

describe('a deal', () => {
  async function gathered() {
    const { data: source } = (await shop.owner.post('/api/source/create', { name: crypto.randomUUID() })).body;
    const { id } = await lead({ source_ids: [source.id] });
    const form = new FormData();
    form.set('file', new Blob(['An offer.']), 'offer.txt');
    await shop.owner.upload(`/api/lead-file/store/${id}`, form);
    await shop.owner.post(`/api/lead-discussion/store/${id}`, { comment: 'Nice' });
    const call = { lead_id: id, subject: 'Hello', type: 'outbound', at: '2026-01-01T10:00:00Z', duration_seconds: 60 };
    await shop.owner.post('/api/lead-call/store', call);
    await shop.owner.post(`/api/lead-email/store/${id}`, { to: ['a@example.com'], subject: 'Waiting', body: 'Hi' });
    await serving.sql`
      INSERT INTO emails (id, workspace_id, lead_id, "to", cc, subject, body, delivery, sent_at)
      VALUES (gen_random_uuid(), ${shop.workspace}, ${id}, '{a@example.com}', '{}', 'Sent', 'Hi', 'sent', now())`;
    return { id, source };
  }

  test('copies the requested parts, and leaves the lead unchanged', async () => {
    const { id, source } = await gathered();
    const copy = ['sources', 'files', 'discussions', 'calls', 'emails'];
    const deal = await show('deal', (await convert(id, { copy })).body.data.id);
    expect(deal).toMatchObject({
      sources: [{ id: source.id }],
      files: [{ name: 'offer.txt', deal_id: deal.id, lead_id: null }],
      discussions: [{ comment: 'Nice', created_by: shop.owner.caller.user_id }],
      calls: [{ subject: 'Hello', duration_seconds: 60, at: '2026-01-01T10:00:00.000Z' }],
      emails: [{ subject: 'Sent', delivery: 'sent' }],
      tasks: [],
    });
    const versions = await serving.sql`
      SELECT DISTINCT substr(id::text, 15, 1) AS version FROM (
        SELECT id FROM files WHERE deal_id = ${deal.id} UNION ALL SELECT id FROM discussions WHERE deal_id = ${deal.id}
        UNION ALL SELECT id FROM calls WHERE deal_id = ${deal.id} UNION ALL SELECT id FROM emails WHERE deal_id = ${deal.id}
      ) AS copies`;
    expect(versions).toEqual([{ version: '7' }]);
    const kept = await show('lead', id);
    for (const part of ['sources', 'files', 'discussions', 'calls']) expect(kept[part]).toHaveLength(1);
    expect(kept.emails).toHaveLength(2);
  });

  test('copies nothing that is not requested', async () => {
    const { id } = await gathered();
    const deal = await show('deal', (await convert(id, { copy: ['calls'] })).body.data.id);
    expect(deal).toMatchObject({ calls: [{}], sources: [], files: [], discussions: [], emails: [] });
  });

  test('cannot be deleted while its lead exists, and vice versa', async () => {
    const { id } = await lead();
    const deal = (await convert(id)).body.data;
    expect(await shop.owner.delete(`/api/lead/delete/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { deal_id: deal.id } },
    });
    expect(await shop.owner.delete(`/api/deal/delete/${deal.id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { lead_id: id } },
    });
  });
});

describe('a converted lead', () => {
  test('accepts only notes', async () => {
    const { id } = await lead();
    await convert(id);
    const closed = { status: 409, body: { code: 'lead_is_converted' } };
    const at = '2026-01-01T10:00:00Z';
    for (const [path, body] of [
      [`/api/lead/update/${id}`, { name: 'Eve' }],
      [`/api/lead/update/${id}`, { stage_id: shop.leadStages['contacted'] }],
      ['/api/lead-task/create', { lead_id: id, name: 'Call', date: '2027-01-01', time: '10:00' }],
      ['/api/lead-call/store', { lead_id: id, subject: 'x', type: 'inbound', at, duration_seconds: 1 }],
      [`/api/lead-email/store/${id}`, { to: ['a@example.com'], subject: 'x', body: 'x' }],
      [`/api/lead-user/store/${id}`, { user_ids: [shop.hire()] }],
      ['/api/lead/lead-stage-update', { lead_id: id, stage_id: shop.leadStages['contacted'] }],
    ] as const) {
      expect(await shop.owner.post(path, body)).toMatchObject(closed);
    }
    expect(await shop.owner.post(`/api/lead/update/${id}`, { notes: 'Done well' })).toMatchObject({ status: 200 });
    expect(await shop.owner.post(`/api/lead-discussion/store/${id}`, { comment: 'Done well' })).toMatchObject({
      status: 201,
    });
  });
});
