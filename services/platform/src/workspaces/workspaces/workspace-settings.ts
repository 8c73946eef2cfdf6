/**
 * Settings that other services follow: currency, country, time zone, week and fiscal year. Finance owns the base currency
 * and the fiscal year, because only finance can lock its postings against a change. Platform copies both.
 */
import { randomUUID } from 'node:crypto';
import { change, find, sql } from '@suite/chassis/database';
import { fault, Stale } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import type { ChangeBooksResponse } from '@suite/proto/finance/v1/finance';
import { WorkspaceSettingsChanged } from '@suite/proto/platform/v1/events';
import type { z } from 'zod';
import { hasSecondFactor, NoSecondFactor } from '../../identity/second-factor/second-factor.ts';
import type { Db, Read, Rpc } from '../../operations.ts';
import { assertLinks } from './email-link.ts';
import type { WorkspaceChanges } from './workspace.schema.ts';

/** Faults of finance, which decides on base currency and fiscal year. */
export const CurrencyInUse = fault(
  409,
  'currency_in_use',
  'The base currency cannot change because there are documents or postings. Delete all drafts, or use a new workspace.',
);
export const FiscalYearLocked = fault(
  409,
  'fiscal_year_locked',
  'The fiscal year would begin within a locked period. Choose the day after the lock, or move the lock first.',
);

type WorkspaceChangesInput = z.output<typeof WorkspaceChanges>;

/** @throws NoSecondFactor, OwnerRequiredForLinks */
async function assertAllowed(
  db: Db,
  caller: Caller,
  { second_factor_required, links }: WorkspaceChangesInput,
): Promise<void> {
  // The caller must have a second factor. Without this check, the workspace might lock out all its users.
  if (second_factor_required && !(await hasSecondFactor(db, caller.user_id))) throw NoSecondFactor();
  if (links) await assertLinks(db, caller, links);
}

interface BooksRequest {
  rpc: Rpc;
  read: Read;
  caller: Caller;
  body: WorkspaceChangesInput;
  expect: number | undefined;
}

/**
 * Changes base currency and fiscal year in finance, after all other checks. If the request fails afterwards, the event of
 * finance brings the new values to platform, and repeating the request has no further effect there.
 * @returns undefined if the request changes neither
 * @throws CurrencyInUse, FiscalYearLocked, and all that the update itself can throw
 */
export async function changeBooks({
  rpc,
  read,
  caller,
  body,
  expect,
}: BooksRequest): Promise<ChangeBooksResponse | undefined> {
  const { base_currency = '', fiscal_year_start = '' } = body;
  if (!base_currency && !fiscal_year_start) return undefined;
  const workspace = await read(async (db) => {
    await assertAllowed(db, caller, body);
    return await find(db.workspace, caller.workspace_id);
  });
  if (expect !== undefined && expect !== workspace.version) throw Stale({ version: workspace.version });
  return await rpc.finance.changeBooks({
    idempotency_key: randomUUID(),
    base_currency,
    fiscal_year_start,
    known_fiscal_year_start: workspace.fiscal_year_start,
    dry_run: false,
  });
}

interface SharedSettings {
  timezone: string;
  currency: string;
  country: string | null;
  fiscal_year_start: string;
  week_start: number;
  books_revision: number;
}

const SHARED_SETTINGS = ['timezone', 'currency', 'country', 'fiscal_year_start', 'week_start'] as const;

/** Returns the settings of the workspace, locked until the end of the transaction. */
async function lockSettings(db: Db, id: string): Promise<SharedSettings> {
  const [settings] = await db.rows<SharedSettings>(sql`
    SELECT timezone, currency, country, fiscal_year_start, week_start, books_revision FROM workspaces
    WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return settings!;
}

/** Returns the columns for values of finance. None if platform already has them or newer ones. */
const booksColumns = (books: ChangeBooksResponse | undefined, { books_revision }: SharedSettings) =>
  books && books.revision > books_revision
    ? {
        currency: books.base_currency,
        fiscal_year_start: books.fiscal_year_start,
        books_revision: books.revision,
      }
    : {};

/** Emits the event if a setting that other services follow has changed. */
function emitSettingsChanged(emit: Emit, workspace_id: string, before: SharedSettings, after: SharedSettings): void {
  if (SHARED_SETTINGS.every((field) => before[field] === after[field])) return;
  const { timezone, currency, fiscal_year_start, week_start, country } = after;
  const settings = { timezone, currency, fiscal_year_start, week_start, country: country ?? undefined };
  emit(WorkspaceSettingsChanged, { workspace_id, ...settings });
}

interface CommandContext {
  db: Db;
  emit: Emit;
  caller: Caller;
}

/**
 * Updates the workspace and emits the change of its settings.
 *
 * Chosen: country, time zone and first day of the week can change at any time. They apply to new records and to "today".
 * Records with a time zone of their own, such as shifts and SLA calendars, keep it.
 * @throws NoSecondFactor, OwnerRequiredForLinks, Stale
 */
export async function updateWorkspace(
  { db, emit, caller }: CommandContext,
  body: WorkspaceChangesInput,
  { expect, books }: { expect: number | undefined; books: ChangeBooksResponse | undefined },
): Promise<void> {
  const { version: _, base_currency: __, fiscal_year_start: ___, ...patch } = body;
  await assertAllowed(db, caller, body);
  const { workspace_id } = caller;
  const before = await lockSettings(db, workspace_id);
  const after = await change(db.workspace, workspace_id, { ...patch, ...booksColumns(books, before) }, expect);
  emitSettingsChanged(emit, workspace_id, before, after);
}

/** Copies base currency and fiscal year from finance, unless platform has newer ones. Emits the change. */
export async function copyBooks(
  { db, emit }: { db: Db; emit: Emit },
  workspace_id: string,
  books: ChangeBooksResponse,
): Promise<void> {
  const before = await lockSettings(db, workspace_id);
  const copied = booksColumns(books, before);
  if (!('currency' in copied)) return;
  emitSettingsChanged(emit, workspace_id, before, await change(db.workspace, workspace_id, copied));
}
