/** Values that visitors enter in a form: by field type, as plain text. */
import { createRequire } from 'node:module';
import { Fault, ValidationFailed } from '@suite/chassis/faults';
import { Email, Phone, Url } from '@suite/chassis/fields';
import type sanitizeHtml from 'sanitize-html';
import { maxLength } from '../lead-forms/form.rules.ts';
import type { FormField } from '../widgets/widget.schema.ts';

/** Values of a form by field name, without empty fields. */
export type FormValues = ReadonlyMap<string, string | boolean>;

const REQUIRED = 'Fill in this field.';
const CONTROL = /\p{Cc}/u;
const LINES = /[\r\n\t]/g;

const require = createRequire(import.meta.url);
/** Lazily loaded on the first form: the package has about 100 files, and most processes never receive a form. */
const sanitizer = () => require('sanitize-html') as typeof sanitizeHtml;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const withoutTags = (text: string): string =>
  sanitizer()(text, { allowedTags: [], allowedAttributes: {} }).replaceAll(
    /&(?:lt|gt|quot|amp);/g,
    (entity) => ENTITIES[entity]!,
  );

/** Maximum nesting of encoded characters. Each level requires a scan of the whole text. */
const DEPTH = 8;

/**
 * Returns a text without any HTML, including tags that appear only after surrounding tags are removed. If the text is
 * still not plain after `DEPTH` passes, it was made to waste time. All HTML characters are then removed.
 */
export function plainText(text: string): string {
  let before = text;
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const after = withoutTags(before);
    if (after === before || after.length >= before.length) return after.trim();
    before = after;
  }
  return before.replaceAll(/[<>&]/g, '').trim();
}

/** Checks of each field type. Each returns the value to store, or the error. */
const CHECKS: Readonly<Record<string, (text: string, field: FormField) => { value: string } | { mistake: string }>> = {
  email: (text) => parsedValue(Email.safeParse(text), 'This is not an e-mail address.'),
  tel: (text) => parsedValue(Phone.safeParse(text), 'This is not a phone number.'),
  url: (text) => parsedValue(Url.safeParse(text), 'Enter an address that begins with https:// or http://.'),
  select: (text, { options = [] }) =>
    options.includes(text) ? { value: text } : { mistake: 'Choose one of the options.' },
  text: (text) => ({ value: plainText(text) }),
  textarea: (text) => ({ value: plainText(text) }),
};

const parsedValue = ({ data }: { data?: string | undefined }, mistake: string) =>
  data === undefined ? { mistake } : { value: data };

/** Returns the value to store. Undefined for a missing value. */
function valueOf(
  field: FormField,
  given: string | boolean | undefined,
): { value?: string | boolean; mistake?: string } {
  const { type, required } = field;
  if (type === 'checkbox') {
    if (given !== undefined && typeof given !== 'boolean') return { mistake: 'Write true or false.' };
    return required && !given ? { mistake: 'Tick this box.' } : { value: given ?? false };
  }
  if (typeof given === 'boolean') return { mistake: 'Write a text.' };
  const text = given?.trim() ?? '';
  const missing = required ? { mistake: REQUIRED } : {};
  if (text === '') return missing;
  if (CONTROL.test(type === 'textarea' ? text.replaceAll(LINES, '') : text))
    return { mistake: 'This text contains characters that are not valid. Remove them.' };
  if (text.length > maxLength(field)) return { mistake: `Enter at most ${maxLength(field)} characters.` };
  const checked = CHECKS[type]!(text, field);
  return 'value' in checked && checked.value === '' ? missing : checked;
}

/**
 * Reads the values of a form.
 * @returns the values, or a 422 that names each invalid field as `fields.<name>`
 */
export function readValues(
  fields: readonly FormField[],
  given: Readonly<Record<string, string | boolean>>,
): FormValues | Fault {
  const values = new Map<string, string | boolean>();
  const errors: Record<string, string[]> = Object.create(null);
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(given)) if (!known.has(name)) errors[`fields.${name}`] = ['Unknown field. Remove it.'];
  for (const field of fields) {
    const read = valueOf(field, Object.hasOwn(given, field.name) ? given[field.name] : undefined);
    if (read.mistake) errors[`fields.${field.name}`] = [read.mistake];
    else if (read.value !== undefined) values.set(field.name, read.value);
  }
  const [wrong] = Object.entries(errors);
  if (!wrong) return values;
  return new Fault(422, ValidationFailed.code, `${wrong[0]}: ${wrong[1][0]}`, { errors });
}
