import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { deliverMail } from './mail-delivery.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0];
const broken = { send: () => Promise.reject(new Error('450 Try again later')) };

async function deliveredEmails(subject: string): Promise<string[]> {
  const names = await readdir(serving.mail_directory).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(serving.mail_directory, name), 'utf8')));
  return texts.filter((text) => text.includes(`Subject: ${subject}`));
}

describe.each(['lead', 'deal'])('an e-mail about a %s', (kind) => {
  const subjectLine = () => `Offer ${crypto.randomUUID()}`;
  async function queue(body: object = {}) {
    const { id } = (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data;
    const subject = subjectLine();
    const message = { to: ['ada@example.com', 'bob@example.com'], cc: ['eve@example.com'], subject, body: 'Dear Ada' };
    const reply = await shop.owner.post(`/api/${kind}-email/store/${id}`, { ...message, ...body });
    return { id, subject, reply };
  }
  const shown = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data.emails[0];

  test('is queued by the command, sent by the schedule, and shown as sent', async () => {
    const { id, subject, reply } = await queue();
    expect(reply).toMatchObject({ status: 201, body: { data: { delivery: 'queued', attempts: 0, sent_at: null } } });
    expect(await deliveredEmails(subject)).toEqual([]);
    await deliverMail(tools);
    expect(await shown(id)).toMatchObject({
      delivery: 'sent',
      attempts: 1,
      failure: null,
      sent_at: expect.any(String),
    });
    const [email] = await deliveredEmails(subject);
    expect(email).toMatch(/^To: ada@example.com, bob@example.com$/m);
    expect(email).toMatch(/^Cc: eve@example.com$/m);
    expect(email).toContain('Dear Ada');
    await deliverMail(tools);
    expect(await deliveredEmails(subject)).toHaveLength(1);
  });

  test('is sent once, even by concurrent deliveries', async () => {
    const { id, subject } = await queue();
    await runConcurrently(5, () => deliverMail(tools));
    expect(await deliveredEmails(subject)).toHaveLength(1);
    expect(await shown(id)).toMatchObject({ delivery: 'sent', attempts: 1 });
  });

  test('is retried with growing delays after rejection, and finally shown as failed', async () => {
    const still = freezeClock('2040-01-01T00:00:00Z');
    const { id } = await queue();
    await deliverMail({ ...tools, mailer: broken });
    expect(await shown(id)).toMatchObject({ delivery: 'queued', attempts: 1, failure: '450 Try again later' });
    await deliverMail({ ...tools, mailer: broken });
    expect(await shown(id)).toMatchObject({ attempts: 1 });
    for (const time of ['00:01', '00:06', '00:36', '02:36', '10:36', '23:00']) {
      still.goTo(`2040-01-01T${time}:00Z`);
      await deliverMail({ ...tools, mailer: broken });
    }
    expect(await shown(id)).toMatchObject({
      delivery: 'failed',
      attempts: 6,
      failure: '450 Try again later',
      sent_at: null,
    });
    await deliverMail(tools);
    expect(await shown(id)).toMatchObject({ delivery: 'failed' });
  });

  test('is sent on the next attempt after a failure', async () => {
    const still = freezeClock('2041-01-01T00:00:00Z');
    const { id } = await queue();
    await deliverMail({ ...tools, mailer: broken });
    still.goTo('2041-01-01T00:01:00Z');
    await deliverMail(tools);
    expect(await shown(id)).toMatchObject({ delivery: 'sent', attempts: 2, failure: null });
  });

  test.each([
    ['to', []],
    ['to', ['nobody']],
    ['to', 'ada@example.com'],
    ['to', Array(21).fill('ada@example.com')],
    ['cc', ['nobody']],
    ['subject', ''],
    ['subject', 'Hi\r\nBcc: all@example.com'],
    ['body', ''],
    ['body', 'x'.repeat(10_001)],
    ['delivery', 'sent'],
  ])('is rejected with %s = %j', async (field, value) => {
    const { reply } = await queue({ [field]: value });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)[0]?.split('.')[0]).toBe(field);
  });
});
