import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type WorkingHours, workingTime } from '../calendars/working-time.rules.ts';
import { type SlaTimer, timerDueAt, timerValues, type TargetKind, type SlaTarget, warnAt } from './timer.rules.ts';
import { timersAfter, type SlaEvent, openTimers, type SlaTargets } from './ticket-timers.rules.ts';

const MINUTE = 60_000;
const day: [string, string][] = [
  ['08:00', '12:00'],
  ['13:00', '17:00'],
];
const calendar: WorkingHours = {
  timezone: 'Europe/Berlin',
  hours: { 1: day, 2: day, 3: day, 4: day, 5: [['08:00', '14:00']] },
  holidays: [{ date: '2026-04-03' }, { date: '2026-04-06' }],
};
const terms = (minutes: number): SlaTarget => ({ id: '1', calendar, length: minutes * MINUTE, warn_percent: 80 });
const pause_in = ['pending', 'on_hold'];
const medium: SlaTargets = { targets: { first_response: terms(120), resolution: terms(960) }, pause_in };
const high: SlaTargets = { targets: { first_response: terms(120), resolution: terms(480) }, pause_in };
const chatty: SlaTargets = { targets: { ...medium.targets, next_response: terms(60) }, pause_in };

const at = (moment: string) => Date.parse(`${moment}+02:00`);
const CREATED = at('2026-04-02T15:40');
const toIso = (moment: number | null) => moment && new Date(moment).toISOString();
const local = (moment: string) => new Date(at(moment)).toISOString();
const timerOf = (clocks: readonly SlaTimer[], target: TargetKind) =>
  clocks.findLast((clock) => clock.target === target)!;

type TimerStep = Omit<SlaEvent, 'at'> & { at: string; targets?: SlaTargets };
const play = (steps: readonly TimerStep[], begin: SlaTargets = medium, options = {}): SlaTimer[] => {
  let targets = begin;
  return steps.reduce(
    (clocks, { at: moment, targets: next = targets, ...step }) => {
      targets = next;
      return timersAfter(clocks, targets, { ...step, at: at(moment) });
    },
    openTimers(begin, CREATED, options),
  );
};

const answered = (moment: string): TimerStep => ({ at: moment, status: 'open', agentReplied: true });
const waited: TimerStep[] = [
  answered('2026-04-07T08:40:00'),
  { at: '2026-04-07T11:30', status: 'pending' },
  { at: '2026-04-08T08:15', status: 'open' },
];

// The example SLA calendar of docs/worked-examples.md.
describe('an SLA timer', () => {
  test('calculates the due times of a new ticket', () => {
    const clocks = play([]);
    expect(toIso(timerDueAt(timerOf(clocks, 'first_response')))).toBe(local('2026-04-07T08:40'));
    expect(toIso(timerDueAt(timerOf(clocks, 'resolution')))).toBe(local('2026-04-08T15:40'));
  });

  test('meets the target with a reply in the last second, and not a second later', () => {
    const timer = timerOf(play([answered('2026-04-07T08:40:00')]), 'first_response');
    expect(timerValues(timer, at('2026-04-09T08:00'))).toMatchObject({ state: 'met', breached_at: null });
    const missed = timerOf(play([answered('2026-04-07T08:40:01')]), 'first_response');
    expect(timerValues(missed, at('2026-04-09T08:00'))).toMatchObject({
      state: 'missed',
      breached_at: at('2026-04-07T08:40'),
    });
  });

  test('pauses the resolution timer while waiting for the customer', () => {
    const standing = timerOf(play(waited.slice(0, 2)), 'resolution');
    expect(timerValues(standing, at('2026-04-08T08:15'))).toEqual({
      state: 'paused',
      due: null,
      used: 290 * MINUTE,
      paused: 285 * MINUTE,
      remaining: 670 * MINUTE,
      breached_at: null,
    });
    const running = timerOf(play(waited), 'resolution');
    expect(timerValues(running, at('2026-04-08T08:15')).paused).toBe(17_100_000);
    expect(toIso(timerDueAt(running))).toBe(local('2026-04-09T11:25'));
    expect(toIso(warnAt(running))).toBe(local('2026-04-09T08:13'));
  });

  test('keeps the start and used time with a higher priority', () => {
    const raised = play([...waited, { at: '2026-04-08T09:00', status: 'open', policyReselected: true, targets: high }]);
    expect(toIso(timerDueAt(timerOf(raised, 'resolution')))).toBe(local('2026-04-08T11:25'));
  });

  test('continues with the used time of a reopened ticket', () => {
    const reopened = timerOf(
      play([
        ...waited,
        { at: '2026-04-08T10:00', status: 'resolved' },
        { at: '2026-04-09T13:20', status: 'open', requesterReplied: true },
      ]),
      'resolution',
    );
    expect(timerValues(reopened, at('2026-04-09T13:20'))).toMatchObject({
      state: 'running',
      used: 395 * MINUTE,
      remaining: 565 * MINUTE,
      due: at('2026-04-10T13:45'),
    });
  });
});

describe('other SLA targets', () => {
  test('are breached at the time of the change if they are already overdue', () => {
    const steps: TimerStep[] = [{ at: '2026-04-08T10:00', status: 'open', policyReselected: true, targets: high }];
    const late = timerOf(play(steps), 'resolution');
    expect(toIso(timerDueAt(late))).toBe(local('2026-04-07T15:40'));
    expect(late.breached_at).toBe(at('2026-04-08T10:00'));
  });

  test('keep a recorded breach, even with a later due time', () => {
    const steps: TimerStep[] = [
      {
        at: '2026-04-08T16:00',
        status: 'open',
        policyReselected: true,
        targets: { ...high, targets: { resolution: terms(9_600) } },
      },
    ];
    const clock = timerOf(play(steps), 'resolution');
    expect(clock.breached_at).toBe(at('2026-04-08T15:40'));
    expect(timerDueAt(clock)).toBeGreaterThan(at('2026-04-08T16:00'));
  });

  test('may add an SLA target where there was none, and remove one', () => {
    const nothing: SlaTargets = { targets: {}, pause_in };
    const none = timerOf(
      play([{ at: '2026-04-07T08:10', status: 'open', policyReselected: true, targets: nothing }]),
      'first_response',
    );
    expect(timerValues(none, at('2026-04-07T08:10'))).toMatchObject({ state: 'none', due: null });
    const [back] = timersAfter([none], medium, { at: at('2026-04-07T08:10'), status: 'open', policyReselected: true });
    expect(toIso(timerDueAt(back!))).toBe(local('2026-04-07T08:40'));
  });
});

describe('the end of SLA timers', () => {
  test.each([
    { at: '2026-04-07T09:00', status: 'merged' },
    { at: '2026-04-07T09:00', status: 'spam' },
    { at: '2026-04-07T09:00', status: 'open', deleted: true },
  ])('has no result: $status, $deleted', (step) => {
    for (const clock of play([step]))
      expect(timerValues(clock, at('2026-05-01T08:00'))).toMatchObject({ state: 'none', due: null });
  });

  test('restart when a ticket is no longer spam', () => {
    const clocks = play([
      { at: '2026-04-07T09:00', status: 'spam' },
      { at: '2026-04-08T08:00', status: 'open' },
    ]);
    expect(toIso(timerDueAt(timerOf(clocks, 'first_response')))).toBe(local('2026-04-08T10:00'));
    expect(timerOf(clocks, 'resolution')).toMatchObject({ run: 2, breached_at: null });
  });
});

test('a ticket that an agent opens for themselves has no first-response target', () => {
  expect(play([], medium, { own_initiative: true }).map(({ target }) => target)).toEqual(['resolution']);
});

test('the next response counts from the oldest unanswered reply', () => {
  const requesterReply = (moment: string): TimerStep => ({ at: moment, status: 'open', requesterReplied: true });
  const waiting = play(
    [answered('2026-04-07T08:10'), requesterReply('2026-04-07T09:00'), requesterReply('2026-04-07T09:30')],
    chatty,
  );
  expect(toIso(timerDueAt(timerOf(waiting, 'next_response')))).toBe(local('2026-04-07T10:00'));
  const again = play(
    [
      requesterReply('2026-04-07T09:00'),
      answered('2026-04-07T10:00:01'),
      requesterReply('2026-04-07T11:00'),
      answered('2026-04-07T11:30'),
    ],
    chatty,
  ).filter(({ target }) => target === 'next_response');
  expect(again.map((clock) => [clock.run, timerValues(clock, CREATED).state])).toEqual([
    [1, 'missed'],
    [2, 'met'],
  ]);
});

test('after any changes, a timer has used the working time of its running statuses', () => {
  const status = fc.constantFrom('open', 'pending', 'on_hold', 'resolved');
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), status, fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(steps, (played) => {
      let [clocks, now, state, used, paused] = [openTimers(medium, CREATED), CREATED, 'new', 0, 0];
      for (const [minutes, next, raised] of played) {
        const worked = workingTime(calendar, now, now + minutes * MINUTE);
        if (pause_in.includes(state)) paused += worked;
        else if (state !== 'resolved') used += worked;
        now += minutes * MINUTE;
        state = next;
        clocks = timersAfter(clocks, raised ? high : medium, { at: now, status: next, policyReselected: raised });
      }
      expect(timerValues(timerOf(clocks, 'resolution'), now)).toMatchObject({ used, paused });
    }),
    { numRuns: 200 },
  );
});
