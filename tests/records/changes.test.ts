/** Compares copies that follow the change feed with the lists, for users of the demo workspace. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@suite/testing/waiting';
import { type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';

const suite = await useSharedSuite('demo');

/** Lists whose records the feed copies, by their type. */
const LISTS: Readonly<Record<string, string>> = {
  'crm.lead': '/api/leads',
  'crm.deal': '/api/deals',
  'finance.customer': '/api/customers',
  'finance.sales_invoice': '/api/sales-invoice',
  'inventory.product': '/api/products',
};

interface Change {
  cursor: string;
  type: string;
  record_id: string;
  action: 'created' | 'updated' | 'deleted' | 'hidden';
  fields: { field: string; new: unknown }[];
}

let owner: SignedIn;
let staff: SignedIn;
let outsider: SignedIn;

beforeAll(async () => {
  const { password } = suite.demo!;
  const as = (email: string) => signIn(suite.gateway, email, password);
  [owner, staff, outsider] = [await as('owner@demo.test'), await as('staff@demo.test'), await as('owner@globex.test')];
}, 240_000);

async function readChanges(person: SignedIn, query: Record<string, string>, after?: string) {
  const changes: Change[] = [];
  let cursor = after;
  for (;;) {
    const asked = new URLSearchParams({ ...query, ...(cursor !== undefined && { after: cursor }) });
    const { status, body } = await person.get(`/api/changes?${asked}`);
    expect([status, body.code]).toEqual([200, undefined]);
    changes.push(...body.data.changes);
    cursor = String(body.data.cursor);
    if (!body.data.has_more) return { changes, cursor };
  }
}

/** Returns the IDs of the records that exist after these changes. */
function copyOf(changes: readonly Change[]): string[] {
  const ids = new Set<string>();
  for (const { action, record_id } of changes) {
    if (action === 'deleted' || action === 'hidden') ids.delete(record_id);
    else ids.add(record_id);
  }
  return [...ids].toSorted();
}

async function listed(person: SignedIn, path: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, body } = await person.get(`${path}?per_page=100${cursor ? `&cursor=${cursor}` : ''}`);
    if (status === 403) return [];
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.next_cursor ?? undefined;
  } while (cursor);
  return ids.toSorted();
}

describe('the change feed of the demo', () => {
  test.each(Object.entries(LISTS))('copies %s as the owner and the staff list it', async (type, path) => {
    for (const person of [owner, staff])
      await waitFor(async () => {
        const { changes } = await readChanges(person, { type });
        expect([person.email, copyOf(changes)]).toEqual([person.email, await listed(person, path)]);
      });
  });

  test('has all types in one order, and nothing of other workspaces', async () => {
    const { changes } = await readChanges(owner, {});
    const sequence = changes.map(({ cursor }) => Number(cursor.split('-')[1]));
    expect(sequence).toEqual([...new Set(sequence)].toSorted((one, other) => one - other));
    expect(new Set(changes.map(({ type }) => type.split('.')[0])).size).toBe(6);
    const own = new Set(changes.map(({ record_id }) => record_id));
    const { changes: foreign } = await readChanges(outsider, {});
    expect(foreign.filter(({ record_id }) => own.has(record_id))).toEqual([]);
  });

  test('returns later changes after a cursor, with their new values', async () => {
    const { cursor } = (await owner.get('/api/changes?after=now')).body.data;
    const name = `Feed ${randomUUID()}`;
    const { id } = (await owner.post('/api/lead/create', { name })).body.data;
    await owner.post(`/api/lead/update/${id}`, { name: `${name} again` });
    await waitFor(async () => {
      const { changes } = await readChanges(owner, { type: 'crm.lead' }, cursor);
      const own = changes.filter(({ record_id }) => record_id === id);
      const names = own.map(({ action, fields }) => [action, fields.find(({ field }) => field === 'name')?.new]);
      expect(names).toEqual([
        ['created', name],
        ['updated', `${name} again`],
      ]);
    });
  });
});
