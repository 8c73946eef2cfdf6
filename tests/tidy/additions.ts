import { ofBilling } from './additions/billing.ts';
import { ofHr } from './additions/hr.ts';
import { ofIntegrations } from './additions/integrations.ts';
import { ofProjects } from './additions/projects.ts';
import { ofSupport } from './additions/support.ts';

const ownSession = 'a user with a forgotten or stolen session must be able to end it from another one';
const customRole = 'the specification only lists roles: without these, only the built-in roles would exist';
const team = 'the record scope `team` requires team members, and the specification has no operation for them';
const secondFactor = 'a password alone does not stop a user who has found it';
const oneTimeLink = 'a link sent by e-mail (invitation, reset, verification) must work for a user without a session';

const fileLink = 'target of signed file links: a link needs no token and expires after 15 minutes';

const report = 'the totals that books exist for: the specification has no accounting report';

const periodLock = 'a user closes a period, and the specification names no operation for it';

const reconciling = 'transactions have the state, and the specification names no operation for it';

const deallocation = 'a wrong allocation can be undone without reversing the payment';
const refund = 'advances can be refunded, and a mistaken refund reversed';
const revaluation = 'foreign balances are revalued at the rates of the last day of a period';
const bookSettings = 'each workspace configures dual approval, credit limits and the timing of returns';

const cancelling = 'a mistaken posting or approval is reversed, never changed or deleted';

const note = 'the remainder of a note is applied to other invoices or refunded: the specification only reads notes';

const category = 'the specification only reads categories: without these, a workspace could not have its own';

const parts = 'a lead or a deal shows only its newest hundred activities, and older ones must be available, too';

const subscription =
  'a workspace without a partner has a subscription, too, and the specification has operations for partners only';

const letterhead = 'invoices and quotes are printed with the name, address, tax number and logo of the workspace';

const partner = 'the specification only shows badges: a workspace must be able to add partners and revoke badges';

const widget = 'the specification only shows and receives forms: a workspace must be able to create them';

const agent = 'the specification only reads commissions: without this, no agents and commissions would exist';

const commission = 'commissions are approved and paid, and the specification names no operation for it';

/**
 * Routes of the suite that the specification does not list, each with its reason. A route has the form of its
 * operation: `GET /api/…/{id}`.
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
  'GET /api/widget/{token}/embed.js': 'the script tag matches every path, so the script needs its own path',
  'GET /api/version': 'a client that reports a fault, or waits for a change, needs the version of the running release',
  'GET /api/user-photo/{token}':
    'target of signed photo links: files are served by short-lived links that need no token',
  'GET /api/avatar/{token}':
    'cards, members and comments show avatars, which browsers can cache, while photo links change every second',
  'GET /api/lead-file/download/{token}': fileLink,
  'GET /api/deal-file/download/{token}': fileLink,
  'GET /api/product-image/{token}': fileLink,
  'POST /api/product/image/{id}': 'a product has an image, which JSON cannot contain',
  'POST /api/sales-invoice/cancel/{invoice_id}': cancelling,
  'POST /api/purchase-invoice/cancel/{invoice_id}': cancelling,
  'POST /api/sales-invoice-return/cancel/{return_id}': cancelling,
  'POST /api/purchase-return/cancel/{return_id}': cancelling,
  'POST /api/credit-notes/apply/{id}': note,
  'POST /api/credit-notes/refund/{id}': note,
  'POST /api/debit-notes/apply/{id}': note,
  'POST /api/debit-notes/refund/{id}': note,
  'POST /api/sales/sales-order/convert-to-invoice/{id}':
    'an order can be invoiced directly, as a proposal can: the specification names no operation for it',
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
  'POST /api/pos/create': 'the specification only reads POS orders: without this, none would exist',
  'POST /api/pos/refund/{id}': 'a POS order is refunded at the POS, with its goods, money and tax',
  'GET /api/journal-entries': 'ledger entries can be read individually, not only as balances',
  'GET /api/accounting/trial-balance': report,
  'GET /api/accounting/profit-and-loss': report,
  'GET /api/accounting/balance-sheet': report,
  'GET /api/accounting/tax-summary': report,
  'GET /api/accounting/ageing': report,
  'GET /api/accounting/customer-statement/{id}': report,
  'GET /api/accounting/vendor-statement/{id}': report,
  'GET /api/accounting/integrity': 'checks the integrity of the books on request',
  'GET /api/period-locks': periodLock,
  'POST /api/period-locks/create': periodLock,
  'POST /api/period-locks/update/{id}': periodLock,
  'DELETE /api/period-locks/delete/{id}': periodLock,
  'POST /api/bank-transfers/create': 'the specification only reads transfers, and without this route none would exist',
  'POST /api/bank-transfers/reverse/{id}': 'a mistaken transfer is reversed by its opposite',
  'POST /api/revenue-categories/create': category,
  'POST /api/revenue-categories/update/{id}': category,
  'DELETE /api/revenue-categories/delete/{id}': category,
  'POST /api/expense-categories/create': category,
  'POST /api/expense-categories/update/{id}': category,
  'DELETE /api/expense-categories/delete/{id}': category,
  'POST /api/revenues/unapprove/{id}': 'an approved revenue can be returned to draft for changes',
  'POST /api/expenses/unapprove/{id}': 'an approved expense can be returned to draft for changes',
  'POST /api/bank-transactions/reconcile/{id}': reconciling,
  'POST /api/bank-transactions/unreconcile/{id}': reconciling,
  'POST /api/revenues/reverse/{id}': 'an entry posted by mistake is reversed by its opposite, never changed',
  'POST /api/expenses/reverse/{id}': 'an entry posted by mistake is reversed by its opposite, never changed',
  'POST /api/customer-payments/allocate/{id}': 'the remainder of a payment is allocated to later invoices',
  'POST /api/vendor-payments/allocate/{id}': 'the remainder of a payment is allocated to later bills',
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
  'GET /api/credit-notes/show/{id}':
    'a credit note is sent to its customer, and the specification only lists credit notes',
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
  'GET /api/v1/me':
    'integrations test a connection with a call that succeeds for every valid key, regardless of its scopes',
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
  'POST /api/forgot-password': 'a user who has forgotten the password has no session to call with',
};
