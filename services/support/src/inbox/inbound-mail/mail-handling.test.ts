import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { openMailbox, type TestMailbox } from '../../../test/mailboxes.ts';

const { serving, office: openOffice, violations } = await openSupport();
let office: Office;
let box: TestMailbox;
beforeEach(async () => {
  office = await openOffice();
  box = await openMailbox(serving, office);
});
const base = '/api/support-ticket';
/** Updates the settings of the mailbox. */
async function choose(choices: object): Promise<void> {
  const manager = office.member({ can: ['workspace.update'] });
  const [{ id }] = (await manager.get(`${base}/mailboxes`)).body.data;
  expect((await manager.post(`${base}/mailbox/update/${id}`, choices)).body.data).toMatchObject(choices);
}
const arrive = async (mail: object) => (await box.arrive(mail)).body.data;
const emails = async (query = '') => (await office.owner.get(`${base}/emails${query}`)).body.data;
const mailsTo = (address: string) => serving.sql`SELECT kind FROM mails WHERE "to" = ${address}`;
const update = (id: string, status: string) => office.owner.post(`${base}/ticket/update/${id}`, { status });

const subject = 'Re: [T-000001] The printer';
describe('a web form', () => {
  const form = (at: number) => ({
    from: 'Shop <noreply@shop.example>',
    more: [`Reply-To: customer${at}@home.example`],
  });
  test('creates tickets of its customers if the mailbox uses Reply-To', async () => {
    await choose({ requester_from: 'reply_to' });
    for (let at = 0; at < 25; at += 1) expect((await arrive(form(at))).outcome).toBe('created');
    const { data } = (await office.owner.get(`${base}/tickets?per_page=100`)).body;
    expect(new Set(data.map(({ requester }: { requester: { email: string } }) => requester.email)).size).toBe(25);
    expect(data.at(-1).requester).toMatchObject({ name: 'customer0', email: 'customer0@home.example' });
    expect(await mailsTo('customer24@home.example')).toEqual([{ kind: 'acknowledgement' }]);
    expect(await mailsTo('noreply@shop.example')).toEqual([]);
  });
  test('is the requester itself by default', async () => {
    const { ticket_id } = await arrive(form(1));
    expect((await box.show(ticket_id)).requester.email).toBe('noreply@shop.example');
  });
  test('does not authenticate a Reply-To address', async () => {
    await choose({ requester_from: 'reply_to' });
    const passed =
      'Authentication-Results: mx.suite.test; dkim=pass header.d=shop.example; dmarc=pass header.from=shop.example';
    const { ticket_id } = await arrive({ ...form(1), more: [passed, ...form(1).more] });
    expect(await box.show(ticket_id)).toMatchObject({ authenticated: null });
  });
  test('adds the later e-mails of its customers to their tickets', async () => {
    await choose({ requester_from: 'reply_to' });
    const { ticket_id } = await arrive(form(1));
    expect(await arrive({ ...form(1), subject })).toMatchObject({ outcome: 'replied', ticket_id });
    expect(await arrive({ from: 'customer1@home.example', subject })).toMatchObject({ outcome: 'replied', ticket_id });
    expect(await arrive({ ...form(2), subject })).toMatchObject({ outcome: 'created' });
    expect((await box.show(ticket_id)).thread).toMatchObject([{ unverified: false }, { unverified: false }]);
  });
});
describe('a requester whose address is the Reply-To of their e-mail', () => {
  const passed =
    'Authentication-Results: mx.suite.test; dkim=pass header.d=example.com; dmarc=pass header.from=example.com';
  const team = { from: 'Ada <ada@example.com>', more: [passed, 'Reply-To: team@example.com'] };
  test.each(['from', 'reply_to'])('takes part in their ticket by either address (%s)', async (requester_from) => {
    await choose({ requester_from });
    const { ticket_id } = await arrive(team);
    expect((await box.show(ticket_id)).requester.email).toBe('team@example.com');
    expect(await arrive({ ...team, subject })).toMatchObject({ outcome: 'replied', ticket_id });
    expect(await arrive({ ...team, from: 'Bob <bob@example.com>', subject })).toMatchObject({ outcome: 'replied' });
    expect((await box.show(ticket_id)).thread).toMatchObject([
      { unverified: false, authenticated: null },
      { unverified: false, authenticated: null },
    ]);
  });

  test('takes part by a Reply-To of another domain only if the mailbox uses Reply-To', async () => {
    const { ticket_id } = await arrive({ from: 'Bob <bob@example.com>' });
    const eve = { from: 'eve@evil.test', more: ['Reply-To: bob@example.com'], subject };
    expect((await arrive(eve)).ticket_id).not.toBe(ticket_id);
    await choose({ requester_from: 'reply_to' });
    expect(await arrive(eve)).toMatchObject({ outcome: 'replied', ticket_id });
    expect((await box.show(ticket_id)).thread).toMatchObject([{ unverified: false, authenticated: null }]);
  });
});

const AUTOMATIC: [string, string, string, string][] = [
  ['a mailing list', 'List-Id: <staff.example.com>', 'mailing_lists', 'mailing_list'],
  ['bulk', 'Precedence: bulk', 'mailing_lists', 'mailing_list'],
  ['a program', 'Auto-Submitted: auto-generated', 'automatic_emails', 'automatic'],
  ['an automatic answer', 'Auto-Submitted: auto-replied', 'automatic_emails', 'auto_reply'],
  ['a sender without a return path', 'Return-Path: <>', 'automatic_emails', 'automatic'],
];
describe.each(AUTOMATIC)('an e-mail of %s (%s)', (_, field, setting, reason) => {
  test('creates a ticket without an acknowledgment', async () => {
    const { outcome, ticket_id } = await arrive({ more: [field] });
    expect([outcome, (await box.show(ticket_id)).description]).toEqual(['created', 'It is on fire.']);
    expect(await mailsTo('ada@example.com')).toEqual([]);
  });
  test('is rejected with a record and its original, if the mailbox rejects it', async () => {
    await choose({ [setting]: 'refuse' });
    expect(await arrive({ more: [field], subject: 'Monthly' })).toMatchObject({ outcome: 'ignored', reason });
    const [record, ...more] = await emails('?outcome=ignored');
    expect([record, more]).toMatchObject([
      { reason, subject: 'Monthly', from_address: 'ada@example.com', has_original: true },
      [],
    ]);
    const original = await office.owner.get(`${base}/email/original/${record.id}`);
    expect(Buffer.from(original.content).toString()).toContain('It is on fire.');
    expect(original.headers.get('content-disposition')).toMatch(/^attachment; .*\.eml/);
  });
});

test('creates a ticket for a person without auto-replies and for postmaster', async () => {
  const quiet = await arrive({ more: ['X-Auto-Response-Suppress: All'] });
  const postmaster = await arrive({ from: 'postmaster@customer.example' });
  expect([quiet.outcome, postmaster.outcome]).toEqual(['created', 'created']);
  expect(await mailsTo('ada@example.com')).toEqual([]);
  expect(await mailsTo('postmaster@customer.example')).toEqual([{ kind: 'acknowledgement' }]);
});

test('a reply through a mailing list is added to its ticket', async () => {
  const { ticket_id } = await arrive({});
  const more = ['List-Id: <staff.example.com>'];
  await arrive({ subject: 'Re: [T-000001] The printer', more, body: 'By the list' });
  expect((await box.show(ticket_id)).thread).toMatchObject([{ body: 'By the list' }]);
});

test('ignored e-mails are listed with a reason to agents who see all tickets', async () => {
  await arrive({ more: [`X-Suite-Loop: ${office.workspace}`] });
  const report = '--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.\r\n--b--';
  await arrive({ more: ['Content-Type: multipart/report; boundary=b'], body: report });
  const manager = office.member({ can: ['workspace.update'] });
  await manager.post(`${base}/blocked-sender/store`, { sender: 'eve@evil.test' });
  await arrive({ from: 'eve@evil.test' });
  await arrive({});
  const listed = (await emails()).map(({ outcome, reason }: { outcome: string; reason: string }) => reason ?? outcome);
  expect(listed).toEqual(['created', 'blocked', 'bounce', 'loop']);
  const limited = office.member({ record_scopes: { ticket: 'own' } });
  expect((await limited.get(`${base}/emails`)).body.data).toEqual([]);
  const [{ id }] = await emails();
  expect((await limited.get(`${base}/email/original/${id}`)).status).toBe(404);
  expect((await office.member({ can: ['ticket.view'] }).get(`${base}/emails`)).status).toBe(403);
});

test('a failed e-mail can be downloaded', async () => {
  const { parked_id } = (await box.hand('Subject: x\r\n\r\nno sender')).body.details;
  const { content } = await office.owner.get(`${base}/parked-mail/original/${parked_id}`);
  expect(Buffer.from(content).toString()).toBe('Subject: x\r\n\r\nno sender');
});

test('a deleted original results in a specific error', async () => {
  await arrive({});
  await serving.sql`UPDATE mail_messages SET raw_key = NULL WHERE workspace_id = ${office.workspace}`;
  const [{ id, has_original }] = await emails();
  expect(has_original).toBe(false);
  expect(await office.owner.get(`${base}/email/original/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'original_deleted' },
  });
});

test('a reused Message-ID is a duplicate only with the same content', async () => {
  const id = `<${randomUUID()}@scanner.example>`;
  const first = await arrive({
    id,
    subject: 'Scan 1',
    body: 'one',
    more: ['Received: by a', 'Date: Mon, 2 Mar 2026 09:00:00 +0000'],
  });
  const again = await arrive({
    id,
    subject: 'Scan 1',
    body: 'one',
    more: ['Received: by b', 'Date: Mon, 2 Mar 2026 09:00:00 +0000'],
  });
  const second = await arrive({ id, subject: 'Scan 2', body: 'two' });
  expect([first.outcome, again.outcome, second.outcome]).toEqual(['created', 'duplicate', 'created']);
  expect(again.ticket_id).toBe(first.ticket_id);
  expect(second.ticket_id).not.toBe(first.ticket_id);
});

test('an e-mail to two mailboxes creates two tickets with separate replies', async () => {
  const other = await openMailbox(serving, office);
  const id = `<${randomUUID()}@x>`;
  const mail = { id, to: `${box.address}, ${other.address}` };
  const first = (await box.hand(box.raw(mail))).body.data;
  const second = (await other.hand(box.raw(mail))).body.data;
  const answer = { subject: 'Re: both', more: [`In-Reply-To: ${id}`] };
  expect((await other.hand(box.raw(answer))).body.data).toMatchObject({
    outcome: 'replied',
    ticket_id: second.ticket_id,
  });
  expect((await box.hand(box.raw(answer))).body.data).toMatchObject({ outcome: 'replied', ticket_id: first.ticket_id });
});

describe('a reply to a closed ticket', () => {
  test('creates one follow-up, which receives later replies until it is closed', async () => {
    const { ticket_id, number } = await arrive({});
    for (const status of ['resolved', 'closed']) await update(ticket_id, status);
    const subject = `Re: [${number}] The printer`;
    const next = await arrive({ subject, body: 'Again' });
    expect(next).toMatchObject({ outcome: 'created', number: 'T-000002' });
    expect(await arrive({ subject, body: 'And again' })).toMatchObject({
      outcome: 'replied',
      ticket_id: next.ticket_id,
    });
    await update(next.ticket_id, 'resolved');
    expect(await arrive({ subject, body: 'A third time' })).toMatchObject({
      outcome: 'replied',
      ticket_id: next.ticket_id,
    });
    expect(await box.show(next.ticket_id)).toMatchObject({ status: 'open', linked_to: ticket_id });
    for (const status of ['resolved', 'closed']) await update(next.ticket_id, status);
    expect(await arrive({ subject, body: 'Last' })).toMatchObject({ outcome: 'created', number: 'T-000003' });
    expect(await violations(office)).toEqual([]);
  });

  test('creates a ticket for its author in the mailbox of the closed ticket', async () => {
    const first = await arrive({ id: '<first@example.com>', more: ['Cc: Bob <bob@example.com>'] });
    for (const status of ['resolved', 'closed']) await update(first.ticket_id, status);
    const answer = (from: string, body: string) =>
      arrive({ from, subject: 'Re: The printer', body, more: ['In-Reply-To: <first@example.com>'] });
    const unverified = await answer('Eve <eve@example.net>', 'Send it to me');
    expect(await box.show(unverified.ticket_id)).toMatchObject({
      requester: { name: 'Eve', email: 'eve@example.net' },
      cc: [],
      linked_to: first.ticket_id,
    });
    const copied = await answer('Bob <bob@example.com>', 'It broke again');
    expect(await box.show(copied.ticket_id)).toMatchObject({
      requester: { name: 'Bob', email: 'bob@example.com' },
      cc: ['ada@example.com'],
    });
    // Both authors are in the follow-up, and Eve is also in her own.
    for (const [from, ticket_id] of [
      ['Ada <ada@example.com>', copied.ticket_id],
      ['Bob <bob@example.com>', copied.ticket_id],
      ['Eve <eve@example.net>', unverified.ticket_id],
    ] as const)
      expect(await answer(from, `From ${from}`)).toMatchObject({ outcome: 'replied', ticket_id });
    expect(
      await serving.sql`SELECT count(DISTINCT mailbox_id)::int AS boxes, count(*) FILTER (WHERE mailbox_id IS NULL)::int AS none
        FROM tickets WHERE workspace_id = ${office.workspace}`,
    ).toEqual([{ boxes: 1, none: 0 }]);
    expect(await violations(office)).toEqual([]);
  });
});

describe('an out-of-office reply without header fields', () => {
  test.each([
    'Out of Office: Re: [T-000001] The printer',
    'Automatische Antwort: [T-000001]',
    'Réponse automatique : [T-000001]',
    'Out-of-Office: [T-000001]',
    'OOO: [T-000001]',
    'AUTO: Ada is out of the office [T-000001]',
    'Automatic replies: [T-000001]',
    '[EXTERN] Automatic reply: [T-000001]',
    'Abwesenheitsnotiz: [T-000001]',
    'Afwezigheidsbericht: [T-000001]',
    'Frånvaro: [T-000001]',
  ])('is shown without reopening the ticket: %s', async (subject) => {
    const { ticket_id } = await arrive({});
    await office.owner.post(`${base}/ticket/add-reply/${ticket_id}`, { body: 'Done.', status: 'resolved' });
    await arrive({ subject, body: 'I am away.' });
    expect(await box.show(ticket_id)).toMatchObject({ status: 'resolved', reopened_count: 0 });
    expect((await box.show(ticket_id)).thread.at(-1)).toMatchObject({ body: 'I am away.' });
    await update(ticket_id, 'closed');
    expect(await arrive({ subject, body: 'Still away.' })).toMatchObject({ outcome: 'ignored', reason: 'auto_reply' });
  });
  test('is an ordinary reply if a person writes about one', async () => {
    const { ticket_id } = await arrive({ subject: 'Out of office assistant broken' });
    await office.owner.post(`${base}/ticket/add-reply/${ticket_id}`, { body: 'Done.', status: 'resolved' });
    await arrive({ subject: 'Re: [T-000001] Out of office assistant broken', body: 'Still broken.' });
    expect(await box.show(ticket_id)).toMatchObject({ status: 'open', reopened_count: 1 });
  });
});
