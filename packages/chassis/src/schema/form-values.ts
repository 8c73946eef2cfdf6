/** Converts fields of a multipart form to the values that they have in a JSON body. */
import { z } from 'zod';
import { definitionOf } from './schema-walk.ts';

/** Returns the schema that checks a value first, without wrappers that make it optional or transform it. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const { type, innerType, in: first, out } = definitionOf(schema);
  if (innerType) return unwrapped(innerType);
  if (type !== 'pipe' || !first) return schema;
  return unwrapped(definitionOf(first).type === 'transform' && out ? out : first);
}

const LITERALS: Readonly<Record<string, unknown>> = { true: true, false: false };

/** Returns the JSON value of a text, or the text itself if it is not JSON: the schema then names the wrong field. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Returns the value of one part of a form in the type that the schema expects. */
function valueOf(schema: z.ZodType, sent: unknown): unknown {
  const plain = unwrapped(schema);
  const { type, element, options, values } = definitionOf(plain);
  if (options) {
    const readings = typeof sent === 'string' && /^\s*[[{]/.test(sent) ? [fromJson(sent), sent] : [sent];
    const candidates = readings.flatMap((reading) =>
      options.map((option) => ({ option, value: valueOf(option, reading) })),
    );
    return (candidates.find(({ option, value }) => option.safeParse(value).success) ?? { value: sent }).value;
  }
  if (type === 'array') {
    const several = typeof sent === 'string' && sent.trimStart().startsWith('[') ? fromJson(sent) : sent;
    const list = Array.isArray(several) ? several : [several];
    return list.map((value) => valueOf(element!, value));
  }
  if (plain instanceof z.ZodObject || type === 'record') {
    const record = typeof sent === 'string' ? fromJson(sent) : sent;
    return plain instanceof z.ZodObject ? fieldsOf(plain, record) : record;
  }
  if (typeof sent !== 'string') return sent;
  if (sent === '' && !plain.safeParse('').success && schema.safeParse(null).success) return null;
  if (type === 'boolean' || values?.some((value) => typeof value === 'boolean')) return LITERALS[sent] ?? sent;
  if ((type === 'number' || type === 'int') && /^-?\d+(\.\d+)?$/.test(sent)) return Number(sent);
  return sent;
}

function fieldsOf(schema: z.ZodObject, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      Object.hasOwn(shape, name) ? valueOf(shape[name]!, value) : value,
    ]),
  );
}

/**
 * Returns the body that a form represents. A form has texts only, so booleans and numbers are read from their text. An
 * object or a list may be sent as JSON text, in brackets (`requester[name]`), or, for a list, by repeating its name. A
 * list of one element needs no brackets. An empty text is `null` for fields that can be `null` and cannot be empty.
 */
export const formValues = (schema: z.ZodType, fields: Readonly<Record<string, unknown>>): unknown =>
  valueOf(schema, { ...fields });
