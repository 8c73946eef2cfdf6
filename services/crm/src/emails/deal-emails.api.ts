/** E-mails about deals, really sent, with what became of them. */
import { emailOperations } from './email-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { store } = emailOperations(dealBoard, { store: 'POST /api/deal-email/store/{deal_id}' });
