/** Guards of operations that name or delete records known to other services. */
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { TransactionContext } from '../database/running.ts';
import type { Guard } from '../http/bind.ts';
import { hiddenPathOf } from '../http/visible.ts';
import type { Operation } from '../operation/operation.ts';
import { invalid } from '../runtime/fault.ts';
import { checkedElsewhere, foreignIds, tables } from '../schema/fields.ts';
import { marked, valuesAt } from '../schema/schema-walk.ts';
import { guardDeletion, type Referrers } from './deletion.ts';
import type { OwnedKind, Reference } from './reference.ts';

/** The references of a service in both directions. */
export interface Relations {
  name: string;
  references?: readonly Reference[];
  owns?: readonly OwnedKind[];
  calls?: object;
}

/** Returns the fields of a body that name records of other services. */
export const foreignFieldsIn = marked((field) => foreignIds.get(field)?.noun);

/** Returns the path variable that names the record to delete. */
function subjectOf({ params = {} }: Pick<Operation, 'params'>, { table }: OwnedKind): string | undefined {
  return Object.keys(params).find((name) => tables.get(params[name]!)?.table === table);
}

/** Fields of a body that declare a check by another service which no service performs. */
const declaredChecksIn = marked((field) => checkedElsewhere.get(field)?.by);

/**
 * Checks the declared relations. @throws an Error for an operation that names or deletes records of an undeclared kind
 */
export function assertRelations(
  id: string,
  operation: Operation,
  { references = [], owns = [], calls = {} }: Relations,
) {
  const { body, deletes } = operation;
  const promise = (body ? declaredChecksIn(body) : []).find(({ mark }) => mark in calls);
  if (promise)
    throw new Error(
      `The body of ${id} has ${promise.path.join('.')}, a record of ${promise.mark}: declare it as foreignId.`,
    );
  const undeclared = (body ? foreignFieldsIn(body) : []).find(
    ({ mark }) => !references.some(({ noun, checked_by }) => noun === mark && typeof checked_by !== 'string'),
  );
  if (undeclared)
    throw new Error(
      `The body of ${id} refers to a ${undeclared.mark} (${undeclared.path.join('.')}). Declare its check in \`references\`.`,
    );
  if (!deletes) return;
  const owner = owns.find(({ noun }) => noun === deletes);
  if (!owner || !subjectOf(operation, owner))
    throw new Error(`${id} deletes a ${deletes}: declare it in \`owns\`, and its ID in the path as idOf.`);
}

type LookUp = (rpc: object, ids: string[]) => Promise<string[]>;

/**
 * Checks that the records in a body are usable. Asks the owner of each kind once. @throws a 422 that names the field
 */
async function assertUsable(
  body: unknown,
  fields: ReturnType<typeof foreignFieldsIn>,
  lookUp: ReadonlyMap<string, LookUp>,
  rpc: object,
): Promise<void> {
  for (const [noun, named] of Map.groupBy(fields, ({ mark }) => mark)) {
    const usable = lookUp.get(noun);
    const ids = [...new Set(named.flatMap(({ path }) => valuesAt(body, path) as string[]))];
    if (!usable || ids.length === 0) continue;
    const found = new Set<unknown>(await usable(rpc, ids));
    for (const { path } of named) {
      const place = hiddenPathOf(body, path, found);
      if (place !== undefined) throw invalid(place, 'Record not found or archived. Choose another one.');
    }
  }
}

/** Returns the guard for each call of an operation that needs one. */
export function guards(
  { references = [], owns = [] }: Relations,
  database: Database<unknown>,
  clientsFor: (context: TransactionContext) => Referrers,
) {
  const lookUp = new Map(references.flatMap(({ noun, usable }) => (usable ? [[noun, usable as LookUp] as const] : [])));
  return (
    operation: Operation,
    { params, body }: { params: Record<string, unknown>; body: unknown },
    context: TransactionContext,
    rpc: object,
  ): Guard | undefined => {
    const owner = owns.find(({ noun }) => noun === operation.deletes);
    if (owner) {
      const id = params[subjectOf(operation, owner)!] as string;
      return guardDeletion(owner, id, { database, context, references, clients: clientsFor(context) });
    }
    const fields = operation.body instanceof z.ZodType && lookUp.size > 0 ? foreignFieldsIn(operation.body) : [];
    const checked = fields.filter(({ mark, path }) => lookUp.has(mark) && valuesAt(body, path).length > 0);
    if (operation.kind !== 'command' || checked.length === 0) return undefined;
    return { prepare: () => assertUsable(body, checked, lookUp, rpc) };
  };
}
