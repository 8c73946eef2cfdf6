/** Internal notes on leads. Notes never change and are never visible to clients. */
import { discussionOperations } from './discussion-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

export const { create } = discussionOperations(leadBoard, { create: 'POST /api/lead-discussion/store/{lead_id}' });
