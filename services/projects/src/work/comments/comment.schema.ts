import { choice, Id, input, LongText, Timestamp } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { UserLabel, UserPortrait } from '@suite/user-copies';
import { z } from 'zod';
import { commentActions } from './comment.rules.ts';

/** Comment on a task or a bug. */
export const Comment = z
  .object({
    id: Id,
    author_id: Id.nullable(),
    author: UserPortrait.nullable(),
    visibility: choice('team', 'client'),
    body: z
      .string()
      .nullable()
      .describe('Text of the comment. `null` for a deleted comment, which remains in the thread.'),
    mentions: z.array(UserLabel).describe('Users mentioned in the comment, to show their names.'),
    deleted: z.boolean(),
    edited_at: Timestamp.nullable(),
    created_at: Timestamp,
    version: z.int(),
    allowed_actions: Actions(commentActions.task),
  })
  .meta({ id: 'WorkItemComment' });

const Body = LongText.min(1).describe(
  'Text in Markdown. `@{user_id}` mentions a user, whose name is returned in `mentions`.',
);
export const CommentInput = input({
  body: Body,
  visibility: choice('team', 'client')
    .optional()
    .describe('Visibility of the comment. Defaults to `team`. Comments of clients are always visible to clients.'),
});
export const CommentChanges = input({ body: Body });
export type CommentInput = z.output<typeof CommentInput>;
