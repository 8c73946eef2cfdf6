import { describe, expect, test } from '@jest/globals';
import { openCrm } from '../../test/fixture.ts';

const { shop: openShop } = await openCrm();

describe('a saved record', () => {
  test.each(['lead', 'deal'])('returns the records that the request names, for a %s', async (kind) => {
    const { owner, hire } = await openShop();
    const label = (await owner.post('/api/label/create', { name: 'Hot' })).body.data;
    const source = (await owner.post('/api/source/create', { name: 'Fair' })).body.data;
    const user_id = hire({ name: 'Grace Example' });
    const named = { label_ids: [label.id], source_ids: [source.id] };
    const made = await owner.post(`/api/${kind}/create`, { name: 'Ada', ...named });
    expect(made.body.data).toMatchObject({ labels: [{ id: label.id, name: 'Hot' }], sources: [{ id: source.id }] });
    const changed = await owner.post(`/api/${kind}/update/${made.body.data.id}`, {
      label_ids: [],
      user_ids: [user_id],
    });
    expect(changed.body.data).toMatchObject({ labels: [], sources: [{ id: source.id }] });
    expect(changed.body.data.users).toEqual(expect.arrayContaining([expect.objectContaining({ id: user_id })]));
  });

  test('allows no action on the tasks of a converted lead', async () => {
    const { owner } = await openShop();
    const { id: lead_id } = (await owner.post('/api/lead/create', { name: 'Ada' })).body.data;
    const task = { lead_id, name: 'Call', date: '2027-01-01', time: '09:00' };
    const made = (await owner.post('/api/lead-task/create', task)).body.data;
    expect(made.allowed_actions).toEqual(['complete', 'update', 'delete']);
    const done = (await owner.post(`/api/lead-task/update/${made.id}`, { status: 'complete' })).body.data;
    expect(done).toMatchObject({ status: 'done', allowed_actions: ['reopen', 'update', 'delete'] });
    expect((await owner.post(`/api/lead/convert-to-deal/${lead_id}`, {})).status).toBeLessThan(300);
    const { data } = (await owner.get(`/api/lead/show/${lead_id}`)).body;
    expect(data.tasks).toMatchObject([{ id: made.id, allowed_actions: [] }]);
    expect((await owner.get(`/api/lead-tasks/${lead_id}`)).body.data).toMatchObject([{ allowed_actions: [] }]);
    expect(data.allowed_actions).toEqual(['add_note']);
  });
});
