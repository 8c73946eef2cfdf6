import { beforeEach, describe, expect, test } from '@jest/globals';
import { statuses, stillClock, together } from '@suite/testing';
import { type Office, openSupport } from '../../test/fixture.ts';
import { promise } from '../../test/promises.ts';

const { office: openOffice, violations } = await openSupport();
let office: Office;
let agent: Office['owner'];
let policy: Awaited<ReturnType<typeof promise>>;
beforeEach(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  policy = await promise(office.owner);
});

const base = '/api/support-ticket';
const requester = { name: 'Rita', email: 'rita@example.com' };
const at = (moment: string) => new Date(`${moment}+02:00`).toISOString();
const CREATED = at('2026-04-02T15:40:00');
const open = async (more: object = {}) =>
  (await agent.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.', requester, ...more })).body.data;
const update = async (id: string, body: object) => {
  const { status, body: answer } = await agent.post(`${base}/ticket/update/${id}`, body);
  expect([status, answer.code]).toEqual([200, undefined]);
  return answer.data;
};
const reply = (id: string, more: object = {}) =>
  agent.post(`${base}/ticket/add-reply/${id}`, { body: 'Words', ...more });
const show = async (id: string) => (await agent.get(`${base}/ticket/show/${id}`)).body.data;
const sla = async (id: string) => (await agent.get(`${base}/ticket/sla/${id}`)).body.data;
const clockOf = async (id: string, target: string) =>
  (await sla(id)).clocks.findLast((clock: { target: string }) => clock.target === target);
const listed = async (query: string) =>
  (await agent.get(`${base}/tickets?${query}`)).body.data.map(({ id }: { id: string }) => id);

describe('the example of the specification', () => {
  test('a new ticket is due, and the list of what is due next begins with it', async () => {
    stillClock(CREATED);
    const { id, ...ticket } = await open();
    expect(ticket).toMatchObject({
      next_due_at: at('2026-04-07T08:40:00'),
      sla: {
        policy: { id: policy.id },
        first_response_due: at('2026-04-07T08:40:00'),
        resolution_due: at('2026-04-08T15:40:00'),
        first_responded_at: null,
        resolved_at: null,
        paused_seconds: 0,
        breached: false,
        near_breach: false,
      },
    });
    const later = await open();
    const urgent = await open({ priority: 'high' });
    await reply(id);
    expect(await listed('view=due_next')).toEqual([later.id, urgent.id, id]);
    expect(await violations(office)).toEqual([]);
  });

  test.each([
    ['2026-04-07T08:40:00', { state: 'met', breached_at: null }, false],
    ['2026-04-07T08:40:01', { state: 'missed', breached_at: at('2026-04-07T08:40:00') }, true],
  ])('an answer at %s', async (moment, expected, breached) => {
    const clock = stillClock(CREATED);
    const { id } = await open();
    clock.goTo(at('2026-04-07T08:30:00'));
    await agent.post(`${base}/ticket/note/store/${id}`, { body: 'No answer' });
    await update(id, { assignee_id: agent.caller.user_id });
    expect((await show(id)).sla).toMatchObject({ first_responded_at: null });
    clock.goTo(at(moment));
    await reply(id);
    expect(await clockOf(id, 'first_response')).toMatchObject(expected);
    expect((await show(id)).sla).toMatchObject({
      first_responded_at: at(moment),
      first_response_due: null,
      breached,
    });
    expect(await violations(office)).toEqual([]);
  });

  /** Answered in time, and waiting for the customer from Tuesday noon to Wednesday morning. */
  async function waited() {
    const clock = stillClock(CREATED);
    const { id } = await open();
    clock.goTo(at('2026-04-07T08:40:00'));
    await reply(id);
    clock.goTo(at('2026-04-07T11:30:00'));
    await update(id, { status: 'pending' });
    clock.goTo(at('2026-04-08T08:15:00'));
    return { clock, id };
  }

  test('waiting for the customer stops the clock of the resolution', async () => {
    const { clock, id } = await waited();
    expect(await clockOf(id, 'resolution')).toMatchObject({
      state: 'paused',
      due: null,
      used_seconds: 290 * 60,
      paused_seconds: 17_100,
      remaining_seconds: 670 * 60,
    });
    expect(await listed('view=due_next')).toEqual([]);
    await update(id, { status: 'open' });
    expect((await show(id)).sla).toMatchObject({
      resolution_due: at('2026-04-09T11:25:00'),
      paused_seconds: 17_100,
      breached: false,
    });
    const shown = await clockOf(id, 'resolution');
    expect(shown).toMatchObject({ warn_at: at('2026-04-09T08:13:00') });
    expect(shown.intervals).toMatchObject([
      { state: 'running', from: CREATED, to: at('2026-04-07T11:30:00'), working_seconds: 290 * 60 },
      { state: 'paused', working_seconds: 17_100 },
      { state: 'running', from: at('2026-04-08T08:15:00'), to: null, working_seconds: 0 },
    ]);
    clock.goTo(at('2026-04-09T08:12:59'));
    expect(await listed('near_breach=true')).toEqual([]);
    clock.goTo(at('2026-04-09T08:13:00'));
    expect(await listed('near_breach=true')).toEqual([id]);
    clock.goTo(at('2026-04-09T11:25:00'));
    expect([await listed('view=overdue'), await listed('breached=true')]).toEqual([[], []]);
    clock.goTo(at('2026-04-09T11:25:01'));
    expect([await listed('view=overdue'), await listed('breached=true')]).toEqual([[id], [id]]);
    expect([await listed('near_breach=true'), await listed('breached=false')]).toEqual([[], []]);
    expect(await violations(office)).toEqual([]);
  });

  test('a higher priority has the same beginning and what was used', async () => {
    const { clock, id } = await waited();
    await update(id, { status: 'open' });
    clock.goTo(at('2026-04-08T09:00:00'));
    expect((await update(id, { priority: 'high' })).sla).toMatchObject({
      resolution_due: at('2026-04-08T11:25:00'),
      policy: { id: policy.id },
    });
    expect(await violations(office)).toEqual([]);
  });

  test('a ticket that is opened again goes on with what was used', async () => {
    const { clock, id } = await waited();
    await update(id, { status: 'open' });
    clock.goTo(at('2026-04-08T10:00:00'));
    expect((await update(id, { status: 'resolved' })).sla).toMatchObject({
      resolution_due: null,
      resolved_at: at('2026-04-08T10:00:00'),
    });
    expect(await clockOf(id, 'resolution')).toMatchObject({ state: 'met', used_seconds: 395 * 60 });
    clock.goTo(at('2026-04-09T13:20:00'));
    expect((await update(id, { status: 'open' })).sla).toMatchObject({
      resolution_due: at('2026-04-10T13:45:00'),
      resolved_at: null,
      first_responded_at: at('2026-04-07T08:40:00'),
    });
    expect(await clockOf(id, 'resolution')).toMatchObject({ remaining_seconds: 565 * 60 });
    expect(await violations(office)).toEqual([]);
  });

  test('a due is the end of an interval, and not the next morning', async () => {
    await promise(office.owner, { targets: { medium: { first_response_minutes: 60 } } });
    stillClock(at('2026-04-08T16:00:00'));
    expect((await open()).sla).toMatchObject({ first_response_due: at('2026-04-08T17:00:00'), resolution_due: null });
  });

  test.each([
    ['2026-03-28T23:30:00+01:00', '2026-03-29T05:30:00+02:00'],
    ['2026-10-24T23:30:00+02:00', '2026-10-25T03:30:00+01:00'],
  ])('in the night of %s five hours end at %s', async (created, due) => {
    const night = [
      ['22:00', '24:00'],
      ['00:00', '06:00'],
    ];
    const hours = Object.fromEntries(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((name) => [name, night]));
    await promise(office.owner, { targets: { medium: { resolution_minutes: 300 } } }, { hours, holidays: [] });
    const clock = stillClock(created);
    const { id, sla: promised } = await open();
    expect(promised).toMatchObject({ resolution_due: new Date(due).toISOString() });
    clock.goTo('2026-11-01T12:00:00Z');
    await update(id, { status: 'resolved' });
    expect(await violations(office)).toEqual([]);
  });
});

describe('the policy of a ticket', () => {
  test('is chosen by conditions, and anew when they hold no more', async () => {
    const vip = await promise(office.owner, {
      conditions: { tags: ['vip'] },
      targets: { medium: { first_response_minutes: 10 } },
    });
    stillClock(at('2026-04-08T09:00:00'));
    const { id, sla: promised } = await open({ tags: ['vip'] });
    expect(promised).toMatchObject({ policy: { id: vip.id }, first_response_due: at('2026-04-08T09:10:00') });
    expect((await update(id, { tags: [] })).sla).toMatchObject({
      policy: { id: policy.id },
      first_response_due: at('2026-04-08T11:00:00'),
    });
    const bulk = { ticket_ids: [id], tags_add: ['vip'] };
    expect((await agent.post(`${base}/tickets/bulk`, bulk)).status).toBe(200);
    expect((await show(id)).sla.policy.id).toBe(vip.id);
  });

  test('that was deleted, changed or switched off is kept until it is applied', async () => {
    stillClock(at('2026-04-08T09:00:00'));
    const { id } = await open();
    const body = { targets: { medium: { first_response_minutes: 30 } }, version: policy.version };
    await office.owner.post(`${base}/sla-policy/update/${policy.id}`, body);
    const holidays = [{ date: '2026-04-09', name: 'A day off' }];
    await office.owner.post(`${base}/calendar/update/${policy.calendar_id}`, { holidays });
    expect((await show(id)).sla).toMatchObject({ first_response_due: at('2026-04-08T11:00:00') });
    const { status, body: applied } = await office.owner.post(`${base}/sla-policy/apply/${policy.id}`);
    expect([status, applied.data]).toEqual([200, { tickets: 1 }]);
    expect((await show(id)).sla).toMatchObject({
      first_response_due: at('2026-04-08T09:30:00'),
      resolution_due: null,
    });
    await office.owner.post(`${base}/sla-policy/update/${policy.id}`, { active: false });
    await office.owner.post(`${base}/sla-policy/apply/${policy.id}`);
    expect((await show(id)).sla.policy.name).toBe('Standard');
    expect((await agent.post(`${base}/sla-policy/apply/${crypto.randomUUID()}`)).status).toBe(404);
    expect(await violations(office)).toEqual([]);
  });

  test('follows a ticket into the category that takes another one’s place', async () => {
    const { data: categories } = (await agent.get(`${base}/categories?sort=name`)).body;
    const [from, to] = [categories[0].id, categories[1].id];
    const special = await promise(office.owner, { conditions: { category_id: [to] } });
    const { id } = await open({ category_id: from });
    await office.owner.post(`${base}/category/delete/${from}`, { move_to: to });
    expect((await show(id)).sla.policy.id).toBe(special.id);
  });

  test('promises no first response to what an agent opens by himself, or silently', async () => {
    stillClock(at('2026-04-08T09:00:00'));
    for (const own of [{ requester: undefined }, { silent: true }]) {
      const { id } = await open(own);
      const colleague = office.member({ name: 'Bea' });
      const { clocks } = (await colleague.get(`${base}/ticket/sla/${id}`)).body.data;
      expect(clocks).toMatchObject([{ target: 'resolution', state: 'running' }]);
    }
  });
});

describe('the end of promises', () => {
  test('a ticket that is spam, merged or deleted is due no more, and no spam begins anew', async () => {
    const clock = stillClock(CREATED);
    const [spam, source, gone, target] = [await open(), await open(), await open(), await open()];
    clock.goTo(at('2026-04-07T08:10:00'));
    await update(spam.id, { status: 'spam' });
    await agent.post(`${base}/ticket/merge/${source.id}`, { into: target.id });
    await agent.post(`${base}/ticket/delete/${gone.id}`);
    expect(await listed('view=due_next')).toEqual([target.id]);
    expect((await show(source.id)).sla).toMatchObject({ first_response_due: null, breached: false });
    clock.goTo(at('2026-04-08T08:00:00'));
    expect((await update(spam.id, { status: 'open' })).sla).toMatchObject({
      first_response_due: at('2026-04-08T10:00:00'),
    });
    expect((await sla(spam.id)).clocks.map(({ run }: { run: number }) => run)).toEqual([1, 1, 2, 2]);
    expect(await violations(office)).toEqual([]);
  });
});

test('the next response is counted from the customer’s oldest words that nobody answered', async () => {
  await promise(office.owner, { targets: { medium: { next_response_minutes: 60 } } });
  const client = office.member({ kind: 'client', name: 'Carl' });
  const clock = stillClock(at('2026-04-07T08:00:00'));
  const { id } = (await client.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data;
  await reply(id, { status: 'pending' });
  const ask = () => client.post(`${base}/ticket/add-reply/${id}`, { body: 'And?' });
  clock.goTo(at('2026-04-07T09:00:00'));
  await ask();
  clock.goTo(at('2026-04-07T09:30:00'));
  await ask();
  expect(await show(id)).toMatchObject({ status: 'open', next_due_at: at('2026-04-07T10:00:00') });
  clock.goTo(at('2026-04-07T10:00:00'));
  await reply(id);
  expect(await clockOf(id, 'next_response')).toMatchObject({ run: 1, state: 'met' });
  await client.post(`${base}/ticket/add-reply/${id}`, { body: 'Thanks', status: 'resolved' });
  expect(await clockOf(id, 'next_response')).toMatchObject({ run: 1, state: 'met' });
});

test('promises are for agents: nobody who asked reads them, and the desk shows no more than it keeps', async () => {
  const client = office.member({ kind: 'client', name: 'Carl' });
  const { id } = (await client.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data;
  const theirs = (await client.get(`${base}/ticket/show/${id}`)).body.data;
  for (const field of ['sla', 'next_due_at', 'breached', 'first_response_due'])
    expect(theirs).not.toHaveProperty(field);
  for (const query of ['view=due_next', 'breached=true', 'sort=next_due_at', 'next_due_at[null]=false'])
    expect((await client.get(`${base}/tickets?${query}`)).status).toBe(422);
  expect((await client.get(`${base}/ticket/sla/${id}`)).status).toBe(403);
  const own = (await agent.post(`${base}/ticket/store`, { subject: 'Mine', description: 'Please.' })).body.data;
  expect(own).not.toHaveProperty('sla');
  expect(await agent.get(`${base}/ticket/sla/${own.id}`)).toMatchObject({ status: 403, body: { code: 'not_agent' } });
});

test('fifty changes at once leave the clocks that their order explains', async () => {
  const { id } = await open();
  const words = ['open', 'pending', 'on_hold'];
  const actions = [
    (turn: number) => agent.post(`${base}/ticket/update/${id}`, { status: words[turn % 3] }),
    (turn: number) => agent.post(`${base}/ticket/update/${id}`, { priority: turn % 2 ? 'high' : 'medium' }),
    () => reply(id),
    (turn: number) => agent.post(`${base}/ticket/update/${id}`, { tags: [`t${turn}`] }),
  ];
  const replies = await together(50, (turn) => actions[turn % actions.length]!(turn));
  expect(statuses(replies).every((status) => [200, 201, 409].includes(status))).toBe(true);
  expect((await sla(id)).clocks).toHaveLength(2);
  expect(await violations(office)).toEqual([]);
});
