import { choice, Id, input, LongText, Timestamp } from '@suite/chassis';
import { UserLabel, UserPortrait } from '@suite/users';
import { z } from 'zod';

/** Words about a task or a bug. */
export const Comment = z
  .object({
    id: Id,
    author_id: Id.nullable(),
    author: UserPortrait.nullable(),
    visibility: choice('team', 'client'),
    body: z.string().nullable().describe('Null for a comment that was deleted: its place stays.'),
    mentions: z.array(UserLabel).describe('The users whom the comment mentions, for their names.'),
    deleted: z.boolean(),
    edited_at: Timestamp.nullable(),
    created_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: 'WorkItemComment' });

const Body = LongText.min(1).describe('Markdown. `@{user_id}` mentions a user; replies show the names in `mentions`.');
export const CommentInput = input({
  body: Body,
  visibility: choice('team', 'client').optional().describe('To the team by default; what a client writes is for both.'),
});
export const CommentChanges = input({ body: Body });
export type CommentInput = z.output<typeof CommentInput>;
