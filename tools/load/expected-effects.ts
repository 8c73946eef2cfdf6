/**
 * The places where each kind of write leaves its marks. Sagas and events leave some marks in services other than the
 * called one.
 */

/** A row that a kind of write leaves: one for each acknowledged write, and no others. */
export interface ExpectedEffect {
  kind: string;
  service: string;
  /** SQL expression for the name of the written record: the scenario's marker, or the returned ID. */
  names: string;
  /** SQL text after `FROM`. The first table contains the workspace. */
  from: string;
  where: string;
}

/** Returns the expected rows of a service's table: `mark('lead', 'crm.leads', 'name')`. */
const effectMarker = (kind: string, place: string, names: string, where = 'TRUE'): ExpectedEffect => {
  const [service = ''] = place.split('.', 1);
  return { kind, service, names, from: place.slice(service.length + 1), where };
};
const event = (kind: string, type: string, where = 'TRUE') =>
  effectMarker(kind, `${type.split('.')[0]}.journal_events`, 'aggregate_id', `type = '${type}' AND ${where}`);
const eventOfLead = (kind: string, type: string) =>
  effectMarker(kind, 'crm.journal_events JOIN leads ON leads.id = aggregate_id', 'name', `type = '${type}'`);
const auditEffect = (kind: string, place: string, names: string, where: string) => {
  const [service, table] = place.split('.');
  return effectMarker(kind, `${service}.journal_changes`, names, `table_name = '${table}' AND ${where}`);
};
const journalEffect = (kind: string, source: string, where = 'TRUE') =>
  effectMarker(
    kind,
    'finance.journal_entries',
    'source_id',
    `source_type = '${source}' AND purpose = 'post' AND ${where}`,
  );
const goods = (kind: string, movement: 'IssueStock' | 'ReceiveStock', source: string) => {
  const moves = `method = '${movement}' AND answer -> 'source' ->> 'type' = '${source}' AND undone_at IS NULL`;
  return effectMarker(kind, 'inventory.rpc_keys', `answer -> 'source' ->> 'id'`, moves);
};

/** Drafts without a proposal and without time. */
const isByHand = `proposal_id IS NULL AND NOT EXISTS (
  SELECT FROM invoice_lines WHERE sales_invoice_id = sales_invoices.id AND source_type = 'time')`;
const byHand = `SELECT sales_invoices.id FROM sales_invoices WHERE ${isByHand}`;
const orders = 'SELECT sales_orders.id FROM sales_orders WHERE status';
const isInvitation = `kind = 'staff' AND letter = 'invitation'`;
const isTransferred = `activities.type = 'updated' AND payload -> 'fields' ? 'owner_id'`;

const CARD = 'projects.work_items';
const TIME = 'projects.time_entries';
const isMovedTask = `EXISTS (SELECT FROM journal_events WHERE type = 'projects.task.moved' AND aggregate_id = work_items.id)`;
const isTimerEntry = `aggregate_id IN (SELECT id FROM time_entries WHERE task_id IS NULL)`;
const ofProjects: readonly ExpectedEffect[] = [
  effectMarker('task', CARD, 'title', `project_id IN (SELECT id FROM projects WHERE customer_id IS NULL)`),
  auditEffect(
    'task',
    CARD,
    'record_id',
    `action = 'insert' AND after ->> 'project_id' IN (
    SELECT id::text FROM projects WHERE customer_id IS NULL)`,
  ),
  effectMarker('comment', 'projects.comments', 'body'),
  event('drag', 'projects.task.stage_changed'),
  event('drag', 'projects.task.completed'),
  effectMarker('handing over', CARD, 'title', isMovedTask),
  event('handing over', 'projects.task.moved'),
  effectMarker('timer', TIME, 'description', 'task_id IS NULL'),
  event('timer', 'projects.time.started', isTimerEntry),
  event('stop', 'projects.time.stopped', isTimerEntry),

  effectMarker('project', 'projects.projects', 'name', 'customer_id IS NOT NULL'),
  effectMarker('work', CARD, 'title', `project_id IN (SELECT id FROM projects WHERE customer_id IS NOT NULL)`),
  effectMarker('hour', TIME, 'description', 'task_id IS NOT NULL'),
  effectMarker('submission', TIME, 'description', `task_id IS NOT NULL AND status <> 'stopped'`),
  effectMarker(
    'time approval',
    'projects.journal_events JOIN time_entries AS entry ON entry.id = aggregate_id',
    'description',
    `type = 'projects.time.approved'`,
  ),
  effectMarker('billing', TIME, 'description', `status = 'invoiced'`),
  effectMarker(
    'billing',
    'projects.billing_runs JOIN projects ON projects.id = project_id',
    'projects.name',
    `billing_runs.status = 'invoiced'`,
  ),
  effectMarker(
    'billing',
    'finance.sales_invoices JOIN invoice_lines AS line ON line.sales_invoice_id = sales_invoices.id',
    'reference',
    `source_type = 'time'`,
  ),
];

const MAILS = 'support.mails';
const addressee = `split_part(mails."to", '@', 1)`;
const isFirst = `channel <> 'email' AND tickets.subject NOT LIKE '% again'`;
const ofDesk = (which: string) => `aggregate_id IN (SELECT id FROM tickets WHERE ${which})`;
const ofTheDesk: readonly ExpectedEffect[] = [
  effectMarker('ticket', 'support.tickets', 'subject', isFirst),
  event('ticket', 'support.ticket.created', ofDesk(isFirst)),
  effectMarker(
    'ticket',
    `${MAILS} JOIN tickets ON tickets.id = ticket_id`,
    addressee,
    `kind = 'acknowledgement' AND ${isFirst}`,
  ),
  effectMarker('remark', 'support.ticket_notes', 'body'),
  effectMarker('answer', 'support.replies', 'body', `author_kind = 'agent'`),
  effectMarker('answer', MAILS, addressee, `kind = 'reply'`),
  effectMarker('second ticket', 'support.tickets', 'id', `subject LIKE '% again'`),
  effectMarker('merge', 'support.tickets', `split_part(subject, ' ', 1)`, `status = 'merged'`),
  effectMarker('resolution', 'support.tickets', 'id', `status = 'resolved'`),
  effectMarker('mail', 'support.tickets', 'subject', `channel = 'email'`),
  // The first message of a merged ticket is an entry of the thread, too.
  effectMarker('merge', 'support.replies', `split_part(opening_subject, ' ', 1)`, 'opening_subject IS NOT NULL'),
  effectMarker('mailed answer', 'support.replies', 'body', `author_kind = 'customer' AND opening_subject IS NULL`),
];

/** Entries of a payroll run. A posting without a response may be reversed and made again. */
const posted = (purpose: string) =>
  `purpose LIKE '${purpose}.%' AND NOT EXISTS (
    SELECT FROM journal_entries AS other WHERE other.reversal_of = journal_entries.id)`;
/** Effects of payroll runs: rows of hr, and one entry in the books of finance for each approval and payment. */
export const payrollEffects: readonly ExpectedEffect[] = [
  effectMarker('payroll', 'hr.payrolls', 'title'),
  auditEffect('payroll', 'hr.payrolls', `after ->> 'title'`, `action = 'insert'`),
  effectMarker('payroll run', 'hr.payroll_entries', 'payroll_id'),
  effectMarker('payroll approval', 'finance.journal_entries', 'source_id', posted('approve')),
  effectMarker('payroll payment', 'finance.journal_entries', 'source_id', posted('pay')),
  effectMarker('payroll payment', 'hr.payrolls', 'id', `status = 'paid'`),
];

/** Effects of all other writes. */
export const expectedEffects: readonly ExpectedEffect[] = [
  effectMarker('lead', 'crm.leads', 'name'),
  eventOfLead('lead', 'crm.lead.created'),
  auditEffect('lead', 'crm.leads', `after ->> 'name'`, `action = 'insert'`),
  effectMarker('note', 'crm.discussions', 'comment'),
  eventOfLead('move', 'crm.lead.stage_changed'),
  effectMarker('conversion', 'crm.deals', 'name'),
  eventOfLead('conversion', 'crm.lead.converted'),
  effectMarker('conversion', 'crm.users', 'name', `kind = 'client'`),
  effectMarker('conversion', 'platform.users', 'name', `kind = 'client'`),

  effectMarker('invitation', 'platform.users', 'id', `kind = 'staff'`),
  event('invitation', 'platform.user.created', `data ->> 'kind' = 'staff'`),
  effectMarker('invitation', 'platform.users JOIN outgoing_mail ON user_id = users.id', 'user_id', isInvitation),
  effectMarker('departure', 'crm.users', 'id', `status = 'former'`),
  effectMarker('departure', 'crm.activities JOIN leads ON leads.id = lead_id', 'leads.name', isTransferred),

  effectMarker('draft', 'finance.sales_invoices', 'reference', isByHand),
  event('draft', 'finance.sales_invoice.created', `aggregate_id IN (${byHand})`),
  auditEffect('draft', 'finance.sales_invoices', 'record_id', `action = 'insert' AND record_id::uuid IN (${byHand})`),
  journalEffect('posting', 'sales_invoice'),
  event('posting', 'finance.sales_invoice.posted'),
  goods('posting', 'IssueStock', 'sales_invoice'),
  auditEffect(
    'posting',
    'finance.sales_invoices',
    'record_id',
    `before ->> 'status' = 'draft' AND after ->> 'status' = 'posted'`,
  ),
  effectMarker('revenue', 'finance.revenues', 'reference'),
  effectMarker('payment', 'finance.payments', 'source_id', `source = 'revenue'`),
  event('payment', 'finance.revenue.posted'),
  effectMarker('return', 'finance.sales_returns', 'id'),
  event('return approval', 'finance.sales_return.approved'),
  effectMarker('return completion', 'finance.notes', 'sales_return_id'),
  event('return completion', 'finance.sales_return.completed'),
  goods('return completion', 'ReceiveStock', 'sales_return'),

  effectMarker('bill', 'finance.purchase_invoices', 'vendor_reference'),
  journalEffect('bill posting', 'purchase_invoice'),
  event('bill posting', 'finance.purchase_invoice.posted'),
  goods('bill posting', 'ReceiveStock', 'purchase_invoice'),

  effectMarker('confirmation', 'crm.sales_orders', 'id', `status = 'confirmed'`),
  effectMarker('confirmation', 'inventory.reservations', 'source_id', `status = 'active'`),
  event('confirmation', 'crm.sales_order.confirmed', `aggregate_id IN (${orders} = 'confirmed')`),
  event('reservation', 'crm.sales_order.confirmed', `aggregate_id IN (${orders} = 'cancelled')`),
  effectMarker('cancellation', 'crm.sales_orders', 'id', `status = 'cancelled'`),
  event('cancellation', 'crm.sales_order.cancelled'),
  event('proposal conversion', 'crm.proposal.converted'),
  effectMarker('proposal conversion', 'finance.sales_invoices', 'proposal_id', 'proposal_id IS NOT NULL'),

  effectMarker('adjustment', 'inventory.stock_adjustments', 'note', `reason = 'adjustment'`),
  journalEffect('adjustment', 'stock_adjustment', `narration = 'Stock adjustment'`),
  effectMarker('transfer', 'inventory.transfers', 'id', `status = 'completed'`),
  effectMarker('undoing', 'inventory.transfers', 'id', `status = 'reversed'`),
  ...ofProjects,
  ...ofTheDesk,
];
