/** The reasons for which a call fails before there is an answer. */
const REASONS = {
  invalid_url: 'This is not an address that can be called.',
  not_https: 'Only addresses that begin with https:// are called.',
  private_address: 'Private network addresses are not allowed.',
  unknown_host: 'Host not found.',
  unreachable: 'The server cannot be reached, or broke off.',
  certificate: 'The server has no valid certificate, or speaks no TLS.',
  timeout: 'The server did not answer in time.',
  answer_too_large: 'The answer of the server is too large.',
  malformed_answer: 'The server does not answer as a web server does.',
  busy: 'Too many calls of this workspace are waiting.',
} as const;

export type FailureCode = keyof typeof REASONS;

/** Failures after which the same call may succeed. */
const PASSING: readonly FailureCode[] = ['unknown_host', 'unreachable', 'timeout', 'busy'];

/** A call that got no answer. Its message is a sentence for users, and tells nothing of our network. */
export class OutgoingFailure extends Error {
  readonly code: FailureCode;
  /** Whether it is worth trying again. */
  readonly retryable: boolean;

  constructor(code: FailureCode, cause?: unknown) {
    super(REASONS[code], { cause });
    this.code = code;
    this.retryable = PASSING.includes(code);
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|SSL|TLS|EPROTO/;

/** The failure that an error of the network stands for. */
export function asFailure(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const { code = '' } = (error ?? {}) as { code?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new OutgoingFailure('unknown_host', error);
  if (code.startsWith('HPE_')) return new OutgoingFailure('malformed_answer', error);
  if (CERTIFICATE.test(code)) return new OutgoingFailure('certificate', error);
  return new OutgoingFailure('unreachable', error);
}
