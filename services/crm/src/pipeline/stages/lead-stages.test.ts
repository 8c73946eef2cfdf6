import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const stages = async () => (await shop.owner.get('/api/lead-stages')).body.data as Record<string, unknown>[];
const orderedStages = async () => (await stages()).map(({ name, position }) => `${position} ${name}`);
const create = (body: object) => shop.owner.post('/api/lead-stage/create', { pipeline_id: shop.pipeline.id, ...body });
const lead = async (body: object) => (await shop.owner.post('/api/lead/create', { name: 'Ada', ...body })).body.data;

describe('the list of lead stages', () => {
  test('adds a stage at the end, or between others', async () => {
    expect((await create({ name: 'Nurtured' })).body.data).toMatchObject({ position: 5, type: 'open', lead_count: 0 });
    expect((await create({ name: 'Called', type: 'ongoing', position: 1 })).body.data).toMatchObject({ position: 1 });
    expect(await orderedStages()).toEqual([
      '0 New',
      '1 Called',
      '2 Contacted',
      '3 Qualified',
      '4 On hold',
      '5 Lost',
      '6 Nurtured',
    ]);
  });

  test('shifts the other stages when one is moved', async () => {
    const { status } = await shop.owner.post(`/api/lead-stage/update/${shop.leadStages['lost']}`, { position: 0 });
    expect(status).toBe(200);
    expect(await orderedStages()).toEqual(['0 Lost', '1 New', '2 Contacted', '3 Qualified', '4 On hold']);
  });

  test('reorders all stages in a request, or none', async () => {
    const path = `/api/pipeline/update/${shop.pipeline.id}`;
    const ids = (await stages()).map(({ id }) => id as string).toReversed();
    expect(await shop.owner.post(path, { lead_stage_ids: ids })).toMatchObject({ status: 200 });
    const reversed = ['0 Lost', '1 On hold', '2 Qualified', '3 Contacted', '4 New'];
    expect(await orderedStages()).toEqual(reversed);
    const [first, ...rest] = ids.toReversed();
    const wrong = [rest, [first, first, ...rest], [...rest, crypto.randomUUID()], [...rest, shop.dealStages['won']]];
    for (const lead_stage_ids of wrong) {
      expect(await shop.owner.post(path, { lead_stage_ids })).toMatchObject({
        status: 422,
        body: { errors: { lead_stage_ids: [expect.any(String)] } },
      });
    }
    expect(await orderedStages()).toEqual(reversed);
  });

  test('keeps positions without gaps when stages are moved concurrently', async () => {
    const ids = Object.values(shop.leadStages);
    const replies = await runConcurrently(12, (at) =>
      shop.owner.post(`/api/lead-stage/update/${ids[at % 5]}`, { position: (at * 3) % 5 }),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect((await stages()).map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  test('requires unique stage names in a pipeline, but not across pipelines', async () => {
    expect(await create({ name: 'new' })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    const other = (await shop.owner.post('/api/pipeline/create', { name: 'Partners' })).body.data;
    expect(await create({ name: 'Contact lost', pipeline_id: other.id })).toMatchObject({ status: 201 });
  });

  test('shows the count and the total value of the leads in a column', async () => {
    await lead({ expected_value: '100.10' });
    await lead({ expected_value: '0.1' });
    await lead({});
    const [first] = await stages();
    expect(first).toMatchObject({ name: 'New', lead_count: 3, value_sum: '100.20' });
  });

  test('needs a target for the leads of a deleted stage, and records their move', async () => {
    const one = await lead({});
    const refused = await shop.owner.delete(`/api/lead-stage/delete/${shop.leadStages['new']}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use', details: { leads: 1 } } });

    const target = shop.leadStages['qualified'];
    const removal = await shop.owner.delete(`/api/lead-stage/delete/${shop.leadStages['new']}?move_to=${target}`);
    expect(removal).toMatchObject({ status: 200, body: { data: { deleted: true } } });
    expect(await orderedStages()).toEqual(['0 Contacted', '1 Qualified', '2 On hold', '3 Lost']);
    const shown = (await shop.owner.get(`/api/lead/show/${one.id}`)).body.data;
    expect(shown).toMatchObject({ stage_id: target, status: 'open', stage: { name: 'Qualified' } });
    expect(shown.stage_history[0]).toMatchObject({
      from_name: 'New',
      to_name: 'Qualified',
      by: shop.owner.caller.user_id,
    });
    const events =
      await serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${one.id} AND type = 'crm.lead.stage_changed'`;
    expect(events).toEqual([{ data: expect.objectContaining({ to_stage_id: target }) }]);
  });

  test('moves the leads of a deleted stage only to the same type and pipeline', async () => {
    await lead({});
    const other = (await shop.owner.post('/api/pipeline/create', { name: 'Partners' })).body.data;
    const foreign = (await shop.owner.get(`/api/lead-stages?pipeline_id=${other.id}`)).body.data[0];
    const path = `/api/lead-stage/delete/${shop.leadStages['new']}`;
    for (const target of [shop.leadStages['lost'], shop.leadStages['new'], foreign.id, crypto.randomUUID()]) {
      expect(await shop.owner.delete(`${path}?move_to=${target}`)).toMatchObject({
        status: 422,
        body: { errors: { move_to: [expect.any(String)] } },
      });
    }
  });

  test('rejects a change of type for a stage with leads', async () => {
    await lead({});
    const path = `/api/lead-stage/update/${shop.leadStages['new']}`;
    expect(await shop.owner.post(path, { type: 'lost' })).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect(await shop.owner.post(path, { type: 'ongoing' })).toMatchObject({
      status: 200,
      body: { data: { type: 'ongoing' } },
    });
    const empty = `/api/lead-stage/update/${shop.leadStages['on hold']}`;
    expect(await shop.owner.post(empty, { type: 'lost' })).toMatchObject({ status: 200 });
  });

  test('rejects deletion of the last stage of a pipeline', async () => {
    const names = ['new', 'contacted', 'qualified', 'on hold', 'lost'];
    const replies = [];
    for (const name of names) replies.push(await shop.owner.delete(`/api/lead-stage/delete/${shop.leadStages[name]}`));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
    expect(replies.at(-1)?.body.code).toBe('last_stage');
  });

  test('leaves one of two last stages that are deleted concurrently', async () => {
    for (const name of ['new', 'contacted', 'qualified'])
      await shop.owner.delete(`/api/lead-stage/delete/${shop.leadStages[name]}`);
    const replies = await Promise.all(
      ['on hold', 'lost'].map((name) => shop.owner.delete(`/api/lead-stage/delete/${shop.leadStages[name]}`)),
    );
    expect(sortedStatuses(replies)).toEqual([200, 409]);
  });
});
