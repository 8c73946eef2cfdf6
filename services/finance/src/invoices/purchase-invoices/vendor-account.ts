/** Default account of a vendor for bill lines without a product. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { rejectionReasons } from '../../ledger/accounts/usable-accounts.ts';
import type { Db } from '../../operations.ts';

/** Part of a line that determines its account. */
interface AccountedLine {
  product_id: string | null;
  expense_account_id: string | null;
}

const hasNoAccount = ({ product_id, expense_account_id }: AccountedLine): boolean => !product_id && !expense_account_id;

/**
 * Returns the lines of a bill. Lines without a product and an account get the account of the vendor, which the bill
 * keeps. Chosen: an account of the vendor that no longer allows entries is not used. The bill then uses the default
 * account.
 */
export async function withVendorAccount<L extends AccountedLine>(
  db: Db,
  vendor_id: string,
  lines: readonly L[],
): Promise<L[]> {
  if (!lines.some(hasNoAccount)) return [...lines];
  const [vendor] = await db.rows<{ expense_account_id: string | null }>(sql`
    SELECT expense_account_id FROM vendors WHERE id = ${vendor_id}::uuid`);
  const account_id = vendor?.expense_account_id;
  if (!account_id) return [...lines];
  const [reason] = await rejectionReasons(db, [{ account_id, use: 'bill' }]);
  return reason
    ? [...lines]
    : lines.map((line) => (hasNoAccount(line) ? { ...line, expense_account_id: account_id } : line));
}

/** Returns the vendor of a draft that may get another one. @throws NotFound if the draft does not exist */
export async function vendorOf(db: Db, invoice_id: string, vendor_id: string | undefined): Promise<string> {
  if (vendor_id) return vendor_id;
  const [bill] = await db.rows<{ vendor_id: string }>(sql`
    SELECT vendor_id FROM purchase_invoices WHERE id = ${invoice_id}::uuid`);
  if (!bill) throw NotFound();
  return bill.vendor_id;
}
