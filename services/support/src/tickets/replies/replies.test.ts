import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { openSupport, type Office } from '../../../test/fixture.ts';
import { deliverMail } from '../../emails/outbound-mail/mail-delivery.ts';
import { applyDueTransitions, removeOldFiles } from '../steps/due-transitions.ts';

const { serving, office: openOffice, violations } = await openSupport();
let office: Office;
let agent: Office['owner'];
let client: Office['owner'];
beforeAll(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  client = office.member({ kind: 'client', name: 'Carl Client' });
});

const base = '/api/support-ticket';
const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0] & Parameters<typeof applyDueTransitions>[0];
const open = async (by: Office['owner'], more: object = {}) =>
  (await by.post(`${base}/ticket/store`, { subject: `Help ${crypto.randomUUID()}`, description: 'Please.', ...more }))
    .body.data;
const reply = (by: Office['owner'], id: string, body: object = {}) =>
  by.post(`${base}/ticket/add-reply/${id}`, { body: 'Words', ...body });
const move = (id: string, status: string, more: object = {}) =>
  agent.post(`${base}/ticket/update/${id}`, { status, ...more });
const show = async (by: Office['owner'], id: string) => (await by.get(`${base}/ticket/show/${id}`)).body.data;
async function readEmails(subject: string): Promise<string[]> {
  const names = await readdir(serving.mail_directory).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(serving.mail_directory, name), 'utf8')));
  return texts.filter((text) => text.includes(subject));
}

describe('an agent’s reply', () => {
  test('opens the ticket, e-mails requester and CC recipients, and shows the delivery', async () => {
    const ticket = await open(agent, {
      requester: { name: 'Rita', email: `${crypto.randomUUID()}@example.com` },
      cc: ['eve@example.com'],
      silent: true,
    });
    const { status, body } = await reply(agent, ticket.id, { body: 'Try again.\n\nIs <it> better?' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      author: { kind: 'agent', name: 'Ann Agent' },
      body_html: '<p>Try again.</p>\n<p>Is &lt;it&gt; better?</p>',
      delivery: 'queued',
      ticket: { id: ticket.id, status: 'open' },
    });
    await deliverMail(tools);
    const [email_text, ...others] = await readEmails(ticket.requester.email);
    expect(others).toEqual([]);
    expect(email_text).toMatch(/^Cc: eve@example.com$/m);
    expect(email_text).toContain(`Subject: [${ticket.number}]`);
    expect((await show(agent, ticket.id)).thread).toMatchObject([{ delivery: 'sent' }]);
  });

  test('applies its status, and is rejected if the requester could not read it', async () => {
    const { id } = await open(client);
    expect((await reply(agent, id, { status: 'pending' })).body.data.ticket).toMatchObject({ status: 'pending' });
    expect(await show(client, id)).toMatchObject({ status: 'waiting_for_you' });
    expect((await reply(agent, id, { status: 'resolved' })).body.data.ticket.status).toBe('resolved');
    await move(id, 'closed');
    expect(await reply(agent, id)).toMatchObject({ status: 409, body: { code: 'ticket_closed' } });
    const spam = await open(client);
    await move(spam.id, 'spam');
    expect(await reply(agent, spam.id)).toMatchObject({ status: 409, body: { code: 'ticket_is_spam' } });
    expect(await show(client, spam.id)).toMatchObject({ status: 'closed' });
  });

  test('is retried if the e-mail server rejects it, and finally shown as failed', async () => {
    const still = freezeClock('2040-01-01T00:00:00Z');
    const subject = `Undeliverable ${crypto.randomUUID()}`;
    const { id } = await open(client, { subject });
    const email = `${crypto.randomUUID()}@example.com`;
    const colleague_id = office.hire({ name: 'Mia Mate', email });
    await agent.post(`${base}/ticket/update/${id}`, { assignee_id: colleague_id });
    while ((await deliverMail(tools)) > 0);
    await reply(agent, id);
    const broken = { ...tools, mailer: { send: () => Promise.reject(new Error('450 Try again later')) } };
    for (let hour = 0; hour < 12; hour += 1) {
      still.goTo(new Date(Date.UTC(2040, 0, 1, hour * 9)).toISOString());
      while ((await deliverMail(broken)) > 0);
    }
    expect((await show(agent, id)).thread).toMatchObject([{ delivery: 'failed' }]);
    expect((await show(agent, id)).activity.map(({ verb }: { verb: string }) => verb)).toContain('mail_failed');
    // The notice to the assignee failed, too, and causes no further notice.
    const sent = await serving.sql`SELECT kind, "to", delivery FROM mails WHERE ticket_id = ${id}
      AND kind IN ('reply', 'failure') ORDER BY kind`;
    expect(sent).toEqual([
      { kind: 'failure', to: email, delivery: 'failed' },
      { kind: 'reply', to: expect.any(String), delivery: 'failed' },
    ]);
  });

  test('is sanitised Markdown in thread and e-mail, and a customer’s text is plain', async () => {
    const { id, subject } = await open(client);
    const body =
      'Try **this**:\n1. <script>alert(1)</script>\n2. [here](javascript:alert(2)) or [there](https://example.com)';
    const { body_html } = (await reply(agent, id, { body })).body.data;
    expect(body_html).toContain('<strong>this</strong>');
    expect(body_html).toContain('<a href="https://example.com" rel="nofollow noopener">there</a>');
    expect(body_html).not.toMatch(/<script|href="javascript/);
    const customerReply = (await reply(client, id, { body: '**Not** <b>bold</b>\n# 1' })).body.data;
    expect(customerReply.body_html).toBe('<p>**Not** &lt;b&gt;bold&lt;/b&gt;<br># 1</p>');
    while ((await deliverMail(tools)) > 0);
    const [email_text] = (await readEmails(subject)).filter((text) => text.includes('Try'));
    expect(email_text).toContain('Content-Type: text/plain');
    expect(email_text).toContain('Try **this**');
    expect(email_text).toContain('<strong>this</strong>');
    expect(email_text!.split('text/html')[1]).not.toMatch(/<script/);
  });

  test('fills in the variables of a canned reply', async () => {
    const { id, number } = await open(client);
    const { data } = (await agent.get(`${base}/canned-replies?title=Received`)).body;
    const draft = { body: '{{requester.first_name}}: {{ticket.number}}', canned_reply_id: data[0].id };
    expect((await reply(agent, id, draft)).body.data.body).toBe(`Carl: ${number}`);
  });

  test.each([
    ['body', ''],
    ['body', 'x'.repeat(50_001)],
    ['status', 'closed'],
    ['cc', ['nobody']],
    ['in_reply_to', crypto.randomUUID()],
    ['canned_reply_id', crypto.randomUUID()],
  ])('is rejected with %s = %j', async (field, value) => {
    const { id } = await open(client);
    const { status, body } = await reply(agent, id, { [field]: value });
    expect(status).toBe(422);
    expect(Object.keys(body.errors)[0]?.split('.')[0]).toBe(field);
  });
});

describe('a customer’s reply', () => {
  test('opens waiting and recently resolved tickets, and later creates a new one', async () => {
    const still = freezeClock('2040-05-01T08:00:00Z');
    const { id, number } = await open(client);
    await move(id, 'pending');
    expect((await reply(client, id)).body.data.ticket).toMatchObject({ id, status: 'open' });
    await move(id, 'resolved');
    still.goTo('2040-05-08T07:59:59Z');
    expect((await reply(client, id)).body.data.ticket).toMatchObject({ id, status: 'open' });
    expect(await show(agent, id)).toMatchObject({
      reopened_count: 1,
      last_customer_reply_at: '2040-05-08T07:59:59.000Z',
    });
    await move(id, 'resolved');
    still.goTo('2040-05-15T08:00:00Z');
    const late = await reply(client, id, { body: 'Again!' });
    expect(late).toMatchObject({ status: 201, body: { data: { id: null, ticket: { status: 'open' } } } });
    const next = await show(agent, late.body.data.ticket.id);
    expect(next).toMatchObject({ description: 'Again!', linked_to: id, status: 'new' });
    expect(next.number).not.toBe(number);
    expect(await show(agent, id)).toMatchObject({ status: 'closed', closed_at: '2040-05-15T07:59:59.000Z' });
  });

  test('can mark the ticket as solved', async () => {
    const { id } = await open(client);
    expect((await reply(client, id, { status: 'resolved' })).body.data.ticket.status).toBe('resolved');
    expect((await reply(client, id, { status: 'pending' })).status).toBe(422);
    const steps = (await show(agent, id)).activity.filter(({ verb }: { verb: string }) => verb === 'status_changed');
    expect(steps).toHaveLength(2);
  });

  test('is stored for each of fifty concurrent requests, and opens the ticket once', async () => {
    const { id } = await open(client);
    await move(id, 'on_hold');
    const replies = await runConcurrently(50, (at) => reply(client, id, { body: `Number ${at}` }));
    expect(sortedStatuses(replies)).toEqual(Array(50).fill(201));
    const { thread, activity } = await show(agent, id);
    expect(thread).toHaveLength(50);
    expect(activity.filter(({ diff }: { diff: { status?: string[] } }) => diff.status?.[1] === 'open')).toHaveLength(1);
    expect(await violations(office)).toEqual([]);
  });

  test('is stored once for a repeated key, and gets the same response', async () => {
    const { id } = await open(client);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const say = () => client.post(`${base}/ticket/add-reply/${id}`, { body: 'Once' }, { headers });
    const [first, second] = [await say(), await say()];
    expect(second.body).toEqual(first.body);
    expect((await show(client, id)).thread).toHaveLength(1);
  });
});

describe('time', () => {
  test('opens a waiting ticket and closes a resolved one, dated at its due time', async () => {
    const still = freezeClock('2041-01-01T00:00:00Z');
    const waiting = await open(client);
    await move(waiting.id, 'pending', { pending_until: '2041-01-02T00:00:00Z' });
    const resolved = await open(client);
    await move(resolved.id, 'resolved');
    await applyDueTransitions(tools);
    expect(await show(agent, waiting.id)).toMatchObject({ status: 'pending' });
    // The schedule has not run for a month.
    still.goTo('2041-02-01T00:00:00Z');
    while ((await applyDueTransitions(tools)) > 0);
    expect(await show(agent, waiting.id)).toMatchObject({ status: 'open' });
    expect((await show(agent, waiting.id)).activity[0]).toMatchObject({
      at: '2041-01-02T00:00:00.000Z',
      actor_id: null,
    });
    expect(await show(agent, resolved.id)).toMatchObject({ status: 'closed', closed_at: '2041-01-08T00:00:00.000Z' });
    expect(await violations(office)).toEqual([]);
  });
});

describe('satisfaction', () => {
  test('is requested once, and rated by the requester alone, for fourteen days', async () => {
    const still = freezeClock('2042-01-01T00:00:00Z');
    const { id, subject } = await open(client);
    const rate = (by: Office['owner'], rating: number, comment?: string) =>
      by.post(`${base}/ticket/rate/${id}`, { rating, comment });
    expect(await rate(client, 5)).toMatchObject({ status: 409, body: { code: 'rating_closed' } });
    await reply(agent, id, { status: 'resolved' });
    while ((await deliverMail(tools)) > 0);
    expect((await readEmails(subject)).filter((text) => text.includes('has been resolved'))).toEqual([]);
    still.goTo('2042-01-01T01:00:00Z');
    while ((await deliverMail(tools)) > 0);
    expect((await readEmails(subject)).filter((text) => text.includes('has been resolved'))).toHaveLength(1);
    expect(await rate(agent, 5)).toMatchObject({ status: 409 });
    expect((await rate(client, 2, 'Hm')).body.data).toMatchObject({ satisfaction: { rating: 2, comment: 'Hm' } });
    expect((await rate(client, 4)).body.data).toMatchObject({ satisfaction: { rating: 4, comment: null } });
    expect((await rate(client, 6)).status).toBe(422);
    expect((await client.post(`${base}/ticket/close/${id}`, {})).body.data.status).toBe('closed');
    still.goTo('2042-01-15T00:00:01Z');
    expect(await rate(client, 1)).toMatchObject({ status: 409 });
    expect(await violations(office)).toEqual([]);
  });

  test('is cleared when the ticket is reopened, and stays in its history', async () => {
    const { id } = await open(client);
    await reply(agent, id, { status: 'resolved' });
    await client.post(`${base}/ticket/rate/${id}`, { rating: 1, comment: 'Too late.' });
    expect((await move(id, 'open')).body.data).toMatchObject({ satisfaction: null });
    const history = (await show(agent, id)).activity.map(({ diff }: { diff: object }) => diff);
    expect(history).toContainEqual({ rating: [null, 1], rating_comment: [null, 'Too late.'] });
  });
});

describe('a deleted ticket', () => {
  test('retains its files for 30 days', async () => {
    const still = freezeClock('2043-01-01T00:00:00Z');
    const form = new FormData();
    form.set('subject', 'With a file');
    form.set('description', 'See there.');
    form.append('files', new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
    const { id } = (await client.upload(`${base}/ticket/store`, form)).body.data;
    await agent.post(`${base}/ticket/delete/${id}`, {});
    const files = () => serving.sql`SELECT FROM files WHERE ticket_id = ${id}`;
    still.goTo('2043-01-30T00:00:00Z');
    await removeOldFiles(tools);
    expect(await files()).toHaveLength(1);
    still.goTo('2043-01-31T00:00:01Z');
    await removeOldFiles(tools);
    expect(await files()).toHaveLength(0);
  });
});
