import { beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freezeClock, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { deliverReminderMail } from './reminder-mail.ts';
import { reminderText, sendTaskReminders } from './task-reminder.ts';

const { serving, platform, shop: openShop } = await openCrm();
const tools = serving.tools as unknown as Parameters<typeof sendTaskReminders>[0];
const AT = '2031-05-06T08:00:00.000Z';
let shop: Shop;
let robin: string;
let lead: string;
beforeEach(async () => {
  shop = await openShop();
  robin = createColleague('Robin');
  lead = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data.id;
  freezeClock(AT);
});

/** Creates a user who may see leads. */
function createColleague(name: string): string {
  const id = shop.hire({ name });
  platform.rights.set(id, { permissions: ['lead.view'], modules: ['crm'] });
  return id;
}

const due = { name: 'Call Ada', date: '2031-05-06', time: '10:30', reminder: AT };
const assign = async (more: object = {}) => {
  const { status, body } = await shop.owner.post('/api/lead-task/create', {
    lead_id: lead,
    ...due,
    assignee_id: robin,
    ...more,
  });
  expect(status).toBe(201);
  return body.data.id as string;
};
const reminders = () =>
  serving.sql`SELECT way, delivery FROM task_reminders WHERE workspace_id = ${shop.workspace} ORDER BY id`;
const texts = () => platform.sms.sent.filter(({ user_id }) => user_id === robin).map(({ text }) => text);
/** Returns the e-mails to Robin. */
const readEmails = async () => {
  const names = await readdir(serving.mail_directory).catch(() => []);
  const all = await Promise.all(names.map((name) => readFile(join(serving.mail_directory, name), 'utf8')));
  return all.filter((mail) => mail.includes(`${robin}@example.com`));
};
const sendAndCount = async () => {
  await sendTaskReminders(tools);
  await deliverReminderMail(tools as never);
};

describe('the assignee of a due task', () => {
  test('gets one text message at the selected time, if platform sends it', async () => {
    platform.sms.numbers.add(robin);
    await assign();
    await assign({ reminder: '2031-05-06T08:00:00.001Z', name: 'Later' });
    await sendAndCount();
    await sendAndCount();
    expect(texts()).toEqual(['Reminder: Call Ada (2031-05-06 10:30)']);
    expect(await reminders()).toEqual([{ way: 'sms', delivery: 'sent' }]);
    expect(await readEmails()).toEqual([]);
  });

  test('gets one e-mail if no text message can be sent, even from many replicas', async () => {
    await assign();
    await runConcurrently(10, () => sendTaskReminders(tools));
    await sendAndCount();
    expect(texts()).toEqual([]);
    expect(await reminders()).toEqual([{ way: 'email', delivery: 'sent' }]);
    const [mail, ...others] = await readEmails();
    expect(others).toEqual([]);
    expect(mail).toMatch(/^Subject: Reminder: Call Ada \(2031-05-06 10:30\)/m);
    expect(mail).toMatch(/^Auto-Submitted: auto-generated/m);
  });

  test('gets another reminder at a new time, and none for done or old tasks', async () => {
    platform.sms.numbers.add(robin);
    const id = await assign();
    await assign({ reminder: null });
    await assign({ reminder: '2031-05-05T08:00:00.000Z' });
    const done = await assign({ name: 'Done' });
    await shop.owner.post(`/api/lead-task/update/${done}`, { status: 'done' });
    await sendAndCount();
    await shop.owner.post(`/api/lead-task/update/${id}`, { reminder: '2031-05-06T09:00:00Z' });
    await sendAndCount();
    expect(texts()).toHaveLength(1);
    freezeClock('2031-05-06T09:00:00Z');
    await sendAndCount();
    expect(texts()).toHaveLength(2);
  });

  test('gets no e-mail if the task is done or reassigned before it is sent', async () => {
    const [done, another] = [await assign(), await assign()];
    await sendTaskReminders(tools);
    await shop.owner.post(`/api/lead-task/update/${done}`, { status: 'done' });
    await shop.owner.post(`/api/lead-task/update/${another}`, { assignee_id: createColleague('Sam') });
    await deliverReminderMail(tools as never);
    expect(await reminders()).toEqual([
      { way: 'email', delivery: 'dropped' },
      { way: 'email', delivery: 'dropped' },
    ]);
    expect(await readEmails()).toEqual([]);
  });

  test('is the current one, even if reassigned after the reminder time', async () => {
    const sam = createColleague('Sam');
    for (const id of [robin, sam]) platform.sms.numbers.add(id);
    const id = await assign();
    const give = (assignee_id: string) => shop.owner.post(`/api/lead-task/update/${id}`, { assignee_id });
    const readTexts = () => platform.sms.sent.filter(({ user_id }) => [robin, sam].includes(user_id));
    await sendAndCount();
    await give(sam);
    await sendAndCount();
    await sendAndCount();
    expect(readTexts().map(({ user_id }) => user_id)).toEqual([robin, sam]);
    await give(robin);
    await sendAndCount();
    expect(readTexts()).toHaveLength(2);
  });

  test('is read again per task: a reassignment during the run reminds only one user', async () => {
    const sam = createColleague('Sam');
    for (const id of [robin, sam]) platform.sms.numbers.add(id);
    await assign({ reminder: '2031-05-06T07:59:00.000Z', name: 'First' });
    const second = await assign({ name: 'Second' });
    const rpc: typeof tools.rpc = (...as) => {
      const asked = tools.rpc(...as);
      const sendSms: typeof asked.platform.sendSms = async (...sms) => {
        await shop.owner.post(`/api/lead-task/update/${second}`, { assignee_id: sam });
        return await asked.platform.sendSms(...sms);
      };
      return { ...asked, platform: { ...asked.platform, sendSms } };
    };
    await sendTaskReminders({ ...tools, rpc });
    expect(texts()).toEqual(['Reminder: First (2031-05-06 10:30)']);
    expect(platform.sms.sent.filter(({ user_id }) => user_id === sam)).toHaveLength(1);
  });

  test('is reminded later if platform is unavailable, without delaying others', async () => {
    platform.sms.numbers.add(robin);
    await assign();
    platform.sms.down = true;
    await sendAndCount();
    expect(await reminders()).toEqual([]);
    platform.sms.down = false;
    freezeClock('2031-05-06T08:01:00.001Z');
    await sendAndCount();
    expect(texts()).toHaveLength(1);
  });

  test.each([
    ['the permission', { permissions: ['deal.view'] }],
    ['the module', { modules: ['projects'] }],
    ['the lead', { record_scopes: { lead: 'own' } }],
  ])('gets no reminder after losing %s', async (_, less) => {
    platform.sms.numbers.add(robin);
    await assign();
    platform.rights.set(robin, { permissions: ['lead.view'], modules: ['crm'], ...less });
    await sendAndCount();
    await sendAndCount();
    expect([texts(), await readEmails()]).toEqual([[], []]);
    expect(await reminders()).toEqual([{ way: 'email', delivery: 'dropped' }]);
  });

  test('gets no e-mail after losing the lead while the e-mail was queued', async () => {
    await assign();
    await sendTaskReminders(tools);
    platform.rights.set(robin, { permissions: ['lead.view'], modules: ['crm'], record_scopes: { lead: 'own' } });
    await deliverReminderMail(tools as never);
    expect(await reminders()).toEqual([{ way: 'email', delivery: 'dropped' }]);
    expect(await readEmails()).toEqual([]);
  });

  test('gets a single line, regardless of the task name', () => {
    const text = reminderText({ ...due, name: `${'long '.repeat(60)}\nname` });
    expect(text).toMatch(/^Reminder: [^\n]{99}… \(2031-05-06 10:30\)$/);
  });
});
