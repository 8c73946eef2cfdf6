import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { openMailbox } from '../../../test/mailboxes.ts';
import { deliverMail } from '../../emails/outbound-mail/mail-delivery.ts';
import { deliverVerifications } from './mailbox-verification.ts';

interface SentMail {
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

const sent: SentMail[] = [];
const tools = { ...serving.tools, mailer: { send: async (mail: SentMail) => void sent.push(mail) } } as never;
const deliverAll = async (deliver: (given: never) => Promise<number>): Promise<SentMail[]> => {
  sent.length = 0;
  while ((await deliver(tools)) > 0);
  return [...sent];
};
const owner = () => office.member({ can: ['workspace.update'] });
const post = (path: string, body: object = {}) => owner().post(`/api/support-ticket/mailbox/${path}`, body);
const codeIn = ({ text }: SentMail): string => /^[A-Z\d]{4}(?:-[A-Z\d]{4}){2}$/m.exec(text)![0];
const mailboxes = async () => (await owner().get('/api/support-ticket/mailboxes')).body.data;

/** Returns a sent reply to a ticket that was created by e-mail. */
async function replyFrom(box: Awaited<ReturnType<typeof openMailbox>>): Promise<SentMail> {
  const { ticket_id } = (await box.arrive()).body.data;
  await deliverAll(deliverMail);
  await office.member({}).post(`/api/support-ticket/ticket/add-reply/${ticket_id}`, { body: 'Which one?' });
  return (await deliverAll(deliverMail)).find(({ text }) => text.includes('Which one?'))!;
}

test('sends e-mails from an address only after its code was entered', async () => {
  const box = await openMailbox(serving, office);
  const [verification] = await deliverAll(deliverVerifications);
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

test('another address must be verified again, and codes of the old one are invalid', async () => {
  await openMailbox(serving, office);
  const [{ id }] = await mailboxes();
  const [first] = await deliverAll(deliverVerifications);
  await post(`verify/${id}`, { code: codeIn(first!) });
  const address = `security-${randomUUID()}@suite-operator.test`;
  const moved = await post(`update/${id}`, { address });
  expect(moved.body.data).toMatchObject({ address, address_verified_at: null });
  expect(await post(`verify/${id}`, { code: codeIn(first!) })).toMatchObject({ status: 422 });
  expect((await deliverAll(deliverVerifications)).map(({ to }) => to)).toEqual([address]);
});

test('expires a code after a day or with the next one, and sends five a day', async () => {
  const still = freezeClock('2026-03-02T09:00:00Z');
  await openMailbox(serving, office);
  const [{ id }] = await mailboxes();
  const [first] = await deliverAll(deliverVerifications);
  still.goTo('2026-03-02T10:00:00Z');
  for (const _ of [1, 2, 3, 4]) expect((await post(`resend-code/${id}`)).status).toBe(200);
  // The first code leaves the 24-hour window at 09:00 on the next day.
  const response = await post(`resend-code/${id}`);
  expect(response).toMatchObject({
    status: 429,
    body: { code: 'too_many_verification_codes', details: { retry_after_s: 23 * 3_600 } },
  });
  expect(response.headers.get('retry-after')).toBe(String(23 * 3_600));
  expect(await post(`verify/${id}`, { code: codeIn(first!) })).toMatchObject({ status: 422 });
  const [last] = await deliverAll(deliverVerifications);
  still.goTo('2026-03-03T10:00:01Z');
  expect(await post(`verify/${id}`, { code: codeIn(last!) })).toMatchObject({ status: 422 });
});

test('limits a workspace to 20 codes a day, even with parallel requests', async () => {
  for (const _ of [1, 2, 3, 4, 5]) await openMailbox(serving, office);
  const ids: string[] = (await mailboxes()).map(({ id }: { id: string }) => id);
  const replies = await runConcurrently(20, (at) => post(`resend-code/${ids[at % 5]}`));
  expect(sortedStatuses(replies).toSorted((one, other) => one - other)).toEqual([
    ...Array(15).fill(200),
    ...Array(5).fill(429),
  ]);
});

test('counts recipients once, after a platform failure and a rejected first attempt', async () => {
  const still = freezeClock('2026-03-02T09:00:00Z');
  await openMailbox(serving, office);
  const counted: number[] = [];
  const terms = { workspace_name: 'Northwind', reply_to: '', links: {}, retry_after_s: 0 };
  const answers = [() => Promise.reject(new Error('unavailable')), async () => terms, async () => terms];
  const rpc = () => ({
    platform: {
      prepareEmail({ recipients }: { recipients: number }) {
        counted.push(recipients);
        return answers[counted.length - 1]!();
      },
    },
  });
  let refusals = 1;
  const mailer = {
    async send() {
      refusals -= 1;
      if (refusals >= 0) throw new Error('451 try again later');
    },
  };
  const attempt = () => deliverVerifications({ ...serving.tools, rpc, mailer } as never);
  const row = async () =>
    (
      await serving.sql`SELECT delivery, attempts FROM mailbox_verifications WHERE workspace_id = ${office.workspace}`
    )[0];
  await attempt();
  expect(await row()).toEqual({ delivery: 'queued', attempts: 0 });
  still.goTo('2026-03-02T09:02:00Z');
  await attempt();
  expect(await row()).toEqual({ delivery: 'queued', attempts: 1 });
  still.goTo('2026-03-02T09:10:00Z');
  await attempt();
  expect(await row()).toEqual({ delivery: 'sent', attempts: 2 });
  expect(counted).toEqual([1, 1, 0]);
});
