/** Delivery of queued e-mails. */
import { sql } from '@suite/chassis/database';
import { mailQueue } from '@suite/mail-queue';
import type { Email } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

/** Name of the schedule that delivers e-mails. */
export const DELIVER_MAIL = 'crm.deliver-mail';

/** Author of an e-mail: the user who receives the replies. */
interface Author {
  name: string;
  email: string | null;
}

const queue = mailQueue<Db, Email, Rpc>({
  schedule: DELIVER_MAIL,
  table: 'emails',
  // Recipients were already counted by the command.
  counted: sql`FALSE`,
  async compose({ database }, { to, cc, subject, body, created_by }, context, { workspace_name }) {
    const copies = cc.length > 0 && { cc: cc.join(', ') };
    const [author] = await database.read(context, (db) =>
      db.rows<Author>(sql`SELECT name, email FROM users WHERE id = ${created_by}::uuid AND status <> 'former'`),
    );
    return {
      to: to.join(', '),
      ...copies,
      subject,
      text: body,
      because: `${author?.name ?? 'a member'} of ${workspace_name} wrote to you`,
      ...(author?.email && { reply_to: author.email }),
    };
  },
});

export const deliverMail = queue.deliver;
export const deliverQueuedMail = queue.schedule;
