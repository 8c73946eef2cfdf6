/** View of change requests, which shows at most the end of a value. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { type CipherLocation, readSealed } from '@suite/field-encryption';
import { employeeLabels } from '../employees/employee-label.ts';
import type { BankAccount } from '../../employment/employee-users/bank-account.rules.ts';
import { SEALED_RIGHTS } from '../employees/employee-encrypted-fields.ts';
import type { Db } from '../../operations.ts';
import { ChangeRequest, type ConfirmedField } from './request.schema.ts';
import { requestStates } from './request.rules.ts';

/** Returns the storage place of a requested value. */
export const requestPlace = (id: string): CipherLocation => ({ table: 'change_requests', column: 'value_sealed', id });

interface Reader {
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

const SHOWN = 4;
/** Returns the end of a value, at most half of the characters. */
function endOf(field: ConfirmedField, text: string): string {
  const value = field === 'bank' ? (JSON.parse(text) as BankAccount).account : text;
  return value.slice(value.length - Math.min(SHOWN, Math.floor(value.length / 2)));
}

async function openEnds({ db, caller, keys }: Reader, rows: Row[]): Promise<void> {
  const sealed = rows.length > 0 ? await readSealed(db, keys.master) : undefined;
  for (const row of rows) {
    const isOpen = row.own || caller.permissions.includes(SEALED_RIGHTS[row.field]);
    row.last_4 = row.last_4 && isOpen ? endOf(row.field, sealed!.open(requestPlace(row.id), row.last_4)) : null;
    // Employees cannot decide on their own requests.
    if (row.own) Object.assign(row, { allowed_actions: [] });
  }
}

/** Lists change requests of employees that the caller can see, one page. @param where additional condition */
export async function listRequests(reader: Reader, request: ListRequest, where: Sql = sql`TRUE`) {
  const page = await paginate(reader.db, request, { ...viewOf(reader.db, reader.caller), where });
  await openEnds(reader, page.rows as Row[]);
  return page;
}

/** Returns a change request. @throws NotFound */
export async function readRequest(reader: Reader, id: string) {
  const row = await readOne(reader.db, ChangeRequest, id, viewOf(reader.db, reader.caller));
  await openEnds(reader, [row as never]);
  return row;
}
