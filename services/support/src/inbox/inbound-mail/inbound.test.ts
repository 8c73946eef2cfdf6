import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { openMailbox, type TestMailbox } from '../../../test/mailboxes.ts';

const { serving, platform, office: openOffice } = await openSupport();
let office: Office;
let box: TestMailbox;
beforeEach(async () => {
  office = await openOffice();
  box = await openMailbox(serving, office);
});
const tickets = async () => (await office.owner.get('/api/support-ticket/tickets')).body.data;

describe('an e-mail', () => {
  test('creates a ticket for its sender, who receives an acknowledgment', async () => {
    const { status, body } = await box.arrive({ more: [`Cc: bob@example.com, ${box.address}`] });
    const created = { outcome: 'created', number: 'T-000001', reply_id: null };
    expect({ status, ...body.data }).toMatchObject({ status: 201, ...created });
    const ticket = await box.show(body.data.ticket_id);
    expect(ticket).toMatchObject({
      subject: 'The printer',
      description: 'It is on fire.',
      channel: 'email',
      status: 'new',
      requester: { name: 'Ada', email: 'ada@example.com' },
      cc: ['bob@example.com'],
    });
    expect(await serving.sql`SELECT kind, "to" FROM mails WHERE ticket_id = ${ticket.id}`).toEqual([
      { kind: 'acknowledgement', to: 'ada@example.com' },
    ]);
  });

  test('is one ticket if it arrives fifty times concurrently', async () => {
    const message = box.raw({});
    const replies = await runConcurrently(50, () => box.hand(message));
    const outcomes = replies.map(({ status, body }) => `${status} ${body.data?.outcome ?? body.code}`).toSorted();
    expect(outcomes).toEqual([...Array(49).fill('200 duplicate'), '201 created']);
    expect(await tickets()).toHaveLength(1);
    const nameless = box.raw({ id: '' });
    const [first, second] = [await box.hand(nameless), await box.hand(nameless)];
    expect([first, second].map(({ body }) => body.data.outcome)).toEqual(['created', 'duplicate']);
  });

  test('is accepted only with the token of an active mailbox', async () => {
    const wrong = ['', 'mbx_x', `mbx_${'0'.repeat(32)}_${'a'.repeat(43)}`, `${box.token.slice(0, -2)}xx`];
    for (const bearer of wrong)
      expect(await box.hand(box.raw({}), bearer)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const owner = office.member({ can: ['workspace.update'] });
    const [mailbox] = (await owner.get('/api/support-ticket/mailboxes')).body.data;
    const rotated = (await owner.post(`/api/support-ticket/mailbox/rotate-token/${mailbox.id}`, {})).body.data;
    expect(sortedStatuses([await box.arrive(), await box.hand(box.raw({}), rotated.token)])).toEqual([201, 201]);
    await owner.post(`/api/support-ticket/mailbox/update/${mailbox.id}`, { active: false });
    expect(sortedStatuses([await box.arrive(), await box.hand(box.raw({}), rotated.token)])).toEqual([401, 401]);
  });

  test('creates no ticket if it is our own, a bounce or from a blocked sender', async () => {
    const loop = `X-Suite-Loop: ${office.workspace}`;
    for (const [field, reason] of [
      [loop, 'loop'],
      ['Content-Type: multipart/report; report-type=delivery-status; boundary=b', 'bounce'],
    ] as const)
      expect((await box.arrive({ more: [field] })).body.data).toMatchObject({ outcome: 'ignored', reason });
    await office
      .member({ can: ['workspace.update'] })
      .post('/api/support-ticket/blocked-sender/store', { sender: '@spam.test' });
    expect((await box.arrive({ from: 'eve@spam.test' })).body.data).toMatchObject({
      outcome: 'ignored',
      reason: 'blocked',
    });
    expect(await tickets()).toEqual([]);
  });

  test('stores files of known types, and lists the rejected ones', async () => {
    const part = (name: string, content: string) =>
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`;
    const { body } = await box.arrive({
      more: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
      body: `--b\r\nContent-Type: text/plain\r\n\r\nSee the log.\r\n${part('log.txt', 'line one')}${part('virus.exe', 'MZ\0\0')}--b--`,
    });
    expect(body.data.attachments_refused).toEqual([{ name: 'virus.exe', reason: 'type' }]);
    const refused = [{ name: 'virus.exe', reason: 'type' }];
    const { ticket_id } = body.data;
    const ticket = await box.show(ticket_id);
    expect(ticket.attachments).toMatchObject([{ name: 'log.txt', size: 8 }]);
    expect(ticket.attachments_refused).toEqual(refused);
    // The thread does so, too, so that its readers know about the rejected attachments.
    const multipart = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
    const again = `--b\r\nContent-Type: text/plain\r\n\r\nOnce more.\r\n${part('virus.exe', 'MZ\0\0')}--b--`;
    await box.arrive({ subject: `Re: [${ticket.number}] The printer`, more: multipart, body: again });
    expect((await box.show(ticket_id)).thread).toMatchObject([{ body: 'Once more.', attachments_refused: refused }]);
    // A reply to a closed ticket creates a new ticket with all contents of the e-mail.
    for (const status of ['resolved', 'closed'])
      await office.owner.post(`/api/support-ticket/ticket/update/${ticket_id}`, { status });
    const late = await box.arrive({ subject: `Re: [${ticket.number}] The printer`, more: multipart, body: again });
    expect(late.body.data).toMatchObject({ outcome: 'created', attachments_refused: refused });
    expect(await box.show(late.body.data.ticket_id)).toMatchObject({
      linked_to: ticket_id,
      attachments_refused: refused,
    });
  });

  test('is accepted without the files that exceed the storage of the plan', async () => {
    const { workspace } = office;
    await serving.sql`INSERT INTO storage_use (workspace_id, bytes, allowed_mb) VALUES (${workspace}, 1024 * 1024 - 10, 1)`;
    const part = (name: string, content: string) =>
      `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`;
    const { body } = await box.arrive({
      more: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
      body: `--b\r\nContent-Type: text/plain\r\n\r\nSee.\r\n${part('a.txt', '12345678')}${part('b.txt', '123')}--b--`,
    });
    expect(body.data).toMatchObject({
      outcome: 'created',
      attachments_refused: [{ name: 'b.txt', reason: 'plan_limit' }],
    });
    expect((await box.show(body.data.ticket_id)).attachments).toMatchObject([{ name: 'a.txt' }]);
  });
});

describe('a reply by e-mail', () => {
  let ticket_id: string;
  let first: string;
  beforeEach(async () => {
    first = `<${randomUUID()}@x>`;
    ticket_id = (await box.arrive({ id: first })).body.data.ticket_id;
  });

  test('is added to its ticket by message ID, by address or by number', async () => {
    const by_id = await box.arrive({ subject: 'Re: no number', more: [`In-Reply-To: ${first}`] });
    expect(by_id).toMatchObject({ status: 201, body: { data: { outcome: 'replied', ticket_id } } });
    const by_number = await box.arrive({ subject: 'AW: [T-000001] The printer' });
    expect(by_number.body.data).toMatchObject({ outcome: 'replied', ticket_id });
    expect((await box.show(ticket_id)).thread.map(({ author }: { author: object }) => author)).toEqual([
      { kind: 'customer', name: 'Ada' },
      { kind: 'customer', name: 'Ada' },
    ]);
  });

  test('is added by a number after 200 characters, and no emoji is split', async () => {
    const subject = `${'x'.repeat(199)}😀`;
    const { body } = await box.arrive({ subject });
    expect(await box.show(body.data.ticket_id)).toMatchObject({ subject: 'x'.repeat(199) });
    const answer = await box.arrive({ subject: `Re: ${subject} [${body.data.number}]` });
    expect(answer.body.data).toMatchObject({ outcome: 'replied', ticket_id: body.data.ticket_id });
  });

  test('opens a waiting ticket and reopens a resolved one', async () => {
    const agent = office.member({});
    await agent.post(`/api/support-ticket/ticket/add-reply/${ticket_id}`, { body: 'Which one?', status: 'pending' });
    await box.arrive({ more: [`In-Reply-To: ${first}`], body: 'The red one.\r\n\r\n> Which one?' });
    expect(await box.show(ticket_id)).toMatchObject({ status: 'open' });
    expect((await box.show(ticket_id)).thread.at(-1)).toMatchObject({ body: 'The red one.' });
  });

  test('creates a suspected ticket for the number of another requester’s ticket', async () => {
    const { body } = await box.arrive({ from: 'eve@evil.test', subject: 'Re: [T-000001] The printer' });
    expect(body.data).toMatchObject({ outcome: 'created', number: 'T-000002' });
    const [row] = await serving.sql`SELECT suspected_ticket_id FROM tickets WHERE id = ${body.data.ticket_id}`;
    expect(row).toEqual({ suspected_ticket_id: ticket_id });
  });

  test('is shown as unverified if its sender only knows the message ID', async () => {
    const { body } = await box.arrive({ from: 'eve@evil.test', more: [`References: ${first}`] });
    expect(body.data).toMatchObject({ outcome: 'replied', ticket_id });
    const [row] = await serving.sql`SELECT unverified FROM replies WHERE id = ${body.data.reply_id}`;
    expect(row).toEqual({ unverified: true });
    expect((await box.show(ticket_id)).cc).toEqual([]);
  });

  test('shows its own HTML and its quotations to agents only', async () => {
    const html = '<p>The <b>red</b> one.<img src="https://spy.test/x.png"><script>alert(1)</script></p>';
    const body = [
      '--b',
      'Content-Type: text/plain',
      '',
      'The red one.',
      '',
      '> Which one?',
      '--b',
      'Content-Type: text/html',
      '',
      html,
      '--b--',
    ];
    const more = [`In-Reply-To: ${first}`, 'MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b'];
    await box.arrive({ more, body: body.join('\r\n') });
    const [reply] = (await box.show(ticket_id)).thread;
    expect(reply).toMatchObject({
      body: 'The red one.',
      quoted: '> Which one?',
      original_html: '<p>The <b>red</b> one.</p>',
      unverified: false,
      authenticated: null,
    });
    const client = office.member({ kind: 'client' });
    await client.post('/api/support-ticket/ticket/store', { subject: 'Mine', description: 'Please.' });
    await serving.sql`UPDATE tickets SET requester_user_id = ${client.caller.user_id} WHERE id = ${ticket_id}`;
    const clientTicket = (await client.get(`/api/support-ticket/ticket/show/${ticket_id}`)).body.data;
    for (const field of ['quoted', 'original_html', 'unverified', 'authenticated', 'delivery'])
      expect(clientTicket.thread[0]).not.toHaveProperty(field);
    expect(clientTicket).not.toHaveProperty('original_html');
    expect(clientTicket).not.toHaveProperty('authenticated');
  });

  test('changes only the history of a conversation if a program sends it', async () => {
    const { body } = await box.arrive({ more: [`In-Reply-To: ${first}`, 'Auto-Submitted: auto-replied'] });
    expect(body.data).toMatchObject({ outcome: 'ignored', reason: 'auto_reply', ticket_id });
    expect((await box.show(ticket_id)).thread).toEqual([]);
  });

  test('is stored as failed with a forged address, until an agent accepts it', async () => {
    const forged = box.address.replace('@', '+t000001.0123456789abcdef0123@');
    const refused = await box.arrive({ to: forged });
    expect(refused).toMatchObject({ status: 422, body: { code: 'forged_thread' } });
    const { parked_id } = refused.body.details;
    const agent = office.member({});
    const listed = (await agent.get('/api/support-ticket/parked-mails')).body.data;
    expect(listed).toMatchObject([{ id: parked_id, reason: 'forged_thread' }]);
    const own = office.member({ can: ['ticket.view', 'ticket.update'], record_scopes: { ticket: 'own' } });
    expect((await own.get('/api/support-ticket/parked-mails')).body.data).toEqual([]);
    expect((await own.post(`/api/support-ticket/parked-mail/retry/${parked_id}`, {})).status).toBe(404);
    expect((await own.post(`/api/support-ticket/parked-mail/delete/${parked_id}`)).status).toBe(404);
    const retried_response = await agent.post(`/api/support-ticket/parked-mail/retry/${parked_id}`, {});
    expect(retried_response.body.data).toMatchObject({ outcome: 'created', number: 'T-000002' });
    expect((await agent.post(`/api/support-ticket/parked-mail/retry/${parked_id}`, {})).status).toBe(404);
  });
});

describe('an e-mail that cannot be processed', () => {
  test.each([{ active: false }, { modules: ['crm'] }])('is rejected for a workspace with %j', async (state) => {
    platform.workspaces.set(office.workspace, state);
    const reply = await box.arrive({});
    platform.workspaces.delete(office.workspace);
    expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await tickets()).toEqual([]);
  });

  test('is stored once as a failed e-mail with its reason, and can be deleted', async () => {
    const message = box.raw({ from: 'a@x.test, b@x.test' });
    const replies = [await box.hand(message), await box.hand(message)];
    for (const { status, body } of replies) expect([status, body.code]).toEqual([422, 'mail_without_sender']);
    expect(replies[0]!.body.details.parked_id).toBe(replies[1]!.body.details.parked_id);
    const agent = office.member({});
    expect((await agent.get('/api/support-ticket/parked-mails')).body.data).toHaveLength(1);
    const { parked_id } = replies[0]!.body.details;
    expect((await agent.post(`/api/support-ticket/parked-mail/retry/${parked_id}`, {})).body.code).toBe(
      'mail_without_sender',
    );
    expect((await agent.post(`/api/support-ticket/parked-mail/delete/${parked_id}`, {})).status).toBe(200);
    expect((await agent.get('/api/support-ticket/parked-mails')).body.data).toEqual([]);
  });

  test('is recorded as a failed e-mail, with its beginning only, if it has 30 MB', async () => {
    const message = new Uint8Array(30_000_000);
    message.set(Buffer.from(box.raw({ subject: 'All our drawings' })));
    const reply = await box.hand(message);
    expect(reply).toMatchObject({ status: 413, body: { code: 'mail_too_large' } });
    const { parked_id } = reply.body.details;
    expect((await office.owner.get('/api/support-ticket/parked-mails')).body.data).toMatchObject([
      { id: parked_id, reason: 'mail_too_large', size: 30_000_000 },
    ]);
    const original = await office.owner.get(`/api/support-ticket/parked-mail/original/${parked_id}`);
    expect(original.content?.length).toBe(256 * 1024);
    expect(Buffer.from(original.content).toString()).toContain('All our drawings');
    const retried = await office.owner.post(`/api/support-ticket/parked-mail/retry/${parked_id}`, {});
    expect(retried).toMatchObject({ status: 413, body: { code: 'mail_too_large' } });
    expect((await office.owner.get('/api/support-ticket/tickets')).body.data).toEqual([]);
  });

  test('creates at most 20 tickets an hour for each sender', async () => {
    for (let time = 0; time < 22; time += 1) await box.arrive({ subject: `Trouble ${time}` });
    const { body } = await office.owner.get('/api/support-ticket/tickets?per_page=100');
    expect(body.data).toHaveLength(20);
    const [mails] = await serving.sql`SELECT count(*)::int AS times FROM mails WHERE "to" = 'ada@example.com'`;
    expect(mails).toEqual({ times: expect.any(Number) });
  });
});
