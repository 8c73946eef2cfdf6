/** Rejections by external servers, and their effect on retries. */
import { isPassing, OutgoingFailure } from '@suite/outbound-http';
import { StepFailed } from './connection-test.ts';
import type { FailedAttempt } from './delivery.ts';
import { isRefusedStatus } from './integration.rules.ts';

/** Rejection by a server, with a sentence for users. */
export class ServerRefused extends StepFailed {
  readonly status: number;
  readonly retry_after: string | undefined;

  constructor(message: string, status: number, retry_after?: string) {
    super(message);
    this.status = status;
    this.retry_after = retry_after;
  }
}

/** Returns the failed attempt that an error represents. @throws the error, when it is a bug */
export function asFailedAttempt(error: unknown): FailedAttempt {
  if (error instanceof OutgoingFailure)
    return { failure: { code: error.code, message: error.message }, passing: error.retryable };
  if (!(error instanceof ServerRefused)) throw error;
  const { message, status, retry_after } = error;
  const code = isRefusedStatus(status) ? 'credentials_refused' : isPassing(status) ? 'server_busy' : 'server_refused';
  return { failure: { code, message, status }, passing: isPassing(status), retry_after };
}
