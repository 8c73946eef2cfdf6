/** Texts of leave e-mails. They contain no leave type and no reason, because others may see an e-mail. */
import { subjectLine } from '@suite/mail';
import type { LeaveMailKind } from './leave-mail.ts';

/** Leave request with the fields that e-mails need. */
export interface LeaveFacts {
  /** Name of the employee on leave. */
  person: string;
  from: string;
  to: string;
  days: string;
  status: string;
  remark: string | null;
}

const span = ({ from, to }: LeaveFacts): string => (from === to ? `on ${from}` : `from ${from} to ${to}`);
const formatDayCount = ({ days }: LeaveFacts): string => `${days} ${Number(days) === 1 ? 'day' : 'days'}`;
const formatDayList = (days: readonly string[]): string => days.join(', ');

const DECISIONS: Readonly<Record<string, string>> = {
  approved: 'was approved',
  rejected: 'was rejected',
  cancelled: 'was cancelled',
};

/** Statuses in which an e-mail of each kind is still accurate. */
export const ACCURATE_STATUSES: Readonly<Record<LeaveMailKind, readonly string[]>> = {
  requested: ['pending'],
  reminder: ['pending', 'first_approved'],
  withdrawn: ['cancelled'],
  decided: Object.keys(DECISIONS),
  returned: ['pending', 'first_approved', 'approved', 'cancelled'],
  charged: ['approved'],
  uncharged: ['approved'],
};

const TEMPLATES: Readonly<
  Record<LeaveMailKind, (leave: LeaveFacts, days: readonly string[]) => { subject: string; body: string }>
> = {
  requested: (leave) => ({
    subject: `Leave request from ${leave.person}`,
    body: `${leave.person} has requested leave ${span(leave)} (${formatDayCount(leave)}). The request awaits your decision.`,
  }),
  reminder: (leave) => ({
    subject: `Leave of ${leave.person} awaits your decision`,
    body: `${leave.person} has requested leave ${span(leave)}. The request awaits your decision.`,
  }),
  withdrawn: (leave) => ({
    subject: `${leave.person} has cancelled their leave`,
    body: `${leave.person} has cancelled their leave ${span(leave)}.`,
  }),
  decided: (leave) => ({
    subject: `Your leave ${DECISIONS[leave.status]}`,
    body: `Your leave ${span(leave)} ${DECISIONS[leave.status]}.${leave.remark ? `\n\n${leave.remark.replaceAll(/^/gm, '> ')}` : ''}`,
  }),
  returned: (leave, days) => ({
    subject: 'Leave days were credited to your balance',
    body: `These days of your leave ${span(leave)} are now holidays and no longer use leave days: ${formatDayList(days)}.`,
  }),
  charged: (leave, days) => ({
    subject: 'Your leave now uses more days',
    body: `These days of your leave ${span(leave)} are no longer holidays and now use leave days: ${formatDayList(days)}.`,
  }),
  uncharged: (leave, days) => ({
    subject: 'Your leave balance is too low',
    body: `These days of your leave ${span(leave)} are no longer holidays, and your balance does not cover them: ${formatDayList(days)}. Please contact your approver.`,
  }),
};

/** Returns the e-mail about a leave request. @param name recipient */
export function leaveMail(
  name: string,
  kind: LeaveMailKind,
  leave: LeaveFacts,
  days: readonly string[],
): { subject: string; text: string } {
  const { subject, body } = TEMPLATES[kind](leave, days);
  return { subject: subjectLine(subject), text: `Hello ${name},\n\n${body}\n` };
}
