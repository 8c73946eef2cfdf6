/** View of change requests, which shows at most the end of a value. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { type CipherLocation, openDecryption } from '@suite/field-encryption';
import { employeeLabels } from '../employees/employee-label.ts';
import type { BankAccount } from '../../employment/employee-users/bank-account.rules.ts';
import { READ_RIGHTS } from '../employees/employee-encrypted-fields.ts';
import type { Db } from '../../operations.ts';
import { ChangeRequest, type ConfirmedField } from './request.schema.ts';
import { requestStates } from './request.rules.ts';

/** Returns the location of an encrypted requested value. */
export const requestCipherLocation = (id: string): CipherLocation => ({
  table: 'change_requests',
  column: 'value_sealed',
  id,
});

interface ViewContext {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}
interface Row {
  id: string;
  field: ConfirmedField;
  last_4: string | null;
  own: boolean;
}

const viewOf = (db: Db, caller: Caller) => ({
  table: 'change_requests',
  compute: {
    last_4: sql`change_requests.value_sealed`,
    allowed_actions: requestStates.shownTo(caller, 'change_requests'),
    own: sql`change_requests.employee_id IN (SELECT id FROM employees WHERE user_id = ${caller.user_id}::uuid)`,
    id: sql`change_requests.id`,
    field: sql`change_requests.field`,
  },
  expand: { employee: one('employee_id', employeeLabels(db)) },
});

const CHARACTERS_SHOWN = 4;
/** Returns the end of a value, at most half of the characters. */
function lastCharactersOf(field: ConfirmedField, text: string): string {
  const value = field === 'bank' ? (JSON.parse(text) as BankAccount).account : text;
  return value.slice(value.length - Math.min(CHARACTERS_SHOWN, Math.floor(value.length / 2)));
}

async function openEnds({ db, caller, keys }: ViewContext, rows: Row[]): Promise<void> {
  const cipher = rows.length > 0 ? await openDecryption(db, keys.master) : undefined;
  for (const row of rows) {
    const isOpen = row.own || caller.permissions.includes(READ_RIGHTS[row.field]);
    row.last_4 =
      row.last_4 && isOpen
        ? lastCharactersOf(row.field, cipher!.open(requestCipherLocation(row.id), row.last_4))
        : null;
    // Employees cannot decide on their own requests.
    if (row.own) Object.assign(row, { allowed_actions: [] });
  }
}

/** Lists change requests of employees that the caller can see, one page. @param where additional condition */
export async function listRequests(context: ViewContext, request: ListRequest, where: Sql = sql`TRUE`) {
  const page = await paginate(context.db, request, { ...viewOf(context.db, context.caller), where });
  await openEnds(context, page.rows as Row[]);
  return page;
}

/** Returns a change request. @throws NotFound */
export async function readRequest(context: ViewContext, id: string) {
  const row = await readOne(context.db, ChangeRequest, id, viewOf(context.db, context.caller));
  await openEnds(context, [row as never]);
  return row;
}
