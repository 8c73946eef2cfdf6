import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { dataOf } from '@suite/testing/http';
import { waitFor, isTooBusy, retryPostponed } from '@suite/testing/waiting';
import { bearer, type SignedIn } from '@suite/testing/suite/http-caller';
import { emailsTo, waitForLink } from '@suite/testing/suite/mailbox';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { findAllViolations } from '@suite/tools/audit';

/**
 * An e-mail arrives, is assigned, waits for its sender, is answered by e-mail, and is resolved, rated and closed by a
 * link.
 */
const suite = await useSharedSuite();
const base = '/api/support-ticket';
const word = randomUUID().slice(0, 8);
const address = `help-${word}@northwind.test`;
const ada = `ada-${word}@example.test`;
const SECRET = `between us ${word}`;

let owner: SignedIn;
let agent: SignedIn;
let token: string;
let ticket_id: string;
let number: string;
let link: string;

/** A requester without a login, who follows links in e-mails. */
const outsider = bearer(suite.gateway);
const show = (by = agent) => dataOf(by.get(`${base}/ticket/show/${ticket_id}`));
const step = (path: string, body: object = {}, by = agent) => dataOf(by.post(`${base}/${path}`, body));

/** Submits an e-mail, as a receiving server does. */
const hand = (fields: Record<string, string>, text: string) => {
  const head = { From: `Ada <${ada}>`, To: address, 'Message-ID': `<${randomUUID()}@example.test>`, ...fields };
  const lines = [...Object.entries(head).map(([name, value]) => `${name}: ${value}`), '', text];
  const type = { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` };
  // A repeated e-mail is accepted once: the receiving server submits it again after a delay.
  return retryPostponed(() => outsider.send('POST', `${base}/inbound`, lines.join('\r\n'), type), isTooBusy);
};

beforeAll(async () => {
  const acme = await openWorkspace(suite);
  ({ owner } = acme);
  agent = await acme.hire('agent', 'Ann Agent');
  const box = { address, name: 'Help', from_name: 'Northwind help', signature: 'Your Northwind team' };
  ({ token } = await step('mailbox/store', box, owner));
}, 600_000);

test('an e-mail becomes a ticket, and its sender receives a link', async () => {
  const mail = { Subject: 'The printer', 'Message-ID': `<first-${word}@example.test>` };
  const replies = await Promise.all(Array.from({ length: 3 }, () => hand(mail, 'It is on fire.')));
  const outcomes = replies.map(({ status, body }) => String(body.data?.outcome ?? `${status} ${body.code}`));
  expect(outcomes.toSorted()).toEqual(['created', 'duplicate', 'duplicate']);
  ({ ticket_id, number } = replies[0]!.body.data);
  expect(await show()).toMatchObject({
    number,
    status: 'new',
    channel: 'email',
    subject: 'The printer',
    description: 'It is on fire.',
    requester: { name: 'Ada', email: ada },
  });
  const public_token = await waitForLink(suite, ada, 'public');
  link = `${base}/public/${public_token}`;
  expect(await dataOf(outsider.get(link))).toMatchObject({ number, status: 'open', thread: [] });
});

test('assigns the ticket and hides internal notes from the requester', async () => {
  await step(`ticket/update/${ticket_id}`, { assignee_id: agent.user.id, priority: 'high', status: 'open' });
  await step(`ticket/note/store/${ticket_id}`, { body: SECRET });
  expect(await show()).toMatchObject({ status: 'open', assignee: { id: agent.user.id }, notes: [{ body: SECRET }] });
  const { body } = await agent.get(`${base}/tickets?assignee_id=${agent.user.id}`);
  expect(body.data).toMatchObject([{ id: ticket_id }]);
});

test('the agent asks back in a threaded e-mail, and the ticket waits', async () => {
  await step(`ticket/add-reply/${ticket_id}`, { body: 'Which one?', status: 'pending' });
  await waitFor(async () => expect(await show()).toMatchObject({ status: 'pending', thread: [{ delivery: 'sent' }] }));
  const letter = emailsTo(suite, ada).find(({ text }) => text.includes('Which one?'));
  expect(letter?.subject).toBe(`[${number}] The printer`);
  expect(letter?.text).toContain('Your Northwind team');
  expect(await dataOf(outsider.get(link))).toMatchObject({
    status: 'waiting_for_you',
    thread: [{ body: 'Which one?' }],
  });
});

test('the reply finds the ticket by its address alone, and reopens it', async () => {
  const letter = emailsTo(suite, ada).find(({ text }) => text.includes('Which one?'));
  const reply_to = /<?([^\s<>]+@[^\s<>]+)>?$/.exec(letter?.reply_to ?? '')?.[1] ?? '';
  expect(reply_to).not.toBe(address);
  const { body } = await hand({ To: reply_to, Subject: 'something else' }, 'The red one.\r\n\r\n> Which one?');
  expect(body.data).toMatchObject({ outcome: 'replied', ticket_id });
  expect(await show()).toMatchObject({
    status: 'open',
    thread: [{}, { body: 'The red one.', author: { name: 'Ada' } }],
  });
});

test('an automatic reply changes nothing', async () => {
  const before = await show();
  const { body } = await hand({ Subject: `Re: [${number}]`, 'Auto-Submitted': 'auto-replied' }, 'I am away.');
  expect(body.data).toMatchObject({ outcome: 'ignored' });
  expect(await show()).toMatchObject({ status: 'open', thread: before.thread });
});

test('resolves the ticket and lets the requester rate and close it without a login', async () => {
  expect((await outsider.post(`${link}/rate`, { rating: 5 })).status).toBe(409);
  await step(`ticket/add-reply/${ticket_id}`, { body: 'It is put out.', status: 'resolved' });
  expect(await dataOf(outsider.get(link))).toMatchObject({ status: 'resolved' });
  expect((await agent.post(`${base}/ticket/rate/${ticket_id}`, { rating: 5 })).status).toBe(409);
  await dataOf(outsider.post(`${link}/rate`, { rating: 4, comment: 'Warm' }));
  expect(await dataOf(outsider.post(`${link}/close`, {}))).toMatchObject({ status: 'closed' });
  expect(await show()).toMatchObject({ status: 'closed', satisfaction: { rating: 4, comment: 'Warm' } });
});

test('a later reply creates another ticket, which names the old one', async () => {
  const { body } = await hand({ Subject: `Re: [${number}] The printer` }, 'It burns again.');
  const next = await dataOf(agent.get(`${base}/ticket/show/${body.data.ticket_id}`));
  expect(next).toMatchObject({ status: 'new', linked_to: ticket_id, description: 'It burns again.' });
  expect(next.number).not.toBe(number);
});

test('no e-mail, link or event contains internal notes of agents', async () => {
  const shown = JSON.stringify(await dataOf(outsider.get(link)));
  const events = await suite.sql('support', 'SELECT data::text FROM journal_events WHERE workspace_id = $1', [
    owner.user.workspace.id,
  ]);
  for (const told of [shown, JSON.stringify(events), ...emailsTo(suite, ada).map(({ text }) => text)])
    expect(told).not.toContain(SECRET);
});

test('the auditor finds no fault', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
