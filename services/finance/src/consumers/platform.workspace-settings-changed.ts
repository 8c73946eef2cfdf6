import { WorkspaceSettingsChanged } from '@suite/proto/platform/v1/events';
import { applyWorkspace } from '../ledger/books/books.ts';
import { on } from '../operations.ts';

/** Copies the time zone of a workspace. Base currency and fiscal year belong to the books, and platform copies them. */
export const copyTimezone = on(WorkspaceSettingsChanged, 'finance.copy-timezone', ({ event, envelope, db }) => {
  const { currency: base_currency, timezone, fiscal_year_start } = event;
  const workspace_version = envelope.position;
  return applyWorkspace(db, { base_currency, timezone, fiscal_year_start, workspace_version });
});
