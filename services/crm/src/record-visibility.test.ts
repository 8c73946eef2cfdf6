import { describe, expect, test } from '@jest/globals';
import { everything, openCrm } from '../test/fixture.ts';

const { shop: openShop } = await openCrm();
const hour = { start: '2027-01-01T10:00:00Z', end: '2027-01-01T11:00:00Z' };

describe('record visibility', () => {
  test('limits stage metrics to records that the caller may see', async () => {
    const { owner, member } = await openShop();
    await owner.post('/api/lead/create', { name: 'Ada', expected_value: '100.00' });
    await owner.post('/api/deal/create', { name: 'Ada', price: '100.00' });
    const counts = async (by: typeof owner, kind: 'lead' | 'deal') => {
      const { data } = (await by.get(`/api/${kind}-stages?fields=name,${kind}_count,value_sum`)).body;
      return data.reduce((sum: number, stage: Record<string, number>) => sum + stage[`${kind}_count`]!, 0);
    };
    expect([await counts(owner, 'lead'), await counts(owner, 'deal')]).toEqual([1, 1]);
    const planner = member({ can: ['stage.view', 'stage.update'] });
    expect([await counts(planner, 'lead'), await counts(planner, 'deal')]).toEqual([0, 0]);
    const { data } = (await planner.get('/api/lead-stages')).body;
    const changed = await planner.post(`/api/lead-stage/update/${data[0].id}`, { name: 'First' });
    expect(changed).toMatchObject({ status: 200, body: { data: { lead_count: 0, value_sum: '0.00' } } });
  });

  test('returns 404 for a meeting about a hidden lead', async () => {
    const { owner, member } = await openShop();
    const { id: lead_id } = (await owner.post('/api/lead/create', { name: 'Secret lead' })).body.data;
    const about = { name: 'Talk', parent_type: 'lead', parent_id: lead_id, ...hour };
    const { id } = (await owner.post('/api/sales/meeting/store', about)).body.data;
    const salesman = member({ record_scopes: { lead: 'own' } });
    expect((await salesman.get('/api/sales/meetings?parent_type=lead')).body.data).toEqual([]);
    expect((await salesman.post(`/api/sales/meeting/update/${id}`, { name: 'Mine now' })).status).toBe(404);
    expect(await salesman.post('/api/sales/meeting/store', about)).toMatchObject({
      status: 422,
      body: { errors: { parent_id: ['Record not found.'] } },
    });
  });

  test('shows a meeting to its attendees, but not its lead', async () => {
    const { owner, member, hire } = await openShop();
    const { id: lead_id } = (await owner.post('/api/lead/create', { name: 'Secret lead' })).body.data;
    const user_id = hire({ name: 'Sam' });
    const about = { name: 'Talk', parent_type: 'lead', parent_id: lead_id, attendees: [{ user_id }], ...hour };
    const { id } = (await owner.post('/api/sales/meeting/store', about)).body.data;
    const guest = member({ user_id, record_scopes: { lead: 'own' } });
    expect((await guest.get('/api/sales/meetings')).body.data).toMatchObject([{ id, parent_name: null }]);
  });

  test('shows the leads of a team to its members, but not to another team', async () => {
    const { member, hire } = await openShop();
    const [ada, ben] = [hire({ name: 'Ada' }), hire({ name: 'Ben' })];
    const of = (user_id: string, team: string[]) => member({ user_id, team, record_scopes: { lead: 'team' } });
    const { id } = (await of(ada, [ada]).post('/api/lead/create', { name: 'A lead' })).body.data;
    expect((await of(ben, [ada, ben]).get(`/api/lead/show/${id}`)).status).toBe(200);
    expect((await of(ben, [ben]).get(`/api/lead/show/${id}`)).status).toBe(404);
  });

  test('returns a reassigned lead in the response, but no longer shows it to the user', async () => {
    const { member, hire } = await openShop();
    const [user_id, owner_id] = [hire({ name: 'Ada' }), hire({ name: 'Ben' })];
    const ada = member({ user_id, record_scopes: { lead: 'own' } });
    const { id } = (await ada.post('/api/lead/create', { name: 'A lead' })).body.data;
    expect(await ada.post(`/api/lead/update/${id}`, { owner_id })).toMatchObject({
      status: 200,
      body: { data: { owner_id } },
    });
    expect((await ada.get(`/api/lead/show/${id}`)).status).toBe(404);
  });

  test('shows clients the summary of a deal, and rejects filters and sorting by more', async () => {
    const { owner, member, hire } = await openShop();
    const user_id = hire({ name: 'Cleo', kind: 'client' });
    const body = { name: 'Engines', price: '100.00', notes: 'Can pay more.', client_ids: [user_id] };
    const { id } = (await owner.post('/api/deal/create', body)).body.data;
    const client = member({ user_id, kind: 'client', can: everything });
    const [shown, listed] = [await client.get(`/api/deal/show/${id}`), await client.get('/api/deals')];
    expect(listed.body.data).toHaveLength(1);
    for (const deal of [shown.body.data, ...listed.body.data]) {
      for (const field of [
        'notes',
        'probability',
        'weighted_value',
        'lost_reason',
        'labels',
        'timeline',
        'discussions',
      ])
        expect(deal).not.toHaveProperty(field);
    }
    expect(shown.body.data).toMatchObject({ name: 'Engines', price: '100.00', clients: [{ id: user_id }], files: [] });
    expect((await client.get('/api/deal-stages?sort=-probability')).status).toBe(422);
  });
});
