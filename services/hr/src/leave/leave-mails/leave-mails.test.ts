import { beforeEach, expect, test } from '@jest/globals';
import type { Mail } from '@suite/mail';
import { type LeaveFixture, openLeaveOffice } from '../../../test/leave.ts';
import { deliverLeaveMail } from './leave-mail-delivery.ts';
import { remindApprovers } from './remind-approvers.ts';

const { serving, platform, office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
  const users = [
    [office.manager, 'boss@example.com'],
    [office.ada, 'ada@example.com'],
  ] as const;
  for (const [{ caller }, email] of users)
    await serving.sql`UPDATE users SET email = ${email} WHERE id = ${caller.user_id}`;
});

const failures: unknown[] = [];
const log = {
  warn: (...contents: unknown[]) => failures.push(contents),
  error: (...contents: unknown[]) => failures.push(contents),
};

/** Delivers due e-mails and returns them. */
async function deliver(): Promise<Mail[]> {
  const arrived: Mail[] = [];
  const mailer = { send: (mail: Mail) => Promise.resolve(void arrived.push(mail)) };
  const tools = { ...serving.tools, database: serving.database, mailer, log };
  while ((await deliverLeaveMail(tools as never)) > 0);
  expect(failures).toEqual([]);
  return arrived;
}
const remind = () => remindApprovers({ database: serving.database as never, log: log as never });

test('e-mails requests and decisions without the leave type or the reason', async () => {
  const { approve, createRequest, act } = office;
  const id = await createRequest({ reason: 'Surgery' });
  const [request, ...more] = await deliver();
  expect([request, more]).toMatchObject([{ to: 'boss@example.com', subject: 'Leave request from Ada Lovelace' }, []]);
  expect(request!.text).toContain('from 2026-06-01 to 2026-06-03 (3 days)');
  await approve(id);
  await approve(id);
  expect(await deliver()).toMatchObject([{ to: 'ada@example.com', subject: 'Your leave was approved' }]);
  await act(id, { action: 'cancel', remark: 'Needed\nhere' });
  const [cancelled] = await deliver();
  expect(cancelled!.text).toContain('was cancelled.\n\n> Needed\n> here');
  for (const { text, subject } of [request!, cancelled!]) expect(`${text}${subject}`).not.toMatch(/Surgery|Holiday/);
});

test('e-mails an active login, else the work address, and marks e-mails as automatic', async () => {
  const { ada, createRequest, approve } = office;
  await serving.sql`UPDATE employees SET email = 'ada@work.example' WHERE user_id = ${ada.caller.user_id}`;
  const first = await createRequest();
  await deliver();
  await approve(first);
  await approve(first);
  const [toLogin] = await deliver();
  expect(toLogin).toMatchObject({ to: 'ada@example.com', headers: { 'Auto-Submitted': 'auto-generated' } });
  expect(toLogin!.message_id).toMatch(/^<[\da-f-]{36}@hr\.suite>$/);
  await serving.sql`UPDATE users SET status = 'disabled' WHERE id = ${ada.caller.user_id}`;
  await office.act(first, { action: 'cancel', remark: 'Needed here' });
  const [toWork, ...more] = await deliver();
  expect([toWork, more]).toMatchObject([{ to: 'ada@work.example' }, []]);
  expect(toWork!.message_id).not.toBe(toLogin!.message_id);
});

test('sends no e-mail about a request withdrawn before delivery', async () => {
  const { ada, createRequest } = office;
  const id = await createRequest();
  await ada.post(`/api/hrm/leave-cancel/${id}`, {});
  expect(await deliver()).toMatchObject([
    { to: 'boss@example.com', subject: 'Ada Lovelace has cancelled their leave' },
  ]);
});

test('reminds the approver once, after the days set by the workspace', async () => {
  const { time, createRequest, act } = office;
  await createRequest();
  const other = await createRequest({ from: '2026-07-01', to: '2026-07-01' });
  await deliver();
  await act(other, { action: 'reject', remark: 'No' });
  await deliver();
  time.goTo('2026-02-13T09:59:00Z');
  await remind();
  expect(await deliver()).toEqual([]);
  time.goTo('2026-02-13T10:00:00Z');
  await Promise.all([remind(), remind(), remind()]);
  expect(await deliver()).toMatchObject([
    { to: 'boss@example.com', subject: 'Leave of Ada Lovelace awaits your decision' },
  ]);
  time.goTo('2026-03-13T10:00:00Z');
  await remind();
  expect(await deliver()).toEqual([]);
});

test.each([
  ['the workspace loses the module', { modules: ['crm'] }],
  ['the workspace is suspended', { active: false }],
])('sends no e-mail after %s', async (_, state) => {
  await office.createRequest();
  platform.workspaces.set(office.acme.workspace, state);
  expect(await deliver()).toEqual([]);
});
