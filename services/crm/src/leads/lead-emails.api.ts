/** E-mails about leads, really sent, with what became of them. */
import { emailOperations } from '../dossier/emails.ts';
import { leadBoard } from './lead-board.ts';

export const { store } = emailOperations(leadBoard, { store: 'POST /api/lead-email/store/{lead_id}' });
