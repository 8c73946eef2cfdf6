/** Internal notes on deals. Notes never change and are never visible to clients. */
import { discussionOperations } from './discussion-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

export const { create } = discussionOperations(dealBoard, { create: 'POST /api/deal-discussion/store/{deal_id}' });
