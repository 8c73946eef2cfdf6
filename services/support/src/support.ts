import { service } from '@suite/chassis/service';
import { recordVerifiedEmail, userFollowers } from '@suite/user-copies';
import * as blockedSenders from './settings/blocked-senders/blocked-senders.api.ts';
import * as cannedReplies from './tickets/canned/canned-replies.api.ts';
import * as supportCategories from './tickets/categories/categories.api.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { unassignLeaver } from './consumers/hr.employee-left.ts';
import { forgetUser } from './consumers/platform.user-deleted.ts';
import { unassignDisabledUser } from './consumers/platform.user-disabled.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { removeDiscardedFiles } from './content/files/file-removal.ts';
import { reportStorage } from './content/files/report-storage.ts';
import * as ticketFiles from './content/files/files.api.ts';
import * as articles from './knowledge/articles.api.ts';
import { articleStates } from './knowledge/article.rules.ts';
import * as calendars from './sla/calendars/calendars.api.ts';
import * as faqs from './content/faqs/faqs.api.ts';
import { PrismaClient } from './generated/client.ts';
import * as inbound from './inbox/mail-in/inbound.api.ts';
import * as receivedEmails from './inbox/received-emails/received-emails.api.ts';
import { forgetOldMail } from './inbox/mail-in/parked-mail.ts';
import { deliverMailboxVerifications } from './settings/mailboxes/mailbox-verification.ts';
import * as mailboxes from './settings/mailboxes/mailboxes.api.ts';
import * as supportHome from './desk/home/home.api.ts';
import { recountNightly } from './desk/home/recount.ts';
import { deliverQueuedMail } from './emails/mails/mail-delivery.ts';
import * as ticketNotes from './tickets/replies/notes.api.ts';
import { calls, on } from './operations.ts';
import * as ticketLinks from './desk/public/public.api.ts';
import * as supportReports from './desk/reports/reports.api.ts';
import * as ticketReplies from './tickets/replies/replies.api.ts';
import { linkRequester } from './tickets/ticket-states/requester.ts';
import * as supportSettings from './settings/settings/settings.api.ts';
import { ticketStates } from './tickets/ticket-states/ticket.rules.ts';
import * as ticketSteps from './tickets/steps/ticket-steps.api.ts';
import * as tickets from './tickets/tickets/tickets.api.ts';
import { moveDueTickets, removeDeletedFiles } from './tickets/steps/time-moves.ts';
import * as slaPolicies from './sla/sla/sla-policies.api.ts';
import { announceDue } from './tickets/ticket-sla/sla-sweep.ts';
import * as ticketSla from './tickets/ticket-sla/ticket-sla.api.ts';
import { references } from './references.ts';
import { whoSeesWhat } from './visibility.ts';
import { categoryActions } from './tickets/categories/category.rules.ts';
import { cannedReplyActions } from './tickets/canned/canned-reply.rules.ts';
import { mailboxActions } from './settings/mailboxes/mailbox.rules.ts';
import { parkedMailActions } from './inbox/mail-in/parked-mail.rules.ts';
import { blockedSenderActions } from './settings/blocked-senders/blocked-sender.rules.ts';
import { settingsActions } from './settings/settings/settings.rules.ts';
import { faqActions } from './content/faqs/faq.rules.ts';
import { calendarActions } from './sla/calendars/calendar.rules.ts';
import { slaPolicyActions } from './sla/sla/sla-policy.rules.ts';

/** Tickets with their SLA targets, FAQs, and the knowledge base. */
export const support = service({
  name: 'support',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: {
    tickets,
    ticketSteps,
    ticketReplies,
    ticketNotes,
    ticketLinks,
    ticketFiles,
    supportCategories,
    cannedReplies,
    supportHome,
    supportReports,
    mailboxes,
    inbound,
    receivedEmails,
    blockedSenders,
    supportSettings,
    faqs,
    articles,
    calendars,
    slaPolicies,
    ticketSla,
  },
  lifecycles: [
    ticketStates,
    articleStates,
    categoryActions,
    cannedReplyActions,
    mailboxActions,
    parkedMailActions,
    blockedSenderActions,
    settingsActions,
    faqActions,
    calendarActions,
    slaPolicyActions,
  ],
  consumers: [
    openWorkspace,
    ...userFollowers(on, 'support', linkRequester, undefined, recordVerifiedEmail),
    unassignLeaver,
    forgetUser,
    unassignDisabledUser,
    renameCustomer,
  ],
  schedules: [
    deliverQueuedMail,
    deliverMailboxVerifications,
    moveDueTickets,
    announceDue,
    removeDiscardedFiles,
    reportStorage,
    removeDeletedFiles,
    forgetOldMail,
    recountNightly,
  ],
  calls,
  references,
});
