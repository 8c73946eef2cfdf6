/** Methods that issue, receive and reserve goods, and reverse each of these. */
import type { Fault } from '@suite/chassis/faults';
import { Day, Id, Money, Qty } from '@suite/chassis/fields';
import { KeyReused } from '@suite/chassis/rpc';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { z } from 'zod';
import { method, type CommandContext } from '../operations.ts';
import { releaseFor, subjectOf } from '../reservations/request.ts';
import { reserve as setAside } from '../reservations/reservation.ts';
import { issue, receive, reverseMovement } from '../movements/request.ts';
import type { MovementSource } from '../movements/movement.ts';
import { announceShortage, isShortage } from '../movements/shortage.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';

const { methods } = InventoryServiceDefinition;

const Key = z.string().min(1, 'Send an idempotency key.').max(200);
const source = <const Types extends readonly [string, ...string[]]>(types: Types) =>
  z.object({ type: z.enum(types), id: z.string().min(1).max(100) });
const place = { line_id: z.string().min(1).max(100), product_id: Id, warehouse_id: Id };
const lines = <S extends z.ZodType>(line: S) => z.array(line).min(1, 'Send a line.').max(1_000);
const IssueLine = z.object({ ...place, qty: Qty });

/** Reason of an issue or a receipt, by the type of its document. */
const OUTGOING = { sales_invoice: 'sale', sales_order: 'sale', purchase_return: 'purchase_return' } as const;
const INCOMING = { purchase_invoice: 'purchase', sales_return: 'sales_return' } as const;
const outgoing = ['sales_invoice', 'sales_order', 'purchase_return'] as const;
const incoming = ['purchase_invoice', 'sales_return'] as const;
/** Document types that reserve goods: sales, and purchases that are being cancelled. */
const reserving = ['sales_order', 'sales_invoice', 'purchase_invoice'] as const;

const fingerprintOf = ({ type, id }: MovementSource, content: unknown) => [type, id, content];

/** Emits a shortage event for the document that needed the goods. */
async function emitShortage({
  refusal,
  input,
  ...context
}: CommandContext & { refusal: Fault; input: object }): Promise<void> {
  const { source = { type: '', id: '' } }: { source?: MovementSource } = input;
  if (isShortage(refusal)) await announceShortage(context, refusal, source);
}

/** Issues goods from stock for a document, at their average cost. */
export const issueStock = method(methods.issueStock, {
  summary: 'Issue goods from stock',
  // Also requested again by the service itself, after a restore.
  access: 'settling',
  only: ['finance'],
  idempotent: true,
  dry_run: true,
  input: z.object({
    idempotency_key: Key,
    source: source(outgoing),
    business_date: Day,
    lines: lines(
      IssueLine.extend({
        reserved_line_id: z
          .string()
          .max(100)
          .transform((id) => id || undefined)
          .optional(),
      }),
    ),
    reserved_for: source(reserving).optional(),
  }),
  faults: [InsufficientStock],
  // Uses the same hash inputs as the first releases, here and below, so that stored keys remain bound.
  boundTo: ({ source, business_date, lines, reserved_for = null }) =>
    fingerprintOf(source, [business_date, lines, reserved_for]),
  handle: ({ input: { idempotency_key: key, source, business_date, lines, reserved_for }, ...context }) =>
    issue(context, { key, source, business_date }, { lines, reason: OUTGOING[source.type], reserved_for }),
  onRefusal: emitShortage,
});

/** Receives goods into stock for a document, each line at its own cost. */
export const receiveStock = method(methods.receiveStock, {
  summary: 'Receive goods into stock',
  // Also requested again by the service itself, after a restore.
  access: 'settling',
  only: ['finance'],
  idempotent: true,
  dry_run: true,
  input: z.object({
    idempotency_key: Key,
    source: source(incoming),
    business_date: Day,
    lines: lines(z.object({ ...place, qty: Qty, cost: Money })),
  }),
  boundTo: ({ source, business_date, lines }) => fingerprintOf(source, [business_date, lines]),
  handle: ({ input: { idempotency_key: key, source, business_date, lines }, ...context }) =>
    receive(context, { key, source, business_date }, { lines, reason: INCOMING[source.type] }),
});

const Reversal = z.object({ idempotency_key: Key, business_date: Day.or(z.literal('')) });

/** Returns the goods of an issue to stock, at the value that they were issued at. */
export const reverseIssue = method(methods.reverseIssue, {
  summary: 'Reverse a stock issue',
  access: 'settling',
  only: ['finance'],
  idempotent: true,
  input: Reversal,
  boundTo: ({ business_date }) => business_date,
  undoes: issueStock,
  async handle({ input: { idempotency_key: key, business_date }, undone, ...context }) {
    return { lines: undone ? await reverseMovement(context, 'issue', { key, business_date }, undone) : [] };
  },
});

/** Reverses a receipt by its key, at its original value. */
export const reverseReceipt = method(methods.reverseReceipt, {
  summary: 'Reverse a stock receipt',
  access: 'settling',
  only: ['finance'],
  idempotent: true,
  input: Reversal,
  faults: [InsufficientStock],
  boundTo: ({ business_date }) => business_date,
  undoes: receiveStock,
  async handle({ input: { idempotency_key: key, business_date }, undone, ...context }) {
    return { lines: undone ? await reverseMovement(context, 'receipt', { key, business_date }, undone) : [] };
  },
  onRefusal: emitShortage,
});

/** Reserves goods for a document. */
export const reserve = method(methods.reserve, {
  summary: 'Reserve goods',
  // Also requested again by the service itself, after a restore.
  access: 'settling',
  only: ['crm', 'finance'],
  idempotent: true,
  input: z.object({
    idempotency_key: Key,
    source: source(reserving),
    lines: lines(IssueLine),
    expires_at: z.iso.datetime({ offset: true }).or(z.literal('')),
  }),
  faults: [InsufficientStock],
  boundTo: ({ source, lines, expires_at }) => fingerprintOf(source, [lines, expires_at || null]),
  async handle({ input: { source, lines, expires_at }, ...context }) {
    return { lines: await setAside(context, source, lines, expires_at || null), source };
  },
  subject: ({ source }) => subjectOf(source),
  onRefusal: emitShortage,
});

/**
 * Releases the reservations of a document, so that a reservation call believed lost has no later effect. The key is
 * that reservation's key. A repeated call does not affect later reservations. Omit the key to release everything.
 */
export const release = method(methods.release, {
  summary: 'Release reserved goods',
  access: 'settling',
  only: ['crm', 'finance'],
  idempotent: true,
  input: z.object({ idempotency_key: Key.or(z.literal('')), source: source(reserving) }),
  boundTo: ({ source }) => fingerprintOf(source, null),
  undoes: reserve,
  async handle({ input: { source }, undone, ...context }) {
    if (undone && subjectOf(undone.source) !== subjectOf(source)) throw KeyReused();
    return { lines: await releaseFor(context, source) };
  },
});
