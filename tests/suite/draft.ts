/** Realistic bodies for any operation, generated from its schema with existing IDs and a recognisable word. */
import { randomUUID } from 'node:crypto';
import type { HttpCaller } from '@suite/testing/http';
import { type ApiOperation, idIn, type Schema } from './api-document.ts';
import { nounOf } from './noun.ts';

/** The IDs of a workspace's records by kind. */
export type RecordIds = Map<string, string[]>;

/** Context of factories. */
export interface FactoryContext {
  gateway: string;
  owner: HttpCaller;
  stock: RecordIds;
  /** Part of all texts. */
  word: string;
}

/** The options of a draft. */
export interface DraftOptions {
  path: string;
  stock: RecordIds;
  /** Text in every field. Lower case, so that addresses do not change it. */
  word: string;
  /** Suffix of the word, which makes names unique. Defaults to a random one. */
  serial?: string;
}

function textFor(schema: Schema, name: string, ink: DraftOptions, sample: unknown): unknown {
  const { word, serial = randomUUID().slice(0, 8) } = ink;
  if (schema.format === 'email') return `${word}-${serial}@example.test`;
  if (schema.format === 'uri') return `https://${word}.example.test/`;
  // A code must be unused, if its pattern allows that.
  const letters = serial.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
  const own = [serial, letters].flatMap((end) => ['-', '_'].map((joint) => `${String(sample)}${joint}${end}`));
  const code = name === 'code' && schema.pattern && own.find((one) => new RegExp(schema.pattern!, 'u').test(one));
  if (code) return code;
  // A domain, made unique in the same way.
  if (schema.pattern && String(sample).startsWith('@')) return `${word}-${serial}${String(sample)}`;
  if (schema.format || schema.pattern || name === 'timezone') return sample;
  return `${word} ${name} ${serial}`.slice(0, schema.maxLength);
}

/** Checks if a field names the target of a move, as opposed to the current place. */
const isTarget = (path: string, name: string): boolean =>
  /^(?:to_|move_to|into$|merge_into$|parent_id$)/.test(name) || (name === 'project_id' && path.includes('/move/'));

/** Returns a value for a schema. Undefined if it needs the ID of a record that the workspace does not have. */
function valueFor(schema: Schema, name: string, ink: DraftOptions, sample: unknown): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const ids = ink.stock.get(nounOf(ink.path, name));
  // For a transfer between two records, the second one must differ from the first.
  if (schema.format === 'uuid') return ids?.at(isTarget(ink.path, name) ? -1 : 0);
  // A record that can be identified in other ways, too.
  if (name === 'id' && [schema.type].flat().includes('string')) return ids?.[0];
  if (schema.anyOf) return valueFor(schema.anyOf[0] ?? {}, name, ink, sample);
  if (schema.properties) return draftBody(schema, ink, sample as Record<string, unknown> | undefined);
  if (schema.items) {
    if ((schema.items.minItems ?? 0) > 1) return sample;
    // Fields of a form, whose properties depend on their type.
    if (schema.items.properties?.['name']?.pattern) return sample;
    if (schema.items.format === 'uuid' && ink.path.endsWith('/order')) return ink.stock.get(nounOf(ink.path, name));
    const value = valueFor(schema.items, name, ink, (sample as unknown[] | undefined)?.[0]);
    return value === undefined ? undefined : [value];
  }
  const types = [schema.type].flat();
  return types.includes('string') ? textFor(schema, name, ink, sample) : sample;
}

/** Returns a body with every field that can be filled, except for the version that the client would have read. */
export function draftBody(
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

/** Returns a body with the required fields only. */
export function draftRequiredFields(operation: ApiOperation, ink: DraftOptions): Record<string, unknown> {
  const { body = {}, example } = operation;
  const whole = draftBody(body, ink, example);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => body.required?.includes(name)));
}

/** Returns the IDs for the variables of a path, or undefined if the stock has no such record. */
export function pathIds({ path, path_variables }: ApiOperation, stock: RecordIds): Record<string, string> | undefined {
  const found = path_variables.map((name) => [name, stock.get(nounOf(path, name))?.[0]] as const);
  return found.every(([, id]) => id) ? (Object.fromEntries(found) as Record<string, string>) : undefined;
}

/** A place in a body that accepts the ID of a record: `['stage_id']`, or `['client', 'id']`. */
export interface IdField {
  place: string[];
  takes: 'one' | 'many';
}

/** Returns the places in a body that accept IDs of records. */
export const idFields = ({ properties = {} }: Schema): IdField[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const takes = idIn(schema);
    if (takes) return [{ place: [name], takes }];
    return [schema, ...(schema.anyOf ?? [])]
      .flatMap(idFields)
      .map((field) => ({ ...field, place: [name, ...field.place] }));
  });
