import { expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { openSupport } from '../../../test/fixture.ts';
import { recountTickets } from './ticket-recount.ts';

const { serving, office: openOffice, violations } = await openSupport();
const tools = serving.tools as unknown as Parameters<typeof recountTickets>[0];
const base = '/api/support-ticket';

test('corrects wrong counters overnight, even during ticket changes', async () => {
  const office = await openOffice();
  const client = office.member({ kind: 'client' });
  const open = (tags: string[] = []) =>
    office.owner.post(`${base}/ticket/store`, {
      subject: 'Help',
      description: 'Please.',
      tags,
      requester: { name: 'Rita', email: 'rita@example.com' },
    });
  const { id } = (await open(['vip'])).body.data;
  await client.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' });
  await office.owner.post(`${base}/ticket/update/${id}`, { status: 'resolved' });
  expect(await recountTickets(tools)).toBe(0);

  const { workspace } = office;
  await serving.sql`UPDATE ticket_counts SET tickets = tickets + 3 WHERE workspace_id = ${workspace} AND status = 'new'`;
  await serving.sql`DELETE FROM ticket_counts WHERE workspace_id = ${workspace} AND status = 'resolved'`;
  await serving.sql`UPDATE ticket_figures SET created = created - 1, stars = 7 WHERE workspace_id = ${workspace}`;
  await serving.sql`INSERT INTO ticket_tags (workspace_id, tag, tickets) VALUES (${workspace}, 'gone', 4)`;
  expect(await violations(office)).not.toEqual([]);

  const [wrong] = await runConcurrently(20, (at) =>
    at === 0 ? recountTickets(tools) : open(['vip', 'more']).then(() => 0),
  );
  expect(wrong).toBeGreaterThanOrEqual(4);
  expect(await violations(office)).toEqual([]);
  expect(await recountTickets(tools)).toBe(0);
  expect((await office.owner.get(`${base}/home`)).body.data.counts).toMatchObject({ new: 20, open: 0 });
  expect((await office.owner.get(`${base}/get-request-data`)).body.data.tags).toEqual(['vip', 'more']);
});
