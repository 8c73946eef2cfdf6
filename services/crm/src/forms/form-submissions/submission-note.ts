/** The submitted text of a visitor as a note on the lead. */
import type { z } from 'zod';
import type { Attribution } from '../../leads/lead.schema.ts';
import type { Submission } from '../lead-forms/form.schema.ts';
import type { Form } from '../lead-forms/form-lookup.ts';
import { type FormValues, plainText } from './form-value.rules.ts';

type VisitorOrigin = z.output<typeof Attribution>;

/** Returns the page, referrer and campaign that a visitor came from. */
export function attributionOf({ page_url, referrer, utm = {} }: Submission): VisitorOrigin {
  const words = Object.entries(utm).map(([name, value]) => [name, plainText(value ?? '')] as const);
  return {
    page_url: page_url ?? null,
    referrer: referrer ?? null,
    utm: Object.fromEntries(words.filter(([, value]) => value !== '')),
  };
}

const displayValue = (value: string | boolean): string => (typeof value === 'string' ? value : value ? 'yes' : 'no');

/** Returns the note about a submission: every field with its label, then the origin of the visitor. */
export function noteOf(
  { name, fields }: Pick<Form, 'name' | 'fields'>,
  values: FormValues,
  origin: VisitorOrigin,
): string {
  const written = fields.flatMap((field) => {
    const value = values.get(field.name);
    return value === undefined ? [] : [`${field.label}: ${displayValue(value)}`];
  });
  const from = [
    ...(origin.page_url ? [`Page: ${origin.page_url}`] : []),
    ...(origin.referrer ? [`Referrer: ${origin.referrer}`] : []),
    ...Object.entries(origin.utm).map(([word, value]) => `utm_${word}: ${value}`),
  ];
  return [name, '', ...written, ...(from.length > 0 ? ['', ...from] : [])].join('\n');
}
