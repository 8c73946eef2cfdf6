/** Tokens that name their workspace and open something there: 256 random bits, of which only a hash is kept. */
import { createHash, randomBytes } from 'node:crypto';

/** Bytes as Prisma takes them. */
type Hash = Uint8Array<ArrayBuffer>;

/** The parts of a new token that are kept: enough to find its record, and for its owner to know it again. */
export interface KeptToken {
  token_hash: Hash;
  token_hint: string;
}

/** One way to write such tokens. */
export interface WorkspaceTokens {
  /** A new token of a workspace. It is told once: nothing that is kept leads back to it. */
  make(workspace_id: string): { token: string; kept: KeptToken };
  /** Reads a token that somebody brings. @returns undefined for what was never one */
  read(token: string): { workspace_id: string; token_hash: Hash } | undefined;
}

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

const hashOf = (text: string): Hash => new Uint8Array(createHash('sha256').update(text).digest());
const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const kept = (hashed: string, secret: string): KeptToken => ({
  token_hash: hashOf(hashed),
  token_hint: secret.slice(0, HINT_LENGTH),
});

const hexOf = (workspace_id: string): string => workspace_id.replaceAll('-', '');
const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const LINK = /^([\w-]{22})\.([\w-]{43})$/;

/** Tokens in addresses, as short as can be: `<workspace>.<secret>`, of which the secret is hashed. */
export const linkTokens: WorkspaceTokens = {
  make(workspace_id) {
    const secret = newSecret();
    const workspace = Buffer.from(hexOf(workspace_id), 'hex').toString('base64url');
    return { token: `${workspace}.${secret}`, kept: kept(secret, secret) };
  },
  read(token) {
    const [, workspace, secret] = LINK.exec(token) ?? [];
    if (!workspace || !secret) return undefined;
    return { workspace_id: asId(Buffer.from(workspace, 'base64url').toString('hex')), token_hash: hashOf(secret) };
  },
};

/**
 * Tokens for the settings of another program, where a prefix says whose they are: `<prefix>_<workspace>_<secret>`, which are
 * hashed whole.
 */
export function prefixedTokens(prefix: string): WorkspaceTokens {
  const shape = new RegExp(`^${prefix}_([\\da-f]{32})_[\\w-]{43}$`);
  return {
    make(workspace_id) {
      const secret = newSecret();
      const token = `${prefix}_${hexOf(workspace_id)}_${secret}`;
      return { token, kept: kept(token, secret) };
    },
    read(token) {
      const [, workspace] = shape.exec(token) ?? [];
      return workspace ? { workspace_id: asId(workspace), token_hash: hashOf(token) } : undefined;
    },
  };
}
