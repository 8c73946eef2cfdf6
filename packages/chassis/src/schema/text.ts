/** Checks text for characters that some part of the suite cannot store. */
import { Fault, ValidationFailed } from '../runtime/fault.ts';

export const CHARACTERS = 'This text contains characters that are not valid. Remove them.';
const NUL = 'The text must not contain the character U+0000.';

const textProblem = (text: string): string | undefined =>
  text.isWellFormed() ? (text.includes('\0') ? NUL : undefined) : CHARACTERS;

/**
 * Rejects text that no database can store, anywhere in the input: half a surrogate pair, or U+0000. The nesting of a
 * body is limited only by its length, so this function does not recurse.
 * @throws ValidationFailed that names the field
 */
export function assertText(input: unknown): void {
  const waiting: { value: unknown; field: string }[] = [{ value: input, field: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, field } = next;
    const message = typeof value === 'string' ? textProblem(value) : undefined;
    if (message) throw textFault(field || 'body', message);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      const path = field ? `${field}.${name.toWellFormed()}` : name.toWellFormed();
      if (textProblem(name)) throw textFault(path.replaceAll('\0', ''), CHARACTERS);
      waiting.push({ value: inner, field: path });
    }
  }
}

/** The longest path of a field in a response. Any client can send unknown fields with names of any length. */
const FIELD_MAX = 200;

/** Returns the path of a field for a response, shortened if it is too long. */
export const shownField = (field: string): string =>
  field.length > FIELD_MAX ? `${field.slice(0, FIELD_MAX).toWellFormed()}…` : field;

/** Returns the 422 about the characters of one field. */
export function textFault(field: string, message: string): Fault {
  const shown = shownField(field);
  return new Fault(422, ValidationFailed.code, `${shown}: ${message}`, { errors: { [shown]: [message] } });
}
