/** Reads the history of a record of each type, in the demo workspace, as its users and as users of another workspace. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { declaredServices } from '@suite/testing/declared';
import { bearer, type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';

const suite = await useSharedSuite('demo');
const types = declaredServices.flatMap(({ name, records = [] }) => records.map((type) => ({ ...type, service: name })));

/** Types without a record in the demo. */
const WITHOUT_RECORD: readonly string[] = `
  crm.widget crm.file finance.purchase_return finance.period_lock finance.revaluation finance.debit_note
  support.parked_mail support.mailbox support.blocked_sender hr.award hr.promotion hr.employee_transfer hr.resignation
  hr.termination hr.warning hr.complaint hr.employee_loan hr.hrm_document hr.attendance_device hr.change_request`
  .trim()
  .split(/\s+/);

let owner: SignedIn;
let staff: SignedIn;
let client: SignedIn;
let outsider: SignedIn;
/** The newest record of each type. */
const newest = new Map<string, string>();

beforeAll(async () => {
  const { password } = suite.demo!;
  const as = (email: string) => signIn(suite.gateway, email, password);
  [owner, staff] = [await as('owner@demo.test'), await as('staff@demo.test')];
  [client, outsider] = [await as('client@demo.test'), await as('owner@globex.test')];
  for (const { name, service, table, kind } of types) {
    const [found] = await suite.sql<{ id: string }>(
      service,
      `SELECT id FROM ${table} WHERE workspace_id = $1 ${kind ? `AND kind = '${kind}'` : ''} ORDER BY id DESC LIMIT 1`,
      [owner.user.workspace.id],
    );
    if (found) newest.set(name, found.id);
  }
}, 240_000);

/** Requests the history of the newest record of each type. @returns the responses by type */
async function histories(person: Pick<SignedIn, 'get'>) {
  const replies = new Map<string, Awaited<ReturnType<SignedIn['get']>>>();
  for (const [record_type, record_id] of newest)
    replies.set(record_type, await person.get(`/api/history?${new URLSearchParams({ record_type, record_id })}`));
  return replies;
}

const statusesOf = (replies: Awaited<ReturnType<typeof histories>>) =>
  new Set([...replies.values()].map(({ status }) => status));

describe('the history of a record of the demo', () => {
  test('exists for each type', () => {
    expect(types.map(({ name }) => name).filter((name) => !newest.has(name))).toEqual(WITHOUT_RECORD);
  });

  test('begins with the creation and its fields, for the owner', async () => {
    const wrong = [...(await histories(owner))].filter(([, { status, body }]) => {
      const first = body.data?.at(-1);
      return status !== 200 || first?.action !== 'created' || first.changes.length < 2;
    });
    expect(wrong.map(([type, { status, body }]) => [type, status, body.code ?? body.data?.at(-1)])).toEqual([]);
  });

  test('has an error for a wrong type that lists all types of the service', async () => {
    for (const { name, records = [] } of declaredServices.filter(({ records: own }) => own)) {
      const { status, body } = await owner.get(`/api/history?record_type=${name}.none&record_id=${randomUUID()}`);
      const offered = String(body.errors?.record_type).replace(/^Use one of these types: |\.$/g, '');
      expect([status, offered.split(', ').toSorted()]).toEqual([422, records.map((type) => type.name).toSorted()]);
    }
  });

  test('is hidden from other workspaces, clients and callers without a session', async () => {
    // The plan of the outsider lacks some modules.
    expect(statusesOf(await histories(outsider))).toEqual(new Set([403, 404]));
    expect(statusesOf(await histories(client))).toEqual(new Set([403]));
    expect(statusesOf(await histories(bearer(suite.gateway)))).toEqual(new Set([401]));
  });

  test('shows members of staff nothing of records that they may not see', async () => {
    const replies = await histories(staff);
    expect([...statusesOf(replies)].filter((status) => ![200, 403, 404].includes(status))).toEqual([]);
    expect(replies.get('hr.payroll')?.status).toBe(403);
    expect(replies.get('finance.bank_account')?.status).toBe(403);
  });
});
