import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { applyWorkspace } from '../ledger/books/books.ts';
import { on } from '../operations.ts';

/** Opens the books of a new workspace: a chart of accounts, categories and a cash account. */
export const openNewBooks = on(WorkspaceProvisioned, 'finance.open-books', ({ event, envelope, db }) => {
  const { currency: base_currency, timezone, fiscal_year_start } = event;
  const workspace_version = envelope.position;
  return applyWorkspace(db, { base_currency, timezone, fiscal_year_start, workspace_version });
});
