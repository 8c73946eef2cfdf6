import { beforeAll, describe, expect, test } from '@jest/globals';
import { openSupport, type Office } from '../../../test/fixture.ts';

const { serving, office: openOffice } = await openSupport();
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
const show = async (by: Office['owner'], id: string) => (await by.get(`${base}/ticket/show/${id}`)).body.data;

describe('an agent who requested a ticket', () => {
  test('reads it as its requester in every list, with any filter and sort order', async () => {
    const fresh = await openOffice();
    const [ann, bob] = [fresh.member({ name: 'Ann' }), fresh.member({ name: 'Bob' })];
    const own = await open(ann);
    const other = await open(bob, { requester });
    const change = (id: string, body: object) => bob.post(`${base}/ticket/update/${id}`, body);
    for (const id of [own.id, other.id]) await change(id, { status: 'on_hold', tags: ['fraud'], team: 'Blue' });
    const list = async (query: string, by = ann) => {
      const { data, meta } = (await by.get(`${base}/tickets?${query}`)).body;
      expect([query, meta.total]).toEqual([query, data.length]);
      return data.map(({ id }: { id: string }) => id) as string[];
    };
    const both = new Set([own.id, other.id]);
    for (const query of ['tags=fraud', 'team=Blue', 'view=unassigned', 'view=all_open', 'assignee_id[null]=true'])
      expect([query, await list(query)]).toEqual([query, [other.id]]);
    expect(await list('status=on_hold')).toEqual([other.id]);
    expect(await list('status=open')).toEqual([own.id]);
    expect(new Set(await list('status[in]=open,on_hold'))).toEqual(both);
    expect(new Set(await list('requester_email[like]=@'))).toEqual(both);
    expect(new Set(await list('status=on_hold', bob))).toEqual(both);
    // A change that requesters cannot see does not affect the order for Ann.
    for (const sort of ['updated_at', '-updated_at', 'next_due_at', '-last_customer_reply_at']) {
      const before = await list(`sort=${sort}`);
      expect([sort, new Set(before)]).toEqual([sort, both]);
      await change(own.id, { team: `Team of ${sort}` });
      expect([sort, await list(`sort=${sort}`)]).toEqual([sort, before]);
    }
    await change(own.id, { status: 'spam' });
    expect(new Set(await list(''))).toEqual(both);
    expect(await list('status=spam')).toEqual([]);
    expect(await list('status=closed')).toEqual([own.id]);
    expect(await list('', bob)).toEqual([other.id]);
  });

  test('cannot learn due times from cursors', async () => {
    const fresh = await openOffice();
    const [ann, bob] = [fresh.member({ name: 'Ann' }), fresh.member({ name: 'Bob' })];
    const own = [await open(ann), await open(ann)];
    const other = await open(bob, { requester });
    const first = (await ann.get(`${base}/tickets?sort=next_due_at&per_page=1`)).body;
    expect(first.data).toMatchObject([{ id: other.id }]);
    const next = `cursor=${encodeURIComponent(first.meta.next_cursor)}`;
    const { data, meta } = (await ann.get(`${base}/tickets?sort=next_due_at&per_page=1&${next}`)).body;
    expect(own.map(({ id }) => id)).toContain(data[0].id);
    expect(Buffer.from(meta.next_cursor, 'base64url').toString()).not.toMatch(/\d{4}-\d\d-\d\dT/);
  });
});

describe('the assignee of a ticket', () => {
  const mails = (id: string) =>
    serving.sql`SELECT kind, "to" FROM mails WHERE ticket_id = ${id} AND kind = 'assignment'`;

  test('is notified of a new ticket, unless they open it or it is silent', async () => {
    const assignee_id = office.hire({ name: 'Bea', email: 'bea@example.com' });
    const assigned = await open(agent, { requester, assignee_id });
    expect(await mails(assigned.id)).toEqual([{ kind: 'assignment', to: 'bea@example.com' }]);
    const silent = await open(agent, { requester, assignee_id, silent: true });
    const own = await open(agent, { requester, assignee_id: agent.caller.user_id });
    for (const { id } of [silent, own]) expect(await mails(id)).toEqual([]);
    const { data: categories } = (await agent.get(`${base}/categories?name=Technical`)).body;
    const category_id = categories[0].id;
    await agent.post(`${base}/category/update/${category_id}`, { default_assignee: assignee_id });
    expect(await mails((await open(client, { category_id })).id)).toHaveLength(1);
  });

  test('must be active and have the permission to reply', async () => {
    const withoutPermission = office.hire({ name: 'Lou' }, ['ticket.view', 'ticket.update']);
    const disabled = office.hire({ name: 'Lee', status: 'disabled' });
    const { id } = await open(agent, { requester });
    const { data: categories } = (await agent.get(`${base}/categories?name=General`)).body;
    for (const assignee_id of [withoutPermission, disabled]) {
      const replies = [
        await agent.post(`${base}/ticket/store`, request({ requester, assignee_id })),
        await agent.post(`${base}/ticket/update/${id}`, { assignee_id }),
        await agent.post(`${base}/tickets/bulk`, { ticket_ids: [id], assignee_id }),
      ];
      for (const { status, body } of replies)
        expect([status, Object.keys(body.errors)]).toEqual([422, ['assignee_id']]);
      const kept = await agent.post(`${base}/category/update/${categories[0].id}`, { default_assignee: assignee_id });
      expect([kept.status, Object.keys(kept.body.errors)]).toEqual([422, ['default_assignee']]);
    }
    expect(await show(agent, id)).toMatchObject({ assignee_id: null, status: 'new' });
  });
});
