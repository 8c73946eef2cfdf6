/** Internal notes on deals: written once, never changed, never shown to clients. */
import { discussionOperations } from './discussion-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { store } = discussionOperations(dealBoard, { store: 'POST /api/deal-discussion/store/{deal_id}' });
