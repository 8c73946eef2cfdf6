/** Checks at start of lifecycles: each action has an operation, method, consumer or schedule, and records beyond a scope have owners. */
import type { LifecycleDiagram } from './lifecycle/lifecycle.ts';
import { type Operation } from './operation/operation.ts';
import { requiredPermissions } from './operation/access.ts';
import type { Action } from './lifecycle/rights.ts';
import { isBeyondScope } from './visibility/condition.ts';
import type { Visibility } from './visibility/visibility.ts';

type Operations = ReadonlyMap<string, Operation>;

/** Returns the operations that perform each action, as declared in their `access`: `noun.action` → IDs. */
export function performersOf(operations: Operations): Map<string, string[]> {
  const done = [...operations].flatMap(([id, { access }]) => {
    const { noun, actions = [] } = (access.kind === 'permission' && access.does) || {};
    return actions.map((action) => ({ id, action: `${noun}.${action}` }));
  });
  return new Map(
    [...Map.groupBy(done, ({ action }) => action)].map(([action, found]) => [action, found.map(({ id }) => id)]),
  );
}

/** @throws if an action names an operation that does not exist, or an operation with another permission */
function assertPerformerExists(
  action: string,
  { by, permission, also }: Action,
  operations: Operations,
  others: readonly string[],
) {
  const needed = [permission, also].filter((one) => one !== undefined);
  for (const name of by) {
    const operation = operations.get(name);
    if (!operation && !others.includes(name))
      throw new Error(`${action} names the operation ${name}, which does not exist.`);
    const missing = operation && needed.find((one) => !requiredPermissions(operation).includes(one));
    if (missing) throw new Error(`${action} requires ${missing}, but its operation ${name} does not.`);
  }
}

/**
 * Checks that each action of each lifecycle is performed by an operation, method, consumer or schedule.
 * @param others the methods, consumers and schedules of the service
 */
export function assertActionsPerformed(
  lives: readonly LifecycleDiagram[],
  operations: Operations,
  others: readonly string[],
): void {
  const done = performersOf(operations);
  const known = new Set<string>();
  for (const { noun, actions } of lives) {
    for (const [name, action] of actions) {
      const full = `${noun}.${name}`;
      if (known.has(full)) throw new Error(`${noun} has two lifecycles.`);
      known.add(full);
      assertPerformerExists(full, action, operations, others);
      if (action.by.length === 0 && !done.has(full))
        throw new Error(`Nothing performs ${full}. Declare \`access: …can('${name}')\` in an operation.`);
    }
  }
  const stray = [...done.keys()].find((action) => !known.has(action));
  if (stray) throw new Error(`${done.get(stray)?.join(', ')} does ${stray}: list that lifecycle in the service.`);
}

/**
 * Makes sure that `allowed_actions` of records that a caller sees beyond their record scope offer no change.
 * @throws when a lifecycle of such records declares no owner
 */
export function assertOwners(lives: readonly LifecycleDiagram[], declared: readonly Visibility[]): void {
  for (const visible of declared) {
    if (visible.rule !== 'conditions' || !isBeyondScope(visible.conditions.limited)) continue;
    const life = lives.find(({ noun }) => noun === visible.conditions.noun);
    if (life && life.owner === undefined)
      throw new Error(`${visible.table} shows records beyond the record scope: declare the \`owner\` of ${life.noun}.`);
  }
}
