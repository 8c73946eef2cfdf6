/** Tokens that name their workspace and give access to something there: 256 random bits. Only a hash is kept. */
import { createHash, randomBytes } from 'node:crypto';

/** Bytes in the type that Prisma accepts. */
type Hash = Uint8Array<ArrayBuffer>;

/** The stored parts of a new token: enough to find its record, and for its owner to recognise it. */
export interface StoredToken {
  token_hash: Hash;
  token_hint: string;
}

/** A format of workspace tokens. */
export interface WorkspaceTokens {
  /** Creates a token of a workspace. The token is shown once: it cannot be derived from the stored values. */
  make(workspace_id: string): { token: string; stored: StoredToken };
  /** Reads a token from a request. @returns undefined for an invalid token */
  read(token: string): { workspace_id: string; token_hash: Hash } | undefined;
}

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

const hashOf = (text: string): Hash => new Uint8Array(createHash('sha256').update(text).digest());
const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const storedPartsOf = (hashed: string, secret: string): StoredToken => ({
  token_hash: hashOf(hashed),
  token_hint: secret.slice(0, HINT_LENGTH),
});

const hexOf = (workspace_id: string): string => workspace_id.replaceAll('-', '');
const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const shortToId = (short: string): string => asId(Buffer.from(short, 'base64url').toString('hex'));

const LINK = /^([\w-]{22})\.([\w-]{43})$/;

/** Tokens in addresses, as short as possible: `<workspace>.<secret>`. Only the secret is hashed. */
export const linkTokens: WorkspaceTokens = {
  make(workspace_id) {
    const secret = newSecret();
    const workspace = Buffer.from(hexOf(workspace_id), 'hex').toString('base64url');
    return { token: `${workspace}.${secret}`, stored: storedPartsOf(secret, secret) };
  },
  read(token) {
    const [, workspace, secret] = LINK.exec(token) ?? [];
    if (!workspace || !secret) return undefined;
    return { workspace_id: shortToId(workspace), token_hash: hashOf(secret) };
  },
};

/**
 * Returns a format for tokens in the settings of other programs. A prefix identifies the product:
 * `<prefix>_<workspace>_<secret>`. The whole token is hashed.
 */
export function prefixedTokens(prefix: string): WorkspaceTokens {
  const shape = new RegExp(`^${prefix}_([\\da-f]{32})_[\\w-]{43}$`);
  return {
    make(workspace_id) {
      const secret = newSecret();
      const token = `${prefix}_${hexOf(workspace_id)}_${secret}`;
      return { token, stored: storedPartsOf(token, secret) };
    },
    read(token) {
      const [, workspace] = shape.exec(token) ?? [];
      return workspace ? { workspace_id: asId(workspace), token_hash: hashOf(token) } : undefined;
    },
  };
}

const PREFIXED = /^[a-z]+_([\da-f]{32})_[\w-]{43}$/;

/** Returns the workspace that a token names, without a check of the token. @returns undefined for other formats */
export function workspaceInToken(token: string): string | undefined {
  const [, short] = LINK.exec(token) ?? [];
  if (short) return shortToId(short);
  const [, hex] = PREFIXED.exec(token) ?? [];
  return hex && asId(hex);
}
