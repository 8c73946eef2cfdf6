import { AlreadyExists, BeingDeleted, Fault, InUse, invalid, storageFull, Unavailable } from '../runtime/fault.ts';

const UNIQUE = '23505';
const FOREIGN_KEY = '23503';
/** Two rows that exclude each other, such as overlapping periods. */
const EXCLUSION = '23P01';
const SERIALIZATION = '40001';
const DEADLOCK = '40P01';
const NUMBER_TOO_LARGE = '22003';
const NUL_IN_TEXT = '22021';
const NUL_IN_JSON = '22P05';
/**
 * An invalid date, a date beyond the calendar, an offset of more than a day, or text in the wrong format for its
 * column.
 */
const NOT_A_DATE = new Set(['22007', '22008', '22009']);
const NOT_ITS_KIND = '22P02';
/** An invalid argument, such as a time zone that PostgreSQL does not know. */
const BAD_ARGUMENT = '22023';
/** The journal has no partition for the current time: the clock of the database is wrong, or its maintenance has not run. */
const CHECK = '23514';
const NO_PARTITION = /^no partition of relation/;
const ABORTED = '25P02';
/** The server has become a replica of another one, which is the primary now. */
const READ_ONLY = '25006';
/** The suite's own code (`suite_refer`): a row refers to a record that is being deleted. */
const BEING_DELETED = 'SUDEL';
const DISK_FULL = '53100';
const LOCK_TIMEOUT = '55P03';
const STATEMENT_TIMEOUT = '57014';
/** A process that stalled in a transaction, for example on an overloaded machine. */
const IDLE_IN_TRANSACTION = '25P03';
const TRANSACTION_TIMEOUT = '25P04';
/** Waits that are too long, or that blocked others. The work itself can be the cause. */
const TOOK_LONG = new Set([LOCK_TIMEOUT, STATEMENT_TIMEOUT, IDLE_IN_TRANSACTION, TRANSACTION_TIMEOUT]);
/** Shutdown, crash, start-up, an idle session, too many connections, and a server that has become a replica. */
const SERVER_LOST = ['57P01', '57P02', '57P03', '57P05', '53300', READ_ONLY];
const SOCKET_LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
/** PostgreSQL's and Node's codes for a server or connection that was lost. */
const LOST = new Set([...SERVER_LOST, ...SOCKET_LOST]);
/** PostgreSQL's class of connection exceptions. PgBouncer reports a lost server as 08P01. */
const CONNECTION = /^08/;
/**
 * The driver's messages, without a code, for a connection that broke before or during a statement, or whose server no
 * longer responds.
 */
const CUT = /^Connection terminated|not queryable$|^Query read timeout$/;

const RETRY = Symbol('retry');

/** PostgreSQL's message for a prepared statement whose columns a migration has changed. */
const OUTDATED = /^cached plan must not change/;
const NOT_SUPPORTED = '0A000';

/** Returns true if a statement failed only because an earlier statement of its transaction had failed. */
export const isAborted = (error: unknown): boolean => (error as ErrorDetails | undefined)?.code === ABORTED;

/** Returns true if the work ran or waited too long. The work itself may be the cause: the database is reachable. */
export const isTimeout = ({ cause }: Fault): boolean => TOOK_LONG.has((cause as ErrorDetails | undefined)?.code ?? '');

/**
 * Returns true if the work waited too long for the lock of another transaction, which may be slow on a busy machine. That
 * transaction ends in any case, because its own time is limited.
 */
export const isLockTimeout = ({ cause }: Fault): boolean => (cause as ErrorDetails | undefined)?.code === LOCK_TIMEOUT;

/** Returns true if a statement would have changed rows on a replica, or in a transaction that only reads. */
export const isReadOnly = (error: unknown): boolean => (error as ErrorDetails | undefined)?.code === READ_ONLY;

/**
 * Returns true if the connection must be replaced: it prepared a statement before a migration changed it, or its server is a
 * replica now.
 */
export const isOutdated = (error: unknown): error is Fault =>
  error instanceof Fault &&
  (isReadOnly(error.cause) || OUTDATED.test((error.cause as ErrorDetails | undefined)?.message ?? ''));

/**
 * Returns true if PostgreSQL aborted this transaction in a conflict, or knew an outdated table. The transaction can run
 * again.
 */
export const isConflict = (error: unknown): boolean => error instanceof Fault && RETRY in error;

/**
 * Returns the field of a constraint: `leads_stage_id_fkey` on `leads` is about `stage_id`. PostgreSQL hides the key
 * itself under row-level security. Constraints are therefore named after the field that the caller knows.
 */
function fieldOf({ constraint = '', table = '' }: { constraint?: string; table?: string }): string {
  const name = constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : constraint;
  // Prisma names a constraint after all of its columns. Each name begins with the workspace, which callers do not send.
  return name.replace(/^workspace_id_/, '').replace(/_(fkey|key|check)$/, '') || 'body';
}

type IsWhole = (table: string) => boolean;

/**
 * Returns the fault for a database error, or undefined if the error can only be a bug. With composite foreign keys, an
 * ID of another workspace is as unknown as an ID that never existed.
 * @param isWhole returns true if the caller sees every row of a table. A table with hidden rows is not named as the
 * reason why a record cannot be deleted
 */
export function databaseFault(error: unknown, isWhole: IsWhole = () => true): Fault | undefined {
  if (error instanceof Fault) return error;
  const fault = faultOf(error as ErrorDetails, isWhole);
  return fault && Object.assign(fault, { cause: error });
}

/** PostgreSQL's or the driver's details of an error. */
interface ErrorDetails {
  code?: string;
  message?: string;
  table?: string;
  constraint?: string;
  column?: string;
}

function faultOf(refusal: ErrorDetails, isWhole: IsWhole): Fault | undefined {
  const { code = '', message = '', table } = refusal;
  switch (code) {
    case UNIQUE: {
      const errors = { [fieldOf(refusal)]: ['This value is already in use.'] };
      return new Fault(409, AlreadyExists.code, AlreadyExists.text, { errors });
    }
    case EXCLUSION:
      // The other row is committed by now. When the transaction runs again, the rule behind the constraint rejects it
      // with its own message.
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
    case CHECK:
      return NO_PARTITION.test(message) ? Unavailable() : undefined;
    case DISK_FULL:
      return storageFull();
    case SERIALIZATION:
    case DEADLOCK:
      return Object.assign(Unavailable(), { [RETRY]: true });
    case NOT_SUPPORTED:
      return OUTDATED.test(message) ? Object.assign(Unavailable(), { [RETRY]: true }) : undefined;
    default:
      if (NOT_A_DATE.has(code)) return invalid('body', 'Enter dates between the years 0001 and 9999.');
      return TOOK_LONG.has(code) || LOST.has(code) || CONNECTION.test(code) || CUT.test(message)
        ? Unavailable()
        : undefined;
  }
}
