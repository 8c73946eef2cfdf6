/** What other services may send: checked like a body, since a wrong call must be told what is wrong with it. */
import { Day, Id, invalid, Money, Qty } from '@suite/chassis';
import { z } from 'zod';

const Key = z.string().min(1, 'Send an idempotency key.').max(200);

const source = <const Types extends readonly [string, ...string[]]>(types: Types) =>
  z.object({ type: z.enum(types), id: z.string().min(1).max(100) });

const place = { line_id: z.string().min(1).max(100), product_id: Id, warehouse_id: Id };
const lines = <S extends z.ZodType>(line: S) => z.array(line).min(1, 'Send a line.').max(1_000);
const IssueLine = z.object({ ...place, qty: Qty });

const outgoing = ['sales_invoice', 'sales_order', 'purchase_return'] as const;
const incoming = ['purchase_invoice', 'sales_return'] as const;
/** What sets goods aside: what is to be sold, and a purchase that is to be cancelled. */
const reserving = ['sales_order', 'sales_invoice', 'purchase_invoice'] as const;

export const Issue = z.object({
  idempotency_key: Key,
  source: source(outgoing),
  business_date: Day,
  lines: lines(IssueLine),
  reserved_for: source(reserving).optional(),
});

export const Receipt = z.object({
  idempotency_key: Key,
  source: source(incoming),
  business_date: Day,
  lines: lines(z.object({ ...place, qty: Qty, cost: Money })),
});

export const Reversal = z.object({ idempotency_key: Key, business_date: Day.or(z.literal('')) });

export const Reservation = z.object({
  idempotency_key: Key,
  source: source(reserving),
  lines: lines(IssueLine),
  expires_at: z.iso.datetime({ offset: true }).or(z.literal('')),
});

export const Release = z.object({ idempotency_key: Key.or(z.literal('')), source: source(reserving) });

const IDS_MAX = 1_000;
export const Ids = z.array(Id).max(IDS_MAX);
export const Places = z.array(z.object({ product_id: Id, warehouse_id: Id })).max(IDS_MAX);
export const Sources = z
  .array(z.object({ type: z.string().max(100), id: z.string().max(100), number: z.string() }))
  .max(IDS_MAX);

/** What was sent, as it should be. @throws a 422 that names the field */
export function understood<S extends z.ZodType>(schema: S, sent: unknown, within = ''): z.output<S> {
  const { data: fine, error } = schema.safeParse(sent);
  if (!error) return fine;
  const { path, message } = error.issues[0]!;
  throw invalid([within, ...path].filter((part) => part !== '').join('.'), message);
}
