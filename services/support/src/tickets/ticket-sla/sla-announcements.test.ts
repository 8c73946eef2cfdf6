import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { createPolicy } from '../../../test/sla-example.ts';
import { announceDueTargets } from './sla-announcements.ts';

const { serving, office: openOffice, violations } = await openSupport();
let office: Office;
let agent: Office['owner'];
beforeEach(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  await createPolicy(office.owner);
});

const base = '/api/support-ticket';
const at = (moment: string) => new Date(`${moment}+02:00`).toISOString();
const sweep = () => announceDueTargets(serving.tools as never);
const open = async (more: object = {}) => {
  const body = { subject: 'Help', description: 'Please.', requester: { name: 'Rita', email: 'rita@example.com' } };
  return (await agent.post(`${base}/ticket/store`, { ...body, ...more })).body.data;
};
const update = (id: string, body: object) => agent.post(`${base}/ticket/update/${id}`, body);
const reply = (id: string) => agent.post(`${base}/ticket/add-reply/${id}`, { body: 'Words' });
/** Returns the SLA events of a ticket. */
const events = (id: string) =>
  serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} AND type LIKE '%sla%' ORDER BY position`;
const notices = () => serving.sql`
  SELECT "to", body FROM mails WHERE workspace_id = ${office.workspace} AND kind = 'sla_notice' ORDER BY created_at, id`;
const history = async (id: string) =>
  (await agent.get(`${base}/ticket/show/${id}`)).body.data.activity
    .filter(({ verb }: { verb: string }) => verb.startsWith('sla_'))
    .map(({ verb, at: moment, diff }: { verb: string; at: string; diff: { target: string[] } }) => [
      verb,
      diff.target[1],
      moment,
    ])
    .toReversed();

describe('the sweep', () => {
  test('announces near breach and breach once, and notifies the assignee', async () => {
    const clock = freezeClock(at('2026-04-02T15:40:00'));
    const { id } = await open({ assignee_id: agent.caller.user_id });
    clock.goTo(at('2026-04-07T08:15:59'));
    await sweep();
    expect(await history(id)).toEqual([]);
    clock.goTo(at('2026-04-07T08:16:00'));
    await sweep();
    await sweep();
    const near = ['sla_near_breach', 'first_response', at('2026-04-07T08:16:00')];
    expect(await history(id)).toEqual([near]);
    clock.goTo(at('2026-04-07T08:40:00'));
    await sweep();
    expect(await history(id)).toEqual([near]);
    clock.goTo(at('2026-04-07T08:40:01'));
    await runConcurrently(5, sweep);
    const late = ['sla_breached', 'first_response', at('2026-04-07T08:40:00')];
    expect(await history(id)).toEqual([near, late]);
    const payload = { ticket_id: id, number: expect.any(String), status: 'open', target: 'first_response', run: 1 };
    expect(await events(id)).toEqual([
      { type: 'support.ticket.sla_near_breach', data: { ...payload, at: at('2026-04-07T08:16:00') } },
      { type: 'support.ticket.sla_breached', data: { ...payload, breached_at: at('2026-04-07T08:40:00') } },
    ]);
    expect(await notices()).toMatchObject([
      { to: `${agent.caller.user_id}@example.com`, body: expect.stringContaining('due soon') },
      { body: expect.stringContaining('overdue since') },
    ]);
    expect(await violations(office)).toEqual([]);
  });

  test('postpones a ticket whose announcement fails, without blocking others', async () => {
    const clock = freezeClock(at('2026-04-02T15:40:00'));
    const broken = await open();
    await createPolicy(office.owner);
    const sound = await open();
    const terms = (name: string) => serving.sql`
      UPDATE sla_terms SET timezone = ${name} WHERE id = (SELECT terms_id FROM tickets WHERE id = ${broken.id})`;
    await terms('Nowhere/Land');
    clock.goTo(at('2026-04-07T08:40:01'));
    await sweep();
    await sweep();
    expect([await events(broken.id), await events(sound.id)]).toMatchObject([[], [{}]]);
    const postponed = () => serving.sql`SELECT attempts FROM postponed_work WHERE subject = ${broken.id}`;
    expect(await postponed()).toEqual([{ attempts: 1 }]);
    await terms('Europe/Berlin');
    clock.goTo(at('2026-04-07T08:42:00'));
    await sweep();
    expect([await events(broken.id), await postponed()]).toMatchObject([[{}], []]);
    expect(await violations(office)).toEqual([]);
  });

  test('catches up after a pause in order, even for tickets answered since', async () => {
    const clock = freezeClock(at('2026-04-02T15:40:00'));
    const [late, answered, other] = [await open(), await open(), await open({ priority: 'high' })];
    clock.goTo(at('2026-04-07T09:00:00'));
    await reply(answered.id);
    await update(other.id, { status: 'spam' });
    clock.goTo(at('2026-04-20T09:00:00'));
    await sweep();
    const breaches = [
      ['sla_breached', 'first_response', at('2026-04-07T08:40:00')],
      ['sla_breached', 'resolution', at('2026-04-08T15:40:00')],
    ];
    expect(await history(late.id)).toEqual(breaches);
    expect(await history(answered.id)).toEqual(breaches);
    expect(await history(other.id)).toEqual([breaches[0]]);
    expect(await notices()).toEqual([]);
    await reply(late.id);
    expect((await agent.get(`${base}/ticket/show/${late.id}`)).body.data.sla).toMatchObject({ breached: true });
    expect(await violations(office)).toEqual([]);
  });

  test('announces nothing for a deleted ticket, and nothing to the requester', async () => {
    const clock = freezeClock(at('2026-04-08T09:00:00'));
    const gone = await open();
    const { data: own } = (await agent.post(`${base}/ticket/store`, { subject: 'Mine', description: 'Please.' })).body;
    await office.owner.post(`${base}/ticket/update/${own.id}`, { assignee_id: agent.caller.user_id });
    clock.goTo(at('2026-05-08T09:00:00'));
    await agent.post(`${base}/ticket/delete/${gone.id}`);
    await sweep();
    expect(await notices()).toEqual([]);
    const payload = (await office.owner.get(`${base}/ticket/show/${own.id}`)).body.data.activity;
    expect(payload.map(({ verb }: { verb: string }) => verb)).toContain('sla_breached');
  });

  test('keeps a detected breach even if a lower priority has a later due time', async () => {
    const clock = freezeClock(at('2026-04-08T08:00:00'));
    const { id } = await open({ priority: 'high' });
    await reply(id);
    clock.goTo(at('2026-04-09T09:00:00'));
    expect((await update(id, { priority: 'medium' })).body.data.sla).toMatchObject({
      breached: true,
      resolution_due: at('2026-04-09T17:00:00'),
    });
    expect((await agent.get(`${base}/tickets?breached=true`)).body.data).toHaveLength(1);
    await sweep();
    expect(await history(id)).toEqual([['sla_breached', 'resolution', at('2026-04-08T17:00:00')]]);
  });
});

test('shows overdue and due tickets and durations on the dashboard', async () => {
  const clock = freezeClock(at('2026-04-07T08:00:00'));
  const mine = { assignee_id: agent.caller.user_id };
  const [quick, slow, late] = [await open(), await open(mine), await open(mine)];
  clock.goTo(at('2026-04-07T09:00:00'));
  await reply(quick.id);
  clock.goTo(at('2026-04-07T14:00:00'));
  await reply(slow.id);
  clock.goTo(at('2026-04-08T13:30:00'));
  expect((await agent.get(`${base}/home`)).body.data).toMatchObject({
    overdue: { first_response: 1, resolution: 0 },
    near_breach: 0,
    mine: { overdue: 1, due_today: 1 },
    first_response: { average_seconds: 3 * 3600, median_seconds: 3 * 3600, within_target_percent: '50' },
    resolution: { average_seconds: null, median_seconds: null, within_target_percent: null },
    due_next: [{ ticket_id: late.id }, { ticket_id: expect.any(String) }, { ticket_id: expect.any(String) }],
  });
  await update(late.id, { status: 'resolved' });
  await reply(late.id);
  clock.goTo(at('2026-04-08T16:00:00'));
  expect((await agent.get(`${base}/home`)).body.data).toMatchObject({ overdue: { first_response: 0 }, near_breach: 2 });
  // Tickets requested by an agent are in neither their agent lists nor these totals.
  const asker = office.member({ name: 'Ann' });
  const own = (await asker.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data;
  await update(own.id, { priority: 'high', assignee_id: asker.caller.user_id });
  clock.goTo(at('2026-04-10T16:00:00'));
  const overdueFor = async (by: Office['owner']) => {
    const { overdue, mine } = (await by.get(`${base}/home`)).body.data;
    const listed = (await by.get(`${base}/tickets?view=overdue`)).body.meta.total;
    return { overdue: overdue.resolution, mine: mine.overdue, listed };
  };
  expect([await overdueFor(asker), await overdueFor(agent)]).toEqual([
    { overdue: 2, mine: 0, listed: 2 },
    { overdue: 3, mine: 1, listed: 3 },
  ]);
  expect(await violations(office)).toEqual([]);
});
