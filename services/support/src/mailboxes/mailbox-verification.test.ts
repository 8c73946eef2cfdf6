import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { stillClock } from '@suite/testing';
import { type Office, openSupport } from '../../test/fixture.ts';
import { openMailbox } from '../../test/mailboxes.ts';
import { deliverMail } from '../mails/mail-delivery.ts';
import { deliverVerifications } from './mailbox-verification.ts';

interface Sent {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  reply_to: string;
}

const { serving, office: openOffice } = await openSupport();
let office: Office;
beforeEach(async () => {
  office = await openOffice();
});

const sent: Sent[] = [];
const tools = { ...serving.tools, mailer: { send: async (mail: Sent) => void sent.push(mail) } } as never;
const take = async (deliver: (given: never) => Promise<number>): Promise<Sent[]> => {
  sent.length = 0;
  while ((await deliver(tools)) > 0);
  return [...sent];
};
const boss = () => office.member({ can: ['workspace.update'] });
const post = (path: string, body: object = {}) => boss().post(`/api/support-ticket/mailbox/${path}`, body);
const codeIn = ({ text }: Sent): string => /^[A-Z\d]{4}(?:-[A-Z\d]{4}){2}$/m.exec(text)![0];
const mailboxes = async () => (await boss().get('/api/support-ticket/mailboxes')).body.data;

/** A reply to a ticket that came in by e-mail, as it leaves. */
async function replyFrom(box: Awaited<ReturnType<typeof openMailbox>>): Promise<Sent> {
  const { ticket_id } = (await box.arrive()).body.data;
  await take(deliverMail);
  await office.member({}).post(`/api/support-ticket/ticket/add-reply/${ticket_id}`, { body: 'Which one?' });
  return (await take(deliverMail)).find(({ text }) => text.includes('Which one?'))!;
}

test('an address sends e-mails only after the code that it received was entered', async () => {
  const box = await openMailbox(serving, office);
  const [verification] = await take(deliverVerifications);
  expect(verification).toMatchObject({
    to: box.address,
    from: '"Northwind via Suite" <suite@example.com>',
    subject: 'Your code to verify this e-mail address',
  });
  const before = await replyFrom(box);
  expect(before.from).toBe('"Help via Suite" <suite@example.com>');
  expect(before.reply_to).toMatch(/^help-.*\+t000001\..*@suite\.test$/);
  const [{ id, address_verified_at }] = await mailboxes();
  expect(address_verified_at).toBeNull();
  expect(await post(`verify/${id}`, { code: 'AAAA-BBBB-CCCC' })).toMatchObject({
    status: 422,
    body: { code: 'wrong_verification_code' },
  });
  const verified = await post(`verify/${id}`, { code: codeIn(verification!).toLowerCase() });
  expect(verified).toMatchObject({ status: 200, body: { data: { address_verified_at: expect.any(String) } } });
  const after = await replyFrom(box);
  expect(after.from).toBe(`"Help" <${box.address}>`);
  expect(after.text).toContain('Northwind sent this e-mail with Suite. You receive it because');
});

test('another address must be verified anew, and codes of the old address stay without effect', async () => {
  await openMailbox(serving, office);
  const [{ id }] = await mailboxes();
  const [first] = await take(deliverVerifications);
  await post(`verify/${id}`, { code: codeIn(first!) });
  const address = `security-${randomUUID()}@suite-operator.test`;
  const moved = await post(`update/${id}`, { address });
  expect(moved.body.data).toMatchObject({ address, address_verified_at: null });
  expect(await post(`verify/${id}`, { code: codeIn(first!) })).toMatchObject({ status: 422 });
  expect((await take(deliverVerifications)).map(({ to }) => to)).toEqual([address]);
});

test('a code expires after a day, is replaced by the next one, and five are sent a day', async () => {
  const still = stillClock('2026-03-02T09:00:00Z');
  await openMailbox(serving, office);
  const [{ id }] = await mailboxes();
  const [first] = await take(deliverVerifications);
  for (const _ of [1, 2, 3, 4]) expect((await post(`resend-code/${id}`)).status).toBe(200);
  expect(await post(`resend-code/${id}`)).toMatchObject({
    status: 429,
    body: { code: 'too_many_verification_codes' },
  });
  expect(await post(`verify/${id}`, { code: codeIn(first!) })).toMatchObject({ status: 422 });
  const [last] = await take(deliverVerifications);
  still.goTo('2026-03-03T09:00:01Z');
  expect(await post(`verify/${id}`, { code: codeIn(last!) })).toMatchObject({ status: 422 });
});
