/** Client of a calendar server, for one of its users. */
import type { Outgoing, OutgoingAnswer } from '@suite/outbound-http';
import { ServerRefused } from '../../connections/integrations/server-refused.ts';
import { type Multistatus, readMultistatus } from './multistatus.ts';

/** Calendar server with the credentials of a user. */
export interface CalendarServer {
  outgoing: Outgoing;
  workspace_id: string;
  username: string;
  password: string;
}

/** Request to a calendar server. */
export interface DavRequest {
  url: string;
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const XML = 'application/xml; charset=utf-8';

/** Calls a server and returns its response, regardless of the status. */
export async function callServer(
  { outgoing, workspace_id, username, password }: CalendarServer,
  { url, method, headers, body }: DavRequest,
): Promise<OutgoingAnswer> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': XML };
  return await outgoing.call(workspace_id, {
    url,
    method,
    headers: { authorization, 'user-agent': 'Suite', ...type, ...headers },
    ...(body !== undefined && { body }),
  });
}

/** Converts an error response to a fault. */
export function refusedWith({ status, headers }: OutgoingAnswer): ServerRefused {
  const sentence =
    status === 401
      ? 'The server does not accept the name and the password.'
      : status >= 300 && status < 400
        ? 'The server redirects to another address. Enter that address.'
        : `The server answers with ${status}.`;
  return new ServerRefused(sentence, status, headers['retry-after']);
}

/** Requests a multistatus. @throws ServerRefused, OutgoingFailure */
export async function askMultistatus(server: CalendarServer, request: DavRequest): Promise<Multistatus> {
  const answer = await callServer(server, request);
  if (answer.status !== 207) throw refusedWith(answer);
  return await readMultistatus(answer.text());
}

/** Returns a normalised path of an address, for comparisons. */
function plainPath(path: string): string | undefined {
  try {
    return path
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/');
  } catch {
    return undefined;
  }
}

/**
 * Returns the address that a server names in a response. @returns undefined for another host: the user's password is
 * for this host only
 */
export function addressIn(href: string, at: string): string | undefined {
  if (!href || !URL.canParse(href, at)) return undefined;
  const [url, base] = [new URL(href, at), new URL(at)];
  const path = plainPath(url.pathname);
  return url.origin === base.origin && path !== undefined ? url.origin + path : undefined;
}

/** Returns the path of a calendar entry. @returns undefined for an address that is not directly in the calendar */
export function entryIn(calendar_url: string, href: string): string | undefined {
  const address = addressIn(href, calendar_url);
  if (!address?.startsWith(calendar_url)) return undefined;
  const name = address.slice(calendar_url.length);
  return name === '' || name.includes('/') ? undefined : new URL(address).pathname;
}

/** Returns the address of a path on a calendar's server. */
export const urlOf = (calendar_url: string, path: string): string => new URL(calendar_url).origin + path;

/** Returns the address of a collection, with a trailing slash. */
export const asCollection = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
