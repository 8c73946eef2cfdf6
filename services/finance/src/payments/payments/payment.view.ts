/** Views of payments. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { many, one, readOne } from '@suite/chassis/lists';
import { anyOf, refersTo } from '@suite/chassis/visibility';
import { type Db, tableNamed } from '../../operations.ts';
import type { PartyKind } from '../../parties/party-kind.ts';
import { paymentStates } from '../../banking/banking/reconciliation.rules.ts';
import { CustomerPayment, VendorPayment } from './payment.schema.ts';

const settled = (db: Db, ids: readonly string[]) =>
  db.rows(sql`
    SELECT allocation.id, payment.id AS payment_id, claim.document_type, claim.document_id AS invoice_id, claim.number,
      claim.currency, allocation.amount, allocation.rate, allocation.credit_amount, allocation.date
    FROM payments AS payment JOIN allocations AS allocation ON allocation.credit_id = payment.open_item_id
      JOIN open_items AS claim ON claim.id = allocation.claim_id
    WHERE payment.id = ANY(${ids}::uuid[]) ORDER BY allocation.created_at, claim.number`);

const refunds = (db: Db, ids: readonly string[]) =>
  db.rows(sql`SELECT * FROM refunds WHERE payment_id = ANY(${ids}::uuid[]) ORDER BY number`);

/** Returns the view of the payments of customers or vendors. */
export const paymentView = (db: Db, kind: PartyKind, caller: Caller) => ({
  table: 'payments',
  where: sql`payments.kind = ${kind}`,
  // POS payments can have no customer. The policy of the table hides these payments by record scope.
  narrowing: anyOf("payments.source = 'pos'", refersTo(`${kind}_id`, `${kind}s`)),
  compute: {
    allowed_actions: paymentStates[kind].shownTo(caller, 'payments'),
    unallocated: sql`coalesce((SELECT CASE WHEN voided THEN 0 ELSE item.amount - item.settled END
      FROM open_items AS item WHERE item.id = payments.open_item_id), 0)`,
  },
  expand: {
    allocations: many('payment_id', (ids) => settled(db, ids)),
    refunds: many('payment_id', (ids) => refunds(db, ids)),
    bank_account: one('bank_account_id', (ids) =>
      db.rows(sql`SELECT id, bank_name, account_name FROM bank_accounts WHERE id = ANY(${ids}::uuid[])`),
    ),
    [kind]: one(`${kind}_id`, (ids) =>
      db.rows(sql`SELECT id, code, name FROM ${tableNamed(`${kind}s`)} WHERE id = ANY(${ids}::uuid[])`),
    ),
  },
});

export const readCustomerPayment = (db: Db, caller: Caller, id: string) =>
  readOne(db, CustomerPayment, id, paymentView(db, 'customer', caller));
export const readVendorPayment = (db: Db, caller: Caller, id: string) =>
  readOne(db, VendorPayment, id, paymentView(db, 'vendor', caller));
