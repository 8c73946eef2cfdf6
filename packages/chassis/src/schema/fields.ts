/** The types that fields have on the wire, one name each. Bodies are strict: an unknown field is refused. */
import { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { amounts, type CurrencyOf } from './amounts.ts';
import { sentence } from './sentences.ts';

// Set where every schema comes from, so that none can forget it.
z.config({ customError: sentence });

/** The kinds of columns that the list grammar cannot derive from the zod type alone. */
export const columnKinds = z.registry<{ column: 'numeric' | 'timestamptz' | 'date' }>();
/** Fields that are shown once and never stored, so that a replayed answer leaves them out. */
export const secrets = z.registry<{ secret: true }>();
/**
 * Fields that name a record of this service: its table. `subject` is the record that an operation is about, in the path or in
 * a body, so that an unknown one is told before a wrong body; others are references in a body.
 */
export const tables = z.registry<{ table: string; subject: boolean }>();
/** Fields of a body that name a record which the frame does not look up, with who does. */
export const checkedElsewhere = z.registry<{ by: string }>();

/** Fields of a body that name records of other services, with the kind of record. */
export const foreignIds = z.registry<{ noun: string }>();

/** The people who see an inner field: members of staff with all of these permissions, and the person whom the record is about. */
export interface Opened {
  permissions: readonly string[];
  /** The field beside it that holds the id of the user whom the record is about. */
  person: string | undefined;
}
/** Fields that only insiders see, with who they are. */
export const innerFields = z.registry<Opened>();

const fromDate = (cut: number | undefined) => (value: unknown) =>
  value instanceof Date ? value.toISOString().slice(0, cut) : value;

/** A record's id: a UUID. */
export const Id = z.uuid();
/**
 * The id of the record of `table` that an operation is about. In the path the binder answers 404 for an unknown one before it
 * reads the body; in a body it answers 404 for one that the caller may not see, as the operation does for an unknown one.
 */
export const idOf = (table: string) => z.uuid().register(tables, { table, subject: true });
/** The id of a record of `table` in a body; the binder answers 422 for one that the caller may not see, as for an unknown one. */
export const refTo = (table: string) => z.uuid().register(tables, { table, subject: false });
/**
 * The ID of a record of another service in a body. The service declares in `references` who checks that it can be named.
 * @param noun the kind of record, such as `finance.customer`
 */
export const foreignId = (noun: `${string}.${string}`) => z.uuid().register(foreignIds, { noun });
/**
 * The id of a record in a body that the frame cannot look up.
 * @param by the rule that makes sure that the caller may see it
 */
export const idCheckedBy = (by: string) => z.uuid().register(checkedElsewhere, { by });
const ONE_LINE = 'Use a single line without line breaks, tabs or other control characters.';
/** Line breaks, tabs and other control characters: a name or a subject that contains one could end a header of an e-mail. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Characters that turn the direction of the text around them, or fill a text that looks empty. */
const DECEPTIVE_CHARACTERS = /[\u202A-\u202E\u2066-\u2069]|^[\p{Cf}\p{Z}\u115F\u1160\u3164\uFFA0]+$/u;
const DECEPTIVE = 'Use visible characters, without characters that change the direction of the text.';
/** A single line of text. Every field that can reach a header, a file name or a subject has this type. */
const singleLine = () =>
  z
    .string()
    .trim()
    .refine((text) => !CONTROL_CHARACTERS.test(text), ONE_LINE)
    .refine((text) => !DECEPTIVE_CHARACTERS.test(text), DECEPTIVE);
/** A name that people read: 1 to 200 characters in a single line. */
export const Name = singleLine().min(1).max(200);
/** A single line of text. */
export const ShortText = (max = 200) => singleLine().max(max);
/** Text of any number of lines, 10 000 characters at most. */
export const LongText = z.string().trim().max(10_000);
/** An e-mail address, in lower case. */
export const Email = z.email().max(254).toLowerCase();
/** A telephone number as people write it. */
export const Phone = z
  .string()
  .trim()
  .regex(/^\+?[0-9 ().\-/]{4,30}$/, 'This is not a telephone number.');
/** An http(s) address. */
export const Url = z.url({ protocol: /^https?$/ }).max(2_000);
/** A colour, `#rrggbb`. */
export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour as #rrggbb.');
const currencies = new Set(Intl.supportedValuesOf('currency'));
/** An ISO 4217 code. */
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'Enter a three-letter currency code (ISO 4217).')
  .refine((code) => currencies.has(code), 'Currency not found.');
const ZONE = 'This is not an IANA time zone.';
/** Names only, as the database spells them: PostgreSQL would read `+01:00`, and `utc`, in ways of its own. */
const ZONE_NAME = /^[A-Z]\w*(?:[/+-]\w+)*$/;
/** Only constructing a format knows the aliases, such as Asia/Kolkata or US/Eastern. */
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
/** An IANA time zone. It is kept as it is written: an alias stays one. */
export const Zone = z
  .string()
  .max(50, ZONE)
  .refine((zone) => ZONE_NAME.test(zone) && zones.memo(zone), ZONE);
/** 0 to 100. */
export const Percentage = z.int().min(0).max(100);
/** A calendar day, `YYYY-MM-DD`, of the years 0001 to 9999. */
export const Day = z
  .preprocess(
    fromDate(10),
    z.iso.date().refine((day) => day >= '0001', 'Write a year from 0001 to 9999.'),
  )
  .register(columnKinds, { column: 'date' });
/** A calendar day in the form that Prisma takes for a `date` column. */
export const midnight = <Value extends string | null | undefined>(day: Value): Value =>
  (typeof day === 'string' ? `${day}T00:00:00Z` : day) as Value;
/** A time of day, `HH:MM`. */
export const Time = z.iso.time({ precision: -1 }).meta({ example: '09:30' });
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
/** Beyond, PostgreSQL would round to the year 10000. */
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');
const OFFSET_MAX = '14:00';
const isStorable = (moment: string): boolean => {
  // The usual one, in an answer: it is read as text, and not as a date.
  if (moment.endsWith('Z') && moment >= '0001' && moment < '9999') return true;
  const [, offset = ''] = /[+-](\d\d:\d\d)$/.exec(moment) ?? [];
  const ms = Date.parse(moment);
  return ms >= FIRST_MS && ms <= LAST_MS && offset <= OFFSET_MAX;
};
/** An instant, RFC 3339, of the years 0001 to 9999 in UTC; answers are in UTC. */
export const Timestamp = z
  .preprocess(
    fromDate(undefined),
    z.iso
      .datetime({ offset: true })
      .refine(isStorable, 'Enter a time between the years 0001 and 9999, at most 14 hours from UTC.'),
  )
  .register(columnKinds, { column: 'timestamptz' });
const AMOUNT = 'Write an amount as a decimal string such as "1250.00".';
/** An amount in a body: a decimal string, not negative, at most four decimals and fifteen digits before them. */
export const Money = z.string(AMOUNT).regex(/^\d{1,15}(\.\d{1,4})?$/, AMOUNT);

/** A decimal as PostgreSQL writes it: to show it with fewer zeros takes no arithmetic. */
const WRITTEN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A decimal with at least so many decimals, and without needless zeros behind them. */
const decimalWith = (least: number) => (value: unknown) => {
  if (value === null || value === undefined) return value;
  const text = String(value);
  if (!WRITTEN.test(text)) {
    const decimal = new Decimal(text);
    return decimal.toFixed(Math.max(least, decimal.decimalPlaces()));
  }
  const [whole = '', decimals = ''] = text.split('.');
  const shown = decimals.replace(/0+$/, '').padEnd(least, '0');
  return shown ? `${whole}.${shown}` : whole;
};
const amountIn = (currency: CurrencyOf) =>
  z
    .preprocess(decimalWith(2), z.string())
    .meta({ example: '1250.00' })
    .register(columnKinds, { column: 'numeric' })
    .register(amounts, { currency });
/**
 * An amount in a response, in the `currency` of the nearest object around it, or in the base currency where there is none.
 * The response writes it with the decimals of that currency.
 */
export const MoneyOut = amountIn('own');
/** An amount in a response in the base currency of the workspace, next to a `currency` that is not its own. */
export const BaseMoneyOut = amountIn('base');
/** An amount in a response in the currency of the object around the one that contains it. */
export const OuterMoneyOut = amountIn('outer');
/** An amount in a response in the currency that the field next to it contains. */
export const moneyOutIn = (field: string) => amountIn({ field });

const QUANTITY = 'Write a quantity as a decimal string greater than "0", with at most six decimals.';
/** A quantity in a body: a decimal string, more than nothing, at most six decimals. */
export const Qty = z
  .string(QUANTITY)
  .regex(/^(?=.*[1-9])\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .meta({ example: '3' });
/** A quantity, a factor or a rate in an answer: a decimal string without needless zeros. */
export const QtyOut = z
  .preprocess(decimalWith(0), z.string())
  .meta({ example: '3' })
  .register(columnKinds, { column: 'numeric' });

const DISCOUNT = 'Write a decimal string such as "10" or "12.50".';
/** The discount of a line or of a whole document. */
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

/** A body: exactly these fields. */
export const input = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape);
/** A closed list of words. */
export const choice = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.enum(words);
/** Marks a field of an answer's own (not of an object in it) that is shown once: replays show null instead. */
export const secret = <S extends z.ZodType>(schema: S): z.ZodNullable<S> => {
  const shown = schema.nullable();
  secrets.add(shown, { secret: true });
  return shown;
};
/**
 * Marks a field of an answer that people from outside never see: what something cost us, what we think of it. It is left
 * out of what they are answered, in every form, and they cannot filter or sort by it.
 * @param permission what members of staff need to see it, if being one is not enough; of several, they need all
 * @param options.person the field beside it that names the user whom the record is about: he sees it without any permission
 */
export const inner = <S extends z.ZodType>(
  schema: S,
  permission: string | readonly string[] = [],
  { person }: { person?: string } = {},
): z.ZodOptional<S> => {
  const permissions = [permission].flat();
  const opens = permissions.length > 0 ? permissions.join(' ') : 'staff';
  const marked = schema.optional().meta({ 'x-inner': person ? `${opens}, or oneself` : opens });
  innerFields.add(marked, { permissions, person });
  return marked;
};
/** A record as it leaves: its own fields and those that every record has. */
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
/** The version that the caller has seen; an update with a stale one is refused. */
export const version = z.int().min(1).optional();
