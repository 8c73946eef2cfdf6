/** The gateway's own faults. */
import {
  Fault,
  MalformedRequest as Malformed,
  NotFound,
  PayloadTooLarge,
  Unauthenticated,
  Unavailable,
  WrongTokenClass as OfAnotherClass,
} from '@suite/chassis/gateway';

interface FaultOptions {
  headers?: Readonly<Record<string, string>>;
  details?: object;
}

/** A fault with response headers that tell the client what to do next. */
export class GatewayFault extends Fault {
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, { headers = {}, details }: FaultOptions = {}) {
    super(status, code, message, details && { details });
    this.headers = headers;
  }

  /** A copy with these details. */
  withDetails(details: object): GatewayFault {
    return new GatewayFault(this.status, this.code, this.message, { headers: this.headers, details });
  }
}

export const MalformedRequest = (): GatewayFault =>
  new GatewayFault(400, Malformed.code, Malformed.text, {
    headers: { connection: 'close' },
  });

export const UnknownPath = (): GatewayFault =>
  new GatewayFault(404, NotFound.code, 'There is nothing at this address.');

export const MethodNotAllowed = (allow: string): GatewayFault =>
  new GatewayFault(405, 'method_not_allowed', 'This address does not answer to this method.', { headers: { allow } });

export const TokenMissing = (): GatewayFault =>
  new GatewayFault(401, Unauthenticated.code, Unauthenticated.text, {
    headers: { 'www-authenticate': 'Bearer realm="suite"' },
  });

export const TokenWithoutBearer = (): GatewayFault =>
  new GatewayFault(401, Unauthenticated.code, 'Send the token as "Authorization: Bearer <token>".', {
    headers: {
      'www-authenticate':
        'Bearer realm="suite", error="invalid_request", error_description="Write Bearer and a space before the token."',
    },
  });

export const TokenRefused = (): GatewayFault =>
  new GatewayFault(401, Unauthenticated.code, Unauthenticated.text, {
    headers: {
      'www-authenticate':
        'Bearer realm="suite", error="invalid_token", error_description="The token is not valid any more."',
    },
  });

/** A user's token at a white-label path, or the other way round. */
export const WrongTokenClass = (): GatewayFault =>
  new GatewayFault(401, OfAnotherClass.code, OfAnotherClass.text, {
    headers: {
      'www-authenticate':
        'Bearer realm="suite", error="invalid_token", error_description="The token is of another class."',
    },
  });

export const BodyTooSlow = (): GatewayFault =>
  new GatewayFault(408, 'request_timeout', 'The request body did not arrive in time.', {
    headers: { connection: 'close' },
  });

export const BadGateway = (): GatewayFault =>
  new GatewayFault(502, 'bad_gateway', 'A part of the suite broke off its answer. Try again shortly.');

/** The service cannot be reached or is overloaded; other services are not affected. */
export const ServiceUnavailable = (): GatewayFault =>
  new GatewayFault(503, Unavailable.code, 'This part of the suite is busy or starting. Try again shortly.', {
    headers: { 'retry-after': '1' },
  });

export const GatewayTimeout = (): GatewayFault =>
  new GatewayFault(504, 'gateway_timeout', 'A part of the suite took too long to answer.');

/** Faults before there is a request: the HTTP parser failed, or there is one connection too many. */
export const HeadersTooLarge = (): GatewayFault =>
  new GatewayFault(431, 'headers_too_large', 'The headers are too large.', { headers: { connection: 'close' } });

export const ChunksTooLarge = (): GatewayFault =>
  new GatewayFault(413, PayloadTooLarge.code, PayloadTooLarge.text, { headers: { connection: 'close' } });

export const NotHttp = (): GatewayFault =>
  new GatewayFault(400, Malformed.code, 'This is not a valid HTTP request.', { headers: { connection: 'close' } });

export const TooManyConnections = (): GatewayFault =>
  new GatewayFault(429, 'too_many_connections', 'There are too many connections from your address.', {
    headers: { 'retry-after': '1', connection: 'close' },
    details: { retry_after_s: 1 },
  });

/** Every fault of the gateway, for the catalogue of errors. */
export const gatewayFaults = [
  MalformedRequest,
  UnknownPath,
  () => MethodNotAllowed(''),
  TokenMissing,
  TokenWithoutBearer,
  WrongTokenClass,
  BodyTooSlow,
  BadGateway,
  ServiceUnavailable,
  GatewayTimeout,
  HeadersTooLarge,
  NotHttp,
  TooManyConnections,
].map((make) => {
  const { status, code, message: text } = make();
  return { status, code, text };
});
