/** Finds marked fields in a schema at any depth. */
import { z } from 'zod';

/** The path of a field: field names, and `*` for every element of a list. */
type Path = readonly string[];

/** The parts of a zod definition that lead to other schemas, and the values of a literal. */
export interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  items?: readonly z.ZodType[];
  in?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  getter?: () => z.ZodType;
  options?: readonly z.ZodType[];
  values?: readonly unknown[];
}

/** Returns the definition of a schema. */
export const definitionOf = (schema: z.ZodType): Definition => schema.def;

interface Search<T> {
  /** Returns the mark of a schema. Undefined for most schemas. */
  mark: (schema: z.ZodType) => T | undefined;
  /** True if marked fields can contain further marked fields. */
  nested: boolean;
}

interface Visit {
  path: Path;
  /** The schemas that contain this one. */
  within: readonly z.ZodType[];
}

/** Returns the marked fields of a schema, each with its path. */
function fieldsWith<T>(schema: z.ZodType, search: Search<T>, { path, within }: Visit): { path: Path; mark: T }[] {
  const found = search.mark(schema);
  const own = found === undefined ? [] : [{ path, mark: found }];
  if (own.length > 0 && !search.nested) return own;
  if (within.includes(schema)) return own; // A recursive schema: its second level equals its first.
  const into = (part: z.ZodType, name?: string) =>
    fieldsWith(part, search, { path: name === undefined ? path : [...path, name], within: [...within, schema] });
  if (schema instanceof z.ZodObject)
    return [...own, ...Object.entries(schema.shape).flatMap(([name, field]) => into(field as z.ZodType, name))];
  const { type, innerType, element, in: from, out, options } = definitionOf(schema);
  if (type === 'array' && element) return [...own, ...into(element, '*')];
  if (innerType) return [...own, ...into(innerType)];
  if (type === 'pipe') return [...own, ...[from, out].flatMap((part) => (part ? into(part) : []))];
  return [...own, ...(options ?? []).flatMap((option) => into(option))];
}

/**
 * Finds the fields that `mark` returns a value for, once per schema.
 * @param options.nested whether to search for marked fields within marked fields
 */
export function marked<T>(mark: Search<T>['mark'], { nested = false }: { nested?: boolean } = {}) {
  const known = new WeakMap<z.ZodType, { path: Path; mark: T }[]>();
  return (schema: z.ZodType): { path: Path; mark: T }[] => {
    let found = known.get(schema);
    if (!found) known.set(schema, (found = fieldsWith(schema, { mark, nested }, { path: [], within: [] })));
    return found;
  };
}

/** Returns the values at a path. */
export function valuesAt(value: unknown, [name, ...rest]: Path): unknown[] {
  if (value === undefined || value === null) return [];
  if (name === undefined) return [value];
  if (name === '*') return Array.isArray(value) ? value.flatMap((element) => valuesAt(element, rest)) : [];
  return valuesAt((value as Record<string, unknown>)[name], rest);
}
