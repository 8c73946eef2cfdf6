/** E-mails sent about deals, with their delivery status. */
import { emailOperations } from './email-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

export const { create } = emailOperations(dealBoard, { create: 'POST /api/deal-email/store/{deal_id}' });
