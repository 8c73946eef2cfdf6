/** Faults of a connection to a social server. */
import { fault } from '@suite/chassis/faults';

export const AuthorizationExpired = fault(
  422,
  'authorization_over',
  'This connection attempt has expired or was already used. Start again.',
);
export const AuthorizationDenied = fault(
  422,
  'authorization_denied',
  'The server rejected the connection. Allow it there, then try again.',
);
