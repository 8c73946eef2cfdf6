/** Signed links to files. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { clock } from '../runtime/clock.ts';
import { fault } from '../runtime/fault.ts';
import { derivedSecret } from './identity.ts';

/** The file that a link opens. */
export interface FileLink {
  key: string;
  name: string;
  mime: string;
}
/**
 * An opened link. @property user_id the user that the link was created for. Absent if it was created without an account
 */
export type OpenedLink = FileLink & { readonly user_id?: string };

/** Creates and opens links to files. */
export interface FileLinks {
  /** Returns the URL of a file, for example of `/api/user-photo`. It opens the file without a bearer token. */
  url(path: string, file: FileLink): string;
  /** Returns a token that opens one file. Two tokens for one file and user are the same within two hours. */
  sign(file: FileLink): string;
  /** Opens a token. @throws LinkExpired for an expired or forged token */
  open(token: string): OpenedLink;
  /** Returns links that stop working when this user may no longer see the file. */
  of(user_id: string | undefined): FileLinks;
}

export const LinkExpired = fault(403, 'link_expired', 'This link has expired. Open the record again for a new one.');

/**
 * The time during which a link stays the same, in seconds. Chosen: a link stays the same for two hours, so that
 * browsers can cache the file. The link works for at least another hour. Opening a link checks again whether its user
 * may see the record.
 */
const SAME_LINK_S = 2 * 60 * 60;
const LINK_LIFE_S = 60 * 60;

/**
 * Creates and opens links with a secret that is derived from the process's private key. All replicas therefore use the
 * same secret.
 * @param public_url the gateway's address as users see it, without a trailing slash
 */
export function fileLinks(private_key: KeyObject, public_url: string): FileLinks {
  return linksFor(undefined, { secret: derivedSecret(private_key, 'suite file links'), public_url });
}

function linksFor(user_id: string | undefined, setting: { secret: Buffer; public_url: string }): FileLinks {
  const { secret, public_url } = setting;
  const now_s = () => Math.floor(clock.now().getTime() / 1000);
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const links: FileLinks = {
    of: (owner_id) => linksFor(owner_id, setting),
    url: (path, file) => `${public_url}${path}/${links.sign(file)}`,
    sign({ key, name, mime }) {
      const renewed_s = Math.ceil((now_s() + 1) / SAME_LINK_S) * SAME_LINK_S;
      const text = Buffer.from(JSON.stringify([key, name, mime, renewed_s + LINK_LIFE_S, user_id])).toString(
        'base64url',
      );
      return `${text}.${mac(text)}`;
    },
    open(token) {
      const [text = '', signature = ''] = token.split('.');
      const [given, made] = [Buffer.from(signature), Buffer.from(mac(text))];
      if (given.length !== made.length || !timingSafeEqual(given, made)) throw LinkExpired();
      const [key, name, mime, expires_at, owner_id] = JSON.parse(Buffer.from(text, 'base64url').toString());
      if (now_s() >= expires_at) throw LinkExpired();
      return { key, name, mime, ...(owner_id && { user_id: owner_id }) };
    },
  };
  return links;
}
