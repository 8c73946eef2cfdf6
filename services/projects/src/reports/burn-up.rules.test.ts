import { describe, expect, test } from '@jest/globals';
import { burnUpOf, type ProjectDates, burnUpSpanOf } from './burn-up.rules.ts';

const dates = (more: Partial<ProjectDates> = {}): ProjectDates => ({
  start_date: '2026-03-02',
  end_date: '2026-03-06',
  created_on: '2026-02-20',
  is_over: false,
  ...more,
});

describe('a burn-up', () => {
  test('shows the days of the project', () => {
    expect(burnUpSpanOf(dates(), {}, '2026-03-04')).toEqual({ from: '2026-03-02', to: '2026-03-06' });
    expect(burnUpSpanOf(dates({ start_date: null, end_date: null }), {}, '2026-03-04')).toEqual({
      from: '2026-02-20',
      to: '2026-03-04',
    });
  });

  test('shows the days until today for late projects, but not for finished ones', () => {
    expect(burnUpSpanOf(dates(), {}, '2026-03-09').to).toBe('2026-03-09');
    expect(burnUpSpanOf(dates({ is_over: true }), {}, '2026-03-09').to).toBe('2026-03-06');
  });

  test('shows the first day of a project without an end that has not started', () => {
    expect(burnUpSpanOf(dates({ end_date: null }), {}, '2026-02-25')).toEqual({ from: '2026-03-02', to: '2026-03-02' });
  });

  test('shows the last year of longer projects, or any requested days', () => {
    const long = dates({ start_date: '2024-01-01' });
    expect(burnUpSpanOf(long, {}, '2026-03-04')).toEqual({ from: '2025-03-06', to: '2026-03-06' });
    expect(burnUpSpanOf(long, { from: '2024-01-01', to: '2024-12-31' }, '2026-03-04').from).toBe('2024-01-01');
    expect(burnUpSpanOf(long, { to: '2024-01-31' }, '2026-03-04')).toEqual({ from: '2024-01-01', to: '2024-01-31' });
    expect(burnUpSpanOf(long, { to: '2023-05-01' }, '2026-03-04')).toEqual({ from: '2023-05-01', to: '2023-05-01' });
  });

  test('shows at most 366 days, and rejects an end before the start', () => {
    const spanFor = (from: string, to: string) => () => burnUpSpanOf(dates(), { from, to }, '2026-03-04');
    expect(spanFor('2025-01-01', '2026-01-02')).toThrow(expect.objectContaining({ status: 422 }));
    expect(spanFor('2026-01-02', '2026-01-01')).toThrow(expect.objectContaining({ status: 422 }));
    expect(spanFor('2025-01-01', '2026-01-01')()).toEqual({ from: '2025-01-01', to: '2026-01-01' });
  });
});

describe('the days of a burn-up', () => {
  const changes = [
    { day: '2026-03-01', scope: 8, completed: 1 },
    { day: '2026-03-03', scope: 2, completed: 3 },
    { day: '2026-03-04', scope: -2, completed: -1 },
  ];
  const span = { from: '2026-03-02', to: '2026-03-06' };

  test('include earlier changes, run until today, and have an ideal to the end', () => {
    expect(burnUpOf(changes, span, dates(), '2026-03-04')).toEqual([
      { day: '2026-03-02', scope: 8, completed: 1, ideal: 0 },
      { day: '2026-03-03', scope: 10, completed: 4, ideal: 2.5 },
      { day: '2026-03-04', scope: 8, completed: 3, ideal: 4 },
      { day: '2026-03-05', scope: null, completed: null, ideal: 6 },
      { day: '2026-03-06', scope: null, completed: null, ideal: 8 },
    ]);
  });

  test('do not change once they are past, regardless of later changes', () => {
    const later = [...changes, { day: '2026-03-05', scope: 20, completed: 9 }];
    const pastDays = (days: ReturnType<typeof burnUpOf>) => days.filter(({ day }) => day < '2026-03-05');
    expect(pastDays(burnUpOf(later, span, dates(), '2026-03-05'))).toEqual(
      pastDays(burnUpOf(changes, span, dates(), '2026-03-04')),
    );
  });

  test('have no ideal without an end, and the full scope for a one-day project', () => {
    expect(burnUpOf(changes, span, dates({ end_date: null }), '2026-03-04')[0]!.ideal).toBeNull();
    const one = dates({ start_date: '2026-03-02', end_date: '2026-03-02' });
    expect(burnUpOf(changes, span, one, '2026-03-04')[0]!.ideal).toBe(8);
  });
});
