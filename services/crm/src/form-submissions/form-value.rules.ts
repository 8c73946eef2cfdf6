/** The values that visitors may write into a form: each by the type of its field, as plain text. */
import { createRequire } from 'node:module';
import { Email, Fault, Phone, Url, ValidationFailed } from '@suite/chassis';
import type sanitizeHtml from 'sanitize-html';
import { maxLength } from '../lead-forms/form.rules.ts';
import type { FormField } from '../widgets/widget.schema.ts';

/** The values of a form by the names of its fields; what was left empty is missing. */
export type FormValues = ReadonlyMap<string, string | boolean>;

const REQUIRED = 'Fill in this field.';
const CONTROL = /\p{Cc}/u;
const LINES = /[\r\n\t]/g;

const require = createRequire(import.meta.url);
/** Loaded with the first form: it is a hundred files, and most processes never get one. */
const sanitizer = () => require('sanitize-html') as typeof sanitizeHtml;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const withoutTags = (text: string): string =>
  sanitizer()(text, { allowedTags: [], allowedAttributes: {} }).replaceAll(
    /&(?:lt|gt|quot|amp);/g,
    (entity) => ENTITIES[entity]!,
  );

/** As deep as people write one sign within another. Each level costs a reading of the whole text. */
const DEPTH = 8;

/**
 * A text without any HTML in it, also such as appears only when what is around it was taken out. What is still not plain by then
 * was made to keep us busy, and loses the signs that HTML is made of.
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

/** How each type of field is checked: the value as it is kept, or what is wrong with it. */
const CHECKS: Readonly<Record<string, (text: string, field: FormField) => { value: string } | { mistake: string }>> = {
  email: (text) => asParsed(Email.safeParse(text), 'This is not an e-mail address.'),
  tel: (text) => asParsed(Phone.safeParse(text), 'This is not a telephone number.'),
  url: (text) => asParsed(Url.safeParse(text), 'Write an address that begins with https:// or http://.'),
  select: (text, { options = [] }) =>
    options.includes(text) ? { value: text } : { mistake: 'Choose one of the options.' },
  text: (text) => ({ value: plainText(text) }),
  textarea: (text) => ({ value: plainText(text) }),
};

const asParsed = ({ data }: { data?: string | undefined }, mistake: string) =>
  data === undefined ? { mistake } : { value: data };

/** A value as it is kept; undefined for one that is missing. */
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
    return { mistake: 'This text holds characters that are not valid.' };
  if (text.length > maxLength(field)) return { mistake: `Write at most ${maxLength(field)} characters.` };
  const checked = CHECKS[type]!(text, field);
  return 'value' in checked && checked.value === '' ? missing : checked;
}

/**
 * Reads the values of a form.
 * @returns a 422 that names each field that is wrong, as `fields.<name>`
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
