import { describe, expect, test } from '@jest/globals';
import { eventPublisher, setUpFixture, freezeClock, runConcurrently } from '@suite/testing';
import { openProjects } from '../../../test/fixture.ts';
import { idOf, notifiedTeam } from '../../../test/notified-team.ts';
import { makeProject } from '../../../test/project.ts';
import { queueDailyMail } from './daily-mail.ts';

const fixture = await openProjects();
const { serving, platform } = fixture;
const { say } = await eventPublisher(serving);
const set = setUpFixture(async () => {
  const office = await fixture.office();
  const grace = office.member({ name: 'Grace', record_scopes: { project: 'own' } });
  return { office, grace, project: await makeProject(serving, office, { members: [[grace, 'member']] }) };
});
const { deliver, addressOf, create, update, comment, choose, recipients } = notifiedTeam(fixture, set);
const daily = () => queueDailyMail(serving.tools as never);

describe('the daily e-mail', () => {
  const setZone = (timezone: string) => serving.sql`UPDATE users SET zone = ${timezone} WHERE id = ${idOf(set.grace)}`;

  test('is sent at 07:00 local time, once, unless nothing is pending', async () => {
    const still = freezeClock('2040-03-01T12:00:00Z');
    await setZone('America/New_York');
    await daily();
    const { id } = await create({}, set.grace);
    await comment(id, { body: 'First' });
    await comment(id, { body: 'Second' });
    still.goTo('2040-03-02T11:59:59Z');
    await daily();
    expect(await deliver()).toEqual([]);
    still.goTo('2040-03-02T12:00:00Z');
    await runConcurrently(5, daily);
    const [mail, ...more] = await deliver();
    expect([mail!.to, more]).toEqual([addressOf(set.grace), []]);
    for (const words of ['Today in your projects: 2 updates', '> First', '> Second'])
      expect(mail!.text).toContain(words);
    still.goTo('2040-03-03T12:00:00Z');
    await daily();
    expect(await deliver()).toEqual([]);
  });

  test('is sent once an unknown time zone becomes known, and blocks no others', async () => {
    const still = freezeClock('2040-03-01T12:00:00Z');
    await daily();
    const { id } = await create({ assignee_ids: [idOf(set.grace)] });
    await comment(id, { body: 'First' });
    await comment(id, { body: 'Second' }, set.grace);
    await deliver();
    await serving.sql`UPDATE users SET zone = 'Nowhere/Land', digest_at = '2040-03-02' WHERE id = ${idOf(set.grace)}`;
    await serving.sql`UPDATE users SET digest_at = '2040-03-02 01:00' WHERE id = ${set.office.owner.caller.user_id}`;
    still.goTo('2040-03-02T12:00:00Z');
    await daily();
    expect((await deliver()).map(({ to }) => to)).toEqual([addressOf(set.office.owner)]);
    await serving.sql`UPDATE users SET zone = NULL WHERE id = ${idOf(set.grace)}`;
    still.goTo('2040-03-02T12:01:00Z');
    await daily();
    expect((await deliver()).map(({ to }) => to)).toEqual([addressOf(set.grace)]);
  });

  test('is sent once after days of downtime', async () => {
    const still = freezeClock('2040-03-01T12:00:00Z');
    await daily();
    const { id } = await create({ assignee_ids: [idOf(set.grace)], due_date: '2040-03-03' });
    await comment(id, { body: 'First' });
    await deliver();
    still.goTo('2040-03-06T23:00:00Z');
    await daily();
    await daily();
    const [mail, ...more] = await deliver();
    expect([mail!.to, more]).toEqual([addressOf(set.grace), []]);
    expect(mail!.text).toContain('Due on 2040-03-03');
    expect(mail!.text).toContain('> First');
  });

  test('reports each due item once, while it is open and still due', async () => {
    const still = freezeClock('2040-03-01T12:00:00Z');
    await choose(set.grace, { assignment: 'none' });
    await daily();
    const createDueTask = (due_date: string) =>
      create({ assignee_ids: [idOf(set.grace)], due_date, title: `Due ${due_date}` });
    const [, done, ,] = [
      await createDueTask('2040-03-02'),
      await createDueTask('2040-03-02'),
      await createDueTask('2040-03-09'),
      await createDueTask('2020-01-01'),
    ];
    await update(done.id, { stage_id: set.project.taskStages['Done']! });
    still.goTo('2040-03-02T07:00:00Z');
    await daily();
    const mails = await deliver();
    expect(mails.map(({ to }) => to)).toEqual([addressOf(set.grace)]);
    expect(mails[0]!.text.match(/Due on/g)).toHaveLength(3); // Once in the subject, in the text and in its HTML.
    still.goTo('2040-03-03T07:00:00Z');
    await daily();
    expect(await deliver()).toEqual([]);
  });

  test('omits items that the reader wants immediately or not at all', async () => {
    const still = freezeClock('2040-03-01T12:00:00Z');
    await choose(set.grace, { assignment: 'none', due: 'at_once' });
    await daily();
    for (const title of ['One', 'Two'])
      await create({ title, assignee_ids: [idOf(set.grace)], due_date: '2040-03-02' });
    still.goTo('2040-03-02T07:00:00Z');
    await daily();
    expect(await recipients()).toEqual([addressOf(set.grace), addressOf(set.grace)]);
    await choose(set.grace, { due: 'none' });
    await create({ assignee_ids: [idOf(set.grace)], due_date: '2040-03-03' });
    still.goTo('2040-03-03T07:00:00Z');
    await daily();
    expect(await deliver()).toEqual([]);
  });

  test('uses the time zone of the user from platform', async () => {
    const still = freezeClock('2040-03-01T12:00:00Z');
    await daily();
    const { name, email } = platform.residents.get(idOf(set.grace))!;
    const user = { user_id: idOf(set.grace), name, email, kind: 'staff', status: 'active', phone: '' };
    const update = (timezone: string, version: number) =>
      say(set.office.workspace, 'platform.user.updated', { ...user, timezone }, { position: version });
    await update('Asia/Tokyo', 7);
    await update('Europe/Berlin', 6);
    const [copy] = await serving.sql`SELECT zone, digest_at FROM users WHERE id = ${idOf(set.grace)}`;
    expect(copy).toEqual({ zone: 'Asia/Tokyo', digest_at: null });
    await daily();
    still.goTo('2040-03-01T22:00:00Z');
    const [{ digest_at }] = (await serving.sql`SELECT digest_at FROM users WHERE id = ${idOf(set.grace)}`) as [
      { digest_at: Date },
    ];
    expect(digest_at).toEqual(new Date('2040-03-01T22:00:00Z'));
  });
});
