import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openSupport, type Office } from '../../../test/fixture.ts';

const { office: openOffice, violations } = await openSupport();
let office: Office;
let agent: Office['owner'];
let client: Office['owner'];
let other: Office['owner'];
beforeAll(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  client = office.member({ kind: 'client', name: 'Carl Client' });
  other = office.member({ kind: 'client', name: 'Cora Client' });
});

const base = '/api/support-ticket';
const open = async (by: Office['owner'], more: object = {}) =>
  (await by.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.', ...more })).body.data;
const say = (by: Office['owner'], id: string, body: string) => by.post(`${base}/ticket/add-reply/${id}`, { body });
const merge = (id: string, into: string, more: object = {}) =>
  agent.post(`${base}/ticket/merge/${id}`, { into, ...more });
const show = async (by: Office['owner'], id: string) => (await by.get(`${base}/ticket/show/${id}`)).body.data;

describe('merging', () => {
  test('shows one thread by time, and adds the requester’s later replies to the target', async () => {
    const [source, target] = [await open(client), await open(client)];
    await say(client, source.id, 'First');
    await say(client, target.id, 'Second');
    await agent.post(`${base}/ticket/note/store/${source.id}`, { body: 'Of the source' });
    await agent.post(`${base}/ticket/update/${source.id}`, { tags: ['a'], cc: ['eve@example.com'] });
    const { status, body } = await merge(source.id, target.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: target.id, tags: ['a'], cc: ['eve@example.com'] });
    expect(body.data.thread.map((reply: { body: string }) => reply.body)).toEqual(['Please.', 'First', 'Second']);
    expect(body.data.notes).toMatchObject([{ body: 'Of the source' }]);
    const later = await say(client, source.id, 'Third');
    expect(later.body.data.ticket.id).toBe(target.id);
    expect(await say(agent, source.id, 'No')).toMatchObject({
      status: 409,
      body: { code: 'ticket_merged', details: { merged_into: target.number } },
    });
    await agent.post(`${base}/ticket/update/${target.id}`, { status: 'resolved' });
    expect(await show(client, source.id)).toMatchObject({ status: 'resolved', merged_into: target.number });
    expect(await merge(source.id, target.id)).toMatchObject({ status: 200 });
  });

  test('follows chains, and rejects cycles', async () => {
    const [a, b, c] = [await open(client), await open(client), await open(client)];
    await say(client, a.id, 'Of a');
    await merge(a.id, b.id);
    await merge(b.id, c.id);
    expect((await show(client, c.id)).thread).toMatchObject([
      { opening_subject: 'Help' },
      { opening_subject: 'Help' },
      { body: 'Of a', opening_subject: null },
    ]);
    expect(await show(agent, a.id)).toMatchObject({ merged_into: c.number });
    expect(await merge(c.id, a.id)).toMatchObject({ status: 409, body: { code: 'merge_circle' } });
    expect(await merge(c.id, c.id)).toMatchObject({ status: 409, body: { code: 'merge_circle' } });
    const d = await open(client);
    expect((await merge(d.id, a.id)).body.data.id).toBe(c.id);
  });

  test('moves the source’s links to the target', async () => {
    const [source, target] = [await open(client), await open(client)];
    await agent.post(`${base}/ticket/update/${source.id}`, { status: 'spam' });
    const followUp = (await say(client, source.id, 'It is no spam.')).body.data.ticket;
    expect(await show(agent, followUp.id)).toMatchObject({ linked_to: source.id });
    await agent.post(`${base}/ticket/update/${source.id}`, { status: 'open' });
    await merge(source.id, target.id);
    expect(await show(agent, followUp.id)).toMatchObject({ linked_to: target.id });
    // A link of the source moves to the target. A link to the target itself is deleted.
    const third = await open(client);
    await merge(followUp.id, third.id);
    expect(await show(agent, third.id)).toMatchObject({ linked_to: target.id });
    await merge(target.id, third.id);
    expect(await show(agent, third.id)).toMatchObject({ linked_to: null });
    expect(await violations(office)).toEqual([]);
  });

  test('requires force for different requesters', async () => {
    const [source, target] = [await open(client), await open(other)];
    expect(await merge(source.id, target.id)).toMatchObject({ status: 409, body: { code: 'other_requester' } });
    const { body } = await merge(source.id, target.id, { force: true });
    expect(body.data.cc).toEqual([`${client.caller.user_id}@example.com`]);
    expect((await client.get(`${base}/ticket/show/${target.id}`)).status).toBe(404);
  });

  test('succeeds once if two tickets are merged into each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await open(client), await open(client)];
      const replies = await runConcurrently(2, (at) => (at === 0 ? merge(a.id, b.id) : merge(b.id, a.id)));
      expect(sortedStatuses(replies)).toEqual([200, 409]);
    }
    expect(await violations(office)).toEqual([]);
  });

  test('is the only change allowed in its update, and needs an existing target', async () => {
    const [a, b] = [await open(client), await open(client)];
    const update = (body: object) => agent.post(`${base}/ticket/update/${a.id}`, body);
    expect(await update({ merge_into: b.id, priority: 'low' })).toMatchObject({ status: 422 });
    expect((await merge(a.id, crypto.randomUUID())).status).toBe(404);
    await agent.post(`${base}/ticket/update/${b.id}`, { status: 'spam' });
    expect(await merge(a.id, b.id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await agent.post(`${base}/ticket/update/${b.id}`, { status: 'open' });
    expect((await update({ merge_into: b.id })).body.data).toMatchObject({ status: 'merged', merged_into: b.number });
  });
});

describe('a bulk change of tickets', () => {
  test('returns the result of each', async () => {
    const [a, b, own] = [await open(client), await open(client), await open(agent)];
    await agent.post(`${base}/ticket/update/${b.id}`, { status: 'spam' });
    const ticket_ids = [a.id, b.id, own.id, crypto.randomUUID()];
    const { status, body } = await agent.post(`${base}/tickets/bulk`, { ticket_ids, status: 'resolved' });
    expect(status).toBe(200);
    expect(body.data.results.map(({ code }: { code?: string }) => code ?? 'ok')).toEqual([
      'ok',
      'invalid_transition',
      'not_agent',
      'not_found',
    ]);
    expect(await show(agent, a.id)).toMatchObject({ status: 'resolved' });
    const tagged = await agent.post(`${base}/tickets/bulk`, { ticket_ids: [a.id], tags_add: ['x', 'y'] });
    expect(tagged.body.data.results).toEqual([{ ticket_id: a.id, ok: true }]);
    await agent.post(`${base}/tickets/bulk`, { ticket_ids: [a.id], tags_remove: ['x'] });
    const assignee_id = agent.caller.user_id;
    await agent.post(`${base}/tickets/bulk`, { ticket_ids: [a.id], assignee_id });
    expect(await show(agent, a.id)).toMatchObject({ tags: ['y'], assignee_id });
  });

  test.each([
    [{ ticket_ids: [], status: 'open' }, 'ticket_ids'],
    [{ ticket_ids: Array.from({ length: 101 }, () => crypto.randomUUID()), status: 'open' }, 'ticket_ids'],
    [{ ticket_ids: [crypto.randomUUID()] }, 'status'],
    [{ ticket_ids: [crypto.randomUUID()], status: 'open', tags_add: ['a'] }, 'tags_add'],
  ])('is rejected %#', async (body, field) => {
    const { status, body: answer } = await agent.post(`${base}/tickets/bulk`, body);
    expect([status, Object.keys(answer.errors)[0]]).toEqual([422, field]);
  });
});

describe('home and the pick lists', () => {
  let fresh: Office;
  let worker: Office['owner'];
  let asker: Office['owner'];
  /** Opens three tickets of a client: one pending with tag and team, one assigned to Ann, one resolved and rated. */
  beforeEach(async () => {
    fresh = await openOffice();
    [worker, asker] = [fresh.member({ name: 'Ann' }), fresh.member({ kind: 'client', name: 'Carl' })];
    const [pending, assigned, resolved] = [await open(asker), await open(asker), await open(asker)];
    const update = (id: string, body: object) => worker.post(`${base}/ticket/update/${id}`, body);
    await update(pending.id, { status: 'pending', tags: ['vip'], team: 'Blue' });
    await update(assigned.id, { assignee_id: worker.caller.user_id });
    await update(resolved.id, { status: 'resolved' });
    await asker.post(`${base}/ticket/rate/${resolved.id}`, { rating: 4 });
  });
  const homeOf = async (by: Office['owner']) => (await by.get(`${base}/home`)).body.data;
  const listsOf = async (by: Office['owner']) => (await by.get(`${base}/get-request-data`)).body.data;

  test('count the tickets of agents by status, assignee and day', async () => {
    const home = await homeOf(worker);
    expect(home).toMatchObject({
      counts: { new: 0, open: 1, pending: 1, on_hold: 0, spam: 0, resolved_today: 1, closed_today: 0 },
      unassigned: 1,
      mine: { open: 1, pending: 0 },
      satisfaction: { average: '4', count: 1 },
    });
    expect(home.created_by_day).toHaveLength(14);
    expect(home.created_by_day.at(-1).created).toBe(3);
    expect(home.recent.length).toBeGreaterThan(0);
  });

  test('count as many tickets as the lists, including tickets of agents', async () => {
    const own = await open(worker);
    await fresh.owner.post(`${base}/ticket/update/${own.id}`, { assignee_id: worker.caller.user_id });
    await open(worker);
    for (const by of [worker, fresh.owner]) {
      const { counts, unassigned, mine } = await homeOf(by);
      const listed = async (filter: string) => (await by.get(`${base}/tickets?${filter}`)).body.meta.total;
      expect([counts.new, unassigned, mine.open]).toEqual([
        await listed('status=new'),
        await listed('view=unassigned'),
        await listed('view=mine'),
      ]);
    }
    expect(await violations(fresh)).toEqual([]);
  });

  test("show an agent's own ticket to colleagues, who handle it, and not to the agent", async () => {
    const own = await open(worker);
    await fresh.owner.post(`${base}/ticket/update/${own.id}`, { priority: 'high' });
    const showsOwn = async (by: Office['owner']) => {
      const { recent, due_next } = await homeOf(by);
      return [recent, due_next].map((rows) => rows.some((row: { ticket_id: string }) => row.ticket_id === own.id));
    };
    expect(await showsOwn(worker)).toEqual([false, false]);
    expect(await showsOwn(fresh.owner)).toEqual([true, true]);
    expect(await violations(fresh)).toEqual([]);
  });

  test('count the tickets of a requester by public status', async () => {
    const home = await homeOf(asker);
    expect(home.counts).toEqual({ open: 1, waiting_for_you: 1, resolved: 1, closed: 0 });
    expect(home).not.toHaveProperty('unassigned');
  });

  test('offer tags, teams, policies and agents to agents only', async () => {
    const lists = await listsOf(worker);
    expect(lists).toMatchObject({
      tags: ['vip'],
      teams: ['Blue'],
      side: 'agent',
      sla_policies: [{ id: expect.any(String), name: 'Standard' }],
    });
    expect(lists.agents).toContainEqual({ id: worker.caller.user_id, name: 'Ann', open_count: 1 });
    const forRequester = await listsOf(asker);
    expect(forRequester).toMatchObject({ priorities: ['low', 'medium', 'high'], side: 'requester' });
    for (const field of ['tags', 'teams', 'sla_policies', 'agents']) expect(forRequester).not.toHaveProperty(field);
  });
});
