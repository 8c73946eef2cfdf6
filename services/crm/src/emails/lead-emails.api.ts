/** E-mails about leads, really sent, with what became of them. */
import { emailOperations } from './email-operations.ts';
import { leadBoard } from '../board/lead-board.ts';

export const { store } = emailOperations(leadBoard, { store: 'POST /api/lead-email/store/{lead_id}' });
