/** Exceptions to the rules for the records in responses. */

/** Records whose `allowed_actions` are still to be added. Remove a noun when its responses have them. */
export const AWAITING_ACTIONS: readonly string[] = [
  'account',
  'roles',
  'teams',
  'workspaces',
  'socialPosts',
  'productCategories',
  'taxes',
  'units',
  'periodLocks',
  'customers',
  'vendors',
  'revenueCategories',
  'expenseCategories',
  'agents',
  'commissionPlans',
  'customersV1',
  'bankAccounts',
  'branches',
  'departments',
  'designations',
  'documentTypes',
  'leaveTypes',
  'shifts',
  'hrmSettings',
  'holidayCalendars',
  'holidays',
  'attendances',
  'attendanceDevices',
  'employees',
  'salaryComponents',
  'awards',
  'employeeDocuments',
];

/** Instructions of a request, which no record stores: files, permission to deviate from a rule, reasons, actions. */
export const INSTRUCTIONS: readonly string[] = ['file', 'override', 'silent', 'reason', 'action'];

/** Values that are still to be returned. */
const AWAITED = 'still to be returned';

/** Values that a response does not contain under their name, with the reason. */
export const NOT_RETURNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pipelines.update': {
    lead_stage_ids: 'the order of the stages, which have a `position`',
    deal_stage_ids: 'the order of the stages, which have a `position`',
  },
  'projectFiles.create': { task_id: 'returned as `item_id`', bug_id: 'returned as `item_id`' },
  'tickets.update': { customer_id: 'returned as `requester.customer_id`', merge_into: 'returned as `merged_into`' },
  'ticketReplies.create': {
    status: 'the next status of the ticket',
    cc: 'added to the `cc` of the ticket',
    canned_reply_id: 'replaced by the text of the template',
  },
  'checkouts.create': {
    currency: 'a setting of the page of the payment provider',
    customer_name: 'a setting of the page of the payment provider',
    success_url: 'a setting of the page of the payment provider',
    cancel_url: 'a setting of the page of the payment provider',
    locale: 'a setting of the page of the payment provider',
    timezone: 'a setting of the page of the payment provider',
    country: 'a setting of the page of the payment provider',
  },
  'socialPosts.create': { alt_texts: AWAITED },
  'posOrders.create': { discount: AWAITED },
  'customers.create': { opening_date: AWAITED, opening_rate: AWAITED },
  'vendors.create': { opening_date: AWAITED, opening_rate: AWAITED },
  'revenues.create': { tax_id: AWAITED },
  'revenues.update': { tax_id: AWAITED },
  'expenses.create': { tax_id: AWAITED },
  'expenses.update': { tax_id: AWAITED },
  'invoicesV1.create': { rate: AWAITED, discount: AWAITED },
  'bankAccounts.create': { opening_rate: AWAITED },
  'bankTransfers.create': { base_rate: AWAITED },
  'employees.create': {
    salary: AWAITED,
    national_id: AWAITED,
    tax_id: AWAITED,
    bank: AWAITED,
    ytd_opening: AWAITED,
    user: AWAITED,
  },
  'employees.update': {
    salary: AWAITED,
    national_id: AWAITED,
    tax_id: AWAITED,
    bank: AWAITED,
    ytd_opening: AWAITED,
    user: AWAITED,
    effective_from: AWAITED,
  },
  'promotions.create': { salary: AWAITED },
  'promotions.update': { salary: AWAITED },
  'payrolls.create': { scope: AWAITED, one_offs: AWAITED },
  'payrolls.update': { scope: AWAITED, one_offs: AWAITED },
};
