import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, type Member, stillClock, together } from '@suite/testing';
import { type Office, openProjects } from '../../test/fixture.ts';
import { mailbox } from '../../test/mailbox.ts';
import { type MadeProject, makeProject } from '../../test/project.ts';
import { queueDailyMail } from './daily.ts';

const { serving, platform, office: openOffice } = await openProjects();
const { deliver } = mailbox(serving.tools);
const { say } = await eventPublisher(serving);

let office: Office;
let project: MadeProject;
let grace: Member;
beforeEach(async () => {
  office = await openOffice();
  grace = office.member({ name: 'Grace', record_scopes: { project: 'own' } });
  project = await makeProject(serving, office, { members: [[grace, 'member']] });
});

const idOf = ({ caller }: Member) => caller.user_id;
const addressOf = (who: Member) => platform.residents.get(idOf(who))!.email;
const create = async (body: object = {}, by: Member = office.owner) => {
  const reply = await by.post(`/api/project/${project.id}/task/create`, { title: 'Draw the page', ...body });
  expect(reply.status).toBe(201);
  return reply.body.data as { id: string; key: string };
};
const update = (id: string, body: object, by: Member = office.owner) =>
  by.post(`/api/project/${project.id}/task/update/${id}`, body);
const comment = async (id: string, body: object, by: Member = office.owner) =>
  (await by.post(`/api/project/task/${id}/comment/create`, body)).body.data as { id: string };
const choose = (by: Member, body: object) => by.post('/api/project/notification-settings', body);
const recipients = async () => (await deliver()).map(({ to }) => to).toSorted();
const daily = () => queueDailyMail(serving.tools as never);

describe('the daily mail', () => {
  const zone = (timezone: string) => serving.sql`UPDATE users SET zone = ${timezone} WHERE id = ${idOf(grace)}`;

  test('comes at 07:00 of its reader, with all that waits, once for all replicas, and not when nothing waits', async () => {
    const still = stillClock('2040-03-01T12:00:00Z');
    await zone('America/New_York');
    await daily();
    const { id } = await create({}, grace);
    await comment(id, { body: 'First' });
    await comment(id, { body: 'Second' });
    still.goTo('2040-03-02T11:59:59Z');
    await daily();
    expect(await deliver()).toEqual([]);
    still.goTo('2040-03-02T12:00:00Z');
    await together(5, daily);
    const [mail, ...more] = await deliver();
    expect([mail!.to, more]).toEqual([addressOf(grace), []]);
    for (const words of ['Today in your projects: 2 news', '> First', '> Second']) expect(mail!.text).toContain(words);
    still.goTo('2040-03-03T12:00:00Z');
    await daily();
    expect(await deliver()).toEqual([]);
  });

  test('of somebody whose zone nobody knows any more holds back no other’s, and comes once it is known again', async () => {
    const still = stillClock('2040-03-01T12:00:00Z');
    await daily();
    const { id } = await create({ assignee_ids: [idOf(grace)] });
    await comment(id, { body: 'First' });
    await comment(id, { body: 'Second' }, grace);
    await deliver();
    await serving.sql`UPDATE users SET zone = 'Nowhere/Land', digest_at = '2040-03-02' WHERE id = ${idOf(grace)}`;
    await serving.sql`UPDATE users SET digest_at = '2040-03-02 01:00' WHERE id = ${office.owner.caller.user_id}`;
    still.goTo('2040-03-02T12:00:00Z');
    await daily();
    expect((await deliver()).map(({ to }) => to)).toEqual([addressOf(office.owner)]);
    await serving.sql`UPDATE users SET zone = NULL WHERE id = ${idOf(grace)}`;
    still.goTo('2040-03-02T12:01:00Z');
    await daily();
    expect((await deliver()).map(({ to }) => to)).toEqual([addressOf(grace)]);
  });

  test('is one after days in which nothing ran', async () => {
    const still = stillClock('2040-03-01T12:00:00Z');
    await daily();
    const { id } = await create({ assignee_ids: [idOf(grace)], due_date: '2040-03-03' });
    await comment(id, { body: 'First' });
    await deliver();
    still.goTo('2040-03-06T23:00:00Z');
    await daily();
    await daily();
    const [mail, ...more] = await deliver();
    expect([mail!.to, more]).toEqual([addressOf(grace), []]);
    expect(mail!.text).toContain('Due on 2040-03-03');
    expect(mail!.text).toContain('> First');
  });

  test('tells once of what is due, while it is open and still due then', async () => {
    const still = stillClock('2040-03-01T12:00:00Z');
    await choose(grace, { assignment: 'none' });
    await daily();
    const due = (due_date: string) => create({ assignee_ids: [idOf(grace)], due_date, title: `Due ${due_date}` });
    const [, done, ,] = [
      await due('2040-03-02'),
      await due('2040-03-02'),
      await due('2040-03-09'),
      await due('2020-01-01'),
    ];
    await update(done.id, { stage_id: project.taskStages['Done']! });
    still.goTo('2040-03-02T07:00:00Z');
    await daily();
    const mails = await deliver();
    expect(mails.map(({ to }) => to)).toEqual([addressOf(grace)]);
    expect(mails[0]!.text.match(/Due on/g)).toHaveLength(2); // in the subject and in the text
    still.goTo('2040-03-03T07:00:00Z');
    await daily();
    expect(await deliver()).toEqual([]);
  });

  test('leaves out what its reader wants at once, and what he does not want', async () => {
    const still = stillClock('2040-03-01T12:00:00Z');
    await choose(grace, { assignment: 'none', due: 'at_once' });
    await daily();
    for (const title of ['One', 'Two']) await create({ title, assignee_ids: [idOf(grace)], due_date: '2040-03-02' });
    still.goTo('2040-03-02T07:00:00Z');
    await daily();
    expect(await recipients()).toEqual([addressOf(grace), addressOf(grace)]);
    await choose(grace, { due: 'none' });
    await create({ assignee_ids: [idOf(grace)], due_date: '2040-03-03' });
    still.goTo('2040-03-03T07:00:00Z');
    await daily();
    expect(await deliver()).toEqual([]);
  });

  test('follows the zone that platform tells of', async () => {
    const still = stillClock('2040-03-01T12:00:00Z');
    await daily();
    const { name, email } = platform.residents.get(idOf(grace))!;
    const told = { user_id: idOf(grace), name, email, kind: 'staff', status: 'active', phone: '' };
    const update = (timezone: string, version: number) =>
      say(office.workspace, 'platform.user.updated', { ...told, timezone }, { version });
    await update('Asia/Tokyo', 7);
    await update('Europe/Berlin', 6);
    const [copy] = await serving.sql`SELECT zone, digest_at FROM users WHERE id = ${idOf(grace)}`;
    expect(copy).toEqual({ zone: 'Asia/Tokyo', digest_at: null });
    await daily();
    still.goTo('2040-03-01T22:00:00Z');
    const [{ digest_at }] = (await serving.sql`SELECT digest_at FROM users WHERE id = ${idOf(grace)}`) as [
      { digest_at: Date },
    ];
    expect(digest_at).toEqual(new Date('2040-03-01T22:00:00Z'));
  });
});
