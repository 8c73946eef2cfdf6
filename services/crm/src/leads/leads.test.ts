import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, platform, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const create = (body: object, by: Member = shop.owner) => by.post('/api/lead/create', body);
const lead = async (body: object = {}) => (await create({ name: 'Ada', ...body })).body.data;
const update = (id: string, body: object, by: Member = shop.owner) => by.post(`/api/lead/update/${id}`, body);
const show = async (id: string, by: Member = shop.owner) => (await by.get(`/api/lead/show/${id}`)).body.data;
const events = (id: string) =>
  serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;

describe('a new lead', () => {
  test('goes to the first stage of the default pipeline, and belongs to its creator', async () => {
    const { status, body, headers } = await create({ name: 'Ada', email: 'Ada@Example.COM', expected_value: '1000.5' });
    expect(status).toBe(201);
    expect(headers.get('etag')).toMatch(/^"1-/);
    expect(body.data).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      expected_value: '1000.50',
      status: 'open',
      origin: 'manual',
      version: 1,
      pipeline_id: shop.pipeline.id,
      stage_id: shop.leadStages['new'],
      owner_id: shop.owner.caller.user_id,
      created_by: shop.owner.caller.user_id,
      converted_deal_id: null,
    });
    expect(await events(body.data.id)).toEqual([
      { type: 'crm.lead.created', data: expect.objectContaining({ name: 'Ada', origin: 'manual' }) },
    ]);
    expect((await show(body.data.id)).timeline).toEqual([
      expect.objectContaining({
        type: 'created',
        actor: { id: shop.owner.caller.user_id, name: 'Kim Example', kind: 'staff' },
      }),
    ]);
  });

  test('is named after its company or address if no person is known, else unnamed', async () => {
    expect((await create({ company: 'Analytical Engines' })).body.data.name).toBe('Analytical Engines');
    expect((await create({ email: 'ada@example.com' })).body.data.name).toBe('ada@example.com');
    expect(await create({ phone: '+49 30 1234' })).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.any(String)] } },
    });
  });

  test('records the API key as its origin', async () => {
    const key = shop.member({ api_key_id: crypto.randomUUID() });
    expect((await create({ name: 'Ada' }, key)).body.data.origin).toBe('api');
  });

  test('needs a reason in a lost stage', async () => {
    const stage_id = shop.leadStages['lost'];
    expect(await create({ name: 'Ada', stage_id })).toMatchObject({
      status: 422,
      body: { errors: { lost_reason: [expect.any(String)] } },
    });
    expect((await create({ name: 'Ada', stage_id, lost_reason: 'Too dear' })).body.data).toMatchObject({
      status: 'lost',
      lost_reason: 'Too dear',
    });
    expect(await create({ name: 'Ada', lost_reason: 'Too dear' })).toMatchObject({ status: 422 });
  });

  test('is created with its labels, sources and users', async () => {
    const colleague = shop.hire({ name: 'Robin' });
    const { id } = await lead({ owner_id: colleague, user_ids: [shop.hire({ name: 'Sam' })] });
    expect(await show(id)).toMatchObject({ owner: { name: 'Robin', kind: 'staff' }, users: [{ name: 'Sam' }] });
  });

  test.each([
    ['an unknown owner', () => ({ owner_id: crypto.randomUUID() }), 'owner_id'],
    ['an owner of another workspace', () => ({ owner_id: otherShop.hire() }), 'owner_id'],
    ['a client as its owner', () => ({ owner_id: shop.hire({ kind: 'client' }) }), 'owner_id'],
    ['an unknown colleague', () => ({ user_ids: [crypto.randomUUID()] }), 'user_ids'],
    ['a pipeline of another workspace', () => ({ pipeline_id: otherShop.pipeline.id }), 'pipeline_id'],
    ['a stage of another workspace', () => ({ stage_id: otherShop.leadStages['new'] }), 'stage_id'],
    ['a label that is unknown', () => ({ label_ids: [crypto.randomUUID()] }), 'label_ids'],
    ['a source that is unknown', () => ({ source_ids: [crypto.randomUUID()] }), 'source_ids'],
  ])('is rejected with %s, and nothing is stored', async (_, body, field) => {
    const before = await serving.sql`SELECT count(*) FROM leads`;
    expect(await create({ name: 'Ada', ...body() })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: { [field]: [expect.any(String)] } },
    });
    expect(await serving.sql`SELECT count(*) FROM leads`).toEqual(before);
  });

  test('needs a pipeline', async () => {
    const nobody = serving.member({ can: ['lead.create'] });
    expect(await create({ name: 'Ada' }, nobody)).toMatchObject({ status: 409, body: { code: 'no_pipeline' } });
  });

  test('is created without a request to platform if it has no users', async () => {
    const callsBefore = platform.calls.length;
    await lead();
    expect(platform.calls).toHaveLength(callsBefore);
  });

  test('is recorded in the audit log, with the actor and the operation', async () => {
    const { id } = await lead();
    const [row] = await serving.sql`SELECT * FROM journal_changes WHERE table_name = 'leads' AND record_id = ${id}`;
    expect(row).toMatchObject({
      action: 'insert',
      operation: 'leads.create',
      actor: { user_id: shop.owner.caller.user_id },
    });
    expect(row?.after).not.toHaveProperty('search');
  });
});

describe('changing a lead', () => {
  test('sets the given fields, clears null fields, and leaves the others unchanged', async () => {
    const { id } = await lead({ phone: '+49 30 1234', company: 'Engines', next_follow_up: '2027-01-31' });
    const { status, body } = await update(id, { company: null, notes: 'Likes tea', next_follow_up: '2027-02-28' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: 'Ada',
      phone: '+49 30 1234',
      company: null,
      notes: 'Likes tea',
      next_follow_up: '2027-02-28',
      version: 2,
    });
    expect((await show(id)).timeline[0]).toMatchObject({
      type: 'updated',
      payload: { fields: ['company', 'next_follow_up', 'notes'] },
    });
  });

  test('is rejected for a stale version', async () => {
    const { id } = await lead();
    await update(id, { notes: 'One' });
    expect(await update(id, { notes: 'Two', version: 1 })).toMatchObject({
      status: 412,
      body: { code: 'stale', details: { version: 2 } },
    });
    expect((await show(id)).notes).toBe('One');
  });

  test('moves the lead to a given stage, with its history', async () => {
    const { id } = await lead();
    await update(id, { stage_id: shop.leadStages['contacted'] });
    const shown = await show(id);
    expect(shown).toMatchObject({ status: 'open', stage: { name: 'Contacted' } });
    expect(shown.stage_history).toMatchObject([
      { from_name: 'New', to_name: 'Contacted', seconds_in_from: 0 },
      { from_name: null, to_name: 'New', seconds_in_from: null },
    ]);
    expect((await events(id)).map(({ type }) => type)).toEqual(['crm.lead.created', 'crm.lead.stage_changed']);
  });

  test('does nothing if the stage is the same', async () => {
    const { id } = await lead();
    expect(
      (await update(id, { stage_id: shop.leadStages['new'], pipeline_id: shop.pipeline.id })).body.data.version,
    ).toBe(1);
    expect(await events(id)).toHaveLength(1);
  });

  test('requires a reason for a lost stage, and reopens the lead when moved back', async () => {
    const { id } = await lead();
    const stage_id = shop.leadStages['lost'];
    expect(await update(id, { stage_id })).toMatchObject({
      status: 422,
      body: { errors: { lost_reason: [expect.any(String)] } },
    });
    expect((await update(id, { stage_id, lost_reason: 'No budget' })).body.data).toMatchObject({
      status: 'lost',
      lost_reason: 'No budget',
    });
    expect((await update(id, { lost_reason: 'No budget until June' })).body.data).toMatchObject({
      lost_reason: 'No budget until June',
    });
    expect((await show(id)).allowed_actions).toContain('reopen');
    expect((await update(id, { stage_id: shop.leadStages['new'] })).body.data).toMatchObject({
      status: 'open',
      lost_reason: null,
    });
    expect((await show(id)).timeline.map(({ type }: { type: string }) => type)).toEqual([
      'reopened',
      'lost',
      'created',
    ]);
    expect((await events(id)).map(({ type }) => type)).toEqual([
      'crm.lead.created',
      'crm.lead.stage_changed',
      'crm.lead.lost',
      'crm.lead.stage_changed',
    ]);
    expect(await update(id, { lost_reason: 'Never mind' })).toMatchObject({ status: 422 });
  });

  test('requires a stage of the new pipeline when the pipeline changes', async () => {
    const other = (await shop.owner.post('/api/pipeline/create', { name: `Partners ${crypto.randomUUID()}` })).body
      .data;
    const [stage] = (await shop.owner.get(`/api/lead-stages?pipeline_id=${other.id}`)).body.data;
    const { id } = await lead();
    const refused = { status: 422, body: { errors: { stage_id: [expect.any(String)] } } };
    expect(await update(id, { pipeline_id: other.id })).toMatchObject(refused);
    expect(await update(id, { pipeline_id: other.id, stage_id: shop.leadStages['contacted'] })).toMatchObject(refused);
    expect(await update(id, { stage_id: stage.id })).toMatchObject(refused);
    expect((await update(id, { pipeline_id: other.id, stage_id: stage.id })).body.data).toMatchObject({
      pipeline_id: other.id,
      stage_id: stage.id,
    });
  });

  test('cannot set status, origin or conversion', async () => {
    const { id } = await lead();
    for (const field of [
      'status',
      'origin',
      'converted_deal_id',
      'converted_at',
      'rank',
      'external_id',
      'consent',
      'workspace_id',
    ]) {
      expect(await update(id, { [field]: 'open' })).toMatchObject({
        status: 422,
        body: { errors: { [field]: ['Unknown field. Remove it.'] } },
      });
    }
  });
});

describe('deleting a lead', () => {
  test('deletes its tasks, calls, notes, e-mails and files, but not its audit log', async () => {
    const { id } = await lead({ user_ids: [shop.hire()] });
    expect((await shop.owner.delete(`/api/lead/delete/${id}`)).body).toEqual({ data: { id, deleted: true } });
    expect(await shop.owner.get(`/api/lead/show/${id}`)).toMatchObject({ status: 404 });
    expect(await serving.sql`SELECT FROM activities WHERE lead_id = ${id}`).toEqual([]);
    expect(await serving.sql`SELECT FROM lead_users WHERE lead_id = ${id}`).toEqual([]);
    const audit = await serving.sql`SELECT action FROM journal_changes WHERE record_id = ${id} ORDER BY position`;
    expect(audit.map(({ action }) => action)).toEqual(['insert', 'delete']);
  });
});
