/** Access to operations: the callers that may use one, and the permission or scope that they need. */
import type { z } from 'zod';
import type { Does } from '../lifecycle/lifecycle.ts';
import type { Caller } from '../identity/identity.ts';
import { linkTokens, type WorkspaceTokens } from '../identity/workspace-token.ts';
import { innerFields } from '../schema/fields.ts';
import { marked } from '../schema/schema-walk.ts';

/** Access to an operation: for holders of a permission, anybody signed in, or everybody. */
export type Access =
  | { kind: 'permission'; permission: string; creates?: string; also?: string; does?: Does }
  | { kind: 'session'; staff?: true; tracker?: true; every_key?: true }
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

/** The modules of a workspace, and whether it is active. */
interface WorkspaceState {
  active: boolean;
  modules: readonly string[];
}

/** Looks up the state of the workspace that a token names. */
export type WorkspaceLookup = (context: { rpc: never }, workspace_id: string) => Promise<WorkspaceState>;

/** A token that names its workspace. It works only while the workspace is active and has the module of the operation. */
export interface TokenAccess {
  /** The name of the path parameter; absent for a bearer token. */
  param?: string;
  tokens: Pick<WorkspaceTokens, 'read'>;
  lookUp: WorkspaceLookup;
}

/** Returns the user of a file link with their current rights, or undefined if they can no longer sign in. */
export type LinkHolder = (
  context: { rpc: never; read<T>(work: (db: never) => Promise<T>): Promise<T> },
  user: { user_id: string; workspace_id: string },
) => Promise<Caller | undefined>;

/** The conditions of a file link. */
export interface FileAccess {
  holder: LinkHolder;
  /** The permission that shows the link. */
  permission?: string;
  /** The modules that show the link, if they are more than the module of the operation. */
  modules?: readonly string[];
}

export const can = (permission: string) => ({ kind: 'permission', permission }) as const;
/**
 * For what makes a record or changes the one that the body names: who has neither right is refused before the body is
 * read, and who has one of them as soon as the body says that it takes the other one.
 */
export const canSave = ({ creates, changes }: { creates: string; changes: string }) =>
  ({ kind: 'permission', permission: changes, creates }) as const;

/** Takes a further permission, whatever the record: who lacks it is refused before anybody looks whether the record is there. */
export const andAlso = <A extends { kind: 'permission' }>(access: A, also: string) => ({ ...access, also }) as const;

/** The permissions that open an operation: one of them is enough to get in, with the further one where it takes one. */
export const openedBy = ({ access }: { access: Access }): string[] =>
  access.kind === 'permission' ? [access.permission, ...(access.creates ? [access.creates] : [])] : [];

/** All permissions that an operation asks for. */
export const permissionsOf = ({ access }: { access: Access }): string[] => [
  ...openedBy({ access }),
  ...(access.kind === 'permission' && access.also ? [access.also] : []),
];

const shownWith = marked((field) => innerFields.get(field)?.permissions, { nested: true });

/** All permissions that matter for an operation: those that it requires, and those that show fields of its reply. */
export const everyPermissionOf = (operation: { access: Access; reply: { schema: z.ZodType } }): string[] => [
  ...new Set([...permissionsOf(operation), ...shownWith(operation.reply.schema).flatMap(({ mark }) => mark)]),
];

export const signedIn = { kind: 'session' } as const;
/** For sessions and for every valid API key, whatever its scopes: to check a key and to name the account behind it. */
export const anyCredential = { kind: 'session', every_key: true } as const;
/** For members of staff, whatever they may do otherwise. */
export const signedInStaff = { kind: 'session', staff: true } as const;
/** Opens an operation also to sessions of a time tracker, which may do nothing else. */
export const trackersToo = <A extends { kind: 'session' }>(access: A) => ({ ...access, tracker: true }) as const;
export const open = { kind: 'public' } as const;
/**
 * For holders of a file link. The link opens what the user whom it was made for may see at that time. A link that was made
 * without an account, such as one in an e-mail to a requester, opens its file for as long as a record names it.
 */
export const openByFileLink = (holder: LinkHolder, more: Omit<FileAccess, 'holder'> = {}) =>
  ({ kind: 'public', file: { ...more, holder } }) as const;
/** For holders of a link that stands for somebody; the gateway lets one address use links less often than other public paths. */
export const openByLink = { kind: 'public', link: true } as const;
/** The same for a link whose token names its workspace. @param param the path parameter with the token */
export const openByLinkOf = (lookUp: WorkspaceLookup, param = 'token') =>
  ({ ...openByLink, token: { param, tokens: linkTokens, lookUp } }) as const;
/**
 * For holders of a token that the service itself gave out and checks, such as that of a mailbox: it is no user's, so the
 * gateway hands it on unread. It arrives as `request.bearer`.
 * @param bearer names the kind of token in the document
 * @param token how the workspace of a token is found
 */
export const openToBearer = (bearer: string, token?: Omit<TokenAccess, 'param'>) =>
  ({ kind: 'public', bearer, ...(token && { token }) }) as const;

/** For servers of others that report by an address with a token in it: one of them reports to many workspaces. */
export const openToReports = { kind: 'public', limit: 'reports' } as const;

/**
 * Returns the scope that an API key needs for an operation that takes no permission: a key is not its owner.
 * @returns undefined if the operation is open to every key, or takes a permission
 */
export function accountScope({ kind, access }: { kind: 'query' | 'command'; access: Access }): string | undefined {
  if (access.kind !== 'session' || access.every_key) return undefined;
  return kind === 'query' ? 'account.view' : 'account.update';
}

/**
 * For messages that a signature over their bytes proves, whoever carries them: it arrives as `request.signatures`. A bearer
 * token of the service's own that goes with it arrives as `request.bearer`.
 */
export const openToSigned = (bearer: string) => ({ kind: 'public', bearer, signed: true }) as const;
/** For white-label instances, by their own tokens: programs of a partner, which act for no user and in no workspace. */
export const forInstances = { kind: 'instance' } as const;
/**
 * For pages and scripts of any site: they may read the answers, send no credentials, and what they send is small.
 * @param limit the gateway's policy that says how often one address may ask; that of other public paths, without one
 */
export const openToSites = (limit?: string) => ({ kind: 'public', sites: true, ...(limit && { limit }) }) as const;
