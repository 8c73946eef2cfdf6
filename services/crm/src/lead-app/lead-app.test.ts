import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const post = (path: string, body: object, by: Member = shop.owner) => by.post(`/api/lead/${path}`, body);
const lead = async (body: object = {}, by: Member = shop.owner) =>
  (await post('create', { name: 'Ada', ...body }, by)).body.data;
const save = (body: object, by: Member = shop.owner) => post('lead-create-update', body, by);

describe('saving a lead', () => {
  test('creates a lead without an ID, and updates it with one', async () => {
    const made = await save({ name: 'Ada', company: 'Engines' });
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'Ada', status: 'open', version: 1 } } });
    const changed = await save({ id: made.body.data.id, company: null });
    expect(changed).toMatchObject({ status: 200, body: { data: { name: 'Ada', company: null, version: 2 } } });
    expect(await save({ id: made.body.data.id, notes: 'x', version: 1 })).toMatchObject({ status: 412 });
  });

  test('finds it by its external ID, even with many concurrent saves', async () => {
    const external_id = crypto.randomUUID();
    const replies = await runConcurrently(20, (at) => save({ external_id, name: `Ada ${at}` }));
    expect(sortedStatuses(replies)).toEqual([...Array(19).fill(200), 201]);
    const rows = await serving.sql`SELECT id FROM leads WHERE external_id = ${external_id}`;
    expect(rows).toHaveLength(1);
    expect(await save({ external_id, company: 'Engines' })).toMatchObject({
      status: 200,
      body: { data: { id: rows[0]?.['id'] } },
    });
    expect(await save({ external_id, name: 'Another' }, otherShop.owner)).toMatchObject({ status: 201 });
  });

  test('requires a name for a new lead, one ID for an old one, and the permission', async () => {
    expect(await save({ phone: '+49 30 1' })).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.any(String)] } },
    });
    const { id } = await lead();
    expect(await save({ id, external_id: 'x' })).toMatchObject({
      status: 422,
      body: { errors: { external_id: [expect.any(String)] } },
    });
    const updater = shop.member({ can: ['lead.update'] });
    expect(await save({ name: 'Ada' }, updater)).toMatchObject({
      status: 403,
      body: { details: { permission: 'lead.create' } },
    });
    expect(await save({ id, notes: 'x' }, updater)).toMatchObject({ status: 200 });
    for (const unknown of [crypto.randomUUID(), (await lead({}, otherShop.owner)).id]) {
      expect(await save({ id: unknown, name: 'Eve' })).toMatchObject({ status: 404 });
    }
  });

  test('follows the rules of lost and converted leads', async () => {
    const { id } = await lead();
    expect(await save({ id, stage_id: shop.leadStages['lost'] })).toMatchObject({ status: 422 });
    await shop.owner.post(`/api/lead/convert-to-deal/${id}`, {});
    expect(await save({ id, name: 'Eve' })).toMatchObject({ status: 409, body: { code: 'lead_is_converted' } });
  });
});

describe('the app', () => {
  test('returns and deletes a lead like the other routes', async () => {
    const { id } = await lead();
    const { data } = (await post('lead-details', { id })).body;
    expect(data).toEqual((await shop.owner.get(`/api/lead/show/${id}`)).body.data);
    expect(await post('lead-details', { id }, otherShop.owner)).toMatchObject({ status: 404 });
    expect(await post('lead-delete', { id }, otherShop.owner)).toMatchObject({ status: 404 });
    expect((await post('lead-delete', { id })).body).toEqual({ data: { id, deleted: true } });
    expect(await post('lead-details', { id })).toMatchObject({ status: 404 });
  });

  test('returns all form choices of this workspace, with existing users only', async () => {
    const shop = await openShop();
    const here = shop.hire({ name: 'Robin' });
    const gone = shop.hire({ name: 'Gone' });
    const client = shop.hire({ name: 'Clara', kind: 'client' });
    await lead({ user_ids: [here, gone] }, shop.owner);
    await shop.owner.post('/api/deal/create', { name: 'x', client_ids: [client] });
    await serving.sql`UPDATE users SET status = 'former' WHERE id = ${gone}`;
    await shop.owner.post('/api/label/create', { name: 'Hot', pipeline_id: shop.pipeline.id });
    await shop.owner.post('/api/source/create', { name: 'Fair' });
    const { data } = (await shop.owner.get('/api/lead/get-request-data')).body;
    expect(data).toMatchObject({
      pipelines: [{ id: shop.pipeline.id, name: 'Sales', is_default: true }],
      sources: [{ name: 'Fair' }],
      labels: [{ name: 'Hot', pipeline_id: shop.pipeline.id }],
      users: [{ name: 'Kim Example' }, { name: 'Robin' }],
    });
    expect(data.pipelines[0].stages.map(({ name }: { name: string }) => name)).toEqual([
      'New',
      'Contacted',
      'Qualified',
      'On hold',
      'Lost',
    ]);
    const users = (await shop.owner.get('/api/lead/get-users?name[like]=rob')).body;
    expect(users).toMatchObject({ data: [{ id: here, name: 'Robin', kind: 'staff' }], meta: { total: 1 } });
  });

  test('lists pipelines and stages, and saves them', async () => {
    const shop = await openShop();
    expect((await shop.owner.get('/api/lead/pipelines')).body).toEqual((await shop.owner.get('/api/pipelines')).body);
    const made = await post('pipeline-create-update', { name: 'Partners' }, shop.owner);
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'Partners', position: 1, is_default: false } } });
    const { id: pipeline_id } = made.body.data;
    const renaming = { id: pipeline_id, name: 'Resellers', is_default: true };
    const renamed = await post('pipeline-create-update', renaming, shop.owner);
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Resellers', is_default: true } } });
    const stage = await post('lead-stage-create-update', { name: 'Signed', pipeline_id, position: 0 }, shop.owner);
    expect(stage).toMatchObject({
      status: 201,
      body: { data: { name: 'Signed', pipeline_id, position: 0, type: 'open' } },
    });
    const change = { id: stage.body.data.id, name: 'Done', color: '#00ff00' };
    expect(await post('lead-stage-create-update', change, shop.owner)).toMatchObject({
      status: 200,
      body: { data: { color: '#00ff00' } },
    });
    const moving = { ...change, pipeline_id: shop.pipeline.id };
    expect(await post('lead-stage-create-update', moving, shop.owner)).toMatchObject({
      status: 422,
      body: { errors: { pipeline_id: [expect.any(String)] } },
    });
    expect(await post('lead-stage-create-update', { ...change, pipeline_id }, shop.owner)).toMatchObject({
      status: 200,
    });
    const listed = (await post('lead-stages', {}, shop.owner)).body.data;
    expect(listed.map(({ name, position }: Record<string, unknown>) => `${position} ${name}`)).toEqual([
      '0 Done',
      '1 New',
      '2 Contacted',
      '3 Qualified',
      '4 On hold',
      '5 Lost',
    ]);
    const last = (await post('lead-stages', { page: 6, limit: 1 }, shop.owner)).body;
    expect(last).toMatchObject({ data: [{ name: 'Lost' }], meta: { page: 6, per_page: 1, total: 6 } });
    expect(await post('lead-stages', { pipeline_id: otherShop.pipeline.id }, shop.owner)).toMatchObject({
      status: 404,
    });
  });

  test('requires the permission for the change that a save makes', async () => {
    const [only, creation] = [(...can: string[]) => shop.member({ can }), { name: crypto.randomUUID() }];
    expect(await post('pipeline-create-update', creation, only('pipeline.update'))).toMatchObject({ status: 403 });
    expect(await post('lead-stage-create-update', creation, only('stage.update'))).toMatchObject({ status: 403 });
    expect(await post('lead-stage-create-update', creation, only('stage.update', 'stage.create'))).toMatchObject({
      status: 201,
    });
  });
});

describe('the lead board', () => {
  const board = async (body: object = {}, by: Member = shop.owner) => (await post('leadboard', body, by)).body.data;

  test('has a column for each stage, with count, sum and the first cards', async () => {
    const shop = await openShop();
    for (const expected_value of ['1', '2.50', '3'])
      await lead({ name: `Worth ${expected_value}`, expected_value }, shop.owner);
    await lead({ stage_id: shop.leadStages['lost'], lost_reason: 'Too dear' }, shop.owner);
    const { pipeline, columns } = await board({ per_column: 2 }, shop.owner);
    expect(pipeline).toEqual({ id: shop.pipeline.id, name: 'Sales' });
    expect(columns.map(({ name, count, sum }: Record<string, unknown>) => [name, count, sum])).toEqual([
      ['New', 3, '6.50'],
      ['Contacted', 0, '0.00'],
      ['Qualified', 0, '0.00'],
      ['On hold', 0, '0.00'],
      ['Lost', 1, '0.00'],
    ]);
    expect(columns[0].leads).toMatchObject([
      { name: 'Worth 3', position: 0, owner: { name: 'Kim Example' }, labels: [] },
      { name: 'Worth 2.50', position: 1 },
    ]);
    const more = await board({ per_column: 2, offset: 2, stage_id: shop.leadStages['new'] }, shop.owner);
    expect(more.columns).toMatchObject([{ name: 'New', count: 3, leads: [{ name: 'Worth 1', position: 2 }] }]);
  });

  test('shows only visible and requested leads, with metrics of those alone', async () => {
    const shop = await openShop();
    const sales = shop.member({ user_id: shop.hire({ name: 'Sales' }), record_scopes: { lead: 'own' } });
    const { data: hot } = (await shop.owner.post('/api/label/create', { name: 'Hot' })).body;
    await lead({ name: 'Theirs', owner_id: sales.caller.user_id, expected_value: '7' }, shop.owner);
    await lead({ name: 'Others', label_ids: [hot.id], expected_value: '100' }, shop.owner);
    expect((await board({}, sales)).columns[0]).toMatchObject({
      count: 1,
      sum: '7.00',
      leads: [{ name: 'Theirs', position: 0 }],
    });
    for (const filter of [{ label_id: hot.id }, { q: 'othe' }, { owner_id: shop.owner.caller.user_id }]) {
      expect((await board(filter, shop.owner)).columns[0]).toMatchObject({
        count: 1,
        sum: '100.00',
        leads: [{ name: 'Others', position: null }],
      });
    }
    expect(await post('leadboard', { pipeline_id: otherShop.pipeline.id }, shop.owner)).toMatchObject({ status: 404 });
    expect(await post('leadboard', { per_column: 101 }, shop.owner)).toMatchObject({ status: 422 });
  });

  test('needs five statements for any number of cards', async () => {
    const before = serving.database.statements;
    await board();
    expect(serving.database.statements - before).toBeLessThanOrEqual(5);
  });
});

describe('the dashboard', () => {
  test('counts the leads, deals and tasks that the caller can see', async () => {
    const shop = await openShop();
    const won = shop.dealStages['won'];
    await lead({ expected_value: '10' }, shop.owner);
    await lead({ stage_id: shop.leadStages['lost'], lost_reason: 'x' }, shop.owner);
    const { id } = await lead({ expected_value: '5' }, shop.owner);
    await shop.owner.post(`/api/lead/convert-to-deal/${id}`, {});
    await shop.owner.post('/api/deal/create', { name: 'Won', price: '100', stage_id: won });
    await shop.owner.post('/api/deal/create', { name: 'Dollars', price: '1000', currency: 'USD' });
    const task = { lead_id: id, name: 'x', time: '09:00', assignee_id: shop.owner.caller.user_id };
    const deal_id = (await shop.owner.get('/api/deals?name=Won')).body.data[0].id;
    await shop.owner.post('/api/deal-task/create', { ...task, lead_id: undefined, deal_id, date: '2020-01-01' });
    const { data } = (await post('home', {}, shop.owner)).body;
    expect(data).toMatchObject({
      currency: 'EUR',
      leads: { open: 1, lost: 1, converted: 1, new_this_month: 3, open_value: '10.00' },
      deals: {
        open: 2,
        won: 1,
        lost: 0,
        won_this_month: 1,
        open_value: '5.00',
        weighted_value: '0.50',
        won_value_this_month: '100.00',
      },
      tasks: { overdue: 1, today: 0 },
    });
    expect(data.recent[0]).toMatchObject({ type: 'converted', lead_id: id, lead_name: 'Ada' });
    const sales = shop.member({ user_id: shop.hire(), record_scopes: { lead: 'own' }, can: ['lead.view'] });
    expect((await post('home', {}, sales)).body.data).toMatchObject({
      leads: { open: 0, lost: 0 },
      deals: null,
      recent: [],
    });
  });

  test('returns 404 for an unknown pipeline', async () => {
    const [shop, otherShop] = [await openShop(), await openShop()];
    for (const pipeline_id of [crypto.randomUUID(), otherShop.pipeline.id])
      expect(await post('home', { pipeline_id }, shop.owner)).toMatchObject({ status: 404 });
    expect(await post('home', { pipeline_id: shop.pipeline.id }, shop.owner)).toMatchObject({ status: 200 });
  });
});
