import { type Caller, Fault, InvalidTransition, NotFound } from '@suite/chassis';

interface Rows {
  findFirst(query: never): PromiseLike<{ status: string } | null>;
}

/** A lifecycle, whatever its states. */
interface States {
  table: Record<string, Record<string, string>>;
  move(rows: object, id: string, verb: string, patch?: object): Promise<boolean>;
}

/** What a caller may do in a state: the words of `allowed_actions`. */
type AllowedIn = (status: string) => string[];

/** The refusal of a move tells what the caller may do instead, in the words of `allowed_actions`. */
export async function tellingAllowed<T>(move: Promise<T>, allowedIn: AllowedIn): Promise<T> {
  return await move.catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== InvalidTransition.code) throw error;
    const { from, action } = error.details as { from: string; action: string };
    throw InvalidTransition({ from, action, allowed: allowedIn(from) });
  });
}

const verbTo = (verbs: Record<string, string>, target: string): string | undefined =>
  Object.keys(verbs).find((verb) => verbs[verb] === target);

/**
 * Moves a row to a state that a body asks for, by the verb of the table that leads there.
 * @returns false when it is there already
 * @throws NotFound, InvalidTransition
 */
export async function moveTo(
  states: States,
  rows: object,
  id: string,
  target: string,
  { patch = {}, allowedIn }: { patch?: object; allowedIn: AllowedIn },
): Promise<boolean> {
  const row = await (rows as Rows).findFirst({ where: { id } } as never);
  if (!row) throw NotFound();
  const from = row.status;
  if (from === target) return false;
  const verb = verbTo(states.table[from] ?? {}, target);
  if (verb) return await tellingAllowed(states.move(rows, id, verb, patch), allowedIn);
  const elsewhere = Object.values(states.table).map((verbs) => verbTo(verbs, target));
  const action = elsewhere.find((known) => known !== undefined) ?? target;
  throw InvalidTransition({ from, action, allowed: allowedIn(from) });
}

/** The actions of these that the caller has the permission for. */
export const permitted = (caller: Caller, actions: readonly string[], permissions: Record<string, string>): string[] =>
  actions.filter((action) => {
    const permission = permissions[action];
    return permission !== undefined && caller.permissions.includes(permission);
  });
