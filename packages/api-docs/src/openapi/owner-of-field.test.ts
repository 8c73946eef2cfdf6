import { expect, test } from '@jest/globals';
import { singular } from '@suite/chassis/fields';
import { ownerOfField, wordsOf } from './owner-of-field.ts';

test.each([
  ['LeadDetails', '', 'lead'],
  ['PostedSalesInvoice', '', 'sales invoice'],
  ['SupportTicket', '', 'ticket'],
  ['SupportLinkedTicket', '', 'ticket'],
  ['ProjectFigures', '', 'project'],
  ['LeavingEmployee', '', 'employee'],
  ['SlaPolicy', '', 'SLA policy'],
  ['Label', '', 'label'],
  ['SavedDeal', '', 'deal'],
  ['WrittenPayroll', '', 'payroll run'],
  ['PublicPlan', '', 'plan'],
  ['ProjectFile', '', 'file'],
  ['ProjectStage', '', 'stage'],
  ['LeaveChange', '', 'leave request'],
  ['VendorPayment', '', 'payment'],
  ['SmsMessage', '', 'text message'],
  ['WorkItemLabel', '', 'task or bug'],
  ['lightTasks.create', '', 'task'],
  ['leadCalls.create', '', 'call'],
  ['leadStages.create', '', 'lead stage'],
  ['LabelSummary', '', 'label'],
  ['posOrders.create', '', 'POS order'],
  ['customersV1.update', '', 'customer'],
  ['leads.list', 'data', 'lead'],
  ['Revenue', 'customer', 'customer'],
  ['CustomerPayment', 'allocations', 'allocation'],
])('a field of %s in %j belongs to the %s', (context, parent, owner) => {
  expect(ownerOfField(context, parent)).toBe(owner);
});

test.each([
  ['taxes', 'tax'],
  ['branches', 'branch'],
  ['categories', 'category'],
  ['addresses', 'address'],
  ['warehouses', 'warehouse'],
  ['statuses', 'status'],
  ['balances', 'balance'],
  ['lead_stages', 'lead_stage'],
  ['address', 'address'],
])('the singular of %s is %s', (plural, one) => {
  expect(singular(plural)).toBe(one);
});

test('abbreviations are written in capitals', () => {
  expect(['hrmDocuments', 'apiKeys', 'faqs', 'possible_matches'].map(wordsOf)).toEqual([
    'HRM documents',
    'API keys',
    'FAQs',
    'possible matches',
  ]);
});
