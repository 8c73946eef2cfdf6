/** E-mails about leads, really sent, with what became of them. */
import { emailOperations } from './email-operations.ts';
import { leadBoard } from '../board/lead-board.ts';

export const { create } = emailOperations(leadBoard, { create: 'POST /api/lead-email/store/{lead_id}' });
