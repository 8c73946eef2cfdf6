/**
 * References to the results of earlier calls: `{{lead.data.id}}` is the field `data.id` in the response to the call
 * `lead`. A text that is one reference becomes the value with its JSON type. In a longer text, the value is inserted.
 */
import {
  DependencyFailed,
  faultAt,
  InvalidReference,
  ReferenceNotFound,
  ReferenceNotText,
  ReferenceTooLarge,
} from './batch-faults.ts';

interface Reference {
  /** ID of the call. */
  id: string;
  /** Names of fields and indexes of lists, from the response body on. */
  fields: string[];
}

/** Response body of an earlier call. Undefined for a call that failed or was skipped. */
type FindResult = (id: string) => { body: unknown } | undefined;

/** Braces, with a backslash before braces that are plain text. */
const BRACES = /(\\?)\{\{([^{}]*)\}\}/g;
const EXPRESSION = /^[\w-]+(?:\.[\w-]+)+$/;
const MAX_EXPRESSION = 200;
const SYNTAX =
  'Write a reference as {{id.field}}, such as {{lead.data.id}}. Write a backslash before braces that are plain text.';

/** Splits a text at its references. @throws InvalidReference that names the field */
function partsOf(text: string, field: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const { 0: whole, 1: escape, 2: inner = '', index } of text.matchAll(BRACES)) {
    parts.push(text.slice(end, index));
    end = index + whole.length;
    if (escape) {
      parts.push(whole.slice(1));
      continue;
    }
    const expression = inner.trim();
    if (expression.length > MAX_EXPRESSION || !EXPRESSION.test(expression))
      throw faultAt(InvalidReference, field, { message: SYNTAX });
    const [id = '', ...fields] = expression.split('.');
    parts.push({ id, fields });
  }
  return [...parts, text.slice(end)].filter((part) => part !== '');
}

/** Returns the entries of a list or object. Undefined for other values. */
const entriesOf = (value: unknown): [string, unknown][] | undefined =>
  typeof value === 'object' && value !== null ? Object.entries(value) : undefined;

/** Calls `visit` for each reference in a value, with the field that contains it. @throws InvalidReference */
export function visitReferences(
  value: unknown,
  field: string,
  visit: (reference: Reference, field: string) => void,
): void {
  if (typeof value === 'string') {
    for (const part of partsOf(value, field)) if (typeof part !== 'string') visit(part, field);
  }
  for (const [name, inner] of entriesOf(value) ?? []) visitReferences(inner, `${field}.${name}`, visit);
}

/** Returns a path in which `x` replaces each reference, to find its operation before the values are known. */
export const withPlaceholders = (path: string): string =>
  partsOf(path, 'path')
    .map((part) => (typeof part === 'string' ? part : 'x'))
    .join('');

/** Largest size of all values that one call refers to, in characters. */
const MAX_VALUES = 256 * 1_024;

/** Returns the approximate size of a value, counted only up to a limit. */
function sizeOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length;
  let size = 8;
  for (const [name, inner] of entriesOf(value) ?? []) {
    if (size > limit) break;
    size += name.length + sizeOf(inner, limit - size);
  }
  return size;
}

/** Returns the value of a reference, and counts its size. */
function valueReader(find: FindResult): (reference: Reference, field: string) => unknown {
  let left = MAX_VALUES;
  return ({ id, fields }, field) => {
    const result = find(id);
    if (!result) throw DependencyFailed({ call: id });
    let value: unknown = result.body;
    for (const name of fields) {
      // Own fields only: no reference reaches a prototype.
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
        const message = `The response of "${id}" has no field ${fields.join('.')}. Correct the reference.`;
        throw faultAt(ReferenceNotFound, field, { message, details: { call: id, field: fields.join('.') } });
      }
      value = (value as Record<string, unknown>)[name];
    }
    left -= sizeOf(value, left);
    if (left < 0) throw faultAt(ReferenceTooLarge, field);
    return value;
  };
}

/** Returns a value as part of a text. @throws ReferenceNotText for an object, a list or null */
function textOf(value: unknown, field: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw faultAt(ReferenceNotText, field);
}

/**
 * Replaces the references of a call.
 * @param find returns the response body of an earlier call
 * @throws DependencyFailed, ReferenceNotFound, ReferenceNotText, ReferenceTooLarge
 */
export function resolveReferences(
  { path, body }: { path: string; body?: unknown },
  find: FindResult,
): { path: string; body: unknown } {
  const read = valueReader(find);
  const resolve = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') {
      const parts = partsOf(value, field);
      const [only] = parts;
      if (parts.length === 1 && typeof only === 'object') return read(only, field);
      return parts.map((part) => (typeof part === 'string' ? part : textOf(read(part, field), field))).join('');
    }
    if (Array.isArray(value)) return value.map((one, at) => resolve(one, `${field}.${at}`));
    const entries = entriesOf(value);
    // Entries keep a field with the name `__proto__` as a field.
    return entries ? Object.fromEntries(entries.map(([name, one]) => [name, resolve(one, `${field}.${name}`)])) : value;
  };
  const parts = partsOf(path, 'path').map((part) =>
    typeof part === 'string' ? part : encodeURIComponent(textOf(read(part, 'path'), 'path')),
  );
  return { path: parts.join(''), body: resolve(body, 'body') };
}
