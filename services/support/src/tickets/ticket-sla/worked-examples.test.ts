import { describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { at, CREATED, openWithPolicy, createPolicy } from '../../../test/sla-example.ts';

const { violations, office, agent, requests, policy } = await openWithPolicy();
const base = '/api/support-ticket';

// The example SLA calendar of docs/worked-examples.md.
describe('the SLA of a ticket', () => {
  test('lists a new ticket by its due time', async () => {
    freezeClock(CREATED);
    const { id, ...ticket } = await requests.open();
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
    const later = await requests.open();
    const urgent = await requests.open({ priority: 'high' });
    await requests.reply(id);
    expect(await requests.listed('view=due_next')).toEqual([later.id, urgent.id, id]);
    expect(await violations(office)).toEqual([]);
  });

  test.each([
    ['2026-04-07T08:40:00', { state: 'met', breached_at: null }, false],
    ['2026-04-07T08:40:01', { state: 'missed', breached_at: at('2026-04-07T08:40:00') }, true],
  ])('evaluates a reply at %s', async (moment, expected, breached) => {
    const clock = freezeClock(CREATED);
    const { id } = await requests.open();
    clock.goTo(at('2026-04-07T08:30:00'));
    await agent.post(`${base}/ticket/note/store/${id}`, { body: 'No answer' });
    await requests.update(id, { assignee_id: agent.caller.user_id });
    expect((await requests.show(id)).sla).toMatchObject({ first_responded_at: null });
    clock.goTo(at(moment));
    await requests.reply(id);
    expect(await requests.clockOf(id, 'first_response')).toMatchObject(expected);
    expect((await requests.show(id)).sla).toMatchObject({
      first_responded_at: at(moment),
      first_response_due: null,
      breached,
    });
    expect(await violations(office)).toEqual([]);
  });

  /** Creates a ticket answered in time, and waiting for the customer from Tuesday noon to Wednesday morning. */
  async function waited() {
    const clock = freezeClock(CREATED);
    const { id } = await requests.open();
    clock.goTo(at('2026-04-07T08:40:00'));
    await requests.reply(id);
    clock.goTo(at('2026-04-07T11:30:00'));
    await requests.update(id, { status: 'pending' });
    clock.goTo(at('2026-04-08T08:15:00'));
    return { clock, id };
  }

  test('has used and remaining times of a paused timer that add up to its target', async () => {
    const clock = freezeClock(CREATED);
    const { id } = await requests.open();
    clock.goTo(new Date(Date.parse(String(at('2026-04-07T11:30:00'))) + 499).toISOString());
    await requests.update(id, { status: 'pending' });
    const { used_seconds, remaining_seconds, target_seconds } = await requests.clockOf(id, 'resolution');
    expect(used_seconds + remaining_seconds).toBe(target_seconds);
  });

  test('pauses the resolution timer while waiting for the customer', async () => {
    const { clock, id } = await waited();
    expect(await requests.clockOf(id, 'resolution')).toMatchObject({
      state: 'paused',
      due: null,
      used_seconds: 290 * 60,
      paused_seconds: 17_100,
      remaining_seconds: 670 * 60,
    });
    expect(await requests.listed('view=due_next')).toEqual([]);
    await requests.update(id, { status: 'open' });
    expect((await requests.show(id)).sla).toMatchObject({
      resolution_due: at('2026-04-09T11:25:00'),
      paused_seconds: 17_100,
      breached: false,
    });
    const shown = await requests.clockOf(id, 'resolution');
    expect(shown).toMatchObject({ warn_at: at('2026-04-09T08:13:00') });
    expect(shown.intervals).toMatchObject([
      { state: 'running', from: CREATED, to: at('2026-04-07T11:30:00'), working_seconds: 290 * 60 },
      { state: 'paused', working_seconds: 17_100 },
      { state: 'running', from: at('2026-04-08T08:15:00'), to: null, working_seconds: 0 },
    ]);
    clock.goTo(at('2026-04-09T08:12:59'));
    expect(await requests.listed('near_breach=true')).toEqual([]);
    clock.goTo(at('2026-04-09T08:13:00'));
    expect(await requests.listed('near_breach=true')).toEqual([id]);
    clock.goTo(at('2026-04-09T11:25:00'));
    expect([await requests.listed('view=overdue'), await requests.listed('breached=true')]).toEqual([[], []]);
    clock.goTo(at('2026-04-09T11:25:01'));
    expect([await requests.listed('view=overdue'), await requests.listed('breached=true')]).toEqual([[id], [id]]);
    expect([await requests.listed('near_breach=true'), await requests.listed('breached=false')]).toEqual([[], []]);
    expect(await violations(office)).toEqual([]);
  });

  test('keeps the start and used time with a higher priority', async () => {
    const { clock, id } = await waited();
    await requests.update(id, { status: 'open' });
    clock.goTo(at('2026-04-08T09:00:00'));
    expect((await requests.update(id, { priority: 'high' })).sla).toMatchObject({
      resolution_due: at('2026-04-08T11:25:00'),
      policy: { id: policy.id },
    });
    expect(await violations(office)).toEqual([]);
  });

  test('continues with the used time of a reopened ticket', async () => {
    const { clock, id } = await waited();
    await requests.update(id, { status: 'open' });
    clock.goTo(at('2026-04-08T10:00:00'));
    expect((await requests.update(id, { status: 'resolved' })).sla).toMatchObject({
      resolution_due: null,
      resolved_at: at('2026-04-08T10:00:00'),
    });
    expect(await requests.clockOf(id, 'resolution')).toMatchObject({ state: 'met', used_seconds: 395 * 60 });
    clock.goTo(at('2026-04-09T13:20:00'));
    expect((await requests.update(id, { status: 'open' })).sla).toMatchObject({
      resolution_due: at('2026-04-10T13:45:00'),
      resolved_at: null,
      first_responded_at: at('2026-04-07T08:40:00'),
    });
    expect(await requests.clockOf(id, 'resolution')).toMatchObject({ remaining_seconds: 565 * 60 });
    expect(await violations(office)).toEqual([]);
  });

  test('is due at the end of an interval instead of on the next morning', async () => {
    await createPolicy(office.owner, { targets: { medium: { first_response_minutes: 60 } } });
    freezeClock(at('2026-04-08T16:00:00'));
    expect((await requests.open()).sla).toMatchObject({
      first_response_due: at('2026-04-08T17:00:00'),
      resolution_due: null,
    });
  });

  test('shows the first of two breaches, even if only the second timer has ended', async () => {
    const clock = freezeClock(CREATED);
    const { id } = await requests.open();
    clock.goTo(at('2026-04-10T10:00:00'));
    await requests.update(id, { status: 'pending' });
    expect(await violations(office)).toEqual([]);
    await requests.reply(id);
    expect(await violations(office)).toEqual([]);
  });

  test.each([
    ['2026-03-28T23:30:00+01:00', '2026-03-29T05:30:00+02:00'],
    ['2026-10-24T23:30:00+02:00', '2026-10-25T03:30:00+01:00'],
  ])('ends five hours in the night of %s at %s', async (created, due) => {
    const night = [
      ['22:00', '24:00'],
      ['00:00', '06:00'],
    ];
    const hours = Object.fromEntries(['7', '1', '2', '3', '4', '5', '6'].map((name) => [name, night]));
    await createPolicy(office.owner, { targets: { medium: { resolution_minutes: 300 } } }, { hours, holidays: [] });
    const clock = freezeClock(created);
    const { id, sla } = await requests.open();
    expect(sla).toMatchObject({ resolution_due: new Date(due).toISOString() });
    clock.goTo('2026-11-01T12:00:00Z');
    await requests.update(id, { status: 'resolved' });
    expect(await violations(office)).toEqual([]);
  });
});
