/** Notifies the owner of a lead by e-mail that a form was submitted. */
import { sql } from '@suite/chassis/database';
import { subjectLine } from '@suite/mail';
import { linkParagraph, mailQueue, pageOf } from '@suite/mail-queue';
import { recipientWithAccess } from '@suite/user-copies';
import type { WidgetMail } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

interface LeadOwner {
  lead: string;
  user_id: string;
}

/** Schedule that delivers these e-mails. */
export const DELIVER_WIDGET_MAIL = 'crm.deliver-widget-mail';

const queue = mailQueue<Db, WidgetMail, Rpc>({
  schedule: DELIVER_WIDGET_MAIL,
  table: 'widget_mails',
  async compose({ database, rpc }, { id, lead_id, form, text, merged }, context, terms) {
    const [to] = await database.read(context, (db) =>
      db.rows<LeadOwner>(sql`
        SELECT name AS lead, owner_id AS user_id FROM leads WHERE id = ${lead_id}::uuid AND owner_id IS NOT NULL`),
    );
    if (!to) return undefined;
    const recipient = await recipientWithAccess({ database, rpc }, context, {
      user_id: to.user_id,
      modules: ['crm'],
      permission: sql`SELECT 'lead.view' AS permission FROM leads WHERE id = ${lead_id}::uuid`,
    });
    if (!recipient?.email) return undefined;
    const introduction = merged
      ? `The lead ${to.lead} has submitted the form "${form}" again:`
      : `New lead: ${to.lead} has submitted the form "${form}":`;
    return {
      to: recipient.email,
      subject: subjectLine(`${form}: ${to.lead}`),
      text: `Hello ${recipient.name},\n\n${introduction}\n\n${text}\n${linkParagraph(pageOf(terms, 'lead', { id: lead_id }))}`,
      because: 'you own the lead',
      message_id: `<${id}@crm.suite>`,
    };
  },
});

export const deliverWidgetMail = queue.deliver;
export const deliverQueuedWidgetMail = queue.schedule;
