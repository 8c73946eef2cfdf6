import { expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import fc from 'fast-check';
import { openSupport } from '../../../test/fixture.ts';
import { requestsOf, exampleHours, createPolicy } from '../../../test/sla-example.ts';

const { office: openOffice, violations } = await openSupport();

const MINUTE = 60_000;
const FREE = new Set(exampleHours.holidays.map(({ date }) => date));
const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: exampleHours.timezone,
  dateStyle: 'short',
  timeStyle: 'short',
});

/** Returns true if a minute is working time, by the wall clock. */
function isWorking(minute: number): boolean {
  const [date = '', time = ''] = format.format(minute).split(' ');
  const weekday = ['7', '1', '2', '3', '4', '5', '6'][new Date(`${date}T00:00:00Z`).getUTCDay()]!;
  const spans = (exampleHours.hours as Record<string, string[][]>)[weekday] ?? [];
  return !FREE.has(date) && spans.some(([from = '', until = '']) => from <= time && time < until);
}

/** Returns the working seconds between two minutes, counted one by one. */
function worked(from: number, until: number): number {
  let seconds = 0;
  for (let minute = from; minute < until; minute += MINUTE) if (isWorking(minute)) seconds += 60;
  return seconds;
}

const step = fc.record({
  minutes: fc.integer({ min: 1, max: 2_000 }),
  action: fc.constantFrom('open', 'pending', 'on_hold', 'resolved', 'high', 'medium', 'answer', 'note'),
});

test('SLA timers match a minute-by-minute calculation after random changes', async () => {
  const office = await openOffice();
  await createPolicy(office.owner);
  const agent = office.member({ name: 'Ann Agent' });
  const requests = requestsOf(agent);
  const walks = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
    let now = Date.parse('2026-04-01T09:00:00Z');
    const clock = freezeClock(new Date(now).toISOString());
    const { id, ...ticket } = await requests.open();
    let { status } = ticket;
    let [used, paused] = [0, 0];
    let first: { at: number; used: number } | undefined;
    const started_at = now;
    for (const { minutes, action } of steps) {
      const length = worked(now, now + minutes * MINUTE);
      if (['pending', 'on_hold'].includes(status)) paused += length;
      else if (status !== 'resolved') used += length;
      now += minutes * MINUTE;
      clock.goTo(new Date(now).toISOString());
      // The status table rejects some of the actions. These have no effect.
      if (action === 'answer') await requests.reply(id);
      else if (action === 'note') await agent.post(`/api/support-ticket/ticket/note/store/${id}`, { body: 'A note' });
      else {
        const change = action === 'high' || action === 'medium' ? { priority: action } : { status: action };
        await agent.post(`/api/support-ticket/ticket/update/${id}`, change);
      }
      if (action === 'answer') first ??= { at: now, used: worked(started_at, now) };
      ({ status } = await requests.show(id));
    }
    const { clocks } = await requests.sla(id);
    const whole = clocks.find(({ target }: { target: string }) => target === 'resolution');
    expect(whole).toMatchObject({ used_seconds: used, paused_seconds: paused });
    const answered = clocks.find(({ target }: { target: string }) => target === 'first_response');
    expect(answered).toMatchObject({
      met_at: first ? new Date(first.at).toISOString() : null,
      used_seconds: first?.used ?? worked(started_at, now),
    });
  });
  await fc.assert(walks, { numRuns: 25 });
  expect(await violations(office)).toEqual([]);
});
