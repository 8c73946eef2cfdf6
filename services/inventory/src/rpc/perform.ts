/** How a method does its work: in the caller's workspace, in one transaction, for good or to see what would happen. */
import { type Caller, type Database, Unauthenticated } from '@suite/chassis';
import type { Db, Work } from '../operations.ts';
import type { Source } from '../stock/movement.ts';
import { announceShortage, isShortage } from '../stock/shortage.ts';

/** What a method is called with beside its request. */
export interface Called {
  caller: Caller | null;
  request_id: string;
  database: Database<Db>;
}

/** Ends a transaction that was only to show what would happen. */
class Rehearsed extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('This was a rehearsal.');
    this.answer = answer;
  }
}

/** The caller's workspace; these methods answer about no other. @throws Unauthenticated */
function contextOf({ caller, request_id }: Called, operation: string) {
  if (!caller) throw Unauthenticated();
  return { workspace_id: caller.workspace_id, caller, operation: `rpc:${operation}`, request_id };
}

/** Looks into the caller's workspace. */
export const look = <T>(called: Called, operation: string, work: (db: Db) => Promise<T>): Promise<T> =>
  called.database.read(contextOf(called, operation), work);

/** How work is done, beside what it is. */
interface Manner {
  /** The document that it is done for. */
  source?: Source;
  /** Runs the same code and leaves everything as it was. */
  dry_run?: boolean;
}

/** Works in the caller's workspace. When goods lack, nothing is left of the work, and the others hear of the refusal. */
export async function perform<T>(
  called: Called,
  operation: string,
  work: (work: Work) => Promise<T>,
  { source = { type: '', id: '' }, dry_run = false }: Manner = {},
): Promise<T> {
  const { database } = called;
  const context = contextOf(called, operation);
  try {
    return await database.write(context, async (db, emit) => {
      const answer = await work({ db, emit, caller: context.caller });
      if (dry_run) throw new Rehearsed(answer);
      return answer;
    });
  } catch (end) {
    if (end instanceof Rehearsed) return end.answer as T;
    if (isShortage(end) && !dry_run)
      await database.write(context, (db, emit) => announceShortage({ db, emit }, end, source));
    throw end;
  }
}
