import { service } from '@suite/chassis';
import { recordVerifiedEmail, userFollowers } from '@suite/users';
import * as blockedSenders from './blocked-senders/blocked-senders.api.ts';
import * as cannedReplies from './canned/canned-replies.api.ts';
import * as supportCategories from './categories/categories.api.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { unassignLeaver } from './consumers/hr.employee-left.ts';
import { forgetUser } from './consumers/platform.user-deleted.ts';
import { unassignDisabledUser } from './consumers/platform.user-disabled.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { removeDiscardedFiles } from './files/file-removal.ts';
import { reportStorage } from './files/report-storage.ts';
import * as ticketFiles from './files/files.api.ts';
import * as articles from './articles/articles.api.ts';
import { articleStates } from './articles/article.rules.ts';
import * as calendars from './calendars/calendars.api.ts';
import * as faqs from './faqs/faqs.api.ts';
import { PrismaClient } from './generated/client.ts';
import * as inbound from './mail-in/inbound.api.ts';
import * as receivedEmails from './received-emails/received-emails.api.ts';
import { forgetOldMail } from './mail-in/parked-mail.ts';
import { deliverMailboxVerifications } from './mailboxes/mailbox-verification.ts';
import * as mailboxes from './mailboxes/mailboxes.api.ts';
import * as supportHome from './home/home.api.ts';
import { recountNightly } from './home/recount.ts';
import { deliverQueuedMail } from './mails/mail-delivery.ts';
import * as ticketNotes from './notes/notes.api.ts';
import { calls, on } from './operations.ts';
import * as ticketLinks from './public/public.api.ts';
import * as supportReports from './reports/reports.api.ts';
import * as ticketReplies from './replies/replies.api.ts';
import { linkRequester } from './requesters/requester.ts';
import * as supportSettings from './settings/settings.api.ts';
import { ticketStates } from './ticket-states/ticket.rules.ts';
import * as ticketSteps from './steps/ticket-steps.api.ts';
import * as tickets from './tickets/tickets.api.ts';
import { moveDueTickets, removeDeletedFiles } from './steps/time-moves.ts';
import * as slaPolicies from './sla/sla-policies.api.ts';
import { announceDue } from './ticket-sla/sla-sweep.ts';
import * as ticketSla from './ticket-sla/ticket-sla.api.ts';
import { references } from './references.ts';
import { whoSeesWhat } from './visibility.ts';

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
  lifecycles: [ticketStates, articleStates],
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
