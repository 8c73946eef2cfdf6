/** Nouns for the record that contains a field, so that `name` is described as "Name of the lead." in `Lead`. */
import { singular } from '@suite/chassis/fields';

/** Parts of the names of schemas that distinguish forms of one record. */
const FORM =
  /^(?:Plain|Posted|Completed|Changed|Moved|Placed|Saved|Written|Assigned|Public|Decided|Own|V1|Crm|Hrm|Support|Report(?=Stage)|Sales(?=Customer|Document|Warehouse)|Project(?=Client|File|Member|User))(?=[A-Z])|(?:Details|Summary|Label|Choice|Card|WithToken|Input|Row|Booked|Tried|Reversed)$/g;
/** Nouns of the glossary for records whose names in code are other words. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['approvals waiting', 'approval'],
  ['attendance', 'attendance record'],
  ['chart node', 'ledger account'],
  ['checkout session', 'checkout'],
  ['children', 'task or bug'],
  ['colleague', 'user'],
  ['commission line', 'commission'],
  ['customer payment', 'payment'],
  ['discussion', 'note'],
  ['email', 'e-mail'],
  ['employee status', 'employee'],
  ['from warehouse', 'warehouse that the goods leave'],
  ['GL account', 'ledger account'],
  ['HRM document', 'company document'],
  ['installed', 'salary component'],
  ['installed pack', 'payroll pack'],
  ['knowledge', 'article'],
  ['leave', 'leave request'],
  ['leave application', 'leave request'],
  ['leave approval', 'leave request'],
  ['leave asked', 'leave request'],
  ['leave calendar link', 'link'],
  ['leave change', 'leave request'],
  ['leave to decide', 'leave request'],
  ['leaveapplication', 'leave request'],
  ['leaving employee', 'employee'],
  ['light project', 'project'],
  ['light task', 'task'],
  ['linked ticket', 'ticket'],
  ['mail message', 'received e-mail'],
  ['meeting attendee', 'attendee'],
  ['my task', 'task'],
  ['named', 'record'],
  ['one off', 'one-off payment'],
  ['over', 'task'],
  ['own leave', 'leave request'],
  ['own subscription', 'subscription'],
  ['parked mail', 'failed e-mail'],
  ['payroll', 'payroll run'],
  ['payroll entry', 'payslip'],
  ['project figures', 'project'],
  ['project milestone', 'milestone'],
  ['project stage', 'stage'],
  ['proposal conversion', 'proposal'],
  ['received email', 'received e-mail'],
  ['recent project', 'project'],
  ['recent ticket', 'ticket'],
  ['sales order invoicing', 'sales order'],
  ['SMS gateway', 'text-message gateway'],
  ['SMS message', 'text message'],
  ['sold subscription', 'subscription'],
  ['started time', 'time entry'],
  ['support category', 'category'],
  ['taken mail', 'e-mail'],
  ['task subtask', 'subtask'],
  ['ticket note', 'note'],
  ['ticket reply', 'reply'],
  ['to do list', 'to-do list'],
  ['to warehouse', 'warehouse that receives the goods'],
  ['todo list', 'to-do list'],
  ['tracker', 'timer'],
  ['user portrait', 'user'],
  ['vendor payment', 'payment'],
  ['work item', 'task or bug'],
  ['workspace subscription', 'subscription'],
]);
/** Parts of a lead or a deal that both have. Stages differ. */
const PART = /^(?:lead|deal) (?=(?:call|discussion|email|file|task)$)/;
/** Abbreviations, which are written in capitals. */
const ABBREVIATIONS = /\b(?:api|hrm|pos|sla|sms|faq|gl|crm)(?=s?\b)/g;

/** Returns the words of a name in code: `leadStages` and `lead_stages` → `lead stages`, `slaPolicies` → `SLA policies`. */
export const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());

/** Returns the noun for a record by its name in code, in the singular: `work_items` → `task or bug`. */
export function nounOf(name: string): string {
  const words = wordsOf(name).replace(PART, '');
  return NOUNS.get(words) ?? words;
}

/**
 * Returns a noun phrase for the record that contains a field.
 * @param context name of the schema, such as `LeadDetails`, or ID of the operation, such as `leads.create`
 * @param parent the field whose value contains the field, such as `customer`, or nothing
 */
export function ownerOfField(context: string, parent: string): string {
  if (parent !== '' && parent !== 'data') return nounOf(singular(parent));
  const [noun = '', action] = context.split('.');
  if (action !== undefined) return nounOf(singular(noun.replace(/V1$/, '')));
  return nounOf(noun.replaceAll(FORM, '') || noun);
}
