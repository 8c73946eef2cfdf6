/** Words for the record that contains a field, so that `name` is described as "Name of the lead." in `Lead`. */

/** Parts of the names of schemas that distinguish forms of one record. */
const FORM =
  /^(?:Plain|Posted|Completed|Changed|Moved|Placed|Decided|Own|V1|Crm|Hrm|Support(?=[A-Z]))|(?:Details|Summary|Label|Choice|Card|WithToken|Input|Row)$/g;
/** Abbreviations, which are written in capitals. */
const ABBREVIATIONS = /\b(?:api|hrm|pos|sla|sms|faq|gl|crm)(?=s?\b)/g;

/** Returns the singular of a plural noun: `lead_stages` → `lead_stage`, `taxes` → `tax`. */
export const singular = (plural: string): string =>
  plural
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/** Returns the words of a name in code: `leadStages` and `lead_stages` → `lead stages`, `slaPolicies` → `SLA policies`. */
export const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());

/**
 * Returns words for the record that contains a field.
 * @param context name of the schema, such as `LeadDetails`, or ID of the operation, such as `leads.create`
 * @param parent the field whose value contains the field, such as `customer`, or nothing
 */
export function ownerOfField(context: string, parent: string): string {
  if (parent !== '' && parent !== 'data') return wordsOf(singular(parent));
  const [noun = '', action] = context.split('.');
  if (action !== undefined) return wordsOf(singular(noun.replace(/V1$/, '')));
  return wordsOf(noun.replaceAll(FORM, '')) || 'record';
}
