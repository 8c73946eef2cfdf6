/** The faults that the gateway itself answers with. */
import { Fault, NotFound, Unauthenticated } from '@suite/chassis/gateway';

/** A fault with headers that tell the client what to do about it. */
export class Refusal extends Fault {
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(status, code, message);
    this.headers = headers;
  }
}

export const MalformedRequest = (): Refusal =>
  new Refusal(400, 'malformed_request', 'The address or the form of this request is not valid.', {
    connection: 'close',
  });

export const TooManyParameters = (): Refusal =>
  new Refusal(400, 'too_many_parameters', 'An address may have at most 100 parameters.');

export const UnknownPath = (): Refusal => new Refusal(404, NotFound.code, 'There is nothing at this address.');

export const MethodNotAllowed = (allow: string): Refusal =>
  new Refusal(405, 'method_not_allowed', 'This address does not answer to this method.', { allow });

export const TokenMissing = (): Refusal =>
  new Refusal(401, Unauthenticated.code, Unauthenticated.text, { 'www-authenticate': 'Bearer realm="suite"' });

export const TokenRefused = (): Refusal =>
  new Refusal(401, Unauthenticated.code, Unauthenticated.text, {
    'www-authenticate':
      'Bearer realm="suite", error="invalid_token", error_description="The token is not valid any more."',
  });

export const BodyTooSlow = (): Refusal =>
  new Refusal(408, 'request_timeout', 'The request body did not arrive in time.', { connection: 'close' });

export const BadAnswer = (): Refusal =>
  new Refusal(502, 'bad_gateway', 'A part of the suite broke off its answer. Try again shortly.');

/** The service is away or has too much to do; others are not concerned. */
export const ServiceUnavailable = (): Refusal =>
  new Refusal(503, 'unavailable', 'This part of the suite is busy or starting. Try again shortly.', {
    'retry-after': '1',
  });

export const TooLate = (): Refusal =>
  new Refusal(504, 'gateway_timeout', 'A part of the suite took too long to answer.');
