/** The faults that the gateway itself answers with. */
import { Fault, NotFound, PayloadTooLarge, Unauthenticated, Unavailable } from '@suite/chassis/gateway';

interface More {
  headers?: Readonly<Record<string, string>>;
  details?: object;
}

/** A fault with headers that tell the client what to do about it. */
export class Refusal extends Fault {
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, { headers = {}, details }: More = {}) {
    super(status, code, message, details && { details });
    this.headers = headers;
  }

  /** The same with what else helps. */
  with(details: object): Refusal {
    return new Refusal(this.status, this.code, this.message, { headers: this.headers, details });
  }
}

export const MalformedRequest = (): Refusal =>
  new Refusal(400, 'malformed_request', 'The address or the form of this request is not valid.', {
    headers: { connection: 'close' },
  });

export const TooManyParameters = (): Refusal =>
  new Refusal(400, 'too_many_parameters', 'An address may have at most 100 parameters.');

export const UnknownPath = (): Refusal => new Refusal(404, NotFound.code, 'There is nothing at this address.');

export const MethodNotAllowed = (allow: string): Refusal =>
  new Refusal(405, 'method_not_allowed', 'This address does not answer to this method.', { headers: { allow } });

export const TokenMissing = (): Refusal =>
  new Refusal(401, Unauthenticated.code, Unauthenticated.text, {
    headers: { 'www-authenticate': 'Bearer realm="suite"' },
  });

export const TokenWithoutBearer = (): Refusal =>
  new Refusal(401, Unauthenticated.code, 'Send the token as "Authorization: Bearer <token>".', {
    headers: {
      'www-authenticate':
        'Bearer realm="suite", error="invalid_request", error_description="Write Bearer and a space before the token."',
    },
  });

export const TokenRefused = (): Refusal =>
  new Refusal(401, Unauthenticated.code, Unauthenticated.text, {
    headers: {
      'www-authenticate':
        'Bearer realm="suite", error="invalid_token", error_description="The token is not valid any more."',
    },
  });

export const BodyTooSlow = (): Refusal =>
  new Refusal(408, 'request_timeout', 'The request body did not arrive in time.', {
    headers: { connection: 'close' },
  });

export const BadAnswer = (): Refusal =>
  new Refusal(502, 'bad_gateway', 'A part of the suite broke off its answer. Try again shortly.');

/** The service is away or has too much to do; others are not concerned. */
export const ServiceUnavailable = (): Refusal =>
  new Refusal(503, Unavailable.code, 'This part of the suite is busy or starting. Try again shortly.', {
    headers: { 'retry-after': '1' },
  });

export const TooLate = (): Refusal =>
  new Refusal(504, 'gateway_timeout', 'A part of the suite took too long to answer.');

/** What is answered where there is no request yet: to what the parser refused, and to a connection too many. */
export const HeadersTooLarge = (): Refusal =>
  new Refusal(431, 'headers_too_large', 'The headers are too large.', { headers: { connection: 'close' } });

export const ChunksTooLarge = (): Refusal =>
  new Refusal(413, PayloadTooLarge.code, PayloadTooLarge.text, { headers: { connection: 'close' } });

export const NotHttp = (): Refusal =>
  new Refusal(400, 'malformed_request', 'This is not a valid HTTP request.', { headers: { connection: 'close' } });

export const TooManyConnections = (): Refusal =>
  new Refusal(429, 'too_many_connections', 'There are too many connections from your address.', {
    headers: { 'retry-after': '1', connection: 'close' },
    details: { retry_after_s: 1 },
  });

/** Every fault of the gateway's own, for the catalogue of errors. */
export const refusals = [
  MalformedRequest,
  TooManyParameters,
  UnknownPath,
  () => MethodNotAllowed(''),
  TokenMissing,
  TokenWithoutBearer,
  BodyTooSlow,
  BadAnswer,
  ServiceUnavailable,
  TooLate,
  HeadersTooLarge,
  NotHttp,
  TooManyConnections,
].map((make) => {
  const { status, code, message: text } = make();
  return { status, code, text };
});
