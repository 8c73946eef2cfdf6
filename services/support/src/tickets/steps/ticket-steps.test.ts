import { beforeAll, describe, expect, test } from '@jest/globals';
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
  const mergedPair = async () => {
    const [source, target] = [await open(client), await open(client)];
    await merge(source.id, target.id);
    return { source, target };
  };

  test('shows one thread by time, with the notes, tags and CC of the source', async () => {
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
  });

  test('adds later replies of the requester to the target, and rejects replies of agents', async () => {
    const { source, target } = await mergedPair();
    expect((await say(client, source.id, 'Third')).body.data.ticket.id).toBe(target.id);
    expect(await say(agent, source.id, 'No')).toMatchObject({
      status: 409,
      body: { code: 'ticket_merged', details: { merged_into: target.number } },
    });
  });

  test('shows the status of the target at the source, and has no effect if repeated', async () => {
    const { source, target } = await mergedPair();
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
    ['without tickets', { ticket_ids: [], status: 'open' }, 'ticket_ids'],
    [
      'with more than 100 tickets',
      { ticket_ids: Array.from({ length: 101 }, () => crypto.randomUUID()), status: 'open' },
      'ticket_ids',
    ],
    ['without a change', { ticket_ids: [crypto.randomUUID()] }, 'status'],
    ['with two changes', { ticket_ids: [crypto.randomUUID()], status: 'open', tags_add: ['a'] }, 'tags_add'],
  ])('is rejected %s', async (_, body, field) => {
    const { status, body: answer } = await agent.post(`${base}/tickets/bulk`, body);
    expect([status, Object.keys(answer.errors)[0]]).toEqual([422, field]);
  });
});
