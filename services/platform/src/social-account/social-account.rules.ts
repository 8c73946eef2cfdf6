/** The refusals of a connection to a social server. */
import { fault } from '@suite/chassis';

export const AuthorizationOver = fault(
  422,
  'authorization_over',
  'This connection was begun too long ago, or was used already. Begin again.',
);
export const AuthorizationDenied = fault(422, 'authorization_denied', 'The server was not allowed to connect.');
