/** Internal notes on leads and deals. They are never changed, and clients never see them. */
import { can, created } from '@suite/chassis/operations';
import { type Board, type RecordKind } from '../../pipeline/board/board.ts';
import { lockCard } from '../../pipeline/board/locks.ts';
import { command } from '../../operations.ts';
import { Discussion, DiscussionInput } from './discussion.schema.ts';
import { recordIdIn, recordInPath, recordActivity } from '../../pipeline/board/record.ts';
import { timelineSubjectOf } from '../../pipeline/board/timeline.ts';

/** Creates the operation that adds a note to one kind of record. Converted leads accept notes, too. */
export const discussionOperations = (
  board: Board,
  routes: { create: `POST /api/${RecordKind}-discussion/store/{${RecordKind}_id}` },
) => ({
  create: command(routes.create as `POST /api/${string}/{lead_id}`, {
    summary: `Add a note to a ${board.kind}`,
    description: 'Adds an internal note, which clients never see. Notes can be neither changed nor deleted.',
    access: can(`${board.kind}.update`),
    params: recordInPath(board),
    body: DiscussionInput,
    reply: created(Discussion),
    async handle({ params, body, ...context }) {
      const { db } = context;
      const { id } = await lockCard(db, board, recordIdIn(board, params));
      const note = await db.discussion.create({
        data: { ...timelineSubjectOf(board.kind, id), comment: body.comment },
      });
      await recordActivity(context, board, { id }, 'note_added', { discussion_id: note.id });
      return note;
    },
  }),
});
