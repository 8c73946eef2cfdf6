/** Actions on failed e-mails. They depend on the reason: of an e-mail that is too large, only the beginning is stored. */
import { lifecycle } from '@suite/chassis/operations';

export const failedEmailActions = lifecycle(
  'parked_mail',
  {
    mail_too_large: {},
    unreadable_mail: {},
    too_many_attachments: {},
    mail_without_sender: {},
    forged_thread: {},
    ticket_closed: {},
  },
  {
    column: 'reason',
    actions: {
      retry: {
        permission: 'ticket.update',
        in: ['unreadable_mail', 'too_many_attachments', 'mail_without_sender', 'forged_thread', 'ticket_closed'],
      },
      delete: 'ticket.update',
    },
  },
);
