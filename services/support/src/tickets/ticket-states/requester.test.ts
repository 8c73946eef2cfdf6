import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, waitUntil } from '@suite/testing';
import { openSupport, type Office } from '../../../test/fixture.ts';

const { serving, finance, office: openOffice, violations } = await openSupport();
const { say } = await eventPublisher(serving);
const base = '/api/support-ticket';
let office: Office;
let agent: Office['owner'];
beforeEach(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
});
const open = async (by: Office['owner'], more: object = {}) =>
  (await by.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.', ...more })).body.data;
const show = async (id: string) => (await office.owner.get(`${base}/ticket/show/${id}`)).body.data;
const user = (user_id: string, email: string, status: string) => ({
  user_id,
  name: 'Rita',
  email,
  kind: 'client',
  status,
  phone: '',
});

describe('verifying an address', () => {
  test.each([
    ['verified after created', ['created', 'verified']],
    ['created after verified', ['verified', 'created']],
  ])('gives its tickets to its user: %s', async (_, order) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { id } = await open(agent, { requester: { name: 'Rita', email } });
    const user_id = office.hire({ kind: 'client', email });
    const rita = office.member({ kind: 'client', user_id });
    const events = {
      created: () => say(office.workspace, 'platform.user.created', user(user_id, email, 'invited'), { position: 1 }),
      verified: () => say(office.workspace, 'platform.user.verified', { user_id }, { position: 2 }),
    };
    expect((await rita.get(`${base}/ticket/show/${id}`)).status).toBe(404);
    for (const event of order) await events[event as 'created']();
    await waitUntil('the ticket is theirs', async () => (await rita.get(`${base}/ticket/show/${id}`)).status === 200);
  });
});

describe('an account with an unverified address', () => {
  test.each([
    ['active with a password that a colleague chose', 'active', []],
    ['activated by a colleague', 'invited', [{ vouched: true }]],
  ])('cannot see tickets of the address, whenever they arrive: %s', async (_, status, verified) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const requester = { name: 'Rita', email };
    const before = await open(agent, { requester });
    const user_id = office.hire({ kind: 'client', email, email_verified: false });
    const rita = office.member({ kind: 'client', user_id });
    const deliverEvent = (event: string, data: object, version: number) =>
      say(office.workspace, `platform.user.${event}`, data, { position: version });
    await deliverEvent('created', user(user_id, email, status), 1);
    for (const more of verified) await deliverEvent('verified', { user_id, ...more }, 2);
    const after = await open(agent, { requester });
    for (const { id } of [before, after]) expect((await rita.get(`${base}/ticket/show/${id}`)).status).toBe(404);
    expect((await rita.get(`${base}/tickets`)).body.data).toEqual([]);
    await deliverEvent('updated', { ...user(user_id, email, 'active'), email_verified: true }, 3);
    for (const { id } of [before, after])
      await waitUntil('the ticket is theirs', async () => (await rita.get(`${base}/ticket/show/${id}`)).status === 200);
  });
});

describe('updating a customer in finance', () => {
  const update = (customer_id: string, name: string, version: number, workspace = office.workspace) =>
    say(workspace, 'finance.customer.updated', { customer_id, name, active: true, version }, { position: version });

  test('changes the name in its tickets, without a visible change for requesters', async () => {
    const customer_id = finance.customer(office.workspace, { name: 'Ada Ltd' });
    const of = (customer: string) => ({
      requester: { name: 'Rita', email: 'rita@example.com', customer_id: customer },
    });
    const ticket = await open(agent, of(customer_id));
    const other = await open(agent, of(finance.customer(office.workspace, { name: 'Bob Ltd' })));
    const [before] = await serving.sql`SELECT public_version FROM tickets WHERE id = ${ticket.id}`;
    const elsewhere = await openOffice();
    await update(customer_id, 'Mallory Ltd', 2, elsewhere.workspace);
    await update(customer_id, 'Lovelace Ltd', 3);
    await update(customer_id, 'Lovelace Ltd', 3);
    await waitUntil('it has the name', async () => (await show(ticket.id)).requester.customer_name === 'Lovelace Ltd');
    expect((await show(other.id)).requester.customer_name).toBe('Bob Ltd');
    const [after] = await serving.sql`SELECT public_version FROM tickets WHERE id = ${ticket.id}`;
    expect(after).toEqual(before);
    const listed = (await agent.get(`${base}/tickets?customer_id=${customer_id}`)).body.data;
    expect(listed).toMatchObject([{ id: ticket.id, requester: { customer_name: 'Lovelace Ltd' } }]);
  });
});

describe('deleting or disabling a user', () => {
  test.each(['deleted', 'disabled'])(
    'reassigns open tickets to the category’s assignee, or unassigns them: %s',
    async (verb) => {
      const leaver = office.hire({ name: 'Lee' });
      const { data } = (await agent.get(`${base}/categories?name=Billing`)).body;
      const new_assignee = office.hire({ name: 'Bill' });
      await agent.post(`${base}/category/update/${data[0].id}`, { default_assignee: new_assignee });
      const plain = await open(agent, { requester: { name: 'R', email: 'r@example.com' }, assignee_id: leaver });
      const sorted = await open(agent, {
        requester: { name: 'R', email: 'r@example.com' },
        assignee_id: leaver,
        category_id: data[0].id,
      });
      await say(office.workspace, `platform.user.${verb}`, { user_id: leaver }, { position: 2 });
      await waitUntil('the ticket is unassigned', async () => (await show(plain.id)).assignee_id === null);
      expect(await show(plain.id)).toMatchObject({ status: 'open' });
      expect(await show(sorted.id)).toMatchObject({ assignee_id: new_assignee, status: 'open' });
      expect(await violations(office)).toEqual([]);
    },
  );

  test('erases a deleted requester from their tickets', async () => {
    const carl = office.member({ kind: 'client', name: 'Carl Client' });
    const { id } = await open(carl);
    await carl.post(`${base}/ticket/add-reply/${id}`, { body: 'Hello' });
    await say(office.workspace, 'platform.user.deleted', { user_id: carl.caller.user_id }, { position: 2 });
    expect(await show(id)).toMatchObject({ requester: { name: 'Former user', email: 'former-user@erased.invalid' } });
    expect((await show(id)).thread).toMatchObject([{ author: { name: 'Former user' }, body: 'Hello' }]);
  });
});
