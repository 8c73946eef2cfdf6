/** Texts of e-mails about published notices. */
import { subjectLine } from '@suite/mail';
import { minuteAt } from '@suite/time-zones';

/** Facts of an e-mail, read at delivery. */
export interface NoticeFacts {
  occasion: string;
  name: string;
  title: string;
  body: string | null;
  /** Due day of the acknowledgment. Null if none is required. */
  due_on: string | null;
  event: { start: Date; end: Date; timezone: string; location: string | null } | null;
}

/** Returns a time as shown in its zone: `2026-06-10 09:00`. */
const formatTime = (at: Date, zone: string): string => minuteAt(at.getTime(), zone);

function timesOf({ start, end, timezone, location }: NonNullable<NoticeFacts['event']>): string {
  const [from, to] = [formatTime(start, timezone), formatTime(end, timezone)];
  const until = to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to;
  return [`When: ${from} – ${until} (${timezone})`, ...(location ? [`Where: ${location}`] : [])].join('\n');
}

/** Collapses whitespace into a single line. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ');

function subjectOf({ occasion, title, event, due_on }: NoticeFacts): string {
  if (occasion === 'reminder') return `Please acknowledge: ${title}`;
  if (occasion === 'cancelled') return `Cancelled: ${title}`;
  if (occasion === 'changed') return `Changed: ${title}`;
  if (event) return `Invitation: ${title}`;
  return due_on ? `Please acknowledge: ${title}` : title;
}

/** Returns an e-mail. */
export function noticeMail(notice: NoticeFacts): { subject: string; text: string } {
  const { name, title, body, due_on, event, occasion } = notice;
  const parts = [
    `Hello ${line(name)},`,
    occasion === 'cancelled' ? `${title}\nThis event has been cancelled.` : title,
    ...(event ? [timesOf(event)] : []),
    ...(body ? [body] : []),
    ...(due_on ? [`Please acknowledge "${title}" by ${due_on}.`] : []),
  ];
  return { subject: subjectLine(subjectOf(notice)), text: `${parts.join('\n\n')}\n` };
}
