import { describe, expect, test } from '@jest/globals';
import { berlin, terms } from '../../../test/shift-terms.ts';
import type { ShiftTerms } from '../../time/days/day.rules.ts';
import { type DayFacts, deriveDay } from './attendance-day.rules.ts';
import { isInOrder, type Punch, type PunchType } from './sessions.rules.ts';
import { dayOfPunch, scheduleOn } from './schedule.rules.ts';

const WORDS: Record<string, PunchType> = { in: 'in', out: 'out', pause: 'break_start', back: 'break_end' };

/** Parses punches in short form: `in 2026-06-10T17:52+05:30`. */
const parsePunches = (...texts: string[]): Punch[] =>
  texts.map((one) => {
    const [word = '', at = ''] = one.split(' ');
    return { type: WORDS[word]!, at: Date.parse(at), source: 'web', work_from_home: false };
  });

/** Derives the day that the first punch begins. Without punches, derives an empty day. */
function calculateDay(shift: ShiftTerms, punches: readonly Punch[], more: Partial<DayFacts> = {}) {
  const day = dayOfPunch(() => shift, punches[0]!.at, shift.timezone)!;
  const { schedule, outside_shift } = day;
  const given_flags: DayFacts['given_flags'] = outside_shift ? ['outside_shift'] : [];
  const facts: DayFacts = {
    punches,
    schedule,
    terms: shift,
    kind: 'work',
    leave: 'none',
    is_over: true,
    given_flags,
    ...more,
  };
  return { date: schedule.day, ...deriveDay(facts) };
}

// The night shifts of docs/worked-examples.md.
describe('an attendance day', () => {
  test('has 484 minutes for a night in Kolkata, 34 of them overtime', () => {
    const day = calculateDay(
      terms('18:00', '02:00', 'Asia/Kolkata'),
      parsePunches(
        'in 2026-06-10T17:52+05:30',
        'pause 2026-06-10T21:30+05:30',
        'back 2026-06-10T22:05+05:30',
        'out 2026-06-11T02:31+05:30',
      ),
    );
    expect(day).toMatchObject({
      date: '2026-06-10',
      break_minutes: 35,
      worked_minutes: 484,
      expected_minutes: 450,
      late_minutes: 0,
      early_minutes: 0,
      overtime_minutes: 34,
      status: 'present',
      flags: [],
    });
  });

  test('has 525 minutes for a night in Berlin when the clocks go back', () => {
    expect(calculateDay(berlin, parsePunches('in 2026-10-24T21:55+02:00', 'out 2026-10-25T06:10+01:00'))).toMatchObject(
      {
        date: '2026-10-24',
        break_minutes: 30,
        worked_minutes: 525,
        expected_minutes: 510,
        late_minutes: 0,
        early_minutes: 0,
        overtime_minutes: 15,
        flags: ['auto_break'],
      },
    );
  });

  test('has 388 minutes for a night in New York when the clocks go forward', () => {
    const shift = terms('22:00', '06:00', 'America/New_York', {
      break_minutes: 0,
      grace_late_minutes: 10,
      grace_early_minutes: 5,
    });
    expect(calculateDay(shift, parsePunches('in 2026-03-07T22:12-05:00', 'out 2026-03-08T05:40-04:00'))).toMatchObject({
      date: '2026-03-07',
      break_minutes: 0,
      worked_minutes: 388,
      expected_minutes: 420,
      late_minutes: 12,
      early_minutes: 20,
      overtime_minutes: 0,
    });
  });

  test('expects 480 minutes on Lord Howe when the clocks go back half an hour', () => {
    const shift = terms('22:00', '06:00', 'Australia/Lord_Howe');
    const schedule = scheduleOn(() => shift, '2026-04-04')!;
    const none = deriveDay({
      punches: [],
      schedule,
      terms: shift,
      kind: 'work',
      leave: 'none',
      is_over: true,
      given_flags: [],
    });
    expect(none).toMatchObject({ expected_minutes: 510 - 30, state: 'closed', status: 'absent', worked_minutes: 0 });
    expect((schedule.end - schedule.start) / 60_000).toBe(510);
  });

  // Worked example G17.
  test('has 425 minutes for a night in spring, and 395 with a break of 30', () => {
    const punches = parsePunches('in 2026-03-28T21:58+01:00', 'out 2026-03-29T06:03+02:00');
    expect(calculateDay({ ...berlin, break_minutes: 0 }, punches)).toMatchObject({
      date: '2026-03-28',
      worked_minutes: 425,
      expected_minutes: 420,
      late_minutes: 0,
      early_minutes: 0,
      overtime_minutes: 0,
      break_minutes: 0,
    });
    expect(calculateDay(berlin, punches)).toMatchObject({
      worked_minutes: 395,
      expected_minutes: 390,
      break_minutes: 30,
    });
  });
});

describe('a day without a clock-out', () => {
  const office = terms('09:00', '17:30', 'Europe/Berlin');
  test('stays open until its window ends, then closes at shift end without overtime', () => {
    const came = parsePunches('in 2026-06-10T08:00+02:00');
    expect(calculateDay(office, came, { is_over: false })).toMatchObject({
      state: 'open',
      status: 'present',
      last_out: null,
      worked_minutes: 0,
      flags: [],
    });
    expect(calculateDay(office, came)).toMatchObject({
      state: 'closed',
      status: 'present',
      last_out: Date.parse('2026-06-10T17:30+02:00'),
      worked_minutes: 540,
      overtime_minutes: 0,
      flags: ['missing_out', 'auto_break'],
    });
  });

  test('ends at the clock-in if that is after the end of the shift', () => {
    const came = parsePunches('in 2026-06-10T19:00+02:00');
    expect(calculateDay(office, came)).toMatchObject({
      worked_minutes: 0,
      status: 'absent',
      last_out: came[0]!.at,
      flags: ['missing_out'],
    });
  });

  test('is closed by a late out and gets the flag late_out', () => {
    const office_night = parsePunches('in 2026-06-10T09:00+02:00', 'out 2026-06-10T23:00+02:00');
    expect(calculateDay(office, office_night)).toMatchObject({
      worked_minutes: 810,
      overtime_minutes: 330,
      flags: ['late_out', 'auto_break'],
    });
    const inTime = parsePunches('in 2026-06-10T09:00+02:00', 'out 2026-06-10T21:34:59+02:00');
    expect(calculateDay(office, inTime).flags).toEqual(['auto_break']);
  });
});

describe('the status of an attendance day', () => {
  const office = terms('09:00', '17:30', 'Europe/Berlin');
  const calculateHours = (hours: number, more: Partial<DayFacts> = {}, shift = office) => {
    const out = new Date(Date.parse('2026-06-10T09:00+02:00') + hours * 3_600_000).toISOString();
    return calculateDay(shift, parsePunches('in 2026-06-10T09:00+02:00', `out ${out}`), more);
  };
  test.each([
    [1.9, {}, 'absent'],
    [2, {}, 'half_day'],
    [3.9, {}, 'half_day'],
    [4, {}, 'present'],
    [8, { leave: 'full' }, 'on_leave'],
    [1.9, { leave: 'first' }, 'on_leave'],
    [2, { leave: 'first' }, 'half_day'],
    [4, { leave: 'second' }, 'half_day'],
    [5, { kind: 'holiday' }, 'present'],
    [3, { kind: 'weekly_off' }, 'half_day'],
    [1, { kind: 'weekly_off' }, 'weekly_off'],
    [1, { kind: 'holiday' }, 'holiday'],
  ] as [number, Partial<DayFacts>, string][])('results from %d hours with %j: %s', (hours, more, expected) => {
    expect(calculateHours(hours, more).status).toBe(expected);
  });

  test('is work_from_home if the first punch is from home', () => {
    const [first, ...rest] = parsePunches('in 2026-06-10T09:00+02:00', 'out 2026-06-10T17:30+02:00');
    expect(calculateDay(office, [{ ...first!, work_from_home: true }, ...rest]).status).toBe('work_from_home');
  });

  test('counts all work on a day off as overtime and expects none', () => {
    expect(calculateHours(5, { kind: 'holiday' })).toMatchObject({
      overtime_minutes: 300,
      expected_minutes: 0,
      late_minutes: 0,
      early_minutes: 0,
      flags: ['on_holiday'],
    });
  });

  test('depends on the kind of day if there are no punches', () => {
    const schedule = scheduleOn(() => office, '2026-06-10')!;
    const facts = { punches: [], schedule, terms: office, is_over: true, given_flags: [] };
    const statusOn = (kind: DayFacts['kind'], leave: DayFacts['leave']) => deriveDay({ ...facts, kind, leave }).status;
    expect([
      statusOn('work', 'none'),
      statusOn('holiday', 'none'),
      statusOn('weekly_off', 'none'),
      statusOn('work', 'full'),
      statusOn('work', 'first'),
    ]).toEqual(['absent', 'holiday', 'weekly_off', 'on_leave', 'on_leave']);
  });
});

test('flags two logs of the same presence', () => {
  const [first, last] = parsePunches('in 2026-06-10T22:00+02:00', 'out 2026-06-11T06:00+02:00');
  expect(calculateDay(berlin, [first!, { ...last!, source: 'device' }]).flags).toContain('double_source');
  expect(calculateDay(berlin, [first!, { ...last!, source: 'mobile' }]).flags).not.toContain('double_source');
});

test.each([
  [true, ['in', 'out', 'in', 'out']],
  [true, ['in', 'break_start', 'break_end', 'break_start', 'out']],
  [false, ['out']],
  [false, ['in', 'in']],
  [false, ['in', 'break_end']],
  [false, ['in', 'break_start', 'break_start']],
  [false, ['break_start']],
] as [boolean, PunchType[]][])('it is %s that punches are in order: %j', (expected, types) => {
  expect(isInOrder(types.map((type, at) => ({ type, at })))).toBe(expected);
});

test('rejects punches whose times are not in sequence', () => {
  const types: PunchType[] = ['in', 'out'];
  expect(isInOrder(types.map((type, at) => ({ type, at: -at })))).toBe(false);
});
