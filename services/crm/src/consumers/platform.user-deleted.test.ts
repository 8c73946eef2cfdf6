import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
const { announce, say, heard } = await eventPublisher(serving);
let shop: Shop;
let owner: string;
let leaver: string;
beforeEach(async () => {
  shop = await openShop();
  owner = shop.hire({ name: 'Olga', kind: 'owner' });
  leaver = shop.hire({ name: 'Lee' });
});

const announceUser = (user_id: string, kind: string) =>
  say(shop.workspace, 'platform.user.created', { user_id, name: 'Sam', email: '', kind, status: 'active', phone: '' });
const lead = async (body: object) => (await shop.owner.post('/api/lead/create', { name: 'Ada', ...body })).body.data;
const announceDeletion = (options: object = {}) =>
  announce(shop.workspace, 'platform.user.deleted', { user_id: leaver }, { position: 2, ...options });
const show = async (id: string) => (await shop.owner.get(`/api/lead/show/${id}`)).body.data;

/** Inserts the deleted user's work on a lead as rows. The tests of the operations cover how users create it. */
async function insertWork(lead_id: string) {
  const rows = { todo: randomUUID(), done: randomUUID(), planned: randomUUID(), made: randomUUID() };
  const { workspace } = shop;
  await serving.sql`
    INSERT INTO tasks (id, workspace_id, lead_id, name, date, time, status, assignee_id, done_at) VALUES
      (${rows.todo}, ${workspace}, ${lead_id}, 'Call back', '2026-01-01', '09:00', 'todo', ${leaver}, NULL),
      (${rows.done}, ${workspace}, ${lead_id}, 'Write', '2026-01-01', '09:00', 'done', ${leaver}, now())`;
  await serving.sql`
    INSERT INTO calls (id, workspace_id, lead_id, subject, type, at, duration_seconds, assignee_id) VALUES
      (${rows.planned}, ${workspace}, ${lead_id}, 'Demo', 'outbound', now() + interval '1 day', 0, ${leaver}),
      (${rows.made}, ${workspace}, ${lead_id}, 'Greeting', 'outbound', now() - interval '1 day', 60, ${leaver})`;
  return rows;
}
const assignees = async () => {
  const rows = await serving.sql`
    SELECT id, assignee_id FROM tasks WHERE workspace_id = ${shop.workspace} UNION ALL
    SELECT id, assignee_id FROM calls WHERE workspace_id = ${shop.workspace}`;
  return Object.fromEntries(rows.map(({ id, assignee_id }) => [id, assignee_id]));
};

describe('deleting a user', () => {
  test('gives their leads to the workspace owner, and records the change in each lead', async () => {
    await announceUser(owner, 'owner');
    const leadOfLeaver = await lead({ owner_id: leaver });
    const lost = await lead({ owner_id: leaver, stage_id: shop.leadStages['lost'], lost_reason: 'Too dear' });
    const other = await lead({});
    await heard(await announceDeletion());
    for (const { id } of [leadOfLeaver, lost]) {
      const shown = await show(id);
      expect(shown).toMatchObject({ owner_id: owner, version: 2 });
      expect(shown.timeline[0]).toMatchObject({ type: 'updated', payload: { fields: ['owner_id'] }, actor: null });
    }
    expect(await show(other.id)).toMatchObject({ owner_id: shop.owner.caller.user_id, version: 1 });
    expect(await serving.sql`SELECT name, status FROM users WHERE id = ${leaver}`).toEqual([
      { name: 'Former user', status: 'former' },
    ]);
    const audit = await serving.sql`
      SELECT operation, after ->> 'owner_id' AS owner_id FROM journal_changes WHERE record_id = ${leadOfLeaver.id} AND action = 'update'`;
    expect(audit).toEqual([{ operation: 'consumer:crm.reassign-records', owner_id: owner }]);
  });

  test('assigns open work to the owner, and leaves completed work to its author', async () => {
    await announceUser(owner, 'owner');
    const rows = await insertWork((await lead({ owner_id: leaver })).id);
    await heard(await announceDeletion());
    expect(await assignees()).toEqual({
      [rows.todo]: owner,
      [rows.planned]: owner,
      [rows.done]: leaver,
      [rows.made]: leaver,
    });
  });

  test('removes them from shared records, but not from the clients of deals', async () => {
    const { id } = await lead({ user_ids: [leaver] });
    const deal_id = randomUUID();
    const { workspace, pipeline } = shop;
    await serving.sql`
      INSERT INTO deals (id, workspace_id, name, currency, pipeline_id, stage_id)
      SELECT ${deal_id}, workspace_id, 'Deal', 'EUR', pipeline_id, id FROM deal_stages
      WHERE pipeline_id = ${pipeline.id} AND position = 0`;
    await serving.sql`INSERT INTO deal_users (workspace_id, deal_id, user_id) VALUES (${workspace}, ${deal_id}, ${leaver})`;
    await serving.sql`INSERT INTO deal_clients (workspace_id, deal_id, client_id) VALUES (${workspace}, ${deal_id}, ${leaver})`;
    await heard(await announceDeletion());
    const shown = await show(id);
    expect(shown).toMatchObject({ users: [], owner_id: shop.owner.caller.user_id });
    expect(shown.timeline[0]).toMatchObject({ type: 'user_removed', payload: { user_id: leaver } });
    expect(await serving.sql`SELECT FROM deal_users WHERE deal_id = ${deal_id}`).toEqual([]);
    expect(await serving.sql`SELECT type FROM activities WHERE deal_id = ${deal_id}`).toEqual([
      { type: 'user_removed' },
    ]);
    expect(await serving.sql`SELECT client_id FROM deal_clients WHERE deal_id = ${deal_id}`).toEqual([
      { client_id: leaver },
    ]);
  });

  test('has an effect once if its event is delivered three times', async () => {
    await announceUser(owner, 'owner');
    const { id } = await lead({ owner_id: leaver });
    const first = await announceDeletion();
    await heard(first);
    // Restores the owner manually, to check that the second delivery changes nothing.
    await serving.sql`UPDATE leads SET owner_id = ${leaver} WHERE id = ${id}`;
    await announceDeletion({ id: first, times: 2 });
    await say(shop.workspace, 'platform.user.deleted', { user_id: randomUUID() });
    expect(await serving.sql`SELECT owner_id FROM leads WHERE id = ${id}`).toEqual([{ owner_id: leaver }]);
  });

  test('gives the leads of a deleted owner to another owner, active before invited', async () => {
    leaver = shop.hire({ user_id: `00000000${randomUUID().slice(8)}`, name: 'Lee', kind: 'owner' });
    await announceUser(leaver, 'owner');
    const invited = { user_id: randomUUID(), name: 'Ina', email: '', kind: 'owner', status: 'invited', phone: '' };
    await say(shop.workspace, 'platform.user.created', { ...invited, user_id: `00000000${randomUUID().slice(8)}` });
    await announceUser(owner, 'owner');
    const { id } = await lead({ owner_id: leaver });
    await heard(await announceDeletion());
    expect(await show(id)).toMatchObject({ owner_id: owner });
  });

  test('leaves their work assigned until an owner is known', async () => {
    const { id } = await lead({ owner_id: leaver });
    const event = await announceDeletion();
    await pause(300);
    expect(await serving.sql`SELECT status FROM users WHERE id = ${leaver}`).toEqual([{ status: 'active' }]);
    await announceUser(owner, 'owner');
    await heard(event);
    expect(await show(id)).toMatchObject({ owner_id: owner });
  });

  test('reassigns a lead that is assigned to them concurrently', async () => {
    await announceUser(owner, 'owner');
    const { id } = await lead({ user_ids: [leaver] });
    const giver = await serving.database.pool.connect();
    await giver.query('BEGIN');
    await giver.query('UPDATE leads SET owner_id = $1 WHERE id = $2', [leaver, id]);
    const event = await announceDeletion();
    await pause(300);
    await giver.query('COMMIT');
    giver.release();
    await heard(event);
    expect(await show(id)).toMatchObject({ owner_id: owner });
  });

  test('does not change leads of another workspace', async () => {
    await announceUser(owner, 'owner');
    const elsewhere = await openShop();
    const { id } = await lead({ owner_id: leaver });
    await say(elsewhere.workspace, 'platform.user.created', {
      user_id: randomUUID(),
      name: 'Olaf',
      email: '',
      kind: 'owner',
      status: 'active',
      phone: '',
    });
    await say(elsewhere.workspace, 'platform.user.deleted', { user_id: randomUUID() }, { position: 2 });
    expect(await show(id)).toMatchObject({ owner_id: leaver });
  });
});
