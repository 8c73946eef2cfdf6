import type { Db } from '../../operations.ts';

const greeting = 'Hello {{requester.first_name}},\n\n';
const farewell = '\n\nBest regards\n{{agent.name}}';

/** Canned replies of a new workspace. */
const DEFAULTS = [
  { title: 'Received', body: `${greeting}Thank you. We have received your request {{ticket.number}}.${farewell}` },
  { title: 'Need more information', body: `${greeting}To help you, we need some more information.${farewell}` },
  {
    title: 'Resolved',
    body: `${greeting}Your request "{{ticket.subject}}" has been resolved. If it has not, reply to this e-mail.${farewell}`,
  },
];

/** Creates the default canned replies of a workspace, unless it has some. */
export async function provideCannedReplies(db: Db): Promise<void> {
  if ((await db.cannedReply.count()) === 0) await db.cannedReply.createMany({ data: DEFAULTS });
}
