/** Reasons for a call to fail before a response. */
const REASONS = {
  invalid_url: 'This URL is not valid. Check the address.',
  not_https: 'Only addresses that begin with https:// are allowed.',
  private_address: 'Private network addresses are not allowed. Enter a public address.',
  unknown_host: 'Host not found.',
  unreachable: 'The server cannot be reached or closed the connection.',
  certificate: 'The server has no valid certificate or does not support TLS.',
  timeout: 'The server did not respond in time.',
  answer_too_large: 'The response of the server is too large.',
  malformed_answer: 'The server did not return a valid HTTP response.',
  busy: 'Too many calls of your workspace are waiting. Try again later.',
} as const;

export type FailureCode = keyof typeof REASONS;

/** Temporary failures, after which the same call may succeed. */
const PASSING: readonly FailureCode[] = ['unknown_host', 'unreachable', 'timeout', 'busy'];

/** Call without a response. The message is a sentence for users, and reveals nothing about our network. */
export class OutgoingFailure extends Error {
  readonly code: FailureCode;
  /** True if a retry may succeed. */
  readonly retryable: boolean;

  constructor(code: FailureCode, cause?: unknown) {
    super(REASONS[code], { cause });
    this.code = code;
    this.retryable = PASSING.includes(code);
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|SSL|TLS|EPROTO/;

/** Returns the failure that a network error represents. */
export function asFailure(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const { code = '' } = (error ?? {}) as { code?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new OutgoingFailure('unknown_host', error);
  if (code.startsWith('HPE_')) return new OutgoingFailure('malformed_answer', error);
  if (CERTIFICATE.test(code)) return new OutgoingFailure('certificate', error);
  return new OutgoingFailure('unreachable', error);
}
