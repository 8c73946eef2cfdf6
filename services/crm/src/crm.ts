import { service } from '@suite/chassis/service';
import { userFollowers } from '@suite/user-copies';
import * as dealPages from './activities/activities/deal-pages.api.ts';
import * as leadPages from './activities/activities/lead-pages.api.ts';
import { dealStates } from './pipeline/board/deal-board.ts';
import { leadStates } from './pipeline/board/lead-board.ts';
import * as dealCalls from './activities/calls/deal-calls.api.ts';
import * as leadCalls from './activities/calls/lead-calls.api.ts';
import { recordCancelledInvoice } from './consumers/finance.sales-invoice-cancelled.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { forgetDeletedDraft } from './consumers/finance.sales-invoice-deleted.ts';
import { recordInvoiceOfOrder } from './consumers/finance.sales-invoice-posted.ts';
import { handOverOfLeaver } from './consumers/hr.employee-left.ts';
import { reassignRecords } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import * as deals from './deals/deals.api.ts';
import * as dealDiscussions from './activities/discussions/deal-discussions.api.ts';
import * as leadDiscussions from './activities/discussions/lead-discussions.api.ts';
import { expireDueOffers } from './sales/documents/validity.ts';
import * as dealEmails from './activities/emails/deal-emails.api.ts';
import * as leadEmails from './activities/emails/lead-emails.api.ts';
import { deliverQueuedReminders } from './activities/task-reminders/reminder-mail.ts';
import { taskReminders } from './activities/task-reminders/task-reminder.ts';
import { deliverQueuedMail } from './activities/emails/mail-delivery.ts';
import * as dealFiles from './activities/files/deal-files.api.ts';
import { removeDiscardedFiles } from './activities/files/file-removal.ts';
import { reportStorage } from './activities/files/report-storage.ts';
import * as leadFiles from './activities/files/lead-files.api.ts';
import * as submissions from './forms/form-submissions/submissions.api.ts';
import { deliverQueuedWidgetMail } from './forms/form-submissions/widget-mail.ts';
import { PrismaClient } from './generated/client.ts';
import * as labels from './pipeline/labels/labels.api.ts';
import * as leadForms from './forms/lead-forms/lead-forms.api.ts';
import * as appLeads from './lead-app/leads.app.api.ts';
import * as leads from './leads/leads.api.ts';
import { meetingStates } from './sales/meetings/meeting.rules.ts';
import * as meetings from './sales/meetings/meetings.api.ts';
import * as dealClients from './pipeline/members/deal-clients.api.ts';
import * as dealSources from './pipeline/members/deal-sources.api.ts';
import * as dealUsers from './pipeline/members/deal-users.api.ts';
import * as leadSources from './pipeline/members/lead-sources.api.ts';
import * as leadUsers from './pipeline/members/lead-users.api.ts';
import { calls, on } from './operations.ts';
import * as opportunities from './sales/opportunities/opportunities.api.ts';
import { opportunityStates } from './sales/opportunities/opportunity.rules.ts';
import { settleOpenReservations } from './sales/orders/reservation-settlement.ts';
import { orderStates } from './sales/orders/sales-order.rules.ts';
import { crmRpc } from './rpc/crm.rpc.ts';
import * as salesOrders from './sales/orders/sales-orders.api.ts';
import * as pipelines from './pipeline/pipelines/pipelines.api.ts';
import * as appPipelines from './pipeline/pipelines/pipelines.app.api.ts';
import * as dealProducts from './activities/products/deal-products.api.ts';
import * as leadProducts from './activities/products/lead-products.api.ts';
import { proposalStates } from './sales/proposals/proposal.rules.ts';
import * as proposals from './sales/proposals/proposals.api.ts';
import { quoteStates } from './sales/quotes/quote.rules.ts';
import * as quotes from './sales/quotes/quotes.api.ts';
import * as appSales from './sales/sales/sales.app.api.ts';
import * as sources from './pipeline/sources/sources.api.ts';
import * as dealStages from './pipeline/stages/deal-stages.api.ts';
import * as leadStages from './pipeline/stages/lead-stages.api.ts';
import * as dealTasks from './activities/tasks/deal-tasks.api.ts';
import * as leadTasks from './activities/tasks/lead-tasks.api.ts';
import { taskStates } from './activities/tasks/task.rules.ts';
import { callActionsOf } from './activities/calls/call.rules.ts';
import { fileActionsOf } from './activities/files/file.rules.ts';
import { labelActions } from './pipeline/labels/label.rules.ts';
import { pipelineActions } from './pipeline/pipelines/pipeline.rules.ts';
import { sourceActions } from './pipeline/sources/source.rules.ts';
import { stageActions } from './pipeline/stages/stage.rules.ts';
import { owns, references } from './references.ts';
import { records } from './records.ts';
import { visibilityRules } from './visibility.ts';
import { widgetStates } from './forms/widgets/widget.rules.ts';
import * as widgets from './forms/widgets/widgets.api.ts';
import { copies } from './copies.ts';
import { reserveGoods } from './sales/orders/reservation.ts';

/** Leads, deals and pipelines; opportunities, quotes, orders and proposals. */
export const crm = service({
  name: 'crm',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  records,
  record_readers: ['platform'],
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
    taskStates.lead,
    taskStates.deal,
    callActionsOf.lead,
    callActionsOf.deal,
    fileActionsOf.lead,
    fileActionsOf.deal,
    pipelineActions,
    stageActions,
    labelActions,
    sourceActions,
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
    taskReminders,
    removeDiscardedFiles,
    reportStorage,
    expireDueOffers,
    settleOpenReservations,
  ],
  rpc: [crmRpc],
  calls,
  references,
  owns,
  copies,
  steps: [reserveGoods],
});
