/** Client of a calendar server, for one of its users. */
import type { Outgoing, OutgoingResponse } from '@suite/outbound-http';
import { ServerRejection } from '../../connections/integrations/server-rejection.ts';
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
): Promise<OutgoingResponse> {
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
export function toRejection({ status, headers }: OutgoingResponse): ServerRejection {
  const sentence =
    status === 401
      ? 'The server does not accept the name and the password.'
      : status >= 300 && status < 400
        ? 'The server redirects to another address. Enter that address.'
        : `The server returned ${status}.`;
  return new ServerRejection(sentence, status, headers['retry-after']);
}

/** Requests a multistatus. @throws ServerRejection, OutgoingFailure */
export async function requestMultistatus(server: CalendarServer, request: DavRequest): Promise<Multistatus> {
  const answer = await callServer(server, request);
  if (answer.status !== 207) throw toRejection(answer);
  return await readMultistatus(answer.text());
}

/** Returns a normalised path of an address, for comparisons. */
function normalizePath(path: string): string | undefined {
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
export function resolveAddress(href: string, at: string): string | undefined {
  if (!href || !URL.canParse(href, at)) return undefined;
  const [url, base] = [new URL(href, at), new URL(at)];
  const path = normalizePath(url.pathname);
  return url.origin === base.origin && path !== undefined ? url.origin + path : undefined;
}

/** Returns the path of a calendar entry. @returns undefined for an address that is not directly in the calendar */
export function entryPath(calendar_url: string, href: string): string | undefined {
  const address = resolveAddress(href, calendar_url);
  if (!address?.startsWith(calendar_url)) return undefined;
  const name = address.slice(calendar_url.length);
  return name === '' || name.includes('/') ? undefined : new URL(address).pathname;
}

/** Returns the address of a path on a calendar's server. */
export const urlOf = (calendar_url: string, path: string): string => new URL(calendar_url).origin + path;

/** Returns the address of a collection, with a trailing slash. */
export const toCollectionUrl = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
