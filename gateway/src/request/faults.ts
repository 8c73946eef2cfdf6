/** Faults of the gateway. */
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

/** Fault with response headers that show the client what to do next. */
export class GatewayFault extends Fault {
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, { headers = {}, details }: FaultOptions = {}) {
    super(status, code, message, details && { details });
    this.headers = headers;
  }

  /** Returns a copy with these details. */
  withDetails(details: object): GatewayFault {
    return new GatewayFault(this.status, this.code, this.message, { headers: this.headers, details });
  }
}

export const MalformedRequest = (): GatewayFault =>
  new GatewayFault(400, Malformed.code, Malformed.text, {
    headers: { connection: 'close' },
  });

export const UnknownPath = (): GatewayFault =>
  new GatewayFault(404, NotFound.code, 'There is nothing at this address. Check the URL.');

export const MethodNotAllowed = (allow: string): GatewayFault =>
  new GatewayFault(405, 'method_not_allowed', 'This address does not accept this method. Use another method.', {
    headers: { allow },
  });

export const TooManyStreams = (): GatewayFault =>
  new GatewayFault(429, 'too_many_streams', 'Too many requests of this user wait for changes. Close one of them.', {
    headers: { 'retry-after': '5' },
  });

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
        'Bearer realm="suite", error="invalid_token", error_description="The token is no longer valid."',
    },
  });

/** Token of a user at a white-label path, or the reverse. */
export const WrongTokenClass = (): GatewayFault =>
  new GatewayFault(401, OfAnotherClass.code, OfAnotherClass.text, {
    headers: {
      'www-authenticate':
        'Bearer realm="suite", error="invalid_token", error_description="The token is of another class."',
    },
  });

export const BodyTooSlow = (): GatewayFault =>
  new GatewayFault(408, 'request_timeout', 'The request body did not arrive in time. Try again.', {
    headers: { connection: 'close' },
  });

export const BadGateway = (): GatewayFault =>
  new GatewayFault(502, 'bad_gateway', 'A part of the suite interrupted its response. Try again shortly.');

/** Returns the fault for an unavailable or overloaded service. Other services are not affected. */
export const ServiceUnavailable = (): GatewayFault =>
  new GatewayFault(503, Unavailable.code, 'This part of the suite is busy or starting. Try again shortly.', {
    headers: { 'retry-after': '1' },
  });

export const GatewayTimeout = (): GatewayFault =>
  new GatewayFault(504, 'gateway_timeout', 'A part of the suite took too long to respond. Try again shortly.');

/** Fault before a request exists: the HTTP parser failed, or there are too many connections. */
export const HeadersTooLarge = (): GatewayFault =>
  new GatewayFault(431, 'headers_too_large', 'The headers are too large. Send fewer or shorter headers.', {
    headers: { connection: 'close' },
  });

export const ChunksTooLarge = (): GatewayFault =>
  new GatewayFault(413, PayloadTooLarge.code, PayloadTooLarge.text, { headers: { connection: 'close' } });

export const NotHttp = (): GatewayFault =>
  new GatewayFault(400, Malformed.code, 'This is not a valid HTTP request. Check the client.', {
    headers: { connection: 'close' },
  });

export const TooManyConnections = (): GatewayFault =>
  new GatewayFault(
    429,
    'too_many_connections',
    'There are too many connections from your address. Close some connections.',
    {
      headers: { 'retry-after': '1', connection: 'close' },
      details: { retry_after_s: 1 },
    },
  );

/** All faults of the gateway, for the error catalogue. */
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
  TooManyStreams,
].map((make) => {
  const { status, code, message: text } = make();
  return { status, code, text };
});
