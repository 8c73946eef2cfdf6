import pg from 'pg';
import { AlreadyExists, Fault, InUse, invalid, Unavailable } from './fault.ts';

const UNIQUE = '23505';
const FOREIGN_KEY = '23503';
const SERIALIZATION = '40001';
const DEADLOCK = '40P01';
const LOCK_TIMEOUT = '55P03';
const STATEMENT_TIMEOUT = '57014';
/** Shutdown, crash, not yet up, too many connections; and Node's own codes for a lost connection. */
const LOST = new Set(['57P01', '57P02', '57P03', '53300', '08006', '08003', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

const RETRY = Symbol('retry');

/** Whether PostgreSQL chose this transaction to lose, so that running it again is right. */
export const isConflict = (error: unknown): boolean => error instanceof Fault && RETRY in error;

/**
 * The field that a constraint is about: `leads_stage_id_fkey` on `leads` is about `stage_id`. PostgreSQL hides the key
 * itself under row-level security, so constraints are named after the field that a caller should hear of.
 */
function fieldOf({ constraint = '', table = '' }: { constraint?: string; table?: string }): string {
  const name = constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : constraint;
  return name.replace(/_(fkey|key|check)$/, '') || 'body';
}

/**
 * What a refusal of the database means for a caller, or undefined where it can only be a mistake of ours.
 * Composite foreign keys make another workspace's id as unknown as one that never was.
 */
export function databaseFault(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error;
  const { code, message = '' } = error as { code?: string; message?: string };
  const field = fieldOf(error as object);
  switch (code) {
    case UNIQUE:
      return Object.assign(
        new Fault(409, AlreadyExists.code, AlreadyExists.text, { errors: { [field]: ['This is taken already.'] } }),
        { cause: error },
      );
    case FOREIGN_KEY:
      return message.startsWith('update or delete')
        ? InUse({ held_by: (error as { table?: string }).table })
        : invalid(field, 'There is no such record.');
    case '22003':
      return invalid('body', 'A number is too large.');
    case SERIALIZATION:
    case DEADLOCK:
      return Object.assign(Unavailable(), { [RETRY]: true, cause: error });
    case LOCK_TIMEOUT:
    case STATEMENT_TIMEOUT:
      return Object.assign(Unavailable(), { cause: error });
    default:
  }
  if ((code && LOST.has(code)) || message.startsWith('Connection terminated'))
    return Object.assign(Unavailable(), { cause: error });
  return undefined;
}

/** The name of the constraint that refused a statement, for rules that are a constraint. */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof Fault ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause.constraint : undefined;
}
