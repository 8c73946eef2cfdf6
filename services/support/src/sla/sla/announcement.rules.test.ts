import { describe, expect, test } from '@jest/globals';
import type { WorkingHours } from '../calendars/working-time.rules.ts';
import { type AnnouncementKind, columnsOf, dueAnnouncements, nextAnnouncementAt } from './announcement.rules.ts';
import { endTimer, meetTimer, applySlaTarget, startTimer, type SlaTarget, pauseOrResume } from './timer.rules.ts';

const MINUTE = 60_000;
const always: [string, string][] = [['00:00', '24:00']];
const calendar: WorkingHours = {
  timezone: 'UTC',
  hours: { 7: always, 1: always, 2: always, 3: always, 4: always, 5: always, 6: always },
  holidays: [],
};
const terms = (minutes: number): SlaTarget => ({ id: '1', calendar, length: minutes * MINUTE, warn_percent: 80 });
const BEGIN = Date.parse('2026-04-02T10:00:00Z');
const after = (minutes: number) => BEGIN + minutes * MINUTE;
const clock = startTimer('resolution', 1, terms(100), BEGIN);

describe('a running SLA timer', () => {
  test.each<[number, AnnouncementKind[], object[]]>([
    [79, [], []],
    [80, [], [{ kind: 'near_breach', at: after(80) }]],
    [90, ['near_breach'], []],
    [100, ['near_breach'], []],
    [100.001, ['near_breach'], [{ kind: 'breached', at: after(100) }]],
    [500, [], [{ kind: 'breached', at: after(100) }]],
    [500, ['near_breach', 'breached'], []],
  ])('announces near breach and breach once: after %d minutes, with %j announced', (minutes, before, expected) => {
    expect(dueAnnouncements(clock, before, after(minutes))).toEqual(expected);
  });

  test('is found by the sweep when it has an announcement', () => {
    expect(nextAnnouncementAt(clock, [])).toBe(after(80));
    expect(nextAnnouncementAt(clock, ['near_breach'])).toBe(after(100) + 1);
    expect(nextAnnouncementAt(clock, ['near_breach', 'breached'])).toBeNull();
  });
});

test('a paused, met or ended SLA timer announces nothing that did not occur', () => {
  for (const still of [
    pauseOrResume(clock, 'paused', after(85)),
    meetTimer(clock, after(100)),
    endTimer(clock, after(90)),
  ]) {
    expect(dueAnnouncements(still, [], after(500))).toEqual([]);
    expect(nextAnnouncementAt(still, [])).toBeNull();
  }
});

test('a breach between runs is announced with its time, even for a timer met since', () => {
  for (const late of [
    meetTimer(clock, after(101)),
    pauseOrResume(clock, 'paused', after(101)),
    endTimer(clock, after(101)),
  ]) {
    expect(nextAnnouncementAt(late, [])).toBe(after(100));
    expect(dueAnnouncements(late, ['near_breach'], after(500))).toEqual([{ kind: 'breached', at: after(100) }]);
  }
});

test('a change to a policy version that is overdue breaches at the time of change', () => {
  const changed = applySlaTarget(clock, terms(10), after(50));
  expect(nextAnnouncementAt(changed, [])).toBe(after(50));
  expect(dueAnnouncements(changed, [], after(51))).toEqual([{ kind: 'breached', at: after(50) }]);
});

test('a ticket shows the earliest due time of its running timers', () => {
  const first = startTimer('first_response', 1, terms(30), BEGIN);
  expect(columnsOf([first, clock], BEGIN)).toEqual({
    first_response_due: after(30),
    resolution_due: after(100),
    next_due_at: after(30),
    next_warning_at: after(24),
    breached_at: null,
    paused_seconds: 0,
  });
  const waited = pauseOrResume(pauseOrResume(clock, 'paused', after(10)), 'running', after(40));
  expect(columnsOf([meetTimer(first, after(31)), waited], after(50))).toEqual({
    first_response_due: null,
    resolution_due: after(130),
    next_due_at: after(130),
    next_warning_at: after(110),
    breached_at: after(30),
    paused_seconds: 1_800,
  });
});
