/** Methods that issue, receive and reserve goods, and undo each of these. */
import { Day, type Fault, Id, KeyReused, Money, Qty } from '@suite/chassis';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { z } from 'zod';
import { method, type CommandContext } from '../operations.ts';
import { releaseFor, subjectOf } from '../reservations/request.ts';
import { reserve as setAside } from '../reservations/reservation.ts';
import { issue, receive, reverse } from '../movements/request.ts';
import type { Source } from '../movements/movement.ts';
import { announceShortage, isShortage } from '../movements/shortage.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';

const { methods } = InventoryServiceDefinition;

const Key = z.string().min(1, 'Send an idempotency key.').max(200);
const source = <const Types extends readonly [string, ...string[]]>(types: Types) =>
  z.object({ type: z.enum(types), id: z.string().min(1).max(100) });
const place = { line_id: z.string().min(1).max(100), product_id: Id, warehouse_id: Id };
const lines = <S extends z.ZodType>(line: S) => z.array(line).min(1, 'Send a line.').max(1_000);
const IssueLine = z.object({ ...place, qty: Qty });

/** Why goods go out, and why they come in, by the document that moves them. */
const OUTGOING = { sales_invoice: 'sale', sales_order: 'sale', purchase_return: 'purchase_return' } as const;
const INCOMING = { purchase_invoice: 'purchase', sales_return: 'sales_return' } as const;
const outgoing = ['sales_invoice', 'sales_order', 'purchase_return'] as const;
const incoming = ['purchase_invoice', 'sales_return'] as const;
/** The types of documents that reserve goods: sales, and a purchase that is to be cancelled. */
const reserving = ['sales_order', 'sales_invoice', 'purchase_invoice'] as const;

const about = ({ type, id }: Source, content: unknown) => [type, id, content];

/** Announces a refusal for want of goods, for the document that needed them. */
async function onRefusal({
  refusal,
  input,
  ...work
}: CommandContext & { refusal: Fault; input: object }): Promise<void> {
  const { source = { type: '', id: '' } }: { source?: Source } = input;
  if (isShortage(refusal)) await announceShortage(work, refusal, source);
}

/** Takes goods out of stock for a document, at their average cost. */
export const issueStock = method(methods.issueStock, {
  summary: 'Issue goods from stock',
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
  // Here and below: as fingerprints have been made since before all methods had one, so that old keys stay bound.
  boundTo: ({ source, business_date, lines, reserved_for = null }) =>
    about(source, [business_date, lines, reserved_for]),
  handle: ({ input: { idempotency_key: key, source, business_date, lines, reserved_for }, ...work }) =>
    issue(work, { key, source, business_date }, { lines, reason: OUTGOING[source.type], reserved_for }),
  onRefusal,
});

/** Takes goods into stock for a document, each line at its own cost. */
export const receiveStock = method(methods.receiveStock, {
  summary: 'Receive goods into stock',
  only: ['finance'],
  idempotent: true,
  dry_run: true,
  input: z.object({
    idempotency_key: Key,
    source: source(incoming),
    business_date: Day,
    lines: lines(z.object({ ...place, qty: Qty, cost: Money })),
  }),
  boundTo: ({ source, business_date, lines }) => about(source, [business_date, lines]),
  handle: ({ input: { idempotency_key: key, source, business_date, lines }, ...work }) =>
    receive(work, { key, source, business_date }, { lines, reason: INCOMING[source.type] }),
});

const Reversal = z.object({ idempotency_key: Key, business_date: Day.or(z.literal('')) });

/** Puts back what was taken out under a key, at the value at which it went. */
export const reverseIssue = method(methods.reverseIssue, {
  summary: 'Reverse an issue of goods',
  access: 'settling',
  only: ['finance'],
  idempotent: true,
  input: Reversal,
  boundTo: ({ business_date }) => business_date,
  undoes: issueStock,
  async handle({ input: { idempotency_key: key, business_date }, undone, ...work }) {
    return { lines: undone ? await reverse(work, 'issue', { key, business_date }, undone) : [] };
  },
});

/** Takes out again what was taken in under a key, at the value at which it came. */
export const reverseReceipt = method(methods.reverseReceipt, {
  summary: 'Reverse a receipt of goods',
  access: 'settling',
  only: ['finance'],
  idempotent: true,
  input: Reversal,
  faults: [InsufficientStock],
  boundTo: ({ business_date }) => business_date,
  undoes: receiveStock,
  async handle({ input: { idempotency_key: key, business_date }, undone, ...work }) {
    return { lines: undone ? await reverse(work, 'receipt', { key, business_date }, undone) : [] };
  },
  onRefusal,
});

/** Sets goods aside for a document. */
export const reserve = method(methods.reserve, {
  summary: 'Reserve goods',
  only: ['crm', 'finance'],
  idempotent: true,
  input: z.object({
    idempotency_key: Key,
    source: source(reserving),
    lines: lines(IssueLine),
    expires_at: z.iso.datetime({ offset: true }).or(z.literal('')),
  }),
  faults: [InsufficientStock],
  boundTo: ({ source, lines, expires_at }) => about(source, [lines, expires_at || null]),
  async handle({ input: { source, lines, expires_at }, ...work }) {
    return { lines: await setAside(work, source, lines, expires_at || null), source };
  },
  subject: ({ source }) => subjectOf(source),
  onRefusal,
});

/**
 * Gives back what is still set aside for a document: a call that was believed lost sets nothing aside later.
 * Its key is that of a reservation that may still be under way; a repeat leaves alone what was set aside since. None is sent
 * for just giving everything back.
 */
export const release = method(methods.release, {
  summary: 'Release reserved goods',
  access: 'settling',
  only: ['crm', 'finance'],
  idempotent: true,
  input: z.object({ idempotency_key: Key.or(z.literal('')), source: source(reserving) }),
  boundTo: ({ source }) => about(source, null),
  undoes: reserve,
  async handle({ input: { source }, undone, ...work }) {
    if (undone && subjectOf(undone.source) !== subjectOf(source)) throw KeyReused();
    return { lines: await releaseFor(work, source) };
  },
});
