import { describe, expect, test } from '@jest/globals';
import { berlin, terms } from '../../../test/shift-terms.ts';
import type { ShiftTerms } from '../../time/days/day.rules.ts';
import { dayOfPunch } from './schedule.rules.ts';

describe('the day of a punch', () => {
  const office = terms('09:00', '17:30', 'Europe/Berlin');
  const dayOf = (shift: ShiftTerms, at: string) => {
    const day = dayOfPunch(() => shift, Date.parse(at), shift.timezone);
    return [day?.schedule.day, day?.outside_shift];
  };
  test.each([
    ['2026-06-10T06:59+02:00', '2026-06-10', true],
    ['2026-06-10T07:00+02:00', '2026-06-10', false],
    ['2026-06-10T21:29:59+02:00', '2026-06-10', false],
    ['2026-06-10T21:30+02:00', '2026-06-10', true],
    ['2026-06-11T00:10+02:00', '2026-06-11', true],
  ])('follows office hours: for %s it is %s', (at, day, outside) => {
    expect(dayOf(office, at)).toEqual([day, outside]);
  });

  test('changes halfway between two shifts whose windows overlap', () => {
    const long = terms('06:00', '22:00', 'UTC', { early_window_minutes: 600, late_window_minutes: 600 });
    expect(dayOf(long, '2026-06-11T01:59:59Z')).toEqual(['2026-06-10', false]);
    expect(dayOf(long, '2026-06-11T02:00:00Z')).toEqual(['2026-06-11', false]);
  });

  test('changes halfway between a night shift and a later day shift of the employee', () => {
    const termsOn = (day: string) => (day < '2026-06-11' ? berlin : terms('07:00', '15:00', 'Europe/Berlin'));
    const dayAtHour = (at: string) => dayOfPunch(termsOn, Date.parse(at), 'Europe/Berlin')!.schedule.day;
    expect(dayAtHour('2026-06-11T06:29:59+02:00')).toBe('2026-06-10');
    expect(dayAtHour('2026-06-11T06:30:00+02:00')).toBe('2026-06-11');
  });

  test('lasts until the next window if the employee clocks in after their day is over', () => {
    const { schedule } = dayOfPunch(() => office, Date.parse('2026-06-10T22:30+02:00'), 'Europe/Berlin')!;
    expect(new Date(schedule.closes).toISOString()).toBe('2026-06-11T05:00:00.000Z');
    const early = dayOfPunch(() => office, Date.parse('2026-06-10T05:00+02:00'), 'Europe/Berlin')!;
    expect(new Date(early.schedule.closes).toISOString()).toBe('2026-06-10T19:30:00.000Z');
  });

  test('is null without a shift', () => {
    expect(dayOfPunch(() => null, Date.parse('2026-06-10T05:00+02:00'), 'Europe/Berlin')).toBeNull();
  });
});
