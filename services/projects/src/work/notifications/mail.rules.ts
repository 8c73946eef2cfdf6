/** Texts of e-mails about projects. */
import { subjectLine } from '@suite/mail';
import type { NotificationKind } from './notification.schema.ts';

/** Notification with the fields that its reader may see. */
export interface NotificationFacts {
  kind: NotificationKind;
  /** Name of the acting user; null for automatic changes. */
  actor: string | null;
  key: string;
  title: string;
  project: string;
  due_date: string | null;
  /** Text of a comment. */
  body: string | null;
}

const QUOTED_MAX = 1_000;
const quoted = (body: string | null): string => {
  if (!body) return '';
  const words = body.length > QUOTED_MAX ? `${body.slice(0, QUOTED_MAX).toWellFormed()} …` : body;
  return `\n\n${words.replaceAll(/^/gm, '> ')}`;
};

const happened = ({ kind, actor, due_date }: NotificationFacts): string => {
  const who = actor ?? 'Somebody';
  if (kind === 'assignment') return actor ? `${actor} assigned you` : 'You are assigned';
  if (kind === 'mention') return `${who} mentioned you`;
  return kind === 'comment' ? `${who} commented` : `Due on ${due_date}`;
};

const lineOf = (told: NotificationFacts): string =>
  `${happened(told)}: ${told.key} ${told.title} (${told.project})${quoted(told.body)}`;

const GREETING = (name: string) => `Hello ${name},`;
const ENDING = 'You can change these e-mails in the notification settings of your projects.';

/** Writes the e-mail with one or several notifications. */
export function mailFor(
  name: string,
  told: readonly NotificationFacts[],
  isDaily: boolean,
): { subject: string; text: string } {
  const [first] = told as [NotificationFacts, ...NotificationFacts[]];
  const subject =
    told.length === 1
      ? `[${first.key}] ${happened(first)}: ${first.title}`
      : `${isDaily ? 'Today in your projects' : `[${first.key}] ${first.title}`}: ${told.length} news`;
  return { subject: subjectLine(subject), text: `${[GREETING(name), ...told.map(lineOf), ENDING].join('\n\n')}\n` };
}

/** Writes the e-mail that informs a user with an account about the invitation to a project. */
export const invitationTo = (name: string, project: string): { subject: string; text: string } => ({
  subject: subjectLine(`You are invited to "${project}"`),
  text: `${GREETING(name)}\n\nyou can follow the project "${project}" now: sign in as you always do.\n`,
});

/** Writes the e-mail about an automatically stopped timer. */
export const stoppedTimer = (project: string, started_at: Date, ended_at: Date): { subject: string; text: string } => ({
  subject: 'Your timer was stopped',
  text: `Your timer on "${project}" ran from ${started_at.toISOString()} and was stopped by itself at ${ended_at.toISOString()}.
Please correct it if you worked less.`,
});
