/** Choice of fields in a response: `fields` selects, `expand` adds related records. For lists and single records. */
import { z } from 'zod';
import { invalidParameter } from './list-filter.ts';

/** Fields that lists load only if `expand` names them. For single records, only `on_demand` fields need `expand`. */
export const expansions = z.registry<{ on_demand: boolean }>();

function expansionOf(schema: z.ZodType): { on_demand: boolean } | undefined {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return expansions.get(schema) ?? (innerType && expansionOf(innerType));
}

/** Marks a field of a single record that is always returned. `expand` may name it, as in lists. */
export const expandable = <S extends z.ZodType>(schema: S): S => {
  expansions.add(schema, { on_demand: false });
  return schema;
};

/**
 * Marks a field of a single record that is loaded and returned only if `expand` names it. The handler finds its name in
 * `expanded`.
 */
export const onDemand = <S extends z.ZodType>(schema: S): z.ZodOptional<S> => {
  const marked = schema.optional();
  expansions.add(marked, { on_demand: true });
  return marked;
};

/** Returns true if a field is loaded only when `expand` names it. No statement reads such a field with its record. */
export const isOnDemand = (schema: z.ZodType): boolean => expansionOf(schema)?.on_demand ?? false;

/** Returns the words of a parameter and rejects duplicates. */
function wordsOf(name: string, text: string, allowed: readonly string[]): string[] {
  if (allowed.length === 0) throw invalidParameter(name, 'This record has no fields to choose.');
  const chosen = text.split(',', allowed.length + 1);
  const unknown = chosen.find((word) => !allowed.includes(word));
  if (unknown !== undefined) throw invalidParameter(name, `Use any of: ${allowed.join(', ')}.`);
  if (new Set(chosen).size < chosen.length) throw invalidParameter(name, 'Enter each value only once.');
  return chosen;
}

/** The fields and expansions that the caller chose. */
export interface Choice {
  fields: ReadonlySet<string> | undefined;
  expand: ReadonlySet<string>;
}

/**
 * Parses `fields` and `expand`. An expansion named by either parameter is expanded and returned.
 * @param usual the expansions that are returned by default
 */
export function parseChoice(
  { fields: picked, expand: expanded }: { fields?: string | undefined; expand?: string | undefined },
  { fields, expand }: RecordChoices,
  usual: readonly string[] = [],
): Choice {
  const named = expanded === undefined || expanded === '' ? [] : wordsOf('expand', expanded, expand);
  if (picked === undefined) return { fields: undefined, expand: new Set([...usual, ...named]) };
  const shown = new Set([...wordsOf('fields', picked, fields), ...named]);
  return { fields: shown, expand: new Set(expand.filter((name) => shown.has(name))) };
}

/** The fields and expansions of a record that callers can choose. */
interface RecordChoices {
  fields: readonly string[];
  expand: readonly string[];
  /** The expansions that are returned only if `expand` or `fields` names them. */
  on_demand?: readonly string[];
}

/** The parts of an operation that the choices depend on. */
interface RecordOperation {
  kind: string;
  params?: object | undefined;
  reply: { schema: z.ZodType; shape: string };
}

/**
 * Returns the choices for a single record: all of its fields, the expansions of its list, and its own.
 * @returns undefined if the operation returns no record
 */
export function choicesOf({ kind, params = {}, reply }: RecordOperation): Required<RecordChoices> | undefined {
  const { schema, shape } = reply;
  const isShow = kind === 'query' && shape === 'record' && Object.keys(params).length > 0;
  if (!isShow || !(schema instanceof z.ZodObject) || !('id' in schema.shape)) return undefined;
  const fields = Object.entries<z.ZodType>(schema.shape);
  const expand = fields.filter(([, field]) => expansionOf(field));
  const on_demand = expand.filter(([, field]) => isOnDemand(field));
  const [all, expansible, demanded] = [fields, expand, on_demand].map((some) => some.map(([name]) => name));
  return { fields: all!, expand: expansible!, on_demand: demanded! };
}

/** Returns the chosen fields of a record. Defaults to all fields. */
export function chooseFields(record: object, { fields, expand }: Choice, offered: RecordChoices): object {
  const isShown = (name: string) => (fields?.has(name) ?? true) && (expand.has(name) || !offered.expand.includes(name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => isShown(name)));
}
