/** E-mails sent about leads, with their delivery status. */
import { emailOperations } from './email-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

export const { create } = emailOperations(leadBoard, { create: 'POST /api/lead-email/store/{lead_id}' });
