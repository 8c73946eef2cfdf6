/** Texts of e-mails about projects. */
import { subjectLine } from '@suite/mail';
import { minuteAt } from '@suite/time-zones';
import type { NotificationKind } from './notification.schema.ts';

/** Notification with the fields that its reader may see. */
export interface NotificationFacts {
  kind: NotificationKind;
  /** Name of the acting user. Null for automatic changes. */
  actor: string | null;
  key: string;
  title: string;
  project: string;
  due_date: string | null;
  /** Text of a comment. */
  body: string | null;
}

const QUOTED_MAX = 1_000;
const quoteText = (body: string | null): string => {
  if (!body) return '';
  const words = body.length > QUOTED_MAX ? `${body.slice(0, QUOTED_MAX).toWellFormed()} …` : body;
  return `\n\n${words.replaceAll(/^/gm, '> ')}`;
};

const describeEvent = ({ kind, actor, due_date }: NotificationFacts): string => {
  const who = actor ?? 'Someone';
  if (kind === 'assignment') return actor ? `${actor} assigned this to you` : 'This was assigned to you';
  if (kind === 'mention') return `${who} mentioned you`;
  return kind === 'comment' ? `${who} commented` : `Due on ${due_date}`;
};

const lineOf = (facts: NotificationFacts): string =>
  `${describeEvent(facts)}: ${facts.key} ${facts.title} (${facts.project})${quoteText(facts.body)}`;

const GREETING = (name: string) => `Hello ${name},`;
const ENDING = 'Choose which e-mails you get in the notification settings of your projects.';

/** Writes the e-mail with one or several notifications. */
export function mailFor(
  name: string,
  facts: readonly NotificationFacts[],
  isDaily: boolean,
): { subject: string; text: string } {
  const [first] = facts as [NotificationFacts, ...NotificationFacts[]];
  const subject =
    facts.length === 1
      ? `[${first.key}] ${describeEvent(first)}: ${first.title}`
      : `${isDaily ? 'Today in your projects' : `[${first.key}] ${first.title}`}: ${facts.length} updates`;
  return { subject: subjectLine(subject), text: `${[GREETING(name), ...facts.map(lineOf), ENDING].join('\n\n')}\n` };
}

/** Writes the e-mail that informs a user with an account about the invitation to a project. */
export const invitationTo = (name: string, project: string): { subject: string; text: string } => ({
  subject: subjectLine(`Invitation to the project "${project}"`),
  text: `${GREETING(name)}\n\nYou have been invited to the project "${project}". Sign in with your usual account to open it.\n`,
});

/** Timer that was stopped automatically. */
interface StoppedTimer {
  /** Name of the user who started the timer. */
  name: string;
  project: string;
  started_at: string;
  ended_at: string;
  /** Time zone in which the user reads the times. */
  timezone: string;
}

/** Writes the e-mail about an automatically stopped timer. */
export function stoppedTimer({ name, project, started_at, ended_at, timezone }: StoppedTimer): {
  subject: string;
  text: string;
} {
  const [start, end] = [started_at, ended_at].map((at) => minuteAt(new Date(at).getTime(), timezone));
  return {
    subject: 'Your timer stopped automatically',
    text: `${GREETING(name)}\n\nYour timer on "${project}" started at ${start} and stopped automatically at ${end} (${timezone}). If you worked less, correct the time entry.\n`,
  };
}
