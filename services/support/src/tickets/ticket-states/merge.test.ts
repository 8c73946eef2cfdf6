import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openSupport, type Office } from '../../../test/fixture.ts';
import { openMailbox, type TestMailbox } from '../../../test/mailboxes.ts';
import { deliverMail } from '../../emails/outbound-mail/mail-delivery.ts';

const { serving, office: openOffice, violations } = await openSupport();
let office: Office;
let agent: Office['owner'];
let box: TestMailbox;
beforeEach(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  box = await openMailbox(serving, office);
});

const base = '/api/support-ticket';
const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0];
const merge = (id: string, into: string, more: object = {}) =>
  agent.post(`${base}/ticket/merge/${id}`, { into, ...more });
const say = (by: Office['owner'], id: string, body: string) => by.post(`${base}/ticket/add-reply/${id}`, { body });
const show = async (by: Office['owner'], id: string) => (await by.get(`${base}/ticket/show/${id}`)).body.data;
const bodies = ({ thread }: { thread: { body: string }[] }) => thread.map(({ body }) => body);
const arrive = async (mail: object) => (await box.arrive(mail)).body.data;
const open = async (by: Office['owner'], more: object = {}) =>
  (await by.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.', ...more })).body.data;
/** Returns the link in the acknowledgment sent to an address. */
async function linkOf(email: string): Promise<string> {
  while ((await deliverMail(tools)) > 0);
  const [name] = (await readdir(serving.mail_directory)).filter((file) => file.includes(email));
  const text = (await readFile(join(serving.mail_directory, name!), 'utf8')).replaceAll('=\r\n', '');
  return `${base}/public/${/\/public\/([\w.-]+)/.exec(text)![1]}`;
}

describe('the first message of a merged ticket', () => {
  test('is added to the thread with its author, time and files, and can be searched', async () => {
    const target = await arrive({ subject: 'Router', body: 'My router is dead.' });
    const file = '--b\r\nContent-Type: text/plain; name=log.txt\r\nContent-Disposition: attachment\r\n\r\nlog\r\n--b--';
    const source = await arrive({
      subject: 'Number QX-55',
      more: ['Content-Type: multipart/mixed; boundary=b'],
      body: `--b\r\nContent-Type: text/plain\r\n\r\nSerial number is SN-777\r\n${file}`,
    });
    const before = await show(agent, source.ticket_id);
    expect((await merge(source.ticket_id, target.ticket_id)).status).toBe(200);
    const merged = await show(agent, target.ticket_id);
    expect(merged.thread).toMatchObject([
      {
        author: { kind: 'customer', name: 'Ada' },
        body: 'Serial number is SN-777',
        opening_subject: 'Number QX-55',
        at: before.created_at,
        attachments: [{ name: 'log.txt' }],
      },
    ]);
    expect(merged.merged_tickets).toMatchObject([
      { id: source.ticket_id, number: source.number, subject: 'Number QX-55' },
    ]);
    for (const q of ['SN-777', 'QX-55'])
      expect((await agent.get(`${base}/tickets?q=${q}`)).body.data).toMatchObject([{ id: target.ticket_id }]);
    // The merged ticket still shows its description once.
    expect(await show(agent, source.ticket_id)).toMatchObject({
      description: 'Serial number is SN-777',
      attachments: [{ name: 'log.txt' }],
      thread: [],
    });
    expect(await violations(office)).toEqual([]);
  });

  test('is preserved through a chain of merges', async () => {
    const client = office.member({ kind: 'client' });
    const [a, b, c] = [
      await open(client, { description: 'A' }),
      await open(client, { description: 'B' }),
      await open(client),
    ];
    await merge(a.id, b.id);
    await merge(b.id, c.id);
    expect(bodies(await show(client, c.id))).toEqual(['A', 'B']);
    expect((await show(agent, c.id)).merged_tickets.map(({ id }: { id: string }) => id)).toEqual([a.id, b.id]);
    expect(bodies(await show(client, b.id))).toEqual([]);
  });
});

describe('the requester of a ticket that was merged into another customer’s ticket', () => {
  test('can read agent replies and own replies by account, but nothing else', async () => {
    const [one, two] = [office.member({ kind: 'client' }), office.member({ kind: 'client' })];
    const [target, source] = [await open(one), await open(two)];
    await say(agent, target.id, 'Before the merge');
    await merge(source.id, target.id, { force: true });
    expect((await say(two, source.id, 'From two')).status).toBe(201);
    await say(one, target.id, 'From one');
    await say(agent, target.id, 'To both');
    expect(bodies(await show(two, source.id))).toEqual(['From two', 'To both']);
    expect(await show(two, source.id)).toMatchObject({ merged_into: target.number, status: 'open' });
    expect(bodies(await show(one, target.id))).toEqual([
      'Please.',
      'Before the merge',
      'From two',
      'From one',
      'To both',
    ]);
    expect((await two.get(`${base}/ticket/show/${target.id}`)).status).toBe(404);
    await agent.post(`${base}/ticket/update/${target.id}`, { status: 'resolved' });
    expect(await show(two, source.id)).toMatchObject({ status: 'resolved' });
    expect(await violations(office)).toEqual([]);
  });

  test('can read and write by the public link and by e-mail', async () => {
    const target = await arrive({ from: 'One <one@example.com>', subject: 'One' });
    const source = await arrive({ from: 'Two <two@example.com>', subject: 'Two' });
    const link = await linkOf('two@example.com');
    await merge(source.ticket_id, target.ticket_id, { force: true });
    expect((await serving.anonymous.post(`${link}/reply`, { body: 'By link' })).status).toBe(201);
    await arrive({ from: 'two@example.com', subject: `Re: [${source.number}] Two`, body: 'By e-mail' });
    await arrive({ from: 'two@example.com', subject: `Re: [${target.number}] One`, body: 'To the target' });
    await arrive({ from: 'one@example.com', subject: `Re: [${target.number}] One`, body: 'From one' });
    await say(agent, target.ticket_id, 'To both');
    const expectedBodies = ['By link', 'By e-mail', 'To the target', 'To both'];
    expect(bodies((await serving.anonymous.get(link)).body.data)).toEqual(expectedBodies);
    expect(bodies(await show(agent, target.ticket_id))).toEqual(
      expect.arrayContaining([...expectedBodies, 'From one']),
    );
  });

  test('continues in a ticket of their own if the target is closed', async () => {
    const target = await arrive({ from: 'One <first@example.com>', subject: 'One' });
    const source = await arrive({ from: 'Two <second@example.com>', subject: 'Two' });
    const link = await linkOf('second@example.com');
    await merge(source.ticket_id, target.ticket_id, { force: true });
    for (const status of ['resolved', 'closed'])
      await agent.post(`${base}/ticket/update/${target.ticket_id}`, { status });
    expect((await serving.anonymous.post(`${link}/reply`, { body: 'Private words of two' })).status).toBe(201);
    const subject = `Re: [${source.number}] Two`;
    const { ticket_id } = await arrive({ from: 'Two <second@example.com>', subject, body: 'More' });
    const followed = await show(agent, ticket_id);
    expect(followed).toMatchObject({
      requester: { name: 'Two', email: 'second@example.com' },
      cc: [],
      description: 'Private words of two',
      linked_to: target.ticket_id,
    });
    expect(bodies(followed)).toEqual(['More']);
    expect(await violations(office)).toEqual([]);
  });

  test('receives replies even if ten others receive copies', async () => {
    const [one, two] = [office.member({ kind: 'client' }), office.member({ kind: 'client' })];
    const [target, source] = [await open(one), await open(two)];
    const cc = Array.from({ length: 10 }, (_, at) => `copy${at}@example.com`);
    await agent.post(`${base}/ticket/update/${target.id}`, { cc });
    await merge(source.id, target.id, { force: true });
    await say(agent, target.id, 'To all');
    expect(bodies(await show(two, source.id))).toEqual(['To all']);
  });
});
