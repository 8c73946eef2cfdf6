/** E-mails about deals, really sent, with what became of them. */
import { emailOperations } from '../dossier/emails.ts';
import { dealBoard } from './deal-board.ts';

export const { store } = emailOperations(dealBoard, { store: 'POST /api/deal-email/store/{deal_id}' });
