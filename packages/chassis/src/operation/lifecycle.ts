import { InvalidTransition, NotFound } from '../runtime/fault.ts';

type States = Record<string, Record<string, string>>;
type Verb<S extends States> = { [K in keyof S]: keyof S[K] & string }[keyof S];
type Checked<S extends States> = { [K in keyof S]: { [V in keyof S[K]]: S[K][V] extends keyof S ? S[K][V] : never } };
interface Table {
  updateMany(query: never): Promise<{ count: number }>;
  findFirst(query: never): PromiseLike<{ status: string } | null>;
}

export interface Lifecycle<S extends States = States> {
  noun: string;
  table: S;
  states: (keyof S & string)[];
  /** What may be done to a thing in this state. */
  allowed(status: string): Verb<S>[];
  /**
   * Moves one row. The guard is in the update itself, so that two callers cannot both win.
   * @param allowedIn what the caller may do in a state, in the words of `allowed_actions`: a refusal says it
   * @returns false when the row is already where the verb leads: nothing happened, and nothing must be announced.
   * @throws NotFound, InvalidTransition (`from`, `action`, `allowed`)
   */
  move(
    table: object,
    id: string,
    action: Verb<S>,
    patch?: object,
    allowedIn?: (status: string) => readonly string[],
  ): Promise<boolean>;
}

/** What may happen to a thing, as a table: state → verb → next state. A verb that is not listed cannot happen. */
export function lifecycle<const S extends States>(noun: string, table: S & Checked<S>): Lifecycle<S> {
  const states = table as States;
  const allowed = (status: string) => Object.keys(states[status] ?? {}) as Verb<S>[];
  return {
    noun,
    table,
    states: Object.keys(states),
    allowed,
    async move(rows, id, action, patch = {}, allowedIn = allowed) {
      const model = rows as Table;
      const ends = new Set<string>();
      for (const [from, verbs] of Object.entries(states)) {
        const to = verbs[action];
        if (!to) continue;
        ends.add(to);
        const { count } = await model.updateMany({
          where: { id, status: from },
          data: { ...patch, status: to },
        } as never);
        if (count === 1) return true;
      }
      const row = await model.findFirst({ where: { id } } as never);
      if (!row) throw NotFound();
      if (ends.has(row.status)) return false;
      throw InvalidTransition({ from: row.status, action, allowed: allowedIn(row.status) });
    },
  };
}
