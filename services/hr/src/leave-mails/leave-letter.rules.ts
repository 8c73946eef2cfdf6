/** The words of mails about leave. They tell of no type and no reason: a mail lies open in many places. */
import { subjectLine } from '@suite/mail';
import type { LeaveMailKind } from './leave-mail.ts';

/** An application, as far as mails tell of it. */
export interface ToldLeave {
  /** The person who is away. */
  person: string;
  from: string;
  to: string;
  days: string;
  status: string;
  remark: string | null;
}

const span = ({ from, to }: ToldLeave): string => (from === to ? `on ${from}` : `from ${from} to ${to}`);
const listed = (days: readonly string[]): string => days.join(', ');

const DECISIONS: Readonly<Record<string, string>> = {
  approved: 'is approved',
  rejected: 'is refused',
  cancelled: 'is cancelled',
};

/** The states in which a mail of a kind is still true. */
export const TRUE_IN: Readonly<Record<LeaveMailKind, readonly string[]>> = {
  requested: ['pending'],
  reminder: ['pending', 'first_approved'],
  withdrawn: ['cancelled'],
  decided: Object.keys(DECISIONS),
  returned: ['pending', 'first_approved', 'approved', 'cancelled'],
  charged: ['approved'],
  uncharged: ['approved'],
};

const WORDS: Readonly<
  Record<LeaveMailKind, (leave: ToldLeave, days: readonly string[]) => { subject: string; body: string }>
> = {
  requested: (leave) => ({
    subject: `${leave.person} asks for leave`,
    body: `${leave.person} asks for leave ${span(leave)}: ${leave.days} days. It waits for your decision.`,
  }),
  reminder: (leave) => ({
    subject: `Leave of ${leave.person} waits for your decision`,
    body: `${leave.person} has asked for leave ${span(leave)}, and waits for your decision.`,
  }),
  withdrawn: (leave) => ({
    subject: `${leave.person} does not take leave`,
    body: `${leave.person} has cancelled the leave ${span(leave)}.`,
  }),
  decided: (leave) => ({
    subject: `Your leave ${DECISIONS[leave.status]}`,
    body: `Your leave ${span(leave)} ${DECISIONS[leave.status]}.${leave.remark ? `\n\n${leave.remark.replaceAll(/^/gm, '> ')}` : ''}`,
  }),
  returned: (leave, days) => ({
    subject: 'You have days of leave back',
    body: `These days of your leave ${span(leave)} are holidays now, and are not counted: ${listed(days)}.`,
  }),
  charged: (leave, days) => ({
    subject: 'Your leave counts more days',
    body: `These days of your leave ${span(leave)} are holidays no more, and are counted: ${listed(days)}.`,
  }),
  uncharged: (leave, days) => ({
    subject: 'Your leave is short of days',
    body: `These days of your leave ${span(leave)} are holidays no more, and your balance does not cover them: ${listed(days)}. Please ask who decides on leave.`,
  }),
};

/** The mail that tells somebody of leave. @param name the reader */
export function letterOf(
  name: string,
  kind: LeaveMailKind,
  leave: ToldLeave,
  days: readonly string[],
): { subject: string; text: string } {
  const { subject, body } = WORDS[kind](leave, days);
  return { subject: subjectLine(subject), text: `Hello ${name},\n\n${body}\n` };
}
