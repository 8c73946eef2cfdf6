/** Rejections by external servers, and their effect on retries. */
import { isTransient, OutgoingFailure } from '@suite/outbound-http';
import { StepFailed } from './connection-test.ts';
import type { FailedAttempt } from './delivery.ts';
import { isCredentialStatus } from './integration.rules.ts';

/** Rejection by a server, with a sentence for users. */
export class ServerRejection extends StepFailed {
  readonly status: number;
  readonly retry_after: string | undefined;

  constructor(message: string, status: number, retry_after?: string) {
    super(message);
    this.status = status;
    this.retry_after = retry_after;
  }
}

/** Returns the failed attempt that an error represents. @throws the error, when it is a bug */
export function toFailedAttempt(error: unknown): FailedAttempt {
  if (error instanceof OutgoingFailure)
    return { failure: { code: error.code, message: error.message }, isTemporary: error.retryable };
  if (!(error instanceof ServerRejection)) throw error;
  const { message, status, retry_after } = error;
  const code = isCredentialStatus(status)
    ? 'credentials_refused'
    : isTransient(status)
      ? 'server_busy'
      : 'server_refused';
  return { failure: { code, message, status }, isTemporary: isTransient(status), retry_after };
}
