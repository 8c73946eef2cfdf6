/** The last paragraph of the description of an operation: the credentials, the module and the permissions that it requires. */
import { accountScope, type Operation } from '@suite/chassis/declarations';

type Permissions = Extract<Operation['access'], { kind: 'permission' }>;

function permissions({ permission, creates, also }: Permissions): string {
  if (creates) return `the permission \`${creates}\` to create a record or \`${permission}\` to update one`;
  return also ? `the permissions \`${permission}\` and \`${also}\`` : `the permission \`${permission}\``;
}

const rejectsKeys = ({ faults = [] }: Operation): boolean => faults.some(({ code }) => code === 'session_required');

/** Returns the credentials that open an operation without a permission. */
function credentials(operation: Operation): string {
  const isOfStaff = operation.access.kind === 'session' && operation.access.staff;
  const user = isOfStaff ? 'a session of an owner or a staff user' : 'a user session';
  if (rejectsKeys(operation)) return user;
  const scope = accountScope(operation);
  const key = scope ? `with the scope \`${scope}\`` : 'with any scope';
  return isOfStaff ? `${user}, or their API key ${key}` : `${user} or an API key ${key}`;
}

/** Returns the access to an operation, in full sentences. */
export function accessDescription(operation: Operation): string {
  const { access, module } = operation;
  if (access.kind === 'instance') return 'Requires the token of a white-label instance as bearer token.';
  if (access.kind === 'public') {
    if (access.signed) return `Requires a valid signature. A ${access.bearer} also sends its token as bearer token.`;
    return access.bearer
      ? `Requires the token of a ${access.bearer} as bearer token.`
      : 'Public. No authentication required.';
  }
  const needed = access.kind === 'permission' ? permissions(access) : credentials(operation);
  const isList = access.kind === 'session' || access.creates !== undefined;
  const all = module ? `the module \`${module}\`${isList ? ',' : ''} and ${needed}` : needed;
  const isUnsaid = rejectsKeys(operation) && !operation.description?.includes('`session_required`');
  return `Requires ${all}.${isUnsaid ? ' API keys return 403 `session_required`.' : ''}`;
}
