import type { Db } from '../../operations.ts';

const greeting = 'Dear {{requester.first_name}},\n\n';
const farewell = '\n\nBest regards\n{{agent.name}}';

/** Canned replies defined in section 7 of the support specification. */
const DEFAULTS = [
  { title: 'Received', body: `${greeting}thank you, we have received your request {{ticket.number}}.${farewell}` },
  { title: 'Need more information', body: `${greeting}to help you we need to know a little more.${farewell}` },
  { title: 'Resolved', body: `${greeting}"{{ticket.subject}}" is resolved. Answer if it is not.${farewell}` },
];

/** Creates the default canned replies of a workspace, unless it has some. */
export async function provideCannedReplies(db: Db): Promise<void> {
  if ((await db.cannedReply.count()) === 0) await db.cannedReply.createMany({ data: DEFAULTS });
}
