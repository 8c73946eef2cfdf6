/** Tests of every declared reference between services. A declaration is enough to test a new column. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { foreignFieldsIn, operationsOf, placesOf, blockingReferences } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { dataOf, type Reply } from '@suite/testing/http';
import { type SignedIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { waitUntilIdle } from '@suite/tools/calm';
import { type ApiOperation, apiDocument, operationsIn, pathWith } from '../suite/api-document.ts';
import { draftRequiredFields } from '../suite/draft.ts';
import { createRecord, isCreation } from '../suite/create-one-of-each.ts';
import { createFilledWorkspace } from '../suite/filled-workspace.ts';
import { nounOfPath } from '../suite/noun.ts';
import { idsAt, setReference } from './stored-reference.ts';

// These tests write IDs without the copied names, which audits of a shared suite would report.
const suite = await startSuiteForFile();
const operations = operationsIn(await apiDocument(suite.gateway));

const columns = declaredServices.flatMap(({ name: service, references = [] }) =>
  blockingReferences(references).flatMap((reference) =>
    placesOf(reference).map((place) => ({
      title: `${service}.${place.table}.${place.column}`,
      service,
      noun: reference.noun,
      place,
    })),
  ),
);

/** Kinds of records that users may see in part, with the names of their record scopes. */
const SCOPED = new Map([
  ['finance.customer', 'customer'],
  ['crm.deal', 'deal'],
  ['projects.project', 'project'],
]);

let home: Awaited<ReturnType<typeof createFilledWorkspace>>;
/** A staff user who sees only their own customers, deals and projects. */
let colleague: SignedIn;

beforeAll(async () => {
  home = await createFilledWorkspace(suite, operations, `refs${randomUUID().slice(0, 8)}`);
  const { owner, roles, hire } = home.workspace;
  const { permissions } = (await dataOf(owner.get('/api/roles?per_page=100'))).find(
    ({ key }: { key: string }) => key === 'manager',
  );
  const record_scopes = Object.fromEntries([...SCOPED.values()].map((noun) => [noun, 'own']));
  const role = { name: 'Newcomer', permissions, record_scopes };
  roles['newcomer'] = (await dataOf(owner.post('/api/roles/create', role))).id;
  colleague = await hire('newcomer');
  await waitUntilIdle(suite);
}, 600_000);

/** The kinds of records whose deletion calls other services. */
const owned = new Set(declaredServices.flatMap(({ owns = [] }) => owns.map(({ noun }) => noun)));

/** Returns the operation that deletes a kind of record, from its declaration. */
function deletionOf(noun: string): string {
  const all = declaredServices.flatMap((service) => [...operationsOf(service)]);
  const [, found] = all.find(([, { deletes }]) => deletes === noun) ?? [];
  if (!found) throw new Error(`Nothing deletes a ${noun}.`);
  return found.path;
}

const remove = (noun: string, id: string) =>
  home.workspace.owner.delete(deletionOf(noun).replace(/\{\w+\}/, id), undefined, withIdempotencyKey());

/** Creates a record that nothing refers to yet. Returns its ID. */
async function freshRecord(noun: string): Promise<string> {
  const kind = nounOfPath(deletionOf(noun));
  const maker = operations.find((operation) => isCreation(operation) && nounOfPath(operation.path) === kind);
  if (!maker) throw new Error(`Nothing creates a ${noun}.`);
  const made = await createRecord(home.workspace.owner, maker, { word: home.word, stock: home.stock, isShort: true });
  if (!made || made.reply.status !== 201) throw new Error(`No ${noun}: ${JSON.stringify(made?.reply.body)}`);
  return made.reply.body.data.id;
}

/** Places that are empty in the test workspace: filling them takes several more steps. */
const WITHOUT_IDS = new Set([
  'crm.meetings.customer_id',
  'crm.order_invoices.lines',
  'crm.sales_lines.unit_id',
  'finance.revenues.tax',
  'finance.expenses.tax',
  'projects.project_clients.customer_id',
]);

/** Tables without a row in the test workspace, with the reason. */
const EMPTY = new Set([
  // A row needs an order with a posted invoice. Its products are on the lines of the order.
  'order_invoices',
]);

describe.each(columns.filter(({ place }) => !EMPTY.has(place.table)))('$title', ({ service, noun, place }) => {
  const stored = () => idsAt(suite, service, place, home.workspace.id);
  const set = (from: string | null, to: string | null) =>
    setReference(suite, service, home.workspace.id, { place, from, to });
  /** Returns the ID that a row stores now, or null. */
  const first = async () => (await stored())[0] ?? null;

  test(`rejects a ${noun} that is being deleted`, async () => {
    const deleted = randomUUID();
    await suite.sql(
      service,
      `INSERT INTO deletion_fences (workspace_id, noun, record_id, deletion_id, until)
       VALUES ($1, $2, $3, $4, now() + interval '1 minute')`,
      [home.workspace.id, noun, deleted, randomUUID()],
    );
    expect(await set(await first(), deleted)).not.toBe('changed');
    expect(await stored()).not.toContain(deleted);
  });

  test(`keeps a ${noun} while it is in use, and allows deletion afterwards`, async () => {
    const [before, id] = [await first(), await freshRecord(noun)];
    const outcome = await set(before, id);
    if (outcome === 'immutable') return;
    expect(await stored()).toContain(id);
    expect(await remove(noun, id)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { [place.table]: 1 } },
    });
    expect(await set(id, before)).toBe('changed');
    expect(await remove(noun, id)).toMatchObject({ status: 200 });
    // Simulates the write of a request that looked up the record before its deletion.
    expect(await set(before, id)).toBe('being_deleted');
  });

  test(`refers to no deleted ${noun} after 20 concurrent writes`, async () => {
    const [before, id] = [await first(), await freshRecord(noun)];
    const [removed] = await Promise.all([remove(noun, id), ...Array.from({ length: 20 }, () => set(before, id))]);
    const isReferredTo = (await stored()).includes(id);
    expect([200, 409]).toContain(removed.status);
    expect(removed.status === 200 && isReferredTo).toBe(false);
    if (isReferredTo) await set(id, before);
  });
});

test('every place has rows whose IDs the declaration finds', async () => {
  const found = await Promise.all(
    columns.map(async ({ title, service, place }) => ({
      title,
      ids: await idsAt(suite, service, place, home.workspace.id),
    })),
  );
  const empty = found.filter(({ ids }) => ids.length === 0).map(({ title }) => title);
  expect(empty.filter((title) => !WITHOUT_IDS.has(title))).toEqual([]);
});

/** The body fields that name records of other services, with their operations. */
const fields = declaredServices.flatMap((service) =>
  [...operationsOf(service)].flatMap(([id, { body, kind, method, path }]) =>
    (kind === 'command' && body ? foreignFieldsIn(body) : []).map(({ path: field, mark }) => ({
      title: `${id} ${field.join('.')}`,
      service: service.name,
      route: `${method} ${path}`,
      noun: mark,
      field,
    })),
  ),
);

/** Sets a value at a place: `['lines', '*', 'product_id']`. */
function setAt(body: unknown, [name, ...rest]: readonly string[], id: string): unknown {
  if (name === undefined) return id;
  if (name === '*') {
    const [first, ...others] = Array.isArray(body) && body.length > 0 ? body : [undefined];
    return [setAt(first, rest, id), ...others];
  }
  const whole = (body ?? {}) as Record<string, unknown>;
  return { ...whole, [name]: setAt(whole[name], rest, id) };
}

/** Archived records, by kind. */
const archived = new Map<string, Promise<string>>();
async function archive(noun: string): Promise<string> {
  const id = await freshRecord(noun);
  const path = deletionOf(noun)
    .replace('/delete/', '/update/')
    .replace(/^\/api\/project\//, '/api/projects/')
    .replace(/\{\w+\}/, id);
  const { status, body } = await home.workspace.owner.post(path, { active: false });
  if (status !== 200) throw new Error(`${noun} was not archived: ${status} ${JSON.stringify(body)}`);
  return id;
}
const archivedOf = (noun: string): Promise<string> => {
  const known = archived.get(noun) ?? archive(noun);
  archived.set(noun, known);
  return known;
};

/** Kinds of records that can be archived. The others are deleted or kept. */
const ARCHIVED = new Set(['finance.customer', 'inventory.product', 'inventory.tax', 'inventory.warehouse']);

function send(
  { route, field }: { route: string; field: readonly string[] },
  id: string,
  person = home.workspace.owner,
) {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === route) as ApiOperation;
  const ids = Object.fromEntries(
    operation.path_variables.map((name) => [name, home.stock.get(nounOfPath(operation.path))?.[0] ?? randomUUID()]),
  );
  const draft = draftRequiredFields(operation, { path: operation.path, stock: home.stock, word: home.word });
  const body = setAt(draft, field, id);
  const { method, path } = operation;
  return person.send(method, pathWith(path, ids), JSON.stringify(body), {
    'content-type': 'application/json',
  });
}

describe.each(fields)('$title', (given) => {
  test('is rejected for an ID that no record has', async () => {
    const { status } = await send(given, randomUUID());
    expect([404, 409, 422]).toContain(status);
  });

  if (SCOPED.has(given.noun))
    test('returns the same response for a hidden record as for a missing one', async () => {
      const [unknown, hidden] = [randomUUID(), await freshRecord(given.noun)];
      const essence = ({ status, body }: Reply, id: string) => [
        status,
        JSON.stringify({ ...body, request_id: '' }).replaceAll(id, 'ID'),
      ];
      const answer = await send(given, hidden, colleague);
      expect([403, 404, 409, 422]).toContain(answer.status);
      expect(essence(answer, hidden)).toEqual(essence(await send(given, unknown, colleague), unknown));
    });

  if (ARCHIVED.has(given.noun))
    test('is rejected for an archived record', async () => {
      const { status } = await send(given, await archivedOf(given.noun));
      expect([404, 409, 422]).toContain(status);
    });
});

/** One field of each service for each kind of record that is deleted, taken from an operation that creates a record. */
const raceFields = [
  ...Map.groupBy(
    fields.filter(({ title, noun }) => /\.(create|store)\b/.test(title) && owned.has(noun)),
    ({ service, noun }) => `${service} ${noun}`,
  ).values(),
].map(([first]) => first!);

describe.each(raceFields)('$title', (given) => {
  test('is on no record after 20 requests concurrent with the deletion', async () => {
    const id = await freshRecord(given.noun);
    const [removed, ...writes] = await Promise.all([
      remove(given.noun, id),
      ...Array.from({ length: 20 }, () => send(given, id)),
    ]);
    expect(writes.filter(({ status }) => ![201, 404, 409, 422, 503].includes(status))).toEqual([]);
    const places = columns.filter(({ noun }) => noun === given.noun);
    const stored = await Promise.all(
      places.map(({ service, place }) => idsAt(suite, service, place, home.workspace.id)),
    );
    const isReferredTo = stored.flat().includes(id);
    expect([200, 409]).toContain(removed.status);
    expect([removed.status, isReferredTo]).toEqual([removed.status, removed.status !== 200]);
  });
});
