import { beforeEach, expect, test } from '@jest/globals';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { openMailbox, type TestMailbox } from '../../../test/mailboxes.ts';

const { serving, office: openOffice } = await openSupport();
let office: Office;
let box: TestMailbox;
beforeEach(async () => {
  office = await openOffice();
  box = await openMailbox(serving, office);
});

const more = ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=b'];
const html = (words: string) =>
  `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${words}</p>\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <1>\r\n\r\nx\r\n--b--`;
const found = async (q: string) =>
  (await office.owner.get(`/api/support-ticket/tickets?q=${q}`)).body.data.map(({ id }: { id: string }) => id);

test('creates a ticket with searchable text from an e-mail of HTML and an image', async () => {
  const { ticket_id } = (await box.arrive({ more, body: html('Printer broken') })).body.data;
  expect(await box.show(ticket_id)).toMatchObject({
    description: 'Printer broken',
    original_html: '<p>Printer broken</p>',
  });
  await box.arrive({ subject: 'Re: [T-000001] The printer', more, body: html('Toner leaking') });
  expect((await box.show(ticket_id)).thread).toMatchObject([
    { body: 'Toner leaking', body_html: '<p>Toner leaking</p>' },
  ]);
  expect([await found('broken'), await found('leaking')]).toEqual([[ticket_id], [ticket_id]]);
});

test('stores the full text of a long e-mail as a file', async () => {
  const text = `${'word '.repeat(9_999)}last 😀${' more'.repeat(10_000)}`;
  const { ticket_id } = (await box.arrive({ more: ['Content-Type: text/plain; charset=utf-8'], body: text })).body.data;
  const ticket = await box.show(ticket_id);
  expect(ticket).toMatchObject({
    description_truncated: true,
    attachments: [{ name: 'message.txt', mime: 'text/plain' }],
  });
  expect(text.startsWith(ticket.description)).toBe(true);
  const path = new URL(ticket.attachments[0].url).pathname;
  expect(Buffer.from((await serving.anonymous.get(path)).content).toString()).toBe(text);
  await box.arrive({ subject: 'Re: [T-000001] The printer', body: text });
  const [reply] = (await box.show(ticket_id)).thread;
  expect(reply).toMatchObject({ body_truncated: true, attachments: [{ name: 'message.txt' }] });
});

test('stores no file for a reply that is long only because of quotations', async () => {
  await box.arrive();
  const body = `Thanks.\r\n\r\n${'> old words\r\n'.repeat(6_000)}`;
  const { ticket_id } = (await box.arrive({ subject: 'Re: [T-000001] The printer', body })).body.data;
  expect((await box.show(ticket_id)).thread).toMatchObject([
    { body: 'Thanks.', body_truncated: false, attachments: [] },
  ]);
  expect(await serving.sql`SELECT count(*)::int AS times FROM discarded_files`).toEqual([{ times: 1 }]);
});
