import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';

const { serving, finance, office: openOffice } = await openSupport();
const base = '/api/support-ticket';

let office: Office;
let carl: Office['owner'];
let cora: Office['owner'];
let customer_id: string;
/** Tickets of Carl and of Cora, both for the same customer. */
let [ofCarl, ofCora] = ['', ''];

const share = (on: boolean) => office.owner.post(`${base}/settings/update`, { share_within_customer: on });
const open = async (by: Office['owner']) =>
  (await by.post(`${base}/ticket/store`, { subject: 'Help', description: 'The printer burns.' })).body.data.id;
const listed = async (by: Office['owner'], query = '') => {
  const { data, meta } = (await by.get(`${base}/tickets?sort=created_at${query}`)).body;
  expect(meta.total).toBe(data.length);
  return data.map(({ id }: { id: string }) => id);
};

beforeEach(async () => {
  office = await openOffice();
  customer_id = finance.customer(office.workspace, { name: 'Ada Ltd' });
  carl = office.member({ kind: 'client', name: 'Carl' });
  cora = office.member({ kind: 'client', name: 'Cora' });
  ofCarl = await open(carl);
  ofCora = await open(cora);
  for (const id of [ofCarl, ofCora]) await office.owner.post(`${base}/ticket/update/${id}`, { customer_id });
});

describe('clients of one customer', () => {
  test('see nothing of each other’s tickets unless the workspace shares them', async () => {
    expect(await listed(carl)).toEqual([ofCarl]);
    expect((await carl.get(`${base}/ticket/show/${ofCora}`)).status).toBe(404);
    await share(true);
    expect(await listed(carl)).toEqual([ofCarl, ofCora]);
    expect(await listed(carl, '&q=burns')).toHaveLength(2);
    await share(false);
    expect(await listed(carl)).toEqual([ofCarl]);
    expect((await carl.post(`${base}/ticket/add-reply/${ofCora}`, { body: 'Hm' })).status).toBe(404);
  });

  test('find shared tickets by visible fields, but not by the requester’s e-mail', async () => {
    await share(true);
    const [ticket] = await serving.sql`SELECT requester_email FROM tickets WHERE id = ${ofCora}`;
    const address = String(ticket!['requester_email']);
    expect(await listed(office.owner, `&q=${encodeURIComponent(address)}`)).toEqual([ofCora]);
    expect(await listed(carl, `&q=${encodeURIComponent(address)}`)).toEqual([]);
    expect(await listed(carl, '&q=Cora')).toEqual([ofCora]);
  });

  test('can read and reply as requesters, but not close or rate', async () => {
    await share(true);
    await office.owner.post(`${base}/ticket/note/store/${ofCora}`, { body: 'A secret about the printer' });
    const shown = (await carl.get(`${base}/ticket/show/${ofCora}`)).body.data;
    expect(shown).toMatchObject({ requester: { name: 'Cora' }, allowed_actions: ['reply'] });
    for (const field of ['tags', 'assignee_id', 'notes', 'activity', 'customer_id', 'cc'])
      expect(shown).not.toHaveProperty(field);
    expect(Object.keys(shown.requester)).toEqual(['name', 'email']);
    expect(await listed(carl, '&q=secret')).toEqual([]);
    const response = await carl.post(`${base}/ticket/add-reply/${ofCora}`, { body: 'Me too.' });
    expect(response.body.data).toMatchObject({ author: { kind: 'customer', name: 'Carl' }, ticket: { id: ofCora } });
    await office.owner.post(`${base}/ticket/add-reply/${ofCora}`, { body: 'Done.', status: 'resolved' });
    const refused = [
      await carl.post(`${base}/ticket/close/${ofCora}`, {}),
      await carl.post(`${base}/ticket/rate/${ofCora}`, { rating: 5 }),
      await carl.post(`${base}/ticket/add-reply/${ofCora}`, { body: 'Thanks', status: 'resolved' }),
      await carl.post(`${base}/ticket/update/${ofCora}`, { priority: 'low' }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual([
      'not_requester',
      'rating_closed',
      'not_requester',
      'not_agent',
    ]);
    expect((await cora.post(`${base}/ticket/close/${ofCora}`, {})).body.data.status).toBe('closed');
  });

  test('cannot see tickets of other, missing or former customers', async () => {
    await share(true);
    const otherClient = office.member({ kind: 'client', name: 'Sam' });
    const ofSam = await open(otherClient);
    const other = finance.customer(office.workspace, { name: 'Bob Ltd' });
    expect(await listed(otherClient)).toEqual([ofSam]);
    await office.owner.post(`${base}/ticket/update/${ofSam}`, { customer_id: other });
    expect(await listed(otherClient)).toEqual([ofSam]);
    expect(await listed(carl)).toEqual([ofCarl, ofCora]);
    await office.owner.post(`${base}/ticket/update/${ofCarl}`, { customer_id: other });
    expect(await listed(carl)).toEqual([ofCarl, ofSam]);
    await office.owner.post(`${base}/ticket/delete/${ofCarl}`, {});
    expect(await listed(carl)).toEqual([]);
  });

  test('see it in their own workspace only, and sharing gives scope-own staff nothing', async () => {
    await share(true);
    const elsewhere = await openOffice();
    const twin = elsewhere.member({ kind: 'client', user_id: carl.caller.user_id });
    expect(await listed(twin)).toEqual([]);
    const own = office.member({ record_scopes: { ticket: 'own' } });
    const ofOwn = await open(own);
    await office.owner.post(`${base}/ticket/update/${ofOwn}`, { customer_id });
    expect(await listed(own)).toEqual([ofOwn]);
    const vendor = office.member({ kind: 'vendor' });
    const ofVendor = await open(vendor);
    await office.owner.post(`${base}/ticket/update/${ofVendor}`, { customer_id });
    expect(await listed(vendor)).toEqual([ofVendor]);
  });
});

test('a further ticket of a requester has the same customer', async () => {
  const next = await open(carl);
  expect((await office.owner.get(`${base}/ticket/show/${next}`)).body.data).toMatchObject({
    requester: { customer_id, customer_name: 'Ada Ltd' },
  });
  await share(true);
  expect(await listed(cora)).toEqual([ofCarl, ofCora, next]);
});

test('the settings control ticket sharing, and changing them needs a permission', async () => {
  const agent = office.member({ can: ['ticket.view', 'ticket.update'] });
  expect((await office.owner.get(`${base}/settings`)).body.data).toMatchObject({ share_within_customer: false });
  const tried = [{ share_within_customer: 'yes' }, {}].map((body) =>
    office.owner.post(`${base}/settings/update`, body),
  );
  expect(sortedStatuses(await Promise.all(tried))).toEqual([200, 422]);
  expect((await agent.post(`${base}/settings/update`, { share_within_customer: true })).status).toBe(403);
  const rows =
    await serving.sql`SELECT share_within_customer AS on FROM settings WHERE workspace_id = ${office.workspace}`;
  expect(rows).toEqual([{ on: false }]);
});
