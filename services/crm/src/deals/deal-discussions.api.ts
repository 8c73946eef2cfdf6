/** Internal notes on deals: written once, never changed, never shown to clients. */
import { discussionOperations } from '../dossier/discussions.ts';
import { dealBoard } from './deal-board.ts';

export const { store } = discussionOperations(dealBoard, { store: 'POST /api/deal-discussion/store/{deal_id}' });
