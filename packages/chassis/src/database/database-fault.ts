import { AlreadyExists, BeingDeleted, Fault, InUse, invalid, storageFull, Unavailable } from '../runtime/fault.ts';

const UNIQUE = '23505';
const FOREIGN_KEY = '23503';
/** Two rows that exclude each other, such as two periods that overlap. */
const EXCLUSION = '23P01';
const SERIALIZATION = '40001';
const DEADLOCK = '40P01';
const NUMBER_TOO_LARGE = '22003';
const NUL_IN_TEXT = '22021';
const NUL_IN_JSON = '22P05';
/** A date that is none, beyond the calendar, or with an offset beyond a day; text that is not what its column holds. */
const NOT_A_DATE = new Set(['22007', '22008', '22009']);
const NOT_ITS_KIND = '22P02';
/** An argument that no function takes, such as a time zone that PostgreSQL does not know. */
const BAD_ARGUMENT = '22023';
const ABORTED = '25P02';
/** Our own code (`suite_refer`): a row refers to a record that is being deleted. */
const BEING_DELETED = 'SUDEL';
const DISK_FULL = '53100';
const LOCK_TIMEOUT = '55P03';
const STATEMENT_TIMEOUT = '57014';
/** A process that stood still in a transaction, as it does on a machine that is too busy. */
const IDLE_IN_TRANSACTION = '25P03';
const TRANSACTION_TIMEOUT = '25P04';
/** Waited too long, or let others wait: that may be the doing of the work itself. */
const TOOK_LONG = new Set([LOCK_TIMEOUT, STATEMENT_TIMEOUT, IDLE_IN_TRANSACTION, TRANSACTION_TIMEOUT]);
/** Shutdown, crash, not yet up, too many connections; and Node's own codes for a lost connection. */
const LOST = new Set(['57P01', '57P02', '57P03', '53300', '08006', '08003', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** The driver's words, without a code, for a connection that broke during a statement or before it. */
const CUT = /^Connection terminated|not queryable$/;

const RETRY = Symbol('retry');

/** PostgreSQL's words for a prepared statement whose columns a migration has changed since. */
const OUTDATED = /^cached plan must not change/;
const NOT_SUPPORTED = '0A000';

/** Whether a statement was refused only because one before it in its transaction had failed. */
export const isAborted = (error: unknown): boolean => (error as Refusal | undefined)?.code === ABORTED;

/** Whether the work took too long, or waited too long, which may be its own doing: the database is there. */
export const tookLong = ({ cause }: Fault): boolean => TOOK_LONG.has((cause as Refusal | undefined)?.code ?? '');

/** Whether the connection knows a statement as it was before a migration, and has to be given up. */
export const isOutdated = (error: unknown): error is Fault =>
  error instanceof Fault && OUTDATED.test((error.cause as Refusal | undefined)?.message ?? '');

/** Whether PostgreSQL chose this transaction to lose, or did not know its tables, so that it is right to run it again. */
export const isConflict = (error: unknown): boolean => error instanceof Fault && RETRY in error;

/**
 * The field that a constraint is about: `leads_stage_id_fkey` on `leads` is about `stage_id`. PostgreSQL hides the key
 * itself under row-level security, so constraints are named after the field that a caller should hear of.
 */
function fieldOf({ constraint = '', table = '' }: { constraint?: string; table?: string }): string {
  const name = constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : constraint;
  // Prisma names a constraint after all of its columns; every one begins with the workspace, which no caller sends.
  return name.replace(/^workspace_id_/, '').replace(/_(fkey|key|check)$/, '') || 'body';
}

type IsWhole = (table: string) => boolean;

/**
 * The fault that a refusal of the database is for a caller, or undefined where it can only be a mistake of ours.
 * Composite foreign keys make another workspace's id as unknown as one that never was.
 * @param isWhole whether the caller sees each row of a table: a table of which rows are hidden is not named as the one
 * whose rows keep a record from being deleted
 */
export function databaseFault(error: unknown, isWhole: IsWhole = () => true): Fault | undefined {
  if (error instanceof Fault) return error;
  const fault = meaningOf(error as Refusal, isWhole);
  return fault && Object.assign(fault, { cause: error });
}

/** The words of PostgreSQL, or of the way to it, for a refusal. */
interface Refusal {
  code?: string;
  message?: string;
  table?: string;
  constraint?: string;
  column?: string;
}

function meaningOf(refusal: Refusal, isWhole: IsWhole): Fault | undefined {
  const { code = '', message = '', table } = refusal;
  switch (code) {
    case UNIQUE: {
      const errors = { [fieldOf(refusal)]: ['This is taken already.'] };
      return new Fault(409, AlreadyExists.code, AlreadyExists.text, { errors });
    }
    case EXCLUSION:
      // The other row is committed by now: run again, the rule that the constraint stands behind refuses in its own words.
      return Object.assign(AlreadyExists(), { [RETRY]: true });
    case FOREIGN_KEY:
      return message.startsWith('update or delete')
        ? InUse(table !== undefined && isWhole(table) ? { held_by: table } : undefined)
        : invalid(fieldOf(refusal), 'Record not found.');
    case BEING_DELETED: {
      const { status, code: name, text } = BeingDeleted;
      return new Fault(status, name, text, { errors: { [refusal.column ?? 'body']: [text] }, retryable: true });
    }
    case NUMBER_TOO_LARGE:
      return invalid('body', 'A number is too large.');
    case NOT_ITS_KIND:
      return invalid('body', 'A value does not have the format of its field.');
    case BAD_ARGUMENT:
      return message.startsWith('time zone')
        ? invalid('timezone', 'Time zone not found. Enter a name such as "Europe/Berlin".')
        : undefined;
    case NUL_IN_TEXT:
    case NUL_IN_JSON:
      return invalid('body', 'The text must not contain the character U+0000.');
    case DISK_FULL:
      return storageFull();
    case SERIALIZATION:
    case DEADLOCK:
      return Object.assign(Unavailable(), { [RETRY]: true });
    case NOT_SUPPORTED:
      return OUTDATED.test(message) ? Object.assign(Unavailable(), { [RETRY]: true }) : undefined;
    default:
      if (NOT_A_DATE.has(code)) return invalid('body', 'Enter dates between the years 0001 and 9999.');
      return TOOK_LONG.has(code) || LOST.has(code) || CUT.test(message) ? Unavailable() : undefined;
  }
}
