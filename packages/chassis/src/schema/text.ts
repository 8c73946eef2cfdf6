/** Text that every part of the suite can keep. */
import { Fault, ValidationFailed } from '../runtime/fault.ts';

export const CHARACTERS = 'This text holds characters that are not valid.';
const NUL = 'The text must not contain the character U+0000.';

const unfit = (text: string): string | undefined =>
  text.isWellFormed() ? (text.includes('\0') ? NUL : undefined) : CHARACTERS;

/**
 * Refuses text that no database can store, wherever in the input it stands: half a surrogate pair, or U+0000.
 * A body may be nested as deep as it is long, so nothing here calls itself.
 * @throws ValidationFailed that names the field
 */
export function assertText(input: unknown): void {
  const waiting: { value: unknown; field: string }[] = [{ value: input, field: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, field } = next;
    const message = typeof value === 'string' ? unfit(value) : undefined;
    if (message) throw refused(field || 'body', message);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      const path = field ? `${field}.${name.toWellFormed()}` : name.toWellFormed();
      if (unfit(name)) throw refused(path.replaceAll('\0', ''), CHARACTERS);
      waiting.push({ value: inner, field: path });
    }
  }
}

/** The 422 about one field's characters. */
export const refused = (field: string, message: string) =>
  new Fault(422, ValidationFailed.code, `${field}: ${message}`, { errors: { [field]: [message] } });
