/** Compares `allowed_actions` of every list with the operations that perform the actions. */
import { describe, expect, test } from '@jest/globals';
import {
  actionsShownIn,
  performersOf,
  everyPermissionOf,
  type Operation,
  operationsOf,
  requiredPermissions,
  type Service,
  tables,
} from '@suite/chassis/declarations';
import type { Reply } from '../http.ts';
import type { Member, CallerOptions } from '../member.ts';
import type { ServiceUnderTest } from '../start.ts';

export interface ActionConformance {
  contents: Service;
  serving: ServiceUnderTest;
  /** A workspace with a record in every list. The tests change and delete its records. */
  workspace: string;
  /** Owner of the workspace. */
  owner: Member;
  /** Creates a staff user of the workspace. */
  member(rights: CallerOptions): Member;
  /** Codes of 409 responses because of other records, which `allowed_actions` ignores. */
  other_records?: readonly string[];
  /** Lists without records in these tests, with the reason. */
  empty?: Readonly<Record<string, string>>;
}

type Row = Record<string, unknown> & { id: string; allowed_actions: string[] };

/** A list whose rows show their actions. */
interface ActionList {
  id: string;
  operation: Operation;
  nounOf(row: Row): string;
}

const VARIABLE = /\{(\w+)\}/g;

function listsIn(contents: Service): ActionList[] {
  return [...operationsOf(contents)].flatMap(([id, operation]) => {
    const { kind, method, reply, access } = operation;
    if (kind !== 'query' || method !== 'GET' || reply.shape !== 'page') return [];
    // Instances have neither permissions nor record scopes.
    if (access.kind === 'instance') return [];
    const mark = actionsShownIn(reply.schema).find(({ path }) => path.join('.') === 'allowed_actions')?.mark;
    return mark ? [{ id, operation, nounOf: (row: Row) => mark.nounOf?.(row) ?? mark.noun }] : [];
  });
}

/**
 * Returns a function for the operations that perform an action and name the record in their path. Of nouns with several
 * lists, only the operations next to the list.
 */
function performersIn(contents: Service): (list: ActionList, row: Row, action: string) => Operation[] {
  const operations = operationsOf(contents);
  const done = performersOf(operations);
  const lives = new Map((contents.lifecycles ?? []).map((life) => [life.noun, life]));
  return ({ id: list, nounOf }, row, action) => {
    const noun = nounOf(row);
    const all = [...(done.get(`${noun}.${action}`) ?? []), ...(lives.get(noun)?.actions.get(action)?.by ?? [])];
    const near = all.filter((id) => id.split('.')[0] === list.split('.')[0]);
    return (near.length > 0 ? near : all).flatMap((id) => {
      const operation = operations.get(id);
      return operation && operation.path.includes('{') && !operation.upload ? [operation] : [];
    });
  };
}

/** Returns the path for a record. The last variable names the record, and the others name the records that it refers to. */
function pathFor({ path, params = {} }: Operation, row: Row): string {
  const last = (path.match(VARIABLE) ?? []).at(-1);
  return path.replace(VARIABLE, (variable, name: string) => {
    const parent = `${tables.get(params[name]!)?.table.slice(0, -1)}_id`;
    return variable === last ? row.id : String(row[parent] ?? row[name]);
  });
}

const perform = (by: Member, operation: Operation, row: Row): Promise<Reply> =>
  by.send(operation.method, pathFor(operation, row), '{}', { 'content-type': 'application/json' });

/** Reads lists whose path may name a record of the workspace. */
const readerIn =
  ({ serving, workspace, owner }: ActionConformance) =>
  async (by: Member, { operation }: ActionList, id?: string): Promise<Row[]> => {
    let { path } = operation;
    for (const [name, schema] of Object.entries(operation.params ?? {})) {
      const table = tables.get(schema)?.table ?? '';
      const { rows } = await serving.database.pool.query(
        `SELECT id FROM ${table} WHERE workspace_id = $1 ORDER BY id LIMIT 1`,
        [workspace],
      );
      path = path.replace(`{${name}}`, rows[0].id);
    }
    const { status, body } = await by.get(`${path}?per_page=20${id ? `&id=${id}` : ''}`);
    // A user with a record scope may not see the record in the path, and only employees read their own records.
    const isHidden = status === 404 || (status === 403 && by !== owner);
    expect({ path, isRead: status === 200 || isHidden }).toEqual({ path, isRead: true });
    return status === 200 ? body.data : [];
  };

const END = ['delete', 'convert', 'cancel', 'close', 'archive', 'revoke'];
const byEnd = (words: readonly string[]): string[] => words.toSorted((a, b) => END.indexOf(a) - END.indexOf(b));

/** Returns a function that performs each allowed action of a record once, and returns the rejected ones. */
function attempts(options: ActionConformance) {
  const { contents, other_records = [] } = options;
  const read = readerIn(options);
  const performersOf = performersIn(contents);
  /** Returns true if an operation rejects an action because of the caller or the state of the record. */
  const isRejected = ({ status, body }: Reply): boolean =>
    status === 403 || status === 404 || (status === 409 && !['in_use', ...other_records].includes(body.code));
  return async (by: Member, list: ActionList, id: string, isTried: (word: string) => boolean) => {
    const tried = new Set<string>();
    const faults: object[] = [];
    for (;;) {
      const [row] = await read(by, list, id);
      const word = row && byEnd(row.allowed_actions).find((one) => isTried(one) && !tried.has(one));
      if (!word) return faults;
      tried.add(word);
      for (const operation of performersOf(list, row, word).slice(0, 1)) {
        const reply = await perform(by, operation, row);
        if (isRejected(reply)) faults.push({ word, path: operation.path, status: reply.status, code: reply.body.code });
      }
    }
  };
}

/**
 * Tests, generated from the declarations, that callers can perform the actions that lists show, and no others. Run them
 * in a workspace of their own, because they change and delete its records.
 */
export function actionConformance(options: ActionConformance): void {
  const { contents, owner, member, empty = {} } = options;
  const read = readerIn(options);
  const performersOf = performersIn(contents);
  const rejected = attempts(options);
  const everything = [...new Set([...operationsOf(contents).values()].flatMap(everyPermissionOf))];
  const lists = listsIn(contents);

  describe.each(lists.map((list) => [list.id, list] as const))('the allowed actions in %s', (id, list) => {
    const [noun, verb] = id.split('.');
    const show = verb === 'list' ? operationsOf(contents).get(`${noun}.show`) : undefined;
    const isShown = show && actionsShownIn(show.reply.schema).some(({ path }) => path.join('.') === 'allowed_actions');

    test('are known for each record, and the same when it is read alone', async () => {
      const rows = await read(owner, list);
      expect(rows.length > 0).toBe(!(id in empty));
      for (const row of rows.slice(0, isShown ? 3 : 0)) {
        const { body } = await owner.get(pathFor(show!, row));
        expect(body.data.allowed_actions).toEqual(row.allowed_actions);
      }
    });

    test('offer a user with the permission to view only what this user may do', async () => {
      const viewer = member({ can: requiredPermissions(list.operation) });
      for (const row of await read(viewer, list)) {
        const performers = row.allowed_actions.flatMap((word) => performersOf(list, row, word));
        const beyond = performers.filter((one) =>
          requiredPermissions(one).some((permission) => !viewer.caller.permissions.includes(permission)),
        );
        expect(beyond.map(({ path }) => path)).toEqual([]);
        expect(await rejected(viewer, list, row.id, () => true)).toEqual([]);
      }
    });

    test('offer a user with the scope own only what this user may do', async () => {
      const nouns = contents.visibility.flatMap((one) => (one.rule === 'conditions' ? [one.conditions.noun] : []));
      const record_scopes = Object.fromEntries(nouns.map((noun) => [noun, 'own' as const]));
      const limited = member({ can: everything, record_scopes });
      for (const row of (await read(limited, list)).slice(0, 3))
        expect(await rejected(limited, list, row.id, () => true)).toEqual([]);
    });
  });

  describe.each(lists.map((list) => [list.id, list] as const))('the owner', (id, list) => {
    test(`can perform the actions in ${id}`, async () => {
      for (const row of (await read(owner, list)).slice(0, 3))
        expect(await rejected(owner, list, row.id, (word) => word !== 'delete')).toEqual([]);
    });
  });

  describe.each(lists.toReversed().map((list) => [list.id, list] as const))('the owner', (id, list) => {
    test(`can delete the records in ${id} that allow it`, async () => {
      for (const row of (await read(owner, list)).slice(0, 3))
        expect(await rejected(owner, list, row.id, (word) => word === 'delete')).toEqual([]);
    });
  });
}
