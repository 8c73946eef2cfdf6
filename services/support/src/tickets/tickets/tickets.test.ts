import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openSupport, type Office } from '../../../test/fixture.ts';

const { serving, office: openOffice, finance, violations } = await openSupport();
let office: Office;
let agent: Office['owner'];
let client: Office['owner'];
beforeAll(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  client = office.member({ kind: 'client', name: 'Carl Client' });
});

const base = '/api/support-ticket';
const request = (more: object = {}) => ({ subject: 'The printer is on fire', description: 'Since noon.', ...more });
const requester = { name: 'Rita Requester', email: 'rita@example.com' };
const open = async (by: Office['owner'], more: object = {}) =>
  (await by.post(`${base}/ticket/store`, request(more))).body.data;
const reply = (id: string) => agent.post(`${base}/ticket/add-reply/${id}`, { body: 'Words' });
const show = async (by: Office['owner'], id: string) => (await by.get(`${base}/ticket/show/${id}`)).body.data;

describe('a ticket', () => {
  test('has a unique number, and is visible to its requester with public statuses', async () => {
    const { status, body } = await client.post(`${base}/ticket/store`, request());
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      number: expect.stringMatching(/^T-\d{6}$/),
      status: 'open',
      priority: 'medium',
      requester: { name: 'Carl Client' },
      thread: [],
      version: 1,
      allowed_actions: ['reply', 'resolve'],
    });
    for (const field of ['tags', 'assignee_id', 'notes', 'activity', 'cc', 'team', 'channel'])
      expect(body.data).not.toHaveProperty(field);
    const opened = await show(agent, body.data.number);
    expect(opened).toMatchObject({ id: body.data.id, status: 'new', tags: [], notes: [] });
    expect(opened.updated_at).toBe(opened.created_at);
  });

  test('gets its category’s assignee and stays new if opened for a requester', async () => {
    const { data: categories } = (await agent.get(`${base}/categories?name=Billing`)).body;
    const default_assignee = office.hire({ name: 'Bill' });
    const changed = await agent.post(`${base}/category/update/${categories[0].id}`, {
      default_assignee,
      priority: 'high',
    });
    expect(changed.status).toBe(200);
    const ticket = await open(agent, { requester, category_id: categories[0].id });
    expect(ticket).toMatchObject({ status: 'new', priority: 'high', assignee_id: default_assignee, channel: 'api' });
    expect(await open(agent, { requester, assignee_id: agent.caller.user_id })).toMatchObject({ status: 'open' });
  });

  test('has a customer that exists in finance', async () => {
    const customer_id = finance.customer(office.workspace);
    const ticket = await open(agent, { requester: { ...requester, customer_id } });
    expect(ticket).toMatchObject({ requester: { customer_id, customer_name: 'Ada Ltd' } });
    const unknown = { ...requester, customer_id: crypto.randomUUID() };
    const { status, body } = await agent.post(`${base}/ticket/store`, request({ requester: unknown }));
    expect([status, body.errors]).toMatchObject([422, { 'requester.customer_id': [expect.any(String)] }]);
  });

  test.each([
    ['subject', ''],
    ['subject', 'Two\nlines'],
    ['subject', 'x'.repeat(201)],
    ['description', ''],
    ['priority', 'huge'],
    ['type', 'complaint'],
    ['category_id', crypto.randomUUID()],
    ['assignee_id', crypto.randomUUID()],
    ['requester', { name: 'Rita', email: 'nobody' }],
    ['status', 'closed'],
    ['cc', ['nobody']],
    ['tags', ['']],
    ['number', 'T-1'],
  ])('is rejected with %s = %j', async (field, value) => {
    const { status, body } = await agent.post(`${base}/ticket/store`, request({ [field]: value }));
    expect(status).toBe(422);
    expect(Object.keys(body.errors)[0]?.split('.')[0]).toBe(field);
  });

  test.each(['tags', 'assignee_id', 'requester', 'status', 'cc', 'silent'])(
    'is rejected with %s from a client',
    async (field) => {
      const value = { tags: ['a'], assignee_id: agent.caller.user_id, requester, status: 'open', cc: [], silent: true }[
        field
      ];
      const { status, body } = await client.post(`${base}/ticket/store`, request({ [field]: value }));
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
      expect(await client.post(`${base}/ticket/store`, request({ priority: 'urgent' }))).toMatchObject({ status: 422 });
    },
  );

  test('stores its files and shows them in its thread with links', async () => {
    const form = new FormData();
    form.set('subject', 'With a file');
    form.set('description', 'See there.');
    form.append('files', new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
    const { status, body } = await client.upload(`${base}/ticket/store`, form);
    expect(status).toBe(201);
    expect(body.data.attachments).toMatchObject([{ name: 'note.txt', size: 10 }]);
    expect((await client.get(body.data.attachments[0].url)).status).toBe(200);
  });

  test('gets the next number in each of fifty concurrent requests', async () => {
    const fresh = await openOffice();
    const replies = await runConcurrently(50, () => fresh.owner.post(`${base}/ticket/store`, request({ requester })));
    expect(sortedStatuses(replies)).toEqual(Array(50).fill(201));
    const numbers: string[] = replies.map(({ body }) => body.data.number);
    expect(new Set(numbers)).toEqual(
      new Set(Array.from({ length: 50 }, (_, at) => `T-${String(at + 1).padStart(6, '0')}`)),
    );
    expect(await violations(fresh)).toEqual([]);
  });
});

describe('the status of a ticket', () => {
  test('follows the status table and records each step in the history', async () => {
    const { id } = await open(agent, { requester });
    const move = (status: string, more: object = {}) => agent.post(`${base}/ticket/update/${id}`, { status, ...more });
    expect((await move('resolved')).body.data).toMatchObject({ status: 'resolved' });
    expect((await move('open')).body.data).toMatchObject({ status: 'open', reopened_count: 1, resolved_at: null });
    expect((await move('on_hold')).body.data).toMatchObject({ status: 'on_hold' });
    expect((await move('pending', { pending_until: '2999-01-01T00:00:00Z' })).body.data.pending_until).toContain(
      '2999',
    );
    expect((await move('spam')).body.data).toMatchObject({ status: 'spam', pending_until: null });
    expect(await move('resolved')).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'spam' } },
    });
    expect((await move('open')).body.data).toMatchObject({ status: 'open' });
    const steps = (await show(agent, id)).activity
      .filter(({ verb }: { verb: string }) => verb === 'status_changed')
      .map(({ diff }: { diff: { status: string[] } }) => diff.status.join(' '));
    expect(steps.toReversed()).toEqual([
      'new open',
      'open resolved',
      'resolved open',
      'open on_hold',
      'on_hold pending',
      'pending spam',
      'spam open',
    ]);
  });

  test.each([['2020-01-01T00:00:00Z'], ['soon']])('rejects %s as the end of a wait', async (pending_until) => {
    const { id } = await open(agent, { requester });
    const { status, body } = await agent.post(`${base}/ticket/update/${id}`, { status: 'pending', pending_until });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['pending_until']]);
  });

  test('is open when a person assigns a new ticket', async () => {
    const { id } = await open(agent, { requester });
    const { body } = await agent.post(`${base}/ticket/update/${id}`, { assignee_id: agent.caller.user_id });
    expect(body.data).toMatchObject({ status: 'open', assignee_id: agent.caller.user_id });
  });

  test('cannot be changed with a stale version', async () => {
    const { id, version } = await open(agent, { requester });
    expect((await agent.post(`${base}/ticket/update/${id}`, { tags: ['vip'], version })).status).toBe(200);
    expect(await agent.post(`${base}/ticket/update/${id}`, { tags: [], version })).toMatchObject({ status: 412 });
  });
});

describe('the requester of a ticket', () => {
  test('cannot work on the ticket, regardless of permissions', async () => {
    const { id } = await open(agent);
    expect(await agent.post(`${base}/ticket/update/${id}`, { priority: 'low' })).toMatchObject({
      status: 403,
      body: { code: 'not_agent' },
    });
    expect((await agent.post(`${base}/ticket/delete/${id}`, {})).status).toBe(403);
    expect((await agent.post(`${base}/ticket/note/store/${id}`, { body: 'Hm' })).status).toBe(404);
    expect(await show(agent, id)).not.toHaveProperty('tags');
    expect((await office.owner.post(`${base}/ticket/update/${id}`, { priority: 'low' })).status).toBe(200);
  });

  test('sees their own tickets only', async () => {
    const colleague = office.member({ record_scopes: { ticket: 'own' } });
    const other = await open(agent, { requester });
    const mine = await open(client);
    const given = await open(agent, { requester, assignee_id: colleague.caller.user_id });
    for (const by of [client, colleague, office.member({ kind: 'vendor' })])
      expect((await by.get(`${base}/ticket/show/${other.id}`)).status).toBe(404);
    expect((await show(colleague, given.id)).tags).toEqual([]);
    const { data, meta } = (await client.get(`${base}/tickets?per_page=100`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toContain(mine.id);
    expect(meta.total).toBe(data.length);
    expect(new Set(data.map(({ status }: { status: string }) => status))).toEqual(new Set(['open']));
    expect((await client.get(`${base}/tickets?assignee_id=${agent.caller.user_id}`)).status).toBe(422);
    expect((await client.get(`${base}/tickets?status=open`)).body.meta.total).toBe(meta.total);
  });

  test('cannot learn about the work of agents by filters or sorting', async () => {
    const colleague = office.member({ record_scopes: { ticket: 'own' } });
    const own = await open(colleague);
    const given = await open(agent, { requester, assignee_id: colleague.caller.user_id, tags: ['fraud'] });
    await agent.post(`${base}/ticket/update/${own.id}`, {
      assignee_id: colleague.caller.user_id,
      tags: ['fraud'],
      team: 'Blue',
      status: 'on_hold',
    });
    const found = async (query: string) =>
      (await colleague.get(`${base}/tickets?${query}&sort=created_at`)).body.data.map(({ id }: { id: string }) => id);
    for (const query of ['tags=fraud', 'view=mine', `assignee_id=${colleague.caller.user_id}`])
      expect([query, await found(query)]).toEqual([query, [given.id]]);
    for (const query of ['team=Blue', 'status=on_hold']) expect([query, await found(query)]).toEqual([query, []]);
    expect(await found('status=open')).toEqual([own.id, given.id]);
    expect(await found('created_at[gte]=2020-01-01T00:00:00Z')).toEqual([own.id, given.id]);
  });
});

describe('the list of tickets', () => {
  test('can be filtered by tags, presets and words, including words of replies', async () => {
    const word = `w${crypto.randomUUID().slice(0, 8)}`;
    const { id } = await open(agent, { requester, tags: [word] });
    await agent.post(`${base}/ticket/add-reply/${id}`, { body: `In a reply: reply${word}` });
    await agent.post(`${base}/ticket/note/store/${id}`, { body: `In a note: note${word}` });
    const ids = async (by: Office['owner'], query: string) =>
      (await by.get(`${base}/tickets?${query}`)).body.data.map((ticket: { id: string }) => ticket.id);
    for (const query of [`tags=${word}`, `q=reply${word}`, `q=note${word}`])
      expect(await ids(agent, query)).toEqual([id]);
    expect(await ids(agent, `view=unassigned&tags=${word}`)).toEqual([id]);
    expect(await ids(agent, `view=mine&tags=${word}`)).toEqual([]);
    await agent.post(`${base}/ticket/update/${id}`, { status: 'spam' });
    expect(await ids(agent, `tags=${word}`)).toEqual([]);
    expect(await ids(agent, `view=spam&tags=${word}`)).toEqual([id]);
    expect((await agent.get(`${base}/tickets?view=none`)).status).toBe(422);
    const expanded = await agent.get(`${base}/tickets?status=spam&tags=${word}&expand=last_reply,category,assignee`);
    expect(expanded.body.data[0]).toMatchObject({
      last_reply: { body: expect.stringContaining(word) },
      category: null,
    });
  });
});

test('sorts tickets by priority across pages, even for requesters', async () => {
  const tag = `w${crypto.randomUUID().slice(0, 8)}`;
  for (const priority of ['high', 'low', 'urgent', 'medium', 'high', 'low'])
    await open(agent, { requester, priority, tags: [tag] });
  const walk = async (sort: string) => {
    const first = (await agent.get(`${base}/tickets?tags=${tag}&sort=${sort}&per_page=3`)).body;
    const cursor = encodeURIComponent(first.meta.next_cursor);
    const { body } = await agent.get(`${base}/tickets?tags=${tag}&sort=${sort}&per_page=3&cursor=${cursor}`);
    return [...first.data, ...body.data].map(({ priority }: { priority: string }) => priority);
  };
  expect(await walk('priority')).toEqual(['low', 'low', 'medium', 'high', 'high', 'urgent']);
  expect(await walk('-priority')).toEqual(['urgent', 'high', 'high', 'medium', 'low', 'low']);
  const fresh = office.member({ kind: 'client' });
  for (const priority of ['high', 'low']) await open(fresh, { priority });
  const requesterTickets = (await fresh.get(`${base}/tickets?sort=priority`)).body.data;
  expect(requesterTickets.map(({ priority }: { priority: string }) => priority)).toEqual(['low', 'high']);
});

describe('a deleted ticket', () => {
  test('is removed everywhere, and its number is never reused', async () => {
    const { id, number } = await open(agent, { requester });
    expect((await agent.post(`${base}/ticket/delete/${id}`, {})).body.data).toEqual({ id, deleted: true });
    expect((await agent.get(`${base}/ticket/show/${id}`)).status).toBe(404);
    expect((await agent.get(`${base}/ticket/show/${number}`)).status).toBe(404);
    expect((await agent.post(`${base}/ticket/delete/${id}`, {})).status).toBe(404);
    expect((await agent.get(`${base}/tickets?id=${id}`)).body.data).toEqual([]);
    expect((await reply(id)).status).toBe(404);
    expect((await open(agent, { requester })).number).not.toBe(number);
    const rows = await serving.sql`SELECT number FROM tickets WHERE id = ${id}`;
    expect(rows).toEqual([{ number }]);
    expect(await violations(office)).toEqual([]);
  });
});
