import { ofBilling } from './additions/billing.ts';
import { ofHr } from './additions/hr.ts';
import { ofIntegrations } from './additions/integrations.ts';
import { ofProjects } from './additions/projects.ts';
import { ofSupport } from './additions/support.ts';

const ownSession = 'somebody who was signed in elsewhere, or was robbed, ends the sessions that are not theirs';
const customRole =
  'the specification only lists roles: without these there would be no more than those that come with the suite';
const team =
  'the record scope `team` needs somebody to say who is in one, and the specification names no operation for it';
const secondFactor = 'a password alone does not keep out whoever has found it';
const oneTimeLink = 'a link sent by e-mail (invitation, reset, verification) must work for somebody who has no session';

const fileLink = 'where the signed links of files lead: a link carries its own right, for a quarter of an hour';

const report = 'the figures that books are kept for: the specification has no report of accounting';

const periodLock = 'a period is closed by somebody, and the specification names no operation for it';

const reconciling = 'transactions have the state, and the specification names no operation that leads to it';

const deallocation = 'an allocation to the wrong invoice is undone on its own';
const refund = 'an advance is paid back, and a refund that was a mistake is reversed';
const revaluation = 'foreign balances are valued at the rates of the last day of a period';
const bookSettings = 'four eyes, credit limits and the moment of a return are a choice of each workspace';

const cancelling = 'what was posted or approved by mistake is cancelled by its opposite, never changed or deleted';

const note =
  'what is left of a note is set against other invoices or goes back as money: the specification only reads notes';

const category = 'the specification only reads categories: without this nobody could have their own';

const parts =
  'a lead or a deal shows the newest hundred of what was gathered about it, and the rest has to be found, too';

const subscription =
  'a workspace that is no customer of a partner has a subscription, too, and the specification has operations for partners alone';

const letterhead = 'invoices and offers are printed with the name, address, tax number and logo of who sends them';

const partner = 'the specification only shows badges: somebody has to say who is a partner, and take a badge away';

const widget = 'the specification only shows forms and takes them in: somebody has to set them up';

const agent = 'the specification only reads what is owed to agents: without this there would be none, and nothing owed';

const commission = 'what is owed to agents is approved and paid, and the specification names no operation for it';

/**
 * Routes that the specification does not list and that we offer all the same, each with its reason.
 * A route is written as in its operation: `GET /api/…/{id}`.
 */
export const additions: Readonly<Record<string, string>> = {
  ...ofProjects,
  ...ofSupport,
  ...ofHr,
  ...ofBilling,
  ...ofIntegrations,
  'GET /api/partners': partner,
  'POST /api/partner/create': partner,
  'POST /api/partner/update/{id}': partner,
  'POST /api/partner/rotate/{id}': partner,
  'POST /api/partner/revoke/{id}': partner,
  'DELETE /api/partner/delete/{id}': partner,
  'GET /api/widgets': widget,
  'GET /api/widget/show/{id}': widget,
  'POST /api/widget/create': widget,
  'POST /api/widget/update/{id}': widget,
  'POST /api/widget/rotate/{id}': widget,
  'POST /api/widget/revoke/{id}': widget,
  'GET /api/widget/{token}/embed.js':
    'the tag of a script says that it takes everything, and so needs a path of its own',
  'GET /api/version': 'whoever reports a fault, or waits for a change, must be able to say which release they speak of',
  'GET /api/user-photo/{token}':
    'where the signed links of photos lead: files are served by short-lived links, which carry their own right',
  'GET /api/avatar/{token}':
    'cards, members and comments show faces: a picture that browsers keep, where the links of photos change every second',
  'GET /api/lead-file/download/{token}': fileLink,
  'GET /api/deal-file/download/{token}': fileLink,
  'GET /api/product-image/{token}': fileLink,
  'POST /api/product/image/{id}': 'a product has a picture, and JSON cannot carry one',
  'POST /api/sales-invoice/cancel/{invoice_id}': cancelling,
  'POST /api/purchase-invoice/cancel/{invoice_id}': cancelling,
  'POST /api/sales-invoice-return/cancel/{return_id}': cancelling,
  'POST /api/purchase-return/cancel/{return_id}': cancelling,
  'POST /api/credit-notes/apply/{id}': note,
  'POST /api/credit-notes/refund/{id}': note,
  'POST /api/debit-notes/apply/{id}': note,
  'POST /api/debit-notes/refund/{id}': note,
  'POST /api/sales/sales-order/convert-to-invoice/{id}':
    'an order is invoiced where it is, as a proposal is: the specification names no operation for it',
  'GET /api/lead-tasks/{lead_id}': parts,
  'GET /api/lead-calls/{lead_id}': parts,
  'GET /api/lead-discussions/{lead_id}': parts,
  'GET /api/lead-emails/{lead_id}': parts,
  'GET /api/lead-files/{lead_id}': parts,
  'GET /api/lead-stage-history/{lead_id}': parts,
  'GET /api/lead-timeline/{lead_id}': parts,
  'GET /api/deal-tasks/{deal_id}': parts,
  'GET /api/deal-calls/{deal_id}': parts,
  'GET /api/deal-discussions/{deal_id}': parts,
  'GET /api/deal-emails/{deal_id}': parts,
  'GET /api/deal-files/{deal_id}': parts,
  'GET /api/deal-stage-history/{deal_id}': parts,
  'GET /api/deal-timeline/{deal_id}': parts,
  'POST /api/pos/create': 'the specification only reads till sales: without this there would be none',
  'POST /api/pos/refund/{id}': 'what was sold at the till comes back there, and its goods, money and tax with it',
  'GET /api/journal-entries': 'what was booked can be read, entry by entry, not only as balances',
  'GET /api/accounting/trial-balance': report,
  'GET /api/accounting/profit-and-loss': report,
  'GET /api/accounting/balance-sheet': report,
  'GET /api/accounting/tax-summary': report,
  'GET /api/accounting/ageing': report,
  'GET /api/accounting/customer-statement/{id}': report,
  'GET /api/accounting/vendor-statement/{id}': report,
  'GET /api/accounting/integrity': 'proves that the books are sound, whenever somebody wants to know',
  'GET /api/period-locks': periodLock,
  'POST /api/period-locks/create': periodLock,
  'POST /api/period-locks/update/{id}': periodLock,
  'DELETE /api/period-locks/delete/{id}': periodLock,
  'POST /api/bank-transfers/create': 'the specification only reads transfers: without this there would be none',
  'POST /api/bank-transfers/reverse/{id}': 'a transfer that was a mistake is taken back by its opposite',
  'POST /api/revenue-categories/create': category,
  'POST /api/revenue-categories/update/{id}': category,
  'DELETE /api/revenue-categories/delete/{id}': category,
  'POST /api/expense-categories/create': category,
  'POST /api/expense-categories/update/{id}': category,
  'DELETE /api/expense-categories/delete/{id}': category,
  'POST /api/revenues/unapprove/{id}': 'an approved revenue goes back to a draft to be changed',
  'POST /api/expenses/unapprove/{id}': 'an approved expense goes back to a draft to be changed',
  'POST /api/bank-transactions/reconcile/{id}': reconciling,
  'POST /api/bank-transactions/unreconcile/{id}': reconciling,
  'POST /api/revenues/reverse/{id}': 'what was posted by mistake is taken back by its opposite, never changed',
  'POST /api/expenses/reverse/{id}': 'what was posted by mistake is taken back by its opposite, never changed',
  'POST /api/customer-payments/allocate/{id}': 'what is left of a payment is set against later invoices',
  'POST /api/vendor-payments/allocate/{id}': 'what is left of a payment is set against later bills',
  'POST /api/customer-payments/deallocate/{id}': deallocation,
  'POST /api/vendor-payments/deallocate/{id}': deallocation,
  'POST /api/credit-notes/unapply/{id}': deallocation,
  'POST /api/debit-notes/unapply/{id}': deallocation,
  'POST /api/customer-payments/refund/{id}': refund,
  'POST /api/vendor-payments/refund/{id}': refund,
  'POST /api/customer-refunds/reverse/{id}': refund,
  'POST /api/vendor-refunds/reverse/{id}': refund,
  'GET /api/revaluations': revaluation,
  'GET /api/revaluations/show/{id}': revaluation,
  'POST /api/revaluations/create': revaluation,
  'POST /api/revaluations/reverse/{id}': revaluation,
  'GET /api/accounting/settings': bookSettings,
  'POST /api/accounting/settings/update': bookSettings,
  'GET /api/subscription': subscription,
  'GET /api/workspace': letterhead,
  'PUT /api/workspace/update': letterhead,
  'POST /api/workspace/logo': letterhead,
  'DELETE /api/workspace/logo': letterhead,
  'GET /api/workspace-logo/{token}': fileLink,
  'GET /api/credit-notes/show/{id}': 'a credit note is sent to its customer, and the specification only lists them',
  'GET /api/agents': agent,
  'GET /api/agent/show/{id}': agent,
  'POST /api/agent/create': agent,
  'POST /api/agent/update/{id}': agent,
  'DELETE /api/agent/delete/{id}': agent,
  'GET /api/commission-plans': agent,
  'GET /api/commission-plan/show/{id}': agent,
  'POST /api/commission-plan/create': agent,
  'POST /api/commission-plan/update/{id}': agent,
  'DELETE /api/commission-plan/delete/{id}': agent,
  'GET /api/commissions': commission,
  'GET /api/commission/show/{id}': commission,
  'POST /api/commission/approve/{id}': commission,
  'POST /api/commission/pay/{id}': commission,
  'GET /api/sessions': ownSession,
  'DELETE /api/sessions/{id}': ownSession,
  'GET /api/v1/me': 'integrations test a connection with a call that succeeds for every valid key, whatever its scopes',
  'POST /api/roles/create': customRole,
  'POST /api/roles/update/{id}': customRole,
  'POST /api/roles/delete/{id}': customRole,
  'GET /api/teams': team,
  'POST /api/teams/create': team,
  'POST /api/teams/update/{id}': team,
  'POST /api/teams/delete/{id}': team,
  'GET /api/second-factor': secondFactor,
  'POST /api/second-factor/enable': secondFactor,
  'POST /api/second-factor/confirm': secondFactor,
  'POST /api/second-factor/disable': secondFactor,
  'POST /api/second-factor/recovery-codes': secondFactor,
  'POST /api/second-factor/sms/enable': secondFactor,
  'POST /api/second-factor/sms/send': secondFactor,
  'POST /api/second-factor/sms/disable': secondFactor,
  'POST /api/login/second-factor/sms': secondFactor,
  'POST /api/login/second-factor/sms/enable': secondFactor,
  'POST /api/login/second-factor': secondFactor,
  'POST /api/login/second-factor/enable': secondFactor,
  'POST /api/login/second-factor/confirm': secondFactor,
  'GET /api/one-time-link': oneTimeLink,
  'POST /api/accept-invitation': oneTimeLink,
  'POST /api/reset-password': oneTimeLink,
  'POST /api/verify-email': oneTimeLink,
  'POST /api/approve-email-change': oneTimeLink,
  'POST /api/reject-email-change': oneTimeLink,
  'POST /api/forgot-password': 'whoever has forgotten the password has no session to ask with',
};
