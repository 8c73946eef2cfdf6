import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { at, CREATED, openWithPolicy, createPolicy } from '../../../test/sla-example.ts';

const { violations, office, agent, requests, policy } = await openWithPolicy();
const base = '/api/support-ticket';

describe('the SLA policy of a ticket', () => {
  test('is selected by conditions, and selected again when they no longer match', async () => {
    const vip = await createPolicy(office.owner, {
      conditions: { tags: ['vip'] },
      targets: { medium: { first_response_minutes: 10 } },
    });
    freezeClock(at('2026-04-08T09:00:00'));
    const { id, sla } = await requests.open({ tags: ['vip'] });
    expect(sla).toMatchObject({ policy: { id: vip.id }, first_response_due: at('2026-04-08T09:10:00') });
    expect((await requests.update(id, { tags: [] })).sla).toMatchObject({
      policy: { id: policy.id },
      first_response_due: at('2026-04-08T11:00:00'),
    });
    const bulk = { ticket_ids: [id], tags_add: ['vip'] };
    expect((await agent.post(`${base}/tickets/bulk`, bulk)).status).toBe(200);
    expect((await requests.show(id)).sla.policy.id).toBe(vip.id);
  });

  test('applies unchanged until the next application, even if changed or disabled', async () => {
    freezeClock(at('2026-04-08T09:00:00'));
    const { id } = await requests.open();
    const body = { targets: { medium: { first_response_minutes: 30 } }, version: policy.version };
    await office.owner.post(`${base}/sla-policy/update/${policy.id}`, body);
    const holidays = [{ date: '2026-04-09', name: 'A day off' }];
    await office.owner.post(`${base}/calendar/update/${policy.calendar_id}`, { holidays });
    expect((await requests.show(id)).sla).toMatchObject({ first_response_due: at('2026-04-08T11:00:00') });
    const { status, body: applied } = await office.owner.post(`${base}/sla-policy/apply/${policy.id}`);
    expect([status, applied.data]).toEqual([200, { tickets: 1 }]);
    expect((await requests.show(id)).sla).toMatchObject({
      first_response_due: at('2026-04-08T09:30:00'),
      resolution_due: null,
    });
    await office.owner.post(`${base}/sla-policy/update/${policy.id}`, { active: false });
    await office.owner.post(`${base}/sla-policy/apply/${policy.id}`);
    expect((await requests.show(id)).sla.policy.name).toBe('Standard');
    expect((await agent.post(`${base}/sla-policy/apply/${crypto.randomUUID()}`)).status).toBe(404);
    expect(await violations(office)).toEqual([]);
  });

  test('follows a ticket into a replacement category', async () => {
    const { data: categories } = (await agent.get(`${base}/categories?sort=name`)).body;
    const [from, to] = [categories[0].id, categories[1].id];
    const special = await createPolicy(office.owner, { conditions: { category_id: [to] } });
    const { id } = await requests.open({ category_id: from });
    await office.owner.post(`${base}/category/delete/${from}`, { move_to: to });
    expect((await requests.show(id)).sla.policy.id).toBe(special.id);
  });

  test('sets no first-response target for tickets on an agent’s own initiative or silent', async () => {
    freezeClock(at('2026-04-08T09:00:00'));
    for (const own of [{ requester: undefined }, { silent: true }]) {
      const { id } = await requests.open(own);
      const colleague = office.member({ name: 'Bea' });
      const { clocks } = (await colleague.get(`${base}/ticket/sla/${id}`)).body.data;
      expect(clocks).toMatchObject([{ target: 'resolution', state: 'running' }]);
    }
  });
});

describe('an SLA timer', () => {
  test('ends for a spam, merged or deleted ticket, and restarts after spam', async () => {
    const clock = freezeClock(CREATED);
    const [spam, source, gone, target] = [
      await requests.open(),
      await requests.open(),
      await requests.open(),
      await requests.open(),
    ];
    clock.goTo(at('2026-04-07T08:10:00'));
    await requests.update(spam.id, { status: 'spam' });
    await agent.post(`${base}/ticket/merge/${source.id}`, { into: target.id });
    await agent.post(`${base}/ticket/delete/${gone.id}`);
    expect(await requests.listed('view=due_next')).toEqual([target.id]);
    expect((await requests.show(source.id)).sla).toMatchObject({ first_response_due: null, breached: false });
    clock.goTo(at('2026-04-08T08:00:00'));
    expect((await requests.update(spam.id, { status: 'open' })).sla).toMatchObject({
      first_response_due: at('2026-04-08T10:00:00'),
    });
    expect((await requests.sla(spam.id)).clocks.map(({ run }: { run: number }) => run)).toEqual([1, 1, 2, 2]);
    expect(await violations(office)).toEqual([]);
  });
});

test('the next response counts from the customer’s oldest unanswered reply', async () => {
  await createPolicy(office.owner, { targets: { medium: { next_response_minutes: 60 } } });
  const client = office.member({ kind: 'client', name: 'Carl' });
  const clock = freezeClock(at('2026-04-07T08:00:00'));
  const { id } = (await client.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data;
  await requests.reply(id, { status: 'pending' });
  const reply = () => client.post(`${base}/ticket/add-reply/${id}`, { body: 'And?' });
  clock.goTo(at('2026-04-07T09:00:00'));
  await reply();
  clock.goTo(at('2026-04-07T09:30:00'));
  await reply();
  expect(await requests.show(id)).toMatchObject({ status: 'open', next_due_at: at('2026-04-07T10:00:00') });
  clock.goTo(at('2026-04-07T10:00:00'));
  await requests.reply(id);
  expect(await requests.clockOf(id, 'next_response')).toMatchObject({ run: 1, state: 'met' });
  await client.post(`${base}/ticket/add-reply/${id}`, { body: 'Thanks', status: 'resolved' });
  expect(await requests.clockOf(id, 'next_response')).toMatchObject({ run: 1, state: 'met' });
});

test('SLA targets are for agents only, never for requesters, in tickets and overview', async () => {
  const client = office.member({ kind: 'client', name: 'Carl' });
  const { id } = (await client.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data;
  const clientTicket = (await client.get(`${base}/ticket/show/${id}`)).body.data;
  for (const field of ['sla', 'next_due_at', 'breached', 'first_response_due'])
    expect(clientTicket).not.toHaveProperty(field);
  for (const query of ['view=due_next', 'breached=true', 'sort=next_due_at', 'next_due_at[null]=false'])
    expect((await client.get(`${base}/tickets?${query}`)).status).toBe(422);
  expect((await client.get(`${base}/ticket/sla/${id}`)).status).toBe(403);
  const own = (await agent.post(`${base}/ticket/store`, { subject: 'Mine', description: 'Please.' })).body.data;
  expect(own).not.toHaveProperty('sla');
  expect(await agent.get(`${base}/ticket/sla/${own.id}`)).toMatchObject({ status: 403, body: { code: 'not_agent' } });
});

test('fifty concurrent changes leave consistent SLA timers', async () => {
  const { id } = await requests.open();
  const openStatuses = ['open', 'pending', 'on_hold'];
  const actions = [
    (index: number) => agent.post(`${base}/ticket/update/${id}`, { status: openStatuses[index % 3] }),
    (index: number) => agent.post(`${base}/ticket/update/${id}`, { priority: index % 2 ? 'high' : 'medium' }),
    () => requests.reply(id),
    (index: number) => agent.post(`${base}/ticket/update/${id}`, { tags: [`t${index}`] }),
  ];
  const replies = await runConcurrently(50, (index) => actions[index % actions.length]!(index));
  expect(sortedStatuses(replies).every((status) => [200, 201, 409].includes(status))).toBe(true);
  expect((await requests.sla(id)).clocks).toHaveLength(2);
  expect(await violations(office)).toEqual([]);
});
