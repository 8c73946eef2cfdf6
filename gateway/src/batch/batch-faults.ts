/** Faults of a whole batch, which reject it before its first call, and faults of single calls. */
import { Fault, type FaultMaker, fault, shownField } from '@suite/chassis/gateway';

export const DuplicateCallId = fault(
  422,
  'duplicate_call_id',
  'Two calls have the same ID. Give each call its own ID.',
);
export const UnknownOperation = fault(
  422,
  'unknown_operation',
  'There is no operation with this method and path. Check the URL.',
);
export const NestedBatch = fault(
  422,
  'nested_batch',
  'A batch cannot contain a batch. Add the inner calls to this batch.',
);
export const NotInBatch = fault(
  422,
  'not_in_batch',
  'Public operations and white-label operations cannot be part of a batch. Call this operation directly.',
);
export const InvalidReference = fault(
  422,
  'invalid_reference',
  'This reference is not valid. Refer to a field in the response of an earlier call.',
);
/** Faults that reject a whole batch before its first call. */
export const batchFaults: FaultMaker[] = [DuplicateCallId, UnknownOperation, NestedBatch, NotInBatch, InvalidReference];

export const BatchStopped = fault(
  424,
  'batch_stopped',
  'This call was not made, because an earlier call failed. Correct that call, then repeat the batch.',
);
export const DependencyFailed = fault(
  424,
  'dependency_failed',
  'This call was not made, because it refers to a call that did not succeed. Correct that call first.',
);
export const ReferenceNotFound = fault(
  422,
  'reference_not_found',
  'The response of the other call does not contain this field. Correct the reference.',
);
export const ReferenceNotText = fault(
  422,
  'reference_not_text',
  'Only texts, numbers, true and false can be part of a path or a longer text. Refer to a single value.',
);
export const ReferenceTooLarge = fault(
  413,
  'reference_too_large',
  'The values that this call refers to are too large. Refer to less data.',
);
export const ResponseNotJson = fault(
  406,
  'response_not_json',
  'This operation returns a file. Call it directly instead of in a batch.',
);
export const ResponseTooLarge = fault(
  413,
  'response_too_large',
  'The call was made, but its response is too large for a batch. Call it directly with the same Idempotency-Key.',
);
export const BatchFull = fault(
  413,
  'batch_full',
  'This call was not made, because the response of the batch is full. Send the call in another batch.',
);
export const BatchInterrupted = fault(
  503,
  'batch_interrupted',
  'This call was not made, because the batch was interrupted. Repeat the batch with the same Idempotency-Key.',
);
export const BatchTimeout = fault(
  504,
  'batch_timeout',
  'This call was not made, because the batch took too long. Repeat the batch with the same Idempotency-Key.',
);

/** Returns a fault that names the wrong field, such as `calls.0.path`. */
export function faultAt(
  { status, code, text }: FaultMaker,
  field: string,
  { message = text, details }: { message?: string; details?: object } = {},
): Fault {
  return new Fault(status, code, message, { errors: { [shownField(field)]: [message] }, ...(details && { details }) });
}
