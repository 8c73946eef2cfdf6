/** Books of the fake of finance: base currency and fiscal year of each workspace. */
import { Fault } from '@suite/chassis/faults';
import type { ChangeBooksRequest, ChangeBooksResponse } from '@suite/proto/finance/v1/finance';

/** Creates the fake of the method that changes the books. */
export function fakeBooks() {
  /** Workspaces with documents. */
  const used = new Set<string>();
  const books = new Map<string, ChangeBooksResponse>();
  return {
    used,
    books,
    change(asked: ChangeBooksRequest, workspace_id: string): ChangeBooksResponse {
      const { base_currency, fiscal_year_start, known_fiscal_year_start, dry_run } = asked;
      const before = books.get(workspace_id) ?? {
        base_currency: 'EUR',
        fiscal_year_start: known_fiscal_year_start,
        revision: 1,
      };
      if (base_currency && base_currency !== before.base_currency && used.has(workspace_id))
        throw new Fault(409, 'currency_in_use', 'There are documents.', { details: { used_by: ['sales_invoices'] } });
      const after = {
        base_currency: base_currency || before.base_currency,
        fiscal_year_start: fiscal_year_start || before.fiscal_year_start,
        revision: before.revision + 1,
      };
      if (!dry_run) books.set(workspace_id, after);
      return after;
    },
  };
}
