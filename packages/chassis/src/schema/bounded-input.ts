/**
 * Limits the cost of checking input to the size that its schema accepts. zod applies every rule to a text that is too
 * long, and checks every element of some lists. A list of 120,000 elements, or one regular expression, can take
 * seconds.
 */
import { z } from 'zod';
import { definitionOf } from './schema-walk.ts';
import { textFault } from './text.ts';

/** Returns the longest text or list that a schema accepts. Undefined without a maximum. */
function maximumOf({ def }: z.ZodType): number | undefined {
  const limits = (def.checks ?? []).flatMap(({ _zod: { def: check } }) => {
    const { maximum, length } = check as { maximum?: number; length?: number };
    return maximum ?? length ?? [];
  });
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/** The highest number of entries in a map, more than any map of the API has. */
const ENTRIES_MAX = 1_000;
/** The highest number of elements in a list whose schema has no maximum. Checking 125,000 takes most of a second. */
const ELEMENTS_MAX = 10_000;
/**
 * Checks whether a text is far beyond its maximum. Chosen: a schema may trim or normalize a text before measuring it,
 * so only such texts are cut.
 */
const isFarBeyond = (length: number, max: number): boolean => length > 4 * max + 1_000;

/** Returns the schema that checks the value first, without optional wrappers and transformations. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, in: from, left, getter } = definitionOf(schema);
  const inner = innerType ?? from ?? left ?? getter?.();
  return inner ? unwrap(inner) : schema;
}

const TYPES_OF_TEXT = ['string', 'enum', 'literal', 'template_literal'];
/** The longest word of a closed list. */
const WORD_MAX = 200;

/** Returns true if a schema describes values of this kind. */
function describesValue(schema: z.ZodType, value: object | string): boolean {
  const { type, options } = definitionOf(schema);
  if (options) return options.some((option) => describesValue(unwrap(option), value));
  if (typeof value === 'string') return TYPES_OF_TEXT.includes(type);
  return Array.isArray(value) ? type === 'array' || type === 'tuple' : type === 'object' || type === 'record';
}

/** Returns the value as the most generous of several schemas limits it. */
function boundedByOptions(options: readonly z.ZodType[], value: object | string, path: readonly string[]): unknown {
  const results = options
    .filter((option) => describesValue(unwrap(option), value))
    .map((option) => boundValue(option, value, path));
  return results.length === 0 || results.includes(value) ? value : results[0];
}

function boundedList(schema: z.ZodType, list: readonly unknown[], path: readonly string[]): readonly unknown[] {
  const { element, items } = definitionOf(schema);
  const declared = items ? items.length : maximumOf(schema);
  if (declared === undefined && list.length > ELEMENTS_MAX)
    throw textFault(path.join('.') || 'body', `Add at most ${ELEMENTS_MAX.toLocaleString('en')} elements.`);
  const max = declared ?? list.length;
  const elements = list.length > max ? list.slice(0, max + 1) : list;
  const bounded = elements.map((inner, at) => {
    const of = items ? items[at] : element;
    return of ? boundValue(of, inner, [...path, String(at)]) : inner;
  });
  const isSame = elements === list && bounded.every((inner, at) => inner === list[at]);
  return isSame ? list : bounded;
}

function boundedObject(fields: readonly [string, z.ZodType][], value: object, path: readonly string[]): object {
  const changed: [string, unknown][] = [];
  for (const [name, schema] of fields) {
    if (!Object.hasOwn(value, name)) continue;
    const before = (value as Record<string, unknown>)[name];
    const bounded = boundValue(schema, before, [...path, name]);
    if (bounded !== before) changed.push([name, bounded]);
  }
  // A copy keeps a field with the name `__proto__` as a field.
  return changed.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
}

function boundValue(schema: z.ZodType, value: unknown, path: readonly string[]): unknown {
  if ((typeof value !== 'object' && typeof value !== 'string') || value === null) return value;
  const known = unwrap(schema);
  const { type, options, valueType } = definitionOf(known);
  if (options) return boundedByOptions(options, value, path);
  if (typeof value === 'string') {
    const max = type === 'enum' || type === 'literal' ? WORD_MAX : type === 'string' ? maximumOf(known) : undefined;
    return max !== undefined && isFarBeyond(value.length, max) ? 'x'.repeat(max + 1) : value;
  }
  if (Array.isArray(value)) return type === 'array' || type === 'tuple' ? boundedList(known, value, path) : value;
  if (known instanceof z.ZodObject)
    return boundedObject(Object.entries(known.shape) as [string, z.ZodType][], value, path);
  if (type !== 'record' || !valueType) return value;
  const names = Object.keys(value);
  // zod omits this name from maps. An omitted entry must not look like success.
  if (names.includes('__proto__')) throw textFault([...path, '__proto__'].join('.'), 'This name is not allowed here.');
  if (names.length > ENTRIES_MAX) throw textFault(path.join('.') || 'body', `Add at most ${ENTRIES_MAX} entries.`);
  return boundedObject(
    names.map((name) => [name, valueType]),
    value,
    path,
  );
}

/**
 * Returns the input without the parts beyond its maximum. A list keeps one element too many, and a text far beyond its
 * maximum becomes one that is too long. The schema then rejects it with the same message, without checking the rest.
 * @throws ValidationFailed for a map or an unlimited list with too many entries, or for the entry `__proto__`
 */
export const boundInput = (schema: z.ZodType, value: unknown): unknown => boundValue(schema, value, []);
