/** Rules of a form before it is shown. */
import { createHash } from 'node:crypto';
import { type FormField, MAX_LENGTHS } from '../widgets/widget.schema.ts';
import { HONEYPOTS, type Honeypot } from './form.schema.ts';

/** Form that belongs to a token. */
export interface OpenForm {
  id: string;
  token_id: string;
  form_version: number;
  allowed_origins: readonly string[];
  fields: readonly FormField[];
  consent: { required: boolean; text: string; privacy_url: string | null };
}

/** Returns the honeypot field: a name that the form does not use, different between forms. */
export function honeypotOf({ fields }: Pick<OpenForm, 'fields'>): Honeypot {
  const used = fields.map(({ name }) => name);
  const free = HONEYPOTS.filter((name) => !used.includes(name));
  const names = free.length > 0 ? free : HONEYPOTS;
  const [chance = 0] = createHash('sha256').update(used.join()).digest();
  return names[chance % names.length]!;
}

/** Returns the maximum length of a field. */
export const maxLength = ({ type, max_length }: FormField): number =>
  Math.min(max_length ?? MAX_LENGTHS[type], MAX_LENGTHS[type]);
