import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';

const { serving, office: openOffice } = await openSupport();
let office: Office;
beforeEach(async () => {
  office = await openOffice();
});
const owner = () => office.member({ can: ['workspace.update'] });
const input = (more: object = {}) => ({
  address: `Help-${randomUUID()}@Example.com`,
  name: 'Help',
  from_name: 'Northwind Help',
  ...more,
});

test('shows the token of a mailbox once and stores its hash', async () => {
  const { body } = await owner().post('/api/support-ticket/mailbox/store', input());
  const { id, token, token_hint, address } = body.data;
  expect(token).toMatch(/^mbx_[\da-f]{32}_[\w-]{43}$/);
  expect(token.slice(37).startsWith(token_hint)).toBe(true);
  expect(address).toBe(address.toLowerCase());
  const listed = await owner().get('/api/support-ticket/mailboxes');
  expect(listed.body.data).toMatchObject([{ id, active: true, auto_acknowledge: true, former_token_until: null }]);
  expect(JSON.stringify(listed.body)).not.toContain(token);
  const [row] = await serving.sql`SELECT to_jsonb(mailboxes) AS kept FROM mailboxes WHERE id = ${id}`;
  const logged = await serving.sql`SELECT after FROM journal_changes WHERE record_id = ${id}`;
  expect(JSON.stringify([row, logged])).not.toContain(token);
  expect(JSON.stringify(logged)).not.toContain(row!['kept'].token_hash);
});

test('rotates a token with an overlap of one week', async () => {
  const createdMailbox = (await owner().post('/api/support-ticket/mailbox/store', input())).body.data;
  const rotated = await owner().post(`/api/support-ticket/mailbox/rotate-token/${createdMailbox.id}`, {});
  expect(rotated.body.data.token).not.toBe(createdMailbox.token);
  const days =
    (Date.parse(rotated.body.data.former_token_until) - Date.parse(rotated.body.data.updated_at)) / 86_400_000;
  expect(days).toBeCloseTo(7, 2);
  const [row] = await serving.sql`
    SELECT former_token_hash = sha256(${createdMailbox.token}::text::bytea) AS former,
      token_hash = sha256(${rotated.body.data.token}::text::bytea) AS present FROM mailboxes WHERE id = ${createdMailbox.id}`;
  expect(row).toEqual({ former: true, present: true });
  const stale = await owner().send('POST', `/api/support-ticket/mailbox/rotate-token/${createdMailbox.id}`, '{}', {
    'content-type': 'application/json',
    'if-match': '"1"',
  });
  expect(stale.status).toBe(412);
});

test('creates an address once for concurrent requests', async () => {
  const mailboxInput = input();
  const replies = await runConcurrently(10, () => owner().post('/api/support-ticket/mailbox/store', mailboxInput));
  expect(sortedStatuses(replies).toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(409)]);
  const wrong = await owner().post(
    '/api/support-ticket/mailbox/store',
    input({ address: 'help@', category_id: randomUUID() }),
  );
  expect(Object.keys(wrong.body.errors)).toEqual(['address']);
});

test('lets only owners and managers manage mailboxes and blocked senders', async () => {
  const agent = office.member({ can: ['ticket.view', 'ticket.update'] });
  for (const path of ['/api/support-ticket/mailboxes', '/api/support-ticket/blocked-senders'])
    expect((await agent.get(path)).status).toBe(403);
  const block = (sender: string) => owner().post('/api/support-ticket/blocked-sender/store', { sender });
  expect(
    sortedStatuses([await block('Spam@Example.com'), await block('@spam.test'), await block('spam@example.com')]),
  ).toEqual([201, 201, 409]);
  expect((await block('example.com')).body.errors).toHaveProperty('sender');
  const { body } = await owner().get('/api/support-ticket/blocked-senders?sort=sender');
  expect(body.data.map(({ sender }: { sender: string }) => sender)).toEqual(['@spam.test', 'spam@example.com']);
  expect((await owner().post(`/api/support-ticket/blocked-sender/delete/${body.data[0].id}`, {})).status).toBe(200);
});
