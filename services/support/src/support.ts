import { service } from '@suite/chassis/service';
import { recordVerifiedEmail, userFollowers } from '@suite/user-copies';
import * as blockedSenders from './settings/blocked-senders/blocked-senders.api.ts';
import * as cannedReplies from './tickets/canned/canned-replies.api.ts';
import * as supportCategories from './tickets/categories/categories.api.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { unassignLeaver } from './consumers/hr.employee-left.ts';
import { eraseUser } from './consumers/platform.user-deleted.ts';
import { unassignDisabledUser } from './consumers/platform.user-disabled.ts';
import { createDefaults } from './consumers/platform.workspace-provisioned.ts';
import { removeDiscardedFiles } from './content/files/file-removal.ts';
import { reportStorage } from './content/files/report-storage.ts';
import * as ticketFiles from './content/files/files.api.ts';
import * as articles from './knowledge/articles.api.ts';
import { articleStates } from './knowledge/article.rules.ts';
import * as calendars from './sla/calendars/calendars.api.ts';
import * as faqs from './content/faqs/faqs.api.ts';
import { PrismaClient } from './generated/client.ts';
import * as inbound from './inbox/inbound-mail/inbound.api.ts';
import * as receivedEmails from './inbox/received-emails/received-emails.api.ts';
import { deleteOldMailHourly } from './inbox/inbound-mail/failed-email.ts';
import { deliverMailboxVerifications } from './settings/mailboxes/mailbox-verification.ts';
import * as mailboxes from './settings/mailboxes/mailboxes.api.ts';
import * as supportHome from './reporting/home/home.api.ts';
import { recountNightly } from './reporting/home/ticket-recount.ts';
import { deliverQueuedMail } from './emails/outbound-mail/mail-delivery.ts';
import * as ticketNotes from './tickets/replies/notes.api.ts';
import { calls, on } from './operations.ts';
import * as ticketLinks from './tickets/ticket-links/ticket-links.api.ts';
import * as supportReports from './reporting/reports/reports.api.ts';
import * as ticketReplies from './tickets/replies/replies.api.ts';
import { linkRequester } from './tickets/ticket-states/requester.ts';
import * as supportSettings from './settings/settings/settings.api.ts';
import { ticketStates } from './tickets/ticket-states/ticket.rules.ts';
import * as ticketSteps from './tickets/steps/ticket-steps.api.ts';
import * as tickets from './tickets/tickets/tickets.api.ts';
import { applyDueTransitionsRegularly, removeOldFilesHourly } from './tickets/steps/due-transitions.ts';
import * as slaPolicies from './sla/sla/sla-policies.api.ts';
import { announceDueRegularly } from './tickets/ticket-sla/sla-announcements.ts';
import * as ticketSla from './tickets/ticket-sla/ticket-sla.api.ts';
import { references } from './references.ts';
import { records } from './records.ts';
import { visibilityRules } from './visibility.ts';
import { categoryActions } from './tickets/categories/category.rules.ts';
import { cannedReplyActions } from './tickets/canned/canned-reply.rules.ts';
import { mailboxActions } from './settings/mailboxes/mailbox.rules.ts';
import { failedEmailActions } from './inbox/inbound-mail/failed-email.rules.ts';
import { blockedSenderActions } from './settings/blocked-senders/blocked-sender.rules.ts';
import { settingsActions } from './settings/settings/settings.rules.ts';
import { faqActions } from './content/faqs/faq.rules.ts';
import { calendarActions } from './sla/calendars/calendar.rules.ts';
import { slaPolicyActions } from './sla/sla/sla-policy.rules.ts';
import { copies } from './copies.ts';

/** Tickets with their SLA targets, FAQs, and the knowledge base. */
export const support = service({
  name: 'support',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  records,
  record_readers: ['platform'],
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
    failedEmailActions,
    blockedSenderActions,
    settingsActions,
    faqActions,
    calendarActions,
    slaPolicyActions,
  ],
  consumers: [
    createDefaults,
    ...userFollowers(on, 'support', linkRequester, undefined, recordVerifiedEmail),
    unassignLeaver,
    eraseUser,
    unassignDisabledUser,
    renameCustomer,
  ],
  schedules: [
    deliverQueuedMail,
    deliverMailboxVerifications,
    applyDueTransitionsRegularly,
    announceDueRegularly,
    removeDiscardedFiles,
    reportStorage,
    removeOldFilesHourly,
    deleteOldMailHourly,
    recountNightly,
  ],
  calls,
  references,
  copies,
});
