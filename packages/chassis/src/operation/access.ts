/** Access to operations: the permitted callers, and the permission or API key scope that they need. */
import type { z } from 'zod';
import type { PerformedActions } from '../lifecycle/lifecycle.ts';
import type { Caller } from '../identity/identity.ts';
import { linkTokens, type WorkspaceTokens } from '../identity/workspace-token.ts';
import { innerFields } from '../schema/fields.ts';
import { marked } from '../schema/schema-walk.ts';

/** Access to an operation: for holders of a permission, for any signed-in user, or public. */
export type Access =
  | { kind: 'permission'; permission: string; creates?: string; also?: string; does?: PerformedActions }
  | { kind: 'session'; staff?: true; tracker?: true; every_key?: true; check?: CallerCheck }
  | { kind: 'instance' }
  | {
      kind: 'public';
      bearer?: string;
      link?: true;
      signed?: true;
      sites?: true;
      limit?: string;
      file?: FileAccess;
      token?: TokenAccess;
    };

/** Rejects a caller whom the access excludes, in a transaction of their workspace. @throws the 403 fault */
export type CallerCheck = (db: never, caller: Caller) => Promise<unknown>;

/** The modules of a workspace, and whether it is active. */
interface WorkspaceState {
  active: boolean;
  modules: readonly string[];
}

/** Looks up the state of the workspace that a token names. */
export type WorkspaceLookup = (context: { rpc: never }, workspace_id: string) => Promise<WorkspaceState>;

/** A token that names its workspace. It works only while the workspace is active and has the module of the operation. */
export interface TokenAccess {
  /** The name of the path parameter. Absent for a bearer token. */
  param?: string;
  tokens: Pick<WorkspaceTokens, 'read'>;
  lookUp: WorkspaceLookup;
  /**
   * Finds the record of a token before a form with files or an e-mail is received. @throws the fault for an unknown
   * token
   */
  find?: TokenFinder;
}

/** Finds the record of a token, in a transaction without a workspace. */
type TokenFinder = (db: never, token: string) => Promise<unknown>;

/** Returns the user of a file link with their current rights, or undefined if they can no longer sign in. */
export type LinkHolder = (
  context: { rpc: never; read<T>(work: (db: never) => Promise<T>): Promise<T> },
  user: { user_id: string; workspace_id: string },
) => Promise<Caller | undefined>;

/** The conditions of a file link. */
export interface FileAccess {
  holder: LinkHolder;
  /** The permission that a user needs to see the link. */
  permission?: string;
  /** The modules that show the link, if not only the module of the operation. */
  modules?: readonly string[];
}

export const can = (permission: string) => ({ kind: 'permission', permission }) as const;
/**
 * For operations that create a record or change the record named in the body. A caller with neither permission is
 * rejected before the body is read. A caller with one permission is rejected if the body requires the other.
 */
export const canSave = ({ creates, changes }: { creates: string; changes: string }) =>
  ({ kind: 'permission', permission: changes, creates }) as const;

/** Requires a further permission for any record. Callers without it are rejected before the record is looked up. */
export const withPermission = <A extends { kind: 'permission' }>(access: A, also: string) =>
  ({ ...access, also }) as const;

/**
 * Returns the permissions that open an operation. One of them is enough, together with the further permission if the
 * operation requires one.
 */
export const openingPermissions = ({ access }: { access: Access }): string[] =>
  access.kind === 'permission' ? [access.permission, ...(access.creates ? [access.creates] : [])] : [];

/** Returns all permissions that an operation requires. */
export const requiredPermissions = ({ access }: { access: Access }): string[] => [
  ...openingPermissions({ access }),
  ...(access.kind === 'permission' && access.also ? [access.also] : []),
];

const fieldPermissions = marked((field) => innerFields.get(field)?.permissions, { nested: true });

/**
 * Returns all permissions that matter for an operation: required permissions, and permissions that show fields of its
 * response.
 */
export const everyPermissionOf = (operation: { access: Access; reply: { schema: z.ZodType } }): string[] => [
  ...new Set([
    ...requiredPermissions(operation),
    ...fieldPermissions(operation.reply.schema).flatMap(({ mark }) => mark),
  ]),
];

export const anyUser = { kind: 'session' } as const;
/** For sessions and for every valid API key, regardless of its scopes: to check a key and to name its account. */
export const anyCredential = { kind: 'session', every_key: true } as const;
/** For all members of staff, regardless of their permissions. */
export const anyStaff = { kind: 'session', staff: true } as const;
/**
 * The same for sessions and for every API key, regardless of its scopes: the operation checks the permissions of the records that
 * it returns.
 */
export const anyStaffCredential = { kind: 'session', staff: true, every_key: true } as const;
/**
 * Limits an operation to callers whom a check accepts, such as employees. Other callers get its fault before any error
 * in the path, query or body.
 */
export const withCheck = <A extends { kind: 'session' }>(access: A, check: CallerCheck) =>
  ({ ...access, check }) as const;
/** Returns the check that limits an operation, if there is one. */
export const callerCheckOf = ({ access }: { access: Access }): CallerCheck | undefined =>
  access.kind === 'session' ? access.check : undefined;
/** Also opens an operation to time-tracker sessions, which may do nothing else. */
export const withTrackers = <A extends { kind: 'session' }>(access: A) => ({ ...access, tracker: true }) as const;
export const open = { kind: 'public' } as const;
/**
 * Access for holders of a file link. The link opens what its user may see at that time. A link without an account, such as in
 * an e-mail to a requester, opens its file while a record refers to it.
 */
export const openByFileLink = (holder: LinkHolder, more: Omit<FileAccess, 'holder'> = {}) =>
  ({ kind: 'public', file: { ...more, holder } }) as const;
/**
 * For holders of a link that identifies a person. The gateway limits links per address more strictly than other public
 * paths.
 */
export const openByLink = { kind: 'public', link: true } as const;
/**
 * The same for a link whose token names its workspace.
 * @param param the path parameter with the token
 * @param find needed for an operation that receives files
 */
export const openByLinkOf = (lookUp: WorkspaceLookup, param = 'token', find?: TokenFinder) =>
  ({ ...openByLink, token: { param, tokens: linkTokens, lookUp, ...(find && { find }) } }) as const;
/**
 * Access for holders of a token that the service itself issues and checks, such as a mailbox token. The token belongs
 * to no user, so the gateway forwards it unread, as `request.bearer`.
 * @param bearer name of the kind of token in the document
 * @param token lookup of the token's workspace
 */
export const openToBearer = (bearer: string, token?: Omit<TokenAccess, 'param'>) =>
  ({ kind: 'public', bearer, ...(token && { token }) }) as const;

/** For external servers that send reports to a URL with a token. One server reports to many workspaces. */
export const openToReports = { kind: 'public', limit: 'reports' } as const;

/**
 * Returns the scope that an API key needs for an operation without a permission, because a key has fewer rights than
 * its owner.
 * @returns undefined if the operation is open to every key, or requires a permission
 */
export function accountScope({ kind, access }: { kind: 'query' | 'command'; access: Access }): string | undefined {
  if (access.kind !== 'session' || access.every_key) return undefined;
  return kind === 'query' ? 'account.view' : 'account.update';
}

/**
 * For messages with a signature over their bytes, regardless of the sender. The signature arrives as
 * `request.signatures`. A bearer token of the service that is sent with it arrives as `request.bearer`.
 */
export const openToSigned = (bearer: string) => ({ kind: 'public', bearer, signed: true }) as const;
/** For white-label instances with their own tokens: programs of a partner, which act without a user or a workspace. */
export const forInstances = { kind: 'instance' } as const;
/**
 * For pages and scripts of any site. They may read the responses, send no credentials and send little data.
 * @param limit the gateway's policy for the request rate of one address. Defaults to the policy of other public paths
 */
export const openToSites = (limit?: string) => ({ kind: 'public', sites: true, ...(limit && { limit }) }) as const;
