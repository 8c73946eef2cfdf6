import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

describe.each(['lead', 'deal'])('a call about a %s', (kind) => {
  const record = async () => (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data.id;
  const show = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
  const store = (id: string, body: object = {}) =>
    shop.owner.post(`/api/${kind}-call/store`, {
      [`${kind}_id`]: id,
      subject: 'Hello',
      type: 'outbound',
      at: '2026-05-01T12:00:00+02:00',
      duration_seconds: 90,
      ...body,
    });

  test('is logged for the user who called, and returned with the record', async () => {
    const id = await record();
    const { status, body } = await store(id, { result: 'Calls back' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      subject: 'Hello',
      at: '2026-05-01T10:00:00.000Z',
      duration_seconds: 90,
      assignee_id: shop.owner.caller.user_id,
      result: 'Calls back',
    });
    const shown = await show(id);
    expect(shown.calls).toEqual([body.data]);
    expect(shown.timeline[0]).toMatchObject({ type: 'call_logged', payload: { subject: 'Hello' } });
  });

  test('is corrected and deleted', async () => {
    const id = await record();
    const call = (await store(id)).body.data;
    const robin = shop.hire();
    const path = `/api/${kind}-call/update/${call.id}`;
    expect(
      (await shop.owner.post(path, { duration_seconds: 120, assignee_id: robin, result: null })).body.data,
    ).toMatchObject({
      duration_seconds: 120,
      assignee_id: robin,
      subject: 'Hello',
      version: 2,
    });
    expect(await shop.owner.post(path, { duration_seconds: 1, version: 1 })).toMatchObject({ status: 412 });
    expect((await shop.owner.delete(`/api/${kind}-call/delete/${call.id}`)).body.data).toEqual({
      id: call.id,
      deleted: true,
    });
    expect((await show(id)).calls).toEqual([]);
  });

  test.each([
    ['duration_seconds', -1],
    ['duration_seconds', 1.5],
    ['duration_seconds', 86_401],
    ['duration_seconds', '60'],
    ['type', 'missed'],
    ['at', '2026-05-01'],
    ['at', '2026-02-30T10:00:00Z'],
    ['assignee_id', crypto.randomUUID()],
    ['subject', ''],
  ])('is rejected with %s = %s', async (field, value) => {
    expect(await store(await record(), { [field]: value })).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });
});

describe.each(['lead', 'deal'])('a note on a %s', (kind) => {
  test('is stored with its author, and never changed', async () => {
    const { id } = (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data;
    const path = `/api/${kind}-discussion/store/${id}`;
    const { status, body } = await shop.owner.post(path, { comment: 'Likes tea\nand cake' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ comment: 'Likes tea\nand cake', created_by: shop.owner.caller.user_id });
    for (const comment of ['', ' ', 'x'.repeat(10_001), 7, null]) {
      expect(await shop.owner.post(path, { comment })).toMatchObject({
        status: 422,
        body: { errors: { comment: [expect.any(String)] } },
      });
    }
    const shown = (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
    expect(shown.discussions).toEqual([body.data]);
    expect(shown.timeline[0]).toMatchObject({ type: 'note_added' });
  });
});
