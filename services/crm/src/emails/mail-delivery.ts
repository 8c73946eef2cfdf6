/** Delivers the e-mails that commands have queued. */
import { mailQueue } from '@suite/mail-queue';
import type { Email } from '../generated/client.ts';
import type { Db } from '../operations.ts';

/** The schedule that delivers e-mails. */
export const DELIVER_MAIL = 'crm.deliver-mail';

const queue = mailQueue<Db, Email>({
  schedule: DELIVER_MAIL,
  table: 'emails',
  async compose(_tools, { to, cc, subject, body }) {
    const copies = cc.length > 0 && { cc: cc.join(', ') };
    return { to: to.join(', '), ...copies, subject, text: body };
  },
});

export const deliverMail = queue.deliver;
export const deliverQueuedMail = queue.schedule;
