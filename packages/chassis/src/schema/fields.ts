/** The field types of the API, one name each. Bodies are strict: an unknown field is rejected. */
import { formatWithDecimals } from '@suite/money';
import { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { amounts, type CurrencyOf } from './amounts.ts';
import { sentence } from './sentences.ts';

// Configured here, because every schema is created with this module.
z.config({ customError: sentence });

/** The kinds of columns that the list grammar cannot derive from the zod type alone. */
export const columnKinds = z.registry<{ column: 'numeric' | 'timestamptz' | 'date' }>();
/** Fields that are shown once and never stored, so that a replayed response omits them. */
export const secrets = z.registry<{ secret: true }>();
/** Fields of a response with values that are stored encrypted. Stored responses omit these fields. */
export const encryptedFields = z.registry<{ encrypted: true }>();
/**
 * Fields that name a record of this service, with its table. `subject` marks the record of an operation, in the path or
 * in a body: an unknown subject is reported before a wrong body. Others are references in a body.
 */
export const tables = z.registry<{ table: string; subject: boolean }>();
/** Body fields with a record ID that the framework does not check, with the rule that checks it. */
export const checkedElsewhere = z.registry<{ by: string }>();

/** Body fields with IDs of other services' records, with the kind of record. */
export const foreignIds = z.registry<{ noun: string }>();

/** The users who see an inner field: staff with all of these permissions, and the user whom the record is about. */
export interface FieldVisibility {
  permissions: readonly string[];
  /** Field next to it that contains the ID of the user whom the record is about. */
  person: string | undefined;
}
/** Inner fields, with the users who see them. */
export const innerFields = z.registry<FieldVisibility>();

const fromDate = (cut: number | undefined) => (value: unknown) =>
  value instanceof Date ? value.toISOString().slice(0, cut) : value;

/** A record ID: a UUID. */
export const Id = z.uuid();
/**
 * The ID of the record of `table` that an operation is about. In the path, an unknown ID returns 404 before the body is
 * read. In a body, a record that the caller may not see returns 404, like an unknown one.
 */
export const idOf = (table: string) => z.uuid().register(tables, { table, subject: true });
/** The ID of a record of `table` in a body. A record that the caller may not see returns 422, like an unknown one. */
export const refTo = (table: string) => z.uuid().register(tables, { table, subject: false });
/**
 * The ID of another service's record in a body. The service declares in `references` how the ID is checked.
 * @param noun the kind of record, such as `finance.customer`
 */
export const foreignId = (noun: `${string}.${string}`) => z.uuid().register(foreignIds, { noun });
/**
 * The ID of a record in a body that the framework cannot check.
 * @param by the rule that checks that the caller may see the record
 */
export const idCheckedBy = (by: string) => z.uuid().register(checkedElsewhere, { by });
const ONE_LINE = 'Use a single line without line breaks, tabs or other control characters.';
/** Line breaks, tabs and other control characters. In a name or a subject they could end an e-mail header. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Characters that change the direction of the surrounding text, or make an empty text look filled. */
const DECEPTIVE_CHARACTERS = /[\u202A-\u202E\u2066-\u2069]|^[\p{Cf}\p{Z}\u115F\u1160\u3164\uFFA0]+$/u;
const DECEPTIVE = 'Use visible characters, without characters that change the direction of the text.';
/** A single line of text. Every field that can be used in a header, a file name or a subject has this type. */
const singleLine = () =>
  z
    .string()
    .trim()
    .refine((text) => !CONTROL_CHARACTERS.test(text), ONE_LINE)
    .refine((text) => !DECEPTIVE_CHARACTERS.test(text), DECEPTIVE);
/** A name for users: 1 to 200 characters in a single line. */
export const Name = singleLine().min(1).max(200);
/** A single line of text. */
export const ShortText = (max = 200) => singleLine().max(max);
/** Text with any number of lines, at most 10,000 characters. */
export const LongText = z.string().trim().max(10_000);
/** An e-mail address, in lower case. */
export const Email = z.email().max(254).toLowerCase();
/** A phone number as users write it. */
export const Phone = z
  .string()
  .trim()
  .regex(/^\+?[0-9 ().\-/]{4,30}$/, 'This is not a phone number.');
/** An HTTP(S) URL. */
export const Url = z.url({ protocol: /^https?$/ }).max(2_000);
/** A colour, `#rrggbb`. */
export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour as #rrggbb.');
const currencies = new Set(Intl.supportedValuesOf('currency'));
/** An ISO 4217 code. */
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'Enter a three-character currency code (ISO 4217).')
  .refine((code) => currencies.has(code), 'Currency not found.');
const ZONE = 'This is not an IANA time zone.';
/** IANA names in the database's spelling. PostgreSQL would interpret `+01:00` and `utc` in its own way. */
const ZONE_NAME = /^[A-Z]\w*(?:[/+-]\w+)*$/;
/** Cached checks. Only creating a format recognises aliases, such as Asia/Kolkata or US/Eastern. */
const zones = new LRUCache<string, boolean>({
  max: 1_000,
  memoMethod: (timeZone) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
    } catch {
      return false;
    }
  },
});
/** IANA time zone. Stored as entered: an alias remains an alias. */
export const Zone = z
  .string()
  .max(50, ZONE)
  .refine((zone) => ZONE_NAME.test(zone) && zones.memo(zone), ZONE);
/** Percentage, 0 to 100. */
export const Percentage = z.int().min(0).max(100);
/** A calendar day, `YYYY-MM-DD`, of the years 0001 to 9999. */
export const Day = z
  .preprocess(
    fromDate(10),
    z.iso.date().refine((day) => day >= '0001', 'Enter a year from 0001 to 9999.'),
  )
  .register(columnKinds, { column: 'date' });
/** Returns a calendar day in the form that Prisma accepts for a `date` column. */
export const midnight = <Value extends string | null | undefined>(day: Value): Value =>
  (typeof day === 'string' ? `${day}T00:00:00Z` : day) as Value;
/** A time of day, `HH:MM`. */
export const Time = z.iso.time({ precision: -1 }).meta({ example: '09:30' });
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
/** The latest time. PostgreSQL would round later ones to the year 10000. */
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');
const OFFSET_MAX = '14:00';
const isStorable = (moment: string): boolean => {
  // The usual format in a response: it is compared as text, without parsing a date.
  if (moment.endsWith('Z') && moment >= '0001' && moment < '9999') return true;
  const [, offset = ''] = /[+-](\d\d:\d\d)$/.exec(moment) ?? [];
  const ms = Date.parse(moment);
  return ms >= FIRST_MS && ms <= LAST_MS && offset <= OFFSET_MAX;
};
/** Timestamp, RFC 3339, of the years 0001 to 9999 in UTC. Responses are in UTC. */
export const Timestamp = z
  .preprocess(
    fromDate(undefined),
    z.iso
      .datetime({ offset: true })
      .refine(isStorable, 'Enter a time between the years 0001 and 9999, at most 14 hours from UTC.'),
  )
  .register(columnKinds, { column: 'timestamptz' });
const AMOUNT = 'Enter an amount as a decimal string such as "1250.00".';
/** An amount in a body: a decimal string, not negative, with at most fifteen integer digits and four decimals. */
export const Money = z.string(AMOUNT).regex(/^\d{1,15}(\.\d{1,4})?$/, AMOUNT);

/** A decimal as PostgreSQL writes it. Removing zeros needs no arithmetic. */
const WRITTEN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Formats a decimal with at least this many decimals, and without further trailing zeros. */
const decimalWith = (least: number) => (value: unknown) => {
  if (value === null || value === undefined) return value;
  const text = String(value);
  if (!WRITTEN.test(text)) {
    const decimal = new Decimal(text);
    return decimal.toFixed(Math.max(least, decimal.decimalPlaces()));
  }
  return formatWithDecimals(text, least);
};
const amountIn = (currency: CurrencyOf) =>
  z
    .preprocess(decimalWith(2), z.string())
    .meta({ example: '1250.00' })
    .register(columnKinds, { column: 'numeric' })
    .register(amounts, { currency });
/**
 * An amount in a response. Its currency is the `currency` of the nearest enclosing object, or the base currency if
 * there is none. The response writes it with the decimals of that currency.
 */
export const MoneyOut = amountIn('own');
/** An amount in a response in the base currency of the workspace, next to the `currency` of other amounts. */
export const BaseMoneyOut = amountIn('base');
/** An amount in a response in the currency of the next outer object, not of its own object. */
export const OuterMoneyOut = amountIn('outer');
/** An amount in a response in the currency of the field next to it. */
export const moneyOutIn = (field: string) => amountIn({ field });

const QUANTITY = 'Enter a quantity as a decimal string greater than "0", with at most six decimals.';
/** A quantity in a body: a decimal string greater than zero, with at most six decimals. */
export const Qty = z
  .string(QUANTITY)
  .regex(/^(?=.*[1-9])\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .meta({ example: '3' });
/** A quantity, a factor or a rate in a response: a decimal string without trailing zeros. */
export const QtyOut = z
  .preprocess(decimalWith(0), z.string())
  .meta({ example: '3' })
  .register(columnKinds, { column: 'numeric' });

/** A measured number in a response, such as a percentage or an average: a decimal string, so that no digit depends on a client. */
export const DecimalOut = QtyOut.meta({ example: '12.5' });

const DISCOUNT = 'Enter a decimal string such as "10" or "12.50".';
/** A discount of a line or a document. */
export const Discount = z
  .strictObject({
    type: z.enum(['percent', 'amount']),
    value: z
      .string(DISCOUNT)
      .regex(/^\d{1,15}(\.\d{1,6})?$/, DISCOUNT)
      .meta({ example: '10' }),
  })
  .meta({ id: 'Discount' });
export type Discount = z.output<typeof Discount>;

/** Returns the schema of a body with exactly these fields. */
export const input = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape);
/** Returns the schema of a closed list of words. */
export const choice = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.enum(words);
/** Marks a top-level field of a response that is shown once. Replays return null instead. */
export const secret = <S extends z.ZodType>(schema: S): z.ZodNullable<S> => {
  const shown = schema.nullable();
  secrets.add(shown, { secret: true });
  return shown;
};
/**
 * Marks an inner field of a response, such as a cost or an assessment. Clients and vendors never see it, in any format,
 * and cannot use it in filters or sort orders.
 * @param permission what members of staff need to see the field, if being staff is not enough. Several permissions are
 * all required
 * @param options.person field next to it that names the user whom the record is about. That user sees the field without
 * any permission
 */
export const inner = <S extends z.ZodType>(
  schema: S,
  permission: string | readonly string[] = [],
  { person }: { person?: string } = {},
): z.ZodOptional<S> => {
  const permissions = [permission].flat();
  const opens = permissions.length > 0 ? permissions.join(' ') : 'staff';
  const marked = schema
    .optional()
    .meta({ 'x-inner': person ? `${opens}, or the user whom the record is about` : opens });
  innerFields.add(marked, { permissions, person });
  return marked;
};
/**
 * Marks a top-level field of a response whose value is stored encrypted. The stored response of a command with an
 * idempotency key omits the field, and so does its replay.
 */
export const encrypted = <S extends z.ZodType>(schema: S): S => {
  encryptedFields.add(schema, { encrypted: true });
  return schema;
};
/** Schema of a record as sent: its own fields and the common fields of every record. */
export const record = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    id: Id,
    ...shape,
    created_by: Id.nullable(),
    updated_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  });
/** The version that the caller has read. An update with an old version is rejected. */
export const version = z.int().min(1).optional();
