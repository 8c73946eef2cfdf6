import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type EntitlementBasis,
  effectivePlan,
  graceEnd,
  type SubscriptionTerms,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from './entitlement.rules.ts';

const NOW = new Date('2026-06-12T12:00:00.000Z');
const subscriptionWith = (status: SubscriptionStatus, more: Partial<SubscriptionTerms> = {}): SubscriptionTerms => ({
  plan_code: 'business',
  status,
  past_due_since: null,
  cancel_at_period_end: false,
  current_period_end: null,
  ...more,
});
const of = (subscriptions: SubscriptionTerms[], more: Partial<EntitlementBasis> = {}): EntitlementBasis => ({
  is_open: true,
  given_plan: 'enterprise',
  trial_ends_at: null,
  subscriptions,
  fallback_plan: 'starter',
  grace_days: 7,
  ...more,
});

test.each<[SubscriptionStatus, string | null]>([
  ['trialing', 'business'],
  ['active', 'business'],
  ['unpaid', 'starter'],
  ['paused', 'starter'],
  ['canceled', 'starter'],
])('a subscription in status %s results in the plan %s', (status, plan_code) => {
  expect(effectivePlan(of([subscriptionWith(status)]), NOW)).toEqual({ plan_code, status, until: null });
});

describe.each<SubscriptionStatus>(['incomplete', 'incomplete_expired'])('a subscription in status %s', (status) => {
  const end = '2026-06-20T00:00:00.000Z';

  test('grants nothing, and does not affect an earlier plan', () => {
    expect(effectivePlan(of([subscriptionWith(status)]), NOW)).toEqual({
      plan_code: 'enterprise',
      status: '',
      until: null,
    });
    const trial = of([subscriptionWith(status)], { trial_ends_at: end });
    expect(effectivePlan(trial, NOW)).toEqual({ plan_code: 'enterprise', status: 'trialing', until: end });
    expect(effectivePlan(trial, new Date(end))).toEqual({ plan_code: 'starter', status, until: null });
  });

  test('restores nothing after an earlier subscription', () => {
    const over = of([subscriptionWith(status), subscriptionWith('canceled')], { trial_ends_at: end });
    expect(effectivePlan(over, NOW).plan_code).toBe('starter');
  });
});

describe('a past-due subscription', () => {
  const due = of([subscriptionWith('past_due', { past_due_since: '2026-06-10T08:00:00.000Z' })]);

  test('gives its plan for exactly seven days', () => {
    const until = '2026-06-17T08:00:00.000Z';
    const at = (instant: string) => effectivePlan(due, new Date(instant));
    expect(at('2026-06-10T08:00:00.000Z')).toEqual({ plan_code: 'business', status: 'past_due', until });
    expect(at('2026-06-17T07:59:59.999Z')).toEqual({ plan_code: 'business', status: 'past_due', until });
    expect(at(until)).toEqual({ plan_code: 'starter', status: 'past_due', until: null });
  });

  test('gives nothing immediately without grace days', () => {
    expect(effectivePlan({ ...due, grace_days: 0 }, new Date('2026-06-10T08:00:00.000Z')).plan_code).toBe('starter');
  });

  test('grants its plan until it ends within the grace period', () => {
    const [first] = due.subscriptions;
    const ending = { ...first!, cancel_at_period_end: true, current_period_end: '2026-06-13T00:00:00.000Z' };
    expect(effectivePlan({ ...due, subscriptions: [ending] }, NOW).until).toBe('2026-06-13T00:00:00.000Z');
  });
});

test('a subscription cancelled at period end gives its plan until exactly that time', () => {
  const end = '2026-07-01T00:00:00.000Z';
  const ending = of([subscriptionWith('active', { cancel_at_period_end: true, current_period_end: end })]);
  expect(effectivePlan(ending, NOW)).toEqual({ plan_code: 'business', status: 'active', until: end });
  expect(effectivePlan(ending, new Date(end))).toEqual({ plan_code: 'starter', status: 'active', until: null });
});

test('a trial without a subscription ends automatically', () => {
  const end = '2026-06-20T00:00:00.000Z';
  const trial = of([], { trial_ends_at: end });
  expect(effectivePlan(trial, NOW)).toEqual({ plan_code: 'enterprise', status: 'trialing', until: end });
  expect(effectivePlan(trial, new Date(end))).toEqual({ plan_code: 'starter', status: 'paused', until: null });
  expect(effectivePlan(of([]), NOW)).toEqual({ plan_code: 'enterprise', status: '', until: null });
});

test('prefers a subscription with its plan, then a running one, then the newest', () => {
  const [old, canceled, unpaid] = [
    subscriptionWith('active', { plan_code: 'old' }),
    subscriptionWith('canceled'),
    subscriptionWith('unpaid'),
  ];
  expect(effectivePlan(of([canceled, unpaid, old]), NOW)).toMatchObject({ plan_code: 'old', status: 'active' });
  expect(effectivePlan(of([canceled, unpaid]), NOW)).toMatchObject({ plan_code: 'starter', status: 'unpaid' });
  expect(effectivePlan(of([canceled, subscriptionWith('incomplete_expired')]), NOW).status).toBe('canceled');
});

test('a suspended workspace has no entitlements', () => {
  expect(effectivePlan(of([subscriptionWith('active')], { is_open: false }), NOW)).toMatchObject({
    plan_code: null,
    until: null,
  });
});

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
const optional = fc.option(instant.map((at) => at.toISOString()));
const subscription: fc.Arbitrary<SubscriptionTerms> = fc.record({
  plan_code: fc.constantFrom('business', 'enterprise'),
  status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
  past_due_since: optional,
  cancel_at_period_end: fc.boolean(),
  current_period_end: optional,
});
const basis: fc.Arbitrary<EntitlementBasis> = fc.record({
  is_open: fc.boolean(),
  given_plan: fc.constant('given'),
  trial_ends_at: optional,
  subscriptions: fc.array(subscription, { maxLength: 4 }),
  fallback_plan: fc.constantFrom('starter', null),
  grace_days: fc.integer({ min: 0, max: 90 }),
});

test('gives the same result until its end, in any circumstances', () => {
  fc.assert(
    fc.property(basis, instant, fc.nat(1_000_000), (given, now, ms) => {
      const before = effectivePlan(given, now);
      fc.pre(before.until !== null);
      const end = Date.parse(before.until);
      expect(end).toBeGreaterThan(now.getTime());
      const meanwhile = new Date(Math.min(now.getTime() + ms, end - 1));
      expect(effectivePlan(given, meanwhile)).toEqual(before);
    }),
  );
});

test('the fallback plan applies after the end, if nothing else does', () => {
  const single = basis.map((given) => ({ ...given, subscriptions: given.subscriptions.slice(0, 1) }));
  fc.assert(
    fc.property(single, instant, (given, now) => {
      const { until } = effectivePlan(given, now);
      fc.pre(until !== null);
      expect(effectivePlan(given, new Date(until)).plan_code).toBe(given.fallback_plan);
    }),
  );
});

test('the grace period starts with the failed payment and ends with its payment', () => {
  expect(graceEnd({ status: 'past_due', past_due_since: '2026-06-10T08:00:00Z' }, 7)).toBe('2026-06-17T08:00:00.000Z');
  expect(graceEnd({ status: 'active', past_due_since: '2026-06-10T08:00:00Z' }, 7)).toBeNull();
});
