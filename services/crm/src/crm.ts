import { service } from '@suite/chassis';
import { noteCancelledInvoice } from './consumers/finance.sales-invoice-cancelled.ts';
import { forgetDeletedDraft } from './consumers/finance.sales-invoice-deleted.ts';
import { noteInvoiceOfOrder } from './consumers/finance.sales-invoice-posted.ts';
import { copyCreatedUser } from './consumers/platform.user-created.ts';
import { reassignRecords } from './consumers/platform.user-deleted.ts';
import { noteDisabledUser } from './consumers/platform.user-disabled.ts';
import { noteEnabledUser } from './consumers/platform.user-enabled.ts';
import { copyUpdatedUser } from './consumers/platform.user-updated.ts';
import { noteVerifiedUser } from './consumers/platform.user-verified.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { dealStates } from './deals/deal-board.ts';
import * as dealCalls from './deals/deal-calls.api.ts';
import * as dealClients from './deals/deal-clients.api.ts';
import * as dealDiscussions from './deals/deal-discussions.api.ts';
import * as dealEmails from './deals/deal-emails.api.ts';
import * as dealFiles from './deals/deal-files.api.ts';
import * as dealPages from './deals/deal-pages.api.ts';
import * as dealProducts from './deals/deal-products.api.ts';
import * as dealSources from './deals/deal-sources.api.ts';
import * as dealTasks from './deals/deal-tasks.api.ts';
import * as dealUsers from './deals/deal-users.api.ts';
import * as deals from './deals/deals.api.ts';
import { removeDiscardedFiles } from './dossier/file-removal.ts';
import { deliverQueuedMail } from './dossier/mail-delivery.ts';
import { taskStates } from './dossier/tasks.ts';
import { PrismaClient } from './generated/client.ts';
import { leadStates } from './leads/lead-board.ts';
import * as leadCalls from './leads/lead-calls.api.ts';
import * as leadDiscussions from './leads/lead-discussions.api.ts';
import * as leadEmails from './leads/lead-emails.api.ts';
import * as leadFiles from './leads/lead-files.api.ts';
import * as leadPages from './leads/lead-pages.api.ts';
import * as leadProducts from './leads/lead-products.api.ts';
import * as leadSources from './leads/lead-sources.api.ts';
import * as leadTasks from './leads/lead-tasks.api.ts';
import * as leadUsers from './leads/lead-users.api.ts';
import * as leads from './leads/leads.api.ts';
import * as appLeads from './leads/leads.app.api.ts';
import { calls } from './operations.ts';
import * as dealStages from './pipelines/deal-stages.api.ts';
import * as labels from './pipelines/labels.api.ts';
import * as leadStages from './pipelines/lead-stages.api.ts';
import * as pipelines from './pipelines/pipelines.api.ts';
import * as appPipelines from './pipelines/pipelines.app.api.ts';
import * as sources from './pipelines/sources.api.ts';
import { proposalStates } from './proposals/proposal-view.ts';
import * as proposals from './proposals/proposals.api.ts';
import { meetingStates } from './sales/meeting.ts';
import * as meetings from './sales/meetings.api.ts';
import * as opportunities from './sales/opportunities.api.ts';
import { opportunityStates } from './sales/opportunity.ts';
import { quoteStates } from './sales/quote-view.ts';
import * as quotes from './sales/quotes.api.ts';
import { orderStates } from './sales/sales-order-view.ts';
import * as salesOrders from './sales/sales-orders.api.ts';
import * as appSales from './sales/sales.app.api.ts';
import { settleOpenReservations } from './sales/settlement.ts';
import { expireDueOffers } from './sales/validity.ts';
import { whoSeesWhat } from './visibility.ts';

/** Leads, deals and the pipelines they move through; opportunities, quotes, orders and proposals. */
export const crm = service({
  name: 'crm',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: {
    ...{ pipelines, leadStages, dealStages, labels, sources, appPipelines },
    ...{ leads, leadTasks, leadCalls, leadDiscussions, leadEmails, leadFiles, leadSources, leadUsers, appLeads },
    ...{ deals, dealTasks, dealCalls, dealDiscussions, dealEmails, dealFiles, dealSources, dealUsers, dealClients },
    ...{ leadProducts, dealProducts, leadPages, dealPages },
    ...{ opportunities, meetings, quotes, salesOrders, appSales, proposals },
  },
  lifecycles: [
    ...[leadStates, dealStates, taskStates],
    ...[opportunityStates, meetingStates, quoteStates, orderStates, proposalStates],
  ],
  consumers: [
    openWorkspace,
    copyCreatedUser,
    copyUpdatedUser,
    noteVerifiedUser,
    noteDisabledUser,
    noteEnabledUser,
    reassignRecords,
    noteInvoiceOfOrder,
    noteCancelledInvoice,
    forgetDeletedDraft,
  ],
  schedules: [deliverQueuedMail, removeDiscardedFiles, expireDueOffers, settleOpenReservations],
  calls,
});
