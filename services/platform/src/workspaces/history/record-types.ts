/** The types of records of all services. A test compares them with the types that the services declare. */
import { z } from 'zod';
import { RECORD_SERVICES, type RecordServiceName } from '../../operations.ts';

const NOUNS: Record<RecordServiceName, string> = {
  crm: `lead deal opportunity meeting quote sales_order proposal pipeline lead_stage deal_stage label source widget task call
    discussion email file`,
  inventory: 'product category tax unit warehouse transfer pos_order',
  finance: `customer vendor sales_invoice purchase_invoice sales_return purchase_return revenue expense revenue_category
    expense_category gl_account bank_account bank_transfer agent commission_plan account_type period_lock revaluation commission
    bank_transaction customer_payment vendor_payment credit_note debit_note`,
  projects: 'project task bug milestone stage',
  support: 'ticket category canned_reply faq article parked_mail mailbox blocked_sender calendar sla_policy',
  hr: `employee branch department designation document_type leave_type leave shift holiday_calendar holiday attendance
    salary_component payroll_entry payroll award promotion employee_transfer resignation termination warning complaint employee_loan
    announcement hrm_document event attendance_device change_request acknowledgment`,
};

/** Names with their service, such as `crm.lead`. */
export const RECORD_TYPES: readonly string[] = Object.entries(NOUNS).flatMap(([service, nouns]) =>
  nouns.split(/\s+/).map((noun) => `${service}.${noun}`),
);

/** Returns what to do about an unknown type. */
function advice(type: string): string {
  const own = RECORD_TYPES.filter((each) => each.split('.')[0] === type.split('.')[0]);
  if (own.length > 0) return `Use one of these types: ${own.join(', ')}.`;
  return `Enter the service and the type of the record, such as crm.lead. The services are ${RECORD_SERVICES.join(', ')}.`;
}

const checkTypes = (types: readonly string[], context: z.RefinementCtx): void => {
  const wrong = types.find((type) => !RECORD_TYPES.includes(type));
  if (wrong !== undefined) context.addIssue({ code: 'custom', message: advice(wrong) });
};

/** The name of a type of records. The error of an unknown one lists the types of its service. */
export const RecordTypeName = z
  .string({ error: advice('') })
  .superRefine((type, context) => checkTypes([type], context));

/** Names of types, separated by commas. */
export const RecordTypeNames = z
  .string({ error: advice('') })
  .superRefine((text, context) => checkTypes(text.split(','), context))
  .transform((text) => text.split(','));
