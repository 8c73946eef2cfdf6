/** Rules for leave requests: their states, and the checks before a grant, in order. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { PayrollClosed } from '../../attendance/attendance-days/attendance-day.ts';
import { daysText } from '../../employment/leave-ledger/holder.rules.ts';
import type { Shortage } from '../../employment/leave-ledger/replay.rules.ts';

/** Operations that decide on leave. */
const DECIDING = ['leaveDecisions.decide', 'leaveApprovals.decide'];

export const leaveStates = lifecycle(
  'leave_application',
  {
    pending: { approve: 'approved', approve_first: 'first_approved', reject: 'rejected', cancel: 'cancelled' },
    first_approved: { approve: 'approved', reject: 'rejected', cancel: 'cancelled', ask_anew: 'pending' },
    approved: { cancel: 'cancelled' },
    rejected: {},
    cancelled: {},
  },
  {
    actions: {
      update: { permission: 'leave.update', in: ['pending', 'first_approved'] },
      delete: { permission: 'leave.delete', in: ['pending'] },
      approve: 'leave.decide',
      reject: 'leave.decide',
      cancel: 'leave.decide',
      approve_first: { by: DECIDING },
      ask_anew: { by: ['leaveApplications.update', 'ownLeave.update'] },
    },
  },
);

export const HalfDayNeedsOneDay = fault(
  422,
  'half_day_needs_one_day',
  'A half day applies to a single day. For several days, enter when the first begins or the last ends.',
);
export const NoWorkingDay = fault(422, 'no_working_day', 'None of these days is a working day. Choose other days.');
export const NotEmployed = fault(
  409,
  'not_employed',
  'This employee is not employed on all of these days. Choose other days.',
);
export const Overlap = fault(409, 'overlap', 'These days overlap with other leave. Choose other days.');
export const NoticeTooShort = fault(409, 'notice_too_short', 'This leave type needs more notice. Choose a later date.');
export const TooManyDays = fault(
  409,
  'too_many_days',
  'Leave of this type is limited to fewer consecutive days. Choose fewer days.',
);
export const NotYetEligible = fault(
  409,
  'not_yet_eligible',
  'This leave type requires a longer employment. Choose another type or a later date.',
);
export const DocumentMissing = fault(409, 'document_missing', 'Leave of this length requires a document. Attach one.');
export const InsufficientBalance = fault(
  409,
  'insufficient_balance',
  'The leave balance is too low. Choose fewer days.',
);
export const LeaveHasBegun = fault(409, 'leave_has_begun', 'This leave has begun. Ask your approver to cancel it.');

/** Rules that an approver can override. */
export const OVERRIDES = [
  'notice_too_short',
  'too_many_days',
  'not_yet_eligible',
  'document_missing',
  'payroll_closed',
] as const;
export type Override = (typeof OVERRIDES)[number];

/** Faults of a leave request. */
export const grantFaults = [
  NotEmployed,
  PayrollClosed,
  Overlap,
  NoticeTooShort,
  TooManyDays,
  NotYetEligible,
  DocumentMissing,
  InsufficientBalance,
];

/** Rules of a leave type that apply to requests. */
export interface RequestPolicy {
  min_notice_days: number;
  max_consecutive: number | null;
  applicable_after_days: number;
  requires_document_after: number | null;
}

/** Input for checking a leave request. Days are in hundredths. */
export interface LeaveRequestFacts {
  policy: RequestPolicy;
  /** First day of the request without an employment. */
  unemployed_on: string | undefined;
  /** First day of the request with a final payslip. */
  paid_on: string | undefined;
  /** Other leave that includes some of the days. */
  other: { leave_application_id: string; from: string; to: string } | undefined;
  /** Calendar days from the request to its first day. */
  notice_days: number;
  counted: number;
  /**
   * Days of the request and of adjacent requests of the type. Days between requests are included only if the type does
   * not count any.
   */
  consecutive: number;
  /** Calendar days from the start of the employment to the first day of leave. */
  served_days: number;
  has_document: boolean;
  /** Available days on the first day of leave. */
  available: number;
  shortage: Shortage | undefined;
}

type RequestRule = readonly [Override | null, (facts: LeaveRequestFacts) => Error | undefined];

/** Checks in the order in which faults are reported. */
const REFUSALS: readonly RequestRule[] = [
  [null, ({ unemployed_on: day }) => (day === undefined ? undefined : NotEmployed({ day }))],
  ['payroll_closed', ({ paid_on: day }) => (day === undefined ? undefined : PayrollClosed({ day }))],
  [null, ({ other }) => other && Overlap({ ...other })],
  [
    'notice_too_short',
    ({ notice_days, policy: { min_notice_days } }) =>
      min_notice_days > 0 && notice_days < min_notice_days
        ? NoticeTooShort({ notice_days, min_notice_days })
        : undefined,
  ],
  [
    'too_many_days',
    ({ consecutive, policy: { max_consecutive } }) =>
      max_consecutive !== null && consecutive > max_consecutive * 100
        ? TooManyDays({ days: daysText(consecutive), max_consecutive })
        : undefined,
  ],
  [
    'not_yet_eligible',
    ({ served_days, policy: { applicable_after_days } }) =>
      served_days < applicable_after_days ? NotYetEligible({ served_days, applicable_after_days }) : undefined,
  ],
  [
    'document_missing',
    (facts) =>
      isDocumentDue(facts)
        ? DocumentMissing({ requires_document_after: facts.policy.requires_document_after! })
        : undefined,
  ],
  [
    null,
    ({ available, counted, shortage }) =>
      shortage &&
      InsufficientBalance({
        available: daysText(available),
        asked: daysText(counted),
        short: daysText(shortage.short),
        first_short_on: shortage.first_short_on,
      }),
  ],
];

/**
 * Checks if a request lacks a required document. Chosen: adjacent requests count together, as for the maximum of
 * consecutive days. Splitting a request does not shorten the absence, and a document covers only its own request.
 */
export const isDocumentDue = ({
  consecutive,
  has_document,
  policy: { requires_document_after: most },
}: Pick<LeaveRequestFacts, 'consecutive' | 'has_document'> & {
  policy: Pick<RequestPolicy, 'requires_document_after'>;
}) => most !== null && !has_document && consecutive > most * 100;

/**
 * Rejects a request that cannot be granted, with the first applicable fault.
 * @param overrides overridden rules
 * @throws NotEmployed, PayrollClosed, Overlap, NoticeTooShort, TooManyDays, NotYetEligible, DocumentMissing,
 * InsufficientBalance
 */
export function assertGrantable(facts: LeaveRequestFacts, overrides: readonly string[]): void {
  for (const [name, refuse] of REFUSALS) {
    if (name !== null && overrides.includes(name)) continue;
    const refusal = refuse(facts);
    if (refusal) throw refusal;
  }
}
