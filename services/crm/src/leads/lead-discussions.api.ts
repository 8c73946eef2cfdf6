/** Internal notes on leads: written once, never changed, never shown to clients. */
import { discussionOperations } from '../dossier/discussions.ts';
import { leadBoard } from './lead-board.ts';

export const { store } = discussionOperations(leadBoard, { store: 'POST /api/lead-discussion/store/{lead_id}' });
