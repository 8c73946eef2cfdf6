/** Finds marked fields in a schema, however deep they lie. */
import { z } from 'zod';

/** The path of a field: names of fields, and `*` for every element of a list. */
type Path = readonly string[];

/** The parts of a zod definition that lead to other schemas, and the values of a literal. */
export interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: readonly z.ZodType[];
  values?: readonly unknown[];
}

/**
 * The fields of a schema that `mark` says something of, each with its path. A marked field is not looked into.
 * @param mark says what is to be known of a schema; undefined for most
 */
function fieldsWith<T>(
  schema: z.ZodType,
  mark: (schema: z.ZodType) => T | undefined,
  path: Path = [],
  within: readonly z.ZodType[] = [],
): { path: Path; mark: T }[] {
  const found = mark(schema);
  if (found !== undefined) return [{ path, mark: found }];
  if (within.includes(schema)) return []; // A tree: its second level is like its first.
  const into = (part: z.ZodType, name?: string) =>
    fieldsWith(part, mark, name === undefined ? path : [...path, name], [...within, schema]);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => into(field as z.ZodType, name));
  const { type, innerType, element, in: from, out, options } = schema.def as unknown as Definition;
  if (type === 'array' && element) return into(element, '*');
  if (innerType) return into(innerType);
  if (type === 'pipe') return [from, out].flatMap((part) => (part ? into(part) : []));
  return (options ?? []).flatMap((option) => into(option));
}

/** Finds the fields that `mark` says something of, once for each schema. */
export function marked<T>(mark: (schema: z.ZodType) => T | undefined) {
  const known = new WeakMap<z.ZodType, { path: Path; mark: T }[]>();
  return (schema: z.ZodType): { path: Path; mark: T }[] => {
    let found = known.get(schema);
    if (!found) known.set(schema, (found = fieldsWith(schema, mark)));
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
