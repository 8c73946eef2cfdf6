import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { approverOf } from '../deputies/approver.ts';
import { assertGrantable, OVERRIDES, type LeaveRequestFacts } from './leave-application.rules.ts';

const good: LeaveRequestFacts = {
  policy: { min_notice_days: 7, max_consecutive: 10, applicable_after_days: 90, requires_document_after: 3 },
  unemployed_on: undefined,
  paid_on: undefined,
  other: undefined,
  notice_days: 7,
  counted: 1000,
  consecutive: 1000,
  served_days: 90,
  has_document: true,
  available: 2000,
  shortage: undefined,
};

/** Invalid facts by the expected fault, in the order of the rules. */
const INVALID_FACTS = {
  not_employed: { unemployed_on: '2026-06-01' },
  payroll_closed: { paid_on: '2026-06-01' },
  overlap: { other: { leave_application_id: 'x', from: '2026-06-01', to: '2026-06-01' } },
  notice_too_short: { notice_days: 6 },
  too_many_days: { consecutive: 1050 },
  not_yet_eligible: { served_days: 89 },
  document_missing: { has_document: false },
  insufficient_balance: { shortage: { short: 100, first_short_on: '2026-06-01' } },
} as const;
type RejectionReason = keyof typeof INVALID_FACTS;
const reasons = Object.keys(INVALID_FACTS) as RejectionReason[];

const codeOfRejection = (facts: LeaveRequestFacts, overrides: readonly string[] = []) => {
  try {
    assertGrantable(facts, overrides);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('reports the first violated rule in order, except overridden rules', () => {
  expect(codeOfRejection(good)).toBeUndefined();
  fc.assert(
    fc.property(fc.subarray(reasons), fc.subarray([...OVERRIDES]), (wrong, overrides) => {
      const facts = Object.assign({}, good, ...wrong.map((reason) => INVALID_FACTS[reason])) as LeaveRequestFacts;
      const left = reasons.filter((reason) => wrong.includes(reason) && !overrides.some((name) => name === reason));
      expect(codeOfRejection(facts, overrides)).toBe(left[0]);
    }),
  );
});

test('allows requests for a type without limits', () => {
  const policy = { min_notice_days: 0, max_consecutive: null, applicable_after_days: 0, requires_document_after: null };
  expect(
    codeOfRejection({ ...good, policy, notice_days: -3, counted: 36_500, served_days: 0, has_document: false }),
  ).toBeUndefined();
});

test.each([
  ['the manager', { manager_id: 'boss', deputy_id: null, head_id: 'head' }, 'boss', null],
  [
    'the deputy of a manager who is away',
    { manager_id: 'boss', deputy_id: 'deputy', head_id: 'head' },
    'deputy',
    'boss',
  ],
  [
    'the manager whose deputy made the request',
    { manager_id: 'boss', deputy_id: 'ada', head_id: 'head' },
    'boss',
    null,
  ],
  ['the head of the department', { manager_id: null, deputy_id: null, head_id: 'head' }, 'head', null],
  [
    'no specific approver, if the requester is the department head',
    { manager_id: null, deputy_id: null, head_id: 'ada' },
    null,
    null,
  ],
  ['no specific approver', { manager_id: null, deputy_id: null, head_id: null }, null, null],
])('%s decides', (_, people, approver_id, on_behalf_of) => {
  expect(approverOf({ employee_id: 'ada', ...people })).toEqual({ approver_id, on_behalf_of });
});
