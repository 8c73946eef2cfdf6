import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { openSupport, type Office } from '../../../test/fixture.ts';
import { deliverMail } from '../../emails/outbound-mail/mail-delivery.ts';

const { serving, platform, office: openOffice } = await openSupport();
let office: Office;
let agent: Office['owner'];
beforeAll(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
});

const base = '/api/support-ticket';
const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0];

/** Creates a ticket of a requester without a login, and returns the link in its acknowledgment. */
async function openWithLink() {
  const email = `${crypto.randomUUID()}@example.com`;
  const body = { subject: 'Help', description: 'Please.', requester: { name: 'Rita', email } };
  const ticket = (await agent.post(`${base}/ticket/store`, body)).body.data;
  while ((await deliverMail(tools)) > 0);
  const names = (await readdir(serving.mail_directory)).filter((name) => name.includes(email));
  const email_text = (await readFile(join(serving.mail_directory, names[0]!), 'utf8')).replaceAll('=\r\n', '');
  const [, token] = /\/public\/([\w.-]+)/.exec(email_text)!;
  return { ticket, link: `${base}/public/${token}` };
}
const { anonymous } = serving;

describe('the holder of a requester’s link', () => {
  test.each([
    ['is suspended', { active: false }],
    ['does not have the module', { modules: ['crm'] }],
  ])('gets 404 while the workspace %s', async (_, state) => {
    const { link } = await openWithLink();
    platform.workspaces.set(office.workspace, state);
    const replies = [
      await anonymous.get(link),
      await anonymous.post(`${link}/reply`, { body: 'Hello' }),
      await anonymous.post(`${link}/rate`, { rating: 5 }),
      await anonymous.post(`${link}/close`, {}),
    ];
    platform.workspaces.delete(office.workspace);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await anonymous.get(link)).body.data).toMatchObject({ status: 'open', thread: [] });
  });

  test('can read the public thread, reply, close and rate without a login', async () => {
    const { ticket, link } = await openWithLink();
    await agent.post(`${base}/ticket/note/store/${ticket.id}`, { body: 'A secret' });
    await agent.post(`${base}/ticket/add-reply/${ticket.id}`, { body: 'Better?', status: 'pending' });
    const shown = (await anonymous.get(link)).body.data;
    expect(shown).toMatchObject({ number: ticket.number, status: 'waiting_for_you', thread: [{ body: 'Better?' }] });
    expect(shown.requester.email).toMatch(/^.\*\*\*@example\.com$/);
    for (const field of ['tags', 'notes', 'activity', 'assignee_id', 'cc']) expect(shown).not.toHaveProperty(field);
    const response = await anonymous.post(`${link}/reply`, { body: 'Yes, thanks', status: 'resolved' });
    expect(response).toMatchObject({ status: 201, body: { data: { author: { kind: 'customer', name: 'Rita' } } } });
    expect((await anonymous.post(`${link}/rate`, { rating: 5 })).body.data.satisfaction).toEqual({
      rating: 5,
      comment: null,
    });
    expect((await anonymous.post(`${link}/close`, {})).body.data.status).toBe('closed');
  });

  test('sees the ticket as a page in a browser, with all text escaped', async () => {
    const { ticket, link } = await openWithLink();
    await agent.post(`${base}/ticket/add-reply/${ticket.id}`, { body: '<script>alert(1)</script> & more' });
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, content } = await anonymous.get(link, { headers: { accept } });
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = Buffer.from(content).toString();
    for (const shown of [
      ticket.number,
      'Help',
      'Please.',
      'Ann Agent',
      '&lt;script&gt;alert(1)&lt;/script&gt; &amp; more',
    ])
      expect(page).toContain(shown);
    expect(page).not.toContain('<script>alert');
    expect((await anonymous.get(link, { headers: { accept: '*/*' } })).body.data.number).toBe(ticket.number);
  });

  test('sees an error page for an invalid link in a browser, and JSON elsewhere', async () => {
    const { ticket, link } = await openWithLink();
    await agent.post(`${base}/ticket/revoke-link/${ticket.id}`, {});
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const address of [link, `${base}/public/unknown`, `${base}/file/expired`]) {
      const { status, headers, content } = await anonymous.get(address, { headers: { accept } });
      expect(status).toBe(address.includes('/file/') ? 403 : 404);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(Buffer.from(content).toString()).toContain('This link cannot be opened');
    }
    expect((await anonymous.get(link)).body.code).toBe('not_found');
  });

  test('gets the same 404 for any invalid token or a deleted ticket', async () => {
    const { ticket, link } = await openWithLink();
    const answers: unknown[] = [];
    const look = async (address: string) => {
      const { status, body } = await anonymous.get(address);
      answers.push({ status, code: body.code, message: body.message });
    };
    expect((await anonymous.get(link)).status).toBe(200);
    await look(`${link.slice(0, -3)}abc`);
    await look(`${base}/public/nothing`);
    await agent.post(`${base}/ticket/revoke-link/${ticket.id}`, {});
    await look(link);
    const deleted = await openWithLink();
    await agent.post(`${base}/ticket/delete/${deleted.ticket.id}`, {});
    await look(deleted.link);
    const old = await openWithLink();
    await agent.post(`${base}/ticket/update/${old.ticket.id}`, { status: 'resolved' });
    await agent.post(`${base}/ticket/update/${old.ticket.id}`, { status: 'closed' });
    freezeClock(new Date(Date.now() + 91 * 86_400_000).toISOString());
    await look(old.link);
    expect(answers).toEqual(
      Array.from({ length: 5 }, () => ({ status: 404, code: 'not_found', message: expect.any(String) })),
    );
  });

  test.each([
    ['a reply with files', 404, `public/${'a'.repeat(22)}.${'b'.repeat(43)}/reply`, 'multipart/form-data; boundary=x'],
    ['an e-mail', 401, 'inbound', 'message/rfc822'],
  ])('is rejected before %s is received if the token is unknown', async (_, status, path, type) => {
    const headers = {
      'content-type': type,
      'content-length': '9000000',
      connection: 'close',
      'x-bearer': `mbx_${'0'.repeat(32)}_${'a'.repeat(43)}`,
    };
    expect((await anonymous.send('POST', `${base}/${path}`, 'The first bytes', headers)).status).toBe(status);
  });

  test('can reply at most ten times an hour', async () => {
    const { link } = await openWithLink();
    for (let time = 0; time < 10; time += 1)
      expect((await anonymous.post(`${link}/reply`, { body: 'Hello?' })).status).toBe(201);
    const reply = await anonymous.post(`${link}/reply`, { body: 'Hello?' });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '3600']);
  });

  test('can reply ten times an hour in total, including follow-ups of closed tickets', async () => {
    const { link, ticket } = await openWithLink();
    const update = (id: string, status: string) => agent.post(`${base}/ticket/update/${id}`, { status });
    const answer = () => anonymous.post(`${link}/reply`, { body: 'Hello?' });
    for (const status of ['resolved', 'closed']) await update(ticket.id, status);
    const opened = (await answer()).body.data.ticket;
    expect(opened.number).not.toBe(ticket.number);
    for (let time = 1; time < 10; time += 1) expect((await answer()).status).toBe(201);
    expect((await answer()).status).toBe(429);
  });
});
