/** Believable bodies for any operation, written from its schema: with ids that exist, and a word to recognise them by. */
import { randomUUID } from 'node:crypto';
import { type ApiOperation, idIn, type Schema } from './api-document.ts';
import { nounOf } from './noun.ts';

/** Ids of the records of a workspace by their kind. */
export type RecordIds = Map<string, string[]>;

/** The material of a draft. */
export interface DraftOptions {
  path: string;
  stock: RecordIds;
  /** Stands in every text. Lower case, so that it stays as it is in addresses. */
  word: string;
  /** Stands behind it, so that names are unique; something new each time unless given. */
  serial?: string;
}

function textFor(schema: Schema, name: string, ink: DraftOptions, sample: unknown): unknown {
  const { word, serial = randomUUID().slice(0, 8) } = ink;
  if (schema.format === 'email') return `${word}-${serial}@example.test`;
  if (schema.format === 'uri') return `https://${word}.example.test/`;
  // A code must be one that nobody has yet, where its pattern allows that.
  const letters = serial.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
  const own = [serial, letters].flatMap((end) => ['-', '_'].map((joint) => `${String(sample)}${joint}${end}`));
  const code = name === 'code' && schema.pattern && own.find((one) => new RegExp(schema.pattern!, 'u').test(one));
  if (code) return code;
  // A domain, likewise.
  if (schema.pattern && String(sample).startsWith('@')) return `${word}-${serial}${String(sample)}`;
  if (schema.format || schema.pattern || name === 'timezone') return sample;
  return `${word} ${name} ${serial}`.slice(0, schema.maxLength);
}

/** Whether a field names where something goes to, which is not where it is. */
const isTarget = (path: string, name: string): boolean =>
  /^(?:to_|move_to|into$|merge_into$|parent_id$)/.test(name) || (name === 'project_id' && path.includes('/move/'));

/** A value for a schema; undefined where it takes the id of a record that the workspace does not have. */
function valueFor(schema: Schema, name: string, ink: DraftOptions, sample: unknown): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const ids = ink.stock.get(nounOf(ink.path, name));
  // From one to another: what comes second is not what came first.
  if (schema.format === 'uuid') return ids?.at(isTarget(ink.path, name) ? -1 : 0);
  // A record that may be named in other ways, too.
  if (name === 'id' && [schema.type].flat().includes('string')) return ids?.[0];
  if (schema.anyOf) return valueFor(schema.anyOf[0] ?? {}, name, ink, sample);
  if (schema.properties) return draft(schema, ink, sample as Record<string, unknown> | undefined);
  if (schema.items) {
    if ((schema.items.minItems ?? 0) > 1) return sample;
    // Fields of a form: what each of them has hangs on its type.
    if (schema.items.properties?.['name']?.pattern) return sample;
    if (schema.items.format === 'uuid' && ink.path.endsWith('/order')) return ink.stock.get(nounOf(ink.path, name));
    const value = valueFor(schema.items, name, ink, (sample as unknown[] | undefined)?.[0]);
    return value === undefined ? undefined : [value];
  }
  const types = [schema.type].flat();
  return types.includes('string') ? textFor(schema, name, ink, sample) : sample;
}

/** A body with every field that can be filled, but for the version that its writer would have to have read. */
export function draft(
  schema: Schema,
  ink: DraftOptions,
  sample: Record<string, unknown> = {},
): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, { format }]) => format !== 'binary' && name !== 'version',
  );
  const values = fields.map(([name, field]) => [name, valueFor(field, name, ink, sample[name])] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A body with nothing but what must be in it. */
export function shortDraft(operation: ApiOperation, ink: DraftOptions): Record<string, unknown> {
  const { body = {}, example } = operation;
  const whole = draft(body, ink, example);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => body.required?.includes(name)));
}

/** The ids for the variables of a path, or undefined when there is no such record in stock. */
export function pathIds({ path, path_variables }: ApiOperation, stock: RecordIds): Record<string, string> | undefined {
  const found = path_variables.map((name) => [name, stock.get(nounOf(path, name))?.[0]] as const);
  return found.every(([, id]) => id) ? (Object.fromEntries(found) as Record<string, string>) : undefined;
}

/** A place in a body that takes the id of a record: `['stage_id']`, or `['client', 'id']`. */
export interface IdField {
  place: string[];
  takes: 'one' | 'many';
}

/** The places in a body that take ids of records. */
export const idFields = ({ properties = {} }: Schema): IdField[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const takes = idIn(schema);
    if (takes) return [{ place: [name], takes }];
    return [schema, ...(schema.anyOf ?? [])]
      .flatMap(idFields)
      .map((field) => ({ ...field, place: [name, ...field.place] }));
  });
