/** Notifies the owner of a lead by e-mail that a form was submitted. */
import { sql } from '@suite/chassis/database';
import { subjectLine } from '@suite/mail';
import { linkLine, mailQueue, pageOf } from '@suite/mail-queue';
import type { WidgetMail } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

interface Addressee {
  lead: string;
  user_id: string;
  email: string | null;
}

/** Schedule that delivers leave e-mails. */
export const DELIVER_WIDGET_MAIL = 'crm.deliver-widget-mail';

const queue = mailQueue<Db, WidgetMail, Rpc>({
  schedule: DELIVER_WIDGET_MAIL,
  table: 'widget_mails',
  async compose({ database }, { id, lead_id, form, text, merged }, context, terms) {
    const [to] = await database.read(context, (db) =>
      db.rows<Addressee>(sql`
        SELECT leads.name AS lead, users.id AS user_id, users.email FROM leads JOIN users ON users.id = leads.owner_id
        WHERE leads.id = ${lead_id}::uuid AND users.status <> 'former'`),
    );
    if (!to?.email) return undefined;
    const news = merged
      ? `${to.lead}, who is a lead already, has filled in a form again.`
      : `${to.lead} has filled in a form and is a new lead.`;
    return {
      to: to.email,
      subject: subjectLine(`${form}: ${to.lead}`),
      text: `${news}\n\n${text}\n${linkLine(pageOf(terms, 'lead', { id: lead_id }))}`,
      because: 'you own the lead',
      message_id: `<${id}@crm.suite>`,
    };
  },
});

export const deliverWidgetMail = queue.deliver;
export const deliverQueuedWidgetMail = queue.schedule;
