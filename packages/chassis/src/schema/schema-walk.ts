/** Finds marked fields in a schema, however deep they lie. */
import { z } from 'zod';

/** The path of a field: names of fields, and `*` for every element of a list. */
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

/** The definition of a schema. */
export const definitionOf = (schema: z.ZodType): Definition => schema.def;

interface Search<T> {
  /** Returns what is known of a schema; undefined for most schemas. */
  mark: (schema: z.ZodType) => T | undefined;
  /** Whether marked fields can contain further marked fields. */
  nested: boolean;
}

interface Visit {
  path: Path;
  /** The schemas that contain this one. */
  within: readonly z.ZodType[];
}

/** The marked fields of a schema, each with its path. */
function fieldsWith<T>(schema: z.ZodType, search: Search<T>, { path, within }: Visit): { path: Path; mark: T }[] {
  const found = search.mark(schema);
  const own = found === undefined ? [] : [{ path, mark: found }];
  if (own.length > 0 && !search.nested) return own;
  if (within.includes(schema)) return own; // A tree: its second level is like its first.
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
 * Finds the fields that `mark` knows something of, once for each schema.
 * @param options.nested whether marked fields are searched for further marked fields
 */
export function marked<T>(mark: Search<T>['mark'], { nested = false }: { nested?: boolean } = {}) {
  const known = new WeakMap<z.ZodType, { path: Path; mark: T }[]>();
  return (schema: z.ZodType): { path: Path; mark: T }[] => {
    let found = known.get(schema);
    if (!found) known.set(schema, (found = fieldsWith(schema, { mark, nested }, { path: [], within: [] })));
    return found;
  };
}

/** The values at a path. */
export function valuesAt(value: unknown, [name, ...rest]: Path): unknown[] {
  if (value === undefined || value === null) return [];
  if (name === undefined) return [value];
  if (name === '*') return Array.isArray(value) ? value.flatMap((element) => valuesAt(element, rest)) : [];
  return valuesAt((value as Record<string, unknown>)[name], rest);
}
