import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as dealPages from './activities/deal-pages.api.ts';
import * as leadPages from './activities/lead-pages.api.ts';
import { dealStates } from './board/deal-board.ts';
import { leadStates } from './board/lead-board.ts';
import * as dealCalls from './calls/deal-calls.api.ts';
import * as leadCalls from './calls/lead-calls.api.ts';
import { recordCancelledInvoice } from './consumers/finance.sales-invoice-cancelled.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { forgetDeletedDraft } from './consumers/finance.sales-invoice-deleted.ts';
import { recordInvoiceOfOrder } from './consumers/finance.sales-invoice-posted.ts';
import { handOverOfLeaver } from './consumers/hr.employee-left.ts';
import { reassignRecords } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import * as deals from './deals/deals.api.ts';
import * as dealDiscussions from './discussions/deal-discussions.api.ts';
import * as leadDiscussions from './discussions/lead-discussions.api.ts';
import { expireDueOffers } from './documents/validity.ts';
import * as dealEmails from './emails/deal-emails.api.ts';
import * as leadEmails from './emails/lead-emails.api.ts';
import { deliverQueuedReminders } from './task-reminders/reminder-mail.ts';
import { remindOfDueTasks } from './task-reminders/task-reminder.ts';
import { deliverQueuedMail } from './emails/mail-delivery.ts';
import * as dealFiles from './files/deal-files.api.ts';
import { removeDiscardedFiles } from './files/file-removal.ts';
import { reportStorage } from './files/report-storage.ts';
import * as leadFiles from './files/lead-files.api.ts';
import * as submissions from './form-submissions/submissions.api.ts';
import { deliverQueuedWidgetMail } from './form-submissions/widget-mail.ts';
import { PrismaClient } from './generated/client.ts';
import * as labels from './labels/labels.api.ts';
import * as leadForms from './lead-forms/lead-forms.api.ts';
import * as appLeads from './lead-app/leads.app.api.ts';
import * as leads from './leads/leads.api.ts';
import { meetingStates } from './meetings/meeting.rules.ts';
import * as meetings from './meetings/meetings.api.ts';
import * as dealClients from './members/deal-clients.api.ts';
import * as dealSources from './members/deal-sources.api.ts';
import * as dealUsers from './members/deal-users.api.ts';
import * as leadSources from './members/lead-sources.api.ts';
import * as leadUsers from './members/lead-users.api.ts';
import { calls, on } from './operations.ts';
import * as opportunities from './opportunities/opportunities.api.ts';
import { opportunityStates } from './opportunities/opportunity.rules.ts';
import { settleOpenReservations } from './orders/reservation-settlement.ts';
import { orderStates } from './orders/sales-order.rules.ts';
import { crmRpc } from './rpc/crm.rpc.ts';
import * as salesOrders from './orders/sales-orders.api.ts';
import * as pipelines from './pipelines/pipelines.api.ts';
import * as appPipelines from './pipelines/pipelines.app.api.ts';
import * as dealProducts from './products/deal-products.api.ts';
import * as leadProducts from './products/lead-products.api.ts';
import { proposalStates } from './proposals/proposal.rules.ts';
import * as proposals from './proposals/proposals.api.ts';
import { quoteStates } from './quotes/quote.rules.ts';
import * as quotes from './quotes/quotes.api.ts';
import * as appSales from './sales/sales.app.api.ts';
import * as sources from './sources/sources.api.ts';
import * as dealStages from './stages/deal-stages.api.ts';
import * as leadStages from './stages/lead-stages.api.ts';
import * as dealTasks from './tasks/deal-tasks.api.ts';
import * as leadTasks from './tasks/lead-tasks.api.ts';
import { taskStates } from './tasks/task.rules.ts';
import { owns, references } from './references.ts';
import { whoSeesWhat } from './visibility.ts';
import { widgetStates } from './widgets/widget.rules.ts';
import * as widgets from './widgets/widgets.api.ts';

/** Leads, deals and pipelines; opportunities, quotes, orders and proposals. */
export const crm = service({
  name: 'crm',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: {
    pipelines,
    leadStages,
    dealStages,
    labels,
    sources,
    appPipelines,
    leads,
    leadTasks,
    leadCalls,
    leadDiscussions,
    leadEmails,
    leadFiles,
    leadSources,
    leadUsers,
    appLeads,
    deals,
    dealTasks,
    dealCalls,
    dealDiscussions,
    dealEmails,
    dealFiles,
    dealSources,
    dealUsers,
    dealClients,
    leadProducts,
    dealProducts,
    leadPages,
    dealPages,
    opportunities,
    meetings,
    quotes,
    salesOrders,
    appSales,
    proposals,
    widgets,
    leadForms,
    submissions,
  },
  lifecycles: [
    leadStates,
    dealStates,
    taskStates,
    opportunityStates,
    meetingStates,
    quoteStates,
    orderStates,
    proposalStates,
    widgetStates,
  ],
  consumers: [
    openWorkspace,
    ...userFollowers(on, 'crm'),
    handOverOfLeaver,
    reassignRecords,
    recordInvoiceOfOrder,
    recordCancelledInvoice,
    forgetDeletedDraft,
    renameCustomer,
  ],
  schedules: [
    deliverQueuedMail,
    deliverQueuedWidgetMail,
    deliverQueuedReminders,
    remindOfDueTasks,
    removeDiscardedFiles,
    reportStorage,
    expireDueOffers,
    settleOpenReservations,
  ],
  rpc: [crmRpc],
  calls,
  references,
  owns,
});
