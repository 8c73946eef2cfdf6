/** Decimals of amounts in responses: each amount has the decimals of its currency. */
import { minorUnits, formatWithDecimals } from '@suite/money';
import { z } from 'zod';
import { definitionOf } from './schema-walk.ts';

/**
 * The currency of an amount. `own` is the `currency` of the nearest object around the amount, and the base currency where no
 * object has one. `outer` skips the object that contains the amount. `base` is the base currency of the workspace. A `field`
 * next to the amount contains its currency.
 */
export type CurrencyOf = 'own' | 'outer' | 'base' | { field: string };

/** The fields that contain amounts, with their currency. */
export const amounts = z.registry<{ currency: CurrencyOf }>();

/** The currencies around a value, from the outside to the inside. */
interface CurrencyScope {
  base: string | undefined;
  own: string | undefined;
  outer: string | undefined;
  /** The object that contains the value: as the response shows it, and before it was parsed. */
  holder: readonly unknown[];
}

/** Returns the value with each amount in the decimals of its currency. Changes objects in place. */
type AmountWriter = (value: unknown, source: unknown, around: CurrencyScope) => unknown;

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns an amount with the decimals of its currency: `5` EUR is `5.00`, `5.00` JPY is `5`, and `5.1` KWD is `5.100`.
 * Further decimals that are not zero remain, for example in a unit price.
 */
export const formatAmount = (currency: string, amount: string): string =>
  formatWithDecimals(amount, minorUnits(currency));

const elementOf = (value: unknown, key: string | number): unknown =>
  value === null || typeof value !== 'object' ? undefined : (value as Record<string | number, unknown>)[key];

const CODE = /^[A-Z]{3}$/;

function currencyIn(values: readonly unknown[], field = 'currency'): string | undefined {
  const codes = values.map((value) => elementOf(value, field));
  return codes.find((code): code is string => typeof code === 'string' && CODE.test(code));
}

function writeEach(
  parts: [string | number, AmountWriter][],
  { value, source }: { value: object; source: unknown },
  around: CurrencyScope,
) {
  const holder = value as Record<string | number, unknown>;
  for (const [key, write] of parts)
    if (holder[key] !== undefined && holder[key] !== null)
      holder[key] = write(holder[key], elementOf(source, key), around);
}

const amountWriter =
  (kind: CurrencyOf): AmountWriter =>
  (value, _source, around) => {
    const named = typeof kind === 'string' ? around[kind] : currencyIn(around.holder, kind.field);
    const currency = named ?? around.base;
    return typeof value === 'string' && currency && DECIMAL.test(value) ? formatAmount(currency, value) : value;
  };

/**
 * Returns a writer for the fields of an object. The unparsed value also contains currencies that the response omits.
 */
function objectWriter(fields: [string, AmountWriter][]): AmountWriter | undefined {
  if (fields.length === 0) return undefined;
  return (value, source, around) => {
    if (typeof value !== 'object' || value === null) return value;
    const holder = [value, source];
    const own = currencyIn(holder) ?? around.own;
    writeEach(fields, { value, source }, { base: around.base, own, outer: around.own, holder });
    return value;
  };
}

const elementsWriter =
  (write: AmountWriter): AmountWriter =>
  (value, source, around) => {
    if (typeof value !== 'object' || value === null) return value;
    const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    writeEach(
      keys.map((key) => [key, write]),
      { value, source },
      around,
    );
    return value;
  };

const writers = new WeakMap<z.ZodType, { write: AmountWriter | undefined }>();

function buildWriter(schema: z.ZodType): AmountWriter | undefined {
  const kind = amounts.get(schema)?.currency;
  if (kind) return amountWriter(kind);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, writerOf(field as z.ZodType)] as const);
    return objectWriter(fields.filter((field): field is [string, AmountWriter] => field[1] !== undefined));
  }
  const { type, innerType, element, in: from, out, options, valueType } = definitionOf(schema);
  const elements = type === 'array' ? element : type === 'record' ? valueType : undefined;
  const write = elements && writerOf(elements);
  if (write) return elementsWriter(write);
  const parts = [innerType, from, out, ...(options ?? [])].flatMap((inside) => (inside && writerOf(inside)) || []);
  if (parts.length === 0) return undefined;
  return (value, source, around) => parts.reduce((written, inside) => inside(written, source, around), value);
}

/** Returns the writer of a schema, created once. A recursive schema uses its own writer. */
function writerOf(schema: z.ZodType): AmountWriter | undefined {
  const before = writers.get(schema);
  if (before) return before.write;
  const entry: { write: AmountWriter | undefined } = { write: undefined };
  writers.set(schema, { write: (value, source, around) => (entry.write ? entry.write(value, source, around) : value) });
  entry.write = buildWriter(schema);
  writers.set(schema, entry);
  return entry.write;
}

/**
 * Writes the amounts of a parsed response in the decimals of their currencies. Changes the response.
 * @param source the same response before it was parsed
 * @param base the base currency of the workspace, if any
 */
export const writeAmounts = <T>(schema: z.ZodType, response: T, source: unknown, base: string | undefined): T => {
  const write = writerOf(schema);
  return write ? (write(response, source, { base, own: undefined, outer: undefined, holder: [] }) as T) : response;
};
