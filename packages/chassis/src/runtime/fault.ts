/** An error for the caller: a status, a stable code, and a message for end users. */
export class Fault extends Error {
  readonly status: number;
  readonly code: string;
  /** Messages by the name of the wrong field. */
  readonly errors: Record<string, string[]> | undefined;
  /** Details that help the caller to act. They never contain IDs of other workspaces. */
  readonly details: object | undefined;
  /**
   * True if the same call may succeed when it is sent again in a moment. The response is not kept for its
   * Idempotency-Key.
   */
  readonly retryable: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { errors?: Record<string, string[]>; details?: object; retryable?: boolean } = {},
  ) {
    // Response and not a bug: capturing its stack would cost a busy gateway a tenth of the work for an error.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.details = more.details;
    this.retryable = more.retryable ?? false;
  }
}

/** A fault that can be thrown with or without details, and that the API docs read. */
export interface FaultMaker {
  (details?: object): Fault;
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

const declaredFaults: FaultMaker[] = [];
/** Every fault declared in the loaded modules, for the error catalogue. */
export const everyFault: readonly FaultMaker[] = declaredFaults;

/**
 * Declares a fault: `export const AlreadyConverted = fault(409, 'already_converted', 'This lead has already been
 * converted.')`. A temporary fault has `{ retryable: true }`.
 */
export function fault(status: number, code: string, text: string, { retryable = false } = {}): FaultMaker {
  const make = (details?: object) => new Fault(status, code, text, { ...(details && { details }), retryable });
  const maker = Object.assign(make, { status, code, text });
  declaredFaults.push(maker);
  return maker;
}

/** Returns the 422 that names one field of the body. */
export function invalid(field: string, message: string): Fault {
  return new Fault(422, ValidationFailed.code, message, { errors: { [field]: [message] } });
}

/** Returns the 422 for a field that names an unknown record: "Customer not found. Choose another one." */
export const unknownRecord = (field: string, noun: string): Fault =>
  invalid(field, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found. Choose another one.`);

/**
 * Returns a fault of another service with its fields moved under the caller's field. Returns other errors unchanged.
 */
export function faultUnder(field: string, error: unknown): unknown {
  if (!(error instanceof Fault) || !error.errors) return error;
  const { status, code, message, details, retryable } = error;
  const errors = Object.fromEntries(Object.entries(error.errors).map(([name, why]) => [`${field}.${name}`, why]));
  return new Fault(status, code, message, { errors, ...(details && { details }), retryable });
}

export const MalformedRequest = fault(
  400,
  'malformed_request',
  'The URL or the format of this request is not valid. Correct it.',
);
export const TooManyParameters = fault(
  400,
  'too_many_parameters',
  'A URL may have at most 100 parameters. Remove some.',
);
export const Unauthenticated = fault(401, 'unauthenticated', 'Sign in, or send a valid bearer token.');
export const WrongTokenClass = fault(
  401,
  'wrong_token_class',
  'This token is not valid here. White-label paths require white-label tokens, and other paths require user tokens.',
);
export const Forbidden = fault(
  403,
  'forbidden',
  'You are not allowed to do this. Ask an owner of the workspace for the permission.',
);
export const ModuleDisabled = fault(
  403,
  'module_disabled',
  'This module is not part of your plan. Ask an owner to change the plan.',
);
export const TrackerSession = fault(
  403,
  'tracker_session',
  'This session can only track time. Sign in for other requests.',
);
export const NotFound = fault(404, 'not_found', 'Record not found.');
export const NotAcceptable = fault(406, 'not_acceptable', 'This format is not available. Choose another one.');
export const InUse = fault(409, 'in_use', 'This record is in use. Remove all references to it first.');
export const BeingDeleted = fault(
  409,
  'being_deleted',
  'This record is being deleted. Choose another one, or try again in a moment.',
  { retryable: true },
);
export const AlreadyExists = fault(
  409,
  'already_exists',
  'This record already exists. Change it, or use another value.',
);
export const InvalidTransition = fault(
  409,
  'invalid_transition',
  'This action is not allowed in the current status. Reload the record and choose another action.',
);
/** The details contain the `limit`, the `allowed` number and the `used` number. */
export const PlanLimit = fault(409, 'plan_limit', 'You have reached a limit of your plan. Upgrade to add more.');
export const RequestInProgress = fault(
  409,
  'request_in_progress',
  'A request with this Idempotency-Key is still running. Wait, then send it again.',
  { retryable: true },
);
export const Stale = fault(412, 'stale', 'This record has changed. Reload it and try again.');
export const PayloadTooLarge = fault(413, 'payload_too_large', 'The request body is too large. Send less at a time.');
export const UnsupportedMediaType = fault(
  415,
  'unsupported_media_type',
  'This content type is not supported. Send the body as application/json.',
);
export const FileTooLarge = fault(413, 'file_too_large', 'The file is too large. Choose a smaller file.');
export const FileRefusedByScan = fault(
  422,
  'file_refused_by_scan',
  'The virus scanner rejected this file. Send another file.',
);
export const ScanUnavailable = fault(
  503,
  'file_scan_unavailable',
  'The file could not be scanned. Send it again in a few minutes.',
);
export const UnsupportedFileType = fault(
  415,
  'unsupported_file_type',
  'This type of file is not accepted. Choose another file.',
);
export const ValidationFailed = fault(422, 'validation_failed', 'Some fields are not valid. Correct them.');
export const MalformedJson = fault(422, 'malformed_json', 'The request body is not valid JSON. Correct it.');
export const IdempotencyKeyReused = fault(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was used with another body. Send a new key.',
);
export const TooManyRequests = fault(429, 'rate_limited', 'Too many requests. Try again later.');
export const Internal = fault(500, 'internal', 'Something went wrong on our side. Try again later.');
export const Unavailable = fault(503, 'unavailable', 'The service is busy or starting. Try again shortly.');
export const StorageFull = fault(507, 'storage_full', 'The storage is full. Nothing was changed. Try again later.');

/** Rejects a version in a request that creates a record: a new record has no version. @throws a 422 */
export function assertNoVersion(expect: number | undefined): void {
  if (expect !== undefined) throw invalid('version', 'A new record has no version. Omit the version.');
}

/** Estimated time to free storage, in seconds. */
const ROOM_S = 60;

/** Returns the fault for a full disk of the database or the files. The cause names the disk and is for the log. */
export const storageFull = (cause?: Error): Fault =>
  Object.assign(StorageFull({ retry_after_s: ROOM_S }), cause && { cause });

/** Faults of any operation, in addition to its declared faults. */
export const standardFaults: readonly FaultMaker[] = [
  MalformedRequest,
  TooManyParameters,
  Unauthenticated,
  WrongTokenClass,
  Forbidden,
  ModuleDisabled,
  TrackerSession,
  NotFound,
  NotAcceptable,
  InUse,
  BeingDeleted,
  AlreadyExists,
  PlanLimit,
  InvalidTransition,
  RequestInProgress,
  Stale,
  PayloadTooLarge,
  UnsupportedMediaType,
  FileTooLarge,
  UnsupportedFileType,
  FileRefusedByScan,
  ScanUnavailable,
  ValidationFailed,
  MalformedJson,
  IdempotencyKeyReused,
  TooManyRequests,
  Internal,
  Unavailable,
  StorageFull,
];

/** Returns true if a fault is declared, or is a standard fault of any operation. */
export const isDeclared = (fault: Fault, faults: readonly FaultMaker[] = []): boolean =>
  [...standardFaults, ...faults].some(({ code }) => code === fault.code);
