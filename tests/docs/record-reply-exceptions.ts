/** Exceptions to the rules for the records in responses. */

/** Operations whose record has no `allowed_actions`, with the reason. */
export const WITHOUT_ACTIONS: Readonly<Record<string, string>> = {
  'account.show': 'the own account, which its user may always change',
};

/** Instructions of a request, which no record stores: files, permission to deviate from a rule, reasons, actions. */
export const INSTRUCTIONS: readonly string[] = ['file', 'override', 'silent', 'reason', 'action'];

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
    base_currency: 'a setting of the new workspace',
    timezone: 'a setting of the new workspace',
    country: 'a setting of the new workspace',
    fiscal_year_start: 'a setting of the new workspace',
    week_start: 'a setting of the new workspace',
  },
  'socialPosts.create': { alt_texts: 'part of `media`' },
  'posOrders.create': { discount: 'returned as an amount' },
  'revenues.create': { tax_id: 'part of `tax`' },
  'revenues.update': { tax_id: 'part of `tax`' },
  'expenses.create': { tax_id: 'part of `tax`' },
  'expenses.update': { tax_id: 'part of `tax`' },
  'bankTransfers.create': { base_rate: 'replaced by the amounts in base currency of its entry' },
  'employees.create': {
    ytd_opening: 'read by the payroll only',
    user: 'returned as `user_id`, once the user exists',
  },
  'employees.update': {
    ytd_opening: 'read by the payroll only',
    user: 'returned as `user_id`, once the user exists',
    effective_from: 'the day of the change, which the history contains',
  },
};
